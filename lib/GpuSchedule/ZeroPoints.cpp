//===- ZeroPoints.cpp - Quantised ops without zero points -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ZeroPoints.h"

#include "baco/Analysis/MemoryRoots.h"
#include "baco/Analysis/PlacedOp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-zero-points"

using namespace mlir;
using namespace baco;

/// The op in the place of `op` if that is a `Quantized`; else null.
template <typename Quantized, typename Plain>
static linalg::LinalgOp replace(RewriterBase &rewriter, linalg::LinalgOp op) {
  auto quantized = dyn_cast<Quantized>(op.getOperation());
  if (!quantized)
    return {};
  rewriter.setInsertionPoint(op);
  ValueRange factors = quantized.getInputs().take_front(2);
  Operation *plain;
  if constexpr (requires { quantized.getStrides(); })
    plain = Plain::create(rewriter, op.getLoc(), TypeRange(), factors,
                          quantized.getOutputs(), quantized.getStridesAttr(),
                          quantized.getDilationsAttr());
  else
    plain = Plain::create(rewriter, op.getLoc(), TypeRange(), factors,
                          quantized.getOutputs());
  rewriter.eraseOp(op);
  return cast<linalg::LinalgOp>(plain);
}

template <typename... Pairs>
static linalg::LinalgOp replaceAny(RewriterBase &rewriter,
                                   linalg::LinalgOp op) {
  linalg::LinalgOp plain;
  (void)((plain =
              replace<typename Pairs::first_type, typename Pairs::second_type>(
                  rewriter, op)) ||
         ...);
  return plain;
}

/// Ops of products that tensor cores have.
static linalg::LinalgOp replaceProduct(RewriterBase &rewriter,
                                       linalg::LinalgOp op) {
  return replaceAny<
      std::pair<linalg::Conv2DNhwcHwcfQOp, linalg::Conv2DNhwcHwcfOp>,
      std::pair<linalg::Conv2DNhwcFhwcQOp, linalg::Conv2DNhwcFhwcOp>,
      std::pair<linalg::Conv2DNchwFchwQOp, linalg::Conv2DNchwFchwOp>,
      std::pair<linalg::QuantizedMatmulOp, linalg::MatmulOp>,
      std::pair<linalg::QuantizedBatchMatmulOp, linalg::BatchMatmulOp>>(
      rewriter, op);
}

static linalg::LinalgOp replaceDepthwise(RewriterBase &rewriter,
                                         linalg::LinalgOp op) {
  return replaceAny<std::pair<linalg::DepthwiseConv2DNhwcHwcQOp,
                              linalg::DepthwiseConv2DNhwcHwcOp>,
                    std::pair<linalg::DepthwiseConv2DNhwcHwcmQOp,
                              linalg::DepthwiseConv2DNhwcHwcmOp>>(rewriter, op);
}

/// The zero point of what `op` multiplies by its weights, which have none; none
/// if that isn't known.
static std::optional<APInt> findZeroPoint(linalg::LinalgOp op) {
  APInt zeroPoint;
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 4 ||
      !matchPattern(op.getDpsInputs()[3], m_Zero()) ||
      !matchPattern(op.getDpsInputs()[2], m_ConstantInt(&zeroPoint)))
    return std::nullopt;
  return zeroPoint;
}

namespace {
/// The sums of weights by which a zero point is multiplied: one for each of the
/// results' dimensions that index weights.
struct WeightSums {
  explicit WeightSums(linalg::LinalgOp op);
  /// Whether so many results share each sum that tensor cores save more than
  /// two launches cost.
  bool isWorthwhile() const;

  Value weights, results;
  /// The dimensions of the weights and those of the results that index a sum.
  SmallVector<unsigned> inWeights, inResults;
};
} // namespace

WeightSums::WeightSums(linalg::LinalgOp op)
    : weights(op.getDpsInputs()[1]), results(op.getDpsInits()[0]) {
  AffineMap ofWeights = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  AffineMap ofResults = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [i, index] : llvm::enumerate(ofWeights.getResults()))
    if (std::optional<unsigned> at = ofResults.getResultPosition(index)) {
      inWeights.push_back(i);
      inResults.push_back(*at);
    }
}

bool WeightSums::isWorthwhile() const {
  constexpr int64_t minResults = 64;
  auto type = cast<MemRefType>(results.getType());
  auto factors = cast<MemRefType>(weights.getType());
  if (!type.hasStaticShape() || !factors.hasStaticShape())
    return false;
  int64_t sums = 1;
  for (unsigned dim : inResults)
    sums *= type.getDimSize(dim);
  return type.getNumElements() >= minResults * sums;
}

/// The first op before which `memref` has the contents that `op` reads.
static Operation *findFirstReader(linalg::LinalgOp op, Value memref) {
  Operation *first = op;
  while (Operation *previous = first->getPrevNode()) {
    if (previous == memref.getDefiningOp())
      break;
    auto other = dyn_cast<linalg::LinalgOp>(previous);
    bool isSafe = other ? llvm::none_of(other.getDpsInits(),
                                        [&](Value written) {
                                          return mayOverlap(written, memref);
                                        })
                        : isIndependent(previous);
    if (!isSafe)
      break;
    first = previous;
  }
  return first;
}

static linalg::GenericOp
makeGeneric(RewriterBase &rewriter, Location loc, Value input, Value output,
            ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators,
            function_ref<Value(OpBuilder &, ValueRange)> body) {
  return linalg::GenericOp::create(
      rewriter, loc, TypeRange(), input, output, maps, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        linalg::YieldOp::create(builder, loc, body(builder, values));
      });
}

/// Subtracts what the zero point adds to each result of `op`, which comes
/// without it: sum((x - z) w) = sum(x w) - z sum(w), in integers that wrap
/// around exactly.
static void subtractZeroPoint(RewriterBase &rewriter, linalg::LinalgOp op,
                              const WeightSums &sums, const APInt &zeroPoint) {
  using utils::IteratorType;
  Location loc = op.getLoc();
  MLIRContext *context = rewriter.getContext();
  auto weights = cast<MemRefType>(sums.weights.getType());
  auto results = cast<MemRefType>(sums.results.getType());
  Type element = results.getElementType();
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> ofWeights, ofResults;
  SmallVector<IteratorType> iterators(weights.getRank(),
                                      IteratorType::reduction);
  for (auto [inWeights, inResults] :
       llvm::zip_equal(sums.inWeights, sums.inResults)) {
    iterators[inWeights] = IteratorType::parallel;
    shape.push_back(results.getDimSize(inResults));
    ofWeights.push_back(rewriter.getAffineDimExpr(inWeights));
    ofResults.push_back(rewriter.getAffineDimExpr(inResults));
  }
  // Early, so that what initializes the results stays before the product.
  rewriter.setInsertionPoint(findFirstReader(op, sums.weights));
  Value buffer =
      memref::AllocOp::create(rewriter, loc, MemRefType::get(shape, element));
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
  linalg::FillOp::create(rewriter, loc, zero, buffer);
  makeGeneric(rewriter, loc, sums.weights, buffer,
              {rewriter.getMultiDimIdentityMap(weights.getRank()),
               AffineMap::get(weights.getRank(), 0, ofWeights, context)},
              iterators, [&](OpBuilder &builder, ValueRange values) -> Value {
                Value wide =
                    arith::ExtSIOp::create(builder, loc, element, values[0]);
                return arith::AddIOp::create(builder, loc, values[1], wide);
              });
  rewriter.setInsertionPointAfter(op);
  AffineMap whole = rewriter.getMultiDimIdentityMap(results.getRank());
  makeGeneric(
      rewriter, loc, buffer, sums.results,
      {AffineMap::get(results.getRank(), 0, ofResults, context), whole},
      SmallVector<IteratorType>(results.getRank(), IteratorType::parallel),
      [&](OpBuilder &builder, ValueRange values) -> Value {
        Value factor = arith::ConstantOp::create(
            builder, loc,
            builder.getIntegerAttr(
                element,
                zeroPoint.sextOrTrunc(element.getIntOrFloatBitWidth())));
        Value product = arith::MulIOp::create(builder, loc, values[0], factor);
        return arith::SubIOp::create(builder, loc, values[1], product);
      });
  rewriter.setInsertionPoint(op->getBlock()->getTerminator());
  memref::DeallocOp::create(rewriter, loc, buffer);
}

/// Whether a zero point that isn't zero can be subtracted later.
static bool isOnBytes(linalg::LinalgOp op) {
  auto widthOf = [](Value memref) -> unsigned {
    auto type = dyn_cast<MemRefType>(memref.getType());
    return type && type.getElementType().isSignlessInteger()
               ? type.getElementTypeBitWidth()
               : 0;
  };
  unsigned factor = widthOf(op.getDpsInputs()[1]);
  return factor == 8 && widthOf(op.getDpsInputs()[0]) == factor &&
         widthOf(op.getDpsInits()[0]) > factor;
}

int64_t schedule::dropZeroPoints(RewriterBase &rewriter,
                                 func::FuncOp function) {
  int64_t count = 0;
  for (auto op : llvm::to_vector(function.getOps<linalg::LinalgOp>())) {
    std::optional<APInt> zeroPoint = findZeroPoint(op);
    if (!zeroPoint)
      continue;
    if (zeroPoint->isZero()) {
      count += replaceProduct(rewriter, op) || replaceDepthwise(rewriter, op);
      continue;
    }
    WeightSums sums(op);
    if (!isOnBytes(op) || !sums.isWorthwhile())
      continue;
    if (linalg::LinalgOp plain = replaceProduct(rewriter, op)) {
      LDBG() << "the zero point of the op at " << plain.getLoc()
             << " is subtracted from its results";
      subtractZeroPoint(rewriter, plain, sums, *zeroPoint);
      ++count;
    }
  }
  return count;
}
