//===- StepGpuChain.cpp - Rows of a product in shared memory --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The product of the chain gets loops over columns and over threads, or warps,
// as if it had a recipe of its own; the launch around the op has it, too.
//
//===----------------------------------------------------------------------===//

#include "StepsOnGpu.h"
#include "TileSize.h"

#include "baco/Analysis/MatrixProduct.h"
#include "baco/Analysis/RowChain.h"
#include "baco/IR/GpuTarget.h"
#include "baco/IR/Structured.h"
#include "baco/Support/NvidiaGpu.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Vector/TransformOps/VectorTransformOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace baco;

/// The chain whose rows the op of `state` reads.
static llvm::Expected<RowChain> findChain(GpuChainAttr step,
                                          RecipeAnalysis &state) {
  llvm::Expected<BufferedProducers> producers = findBufferedProducers(
      cast<linalg::LinalgOp>(state.getOp()), state.getOp(), scopeOf(step));
  if (!producers)
    return producers.takeError();
  return findRowChain(producers->ops);
}

static int64_t countBytes(mlir::Value memref) {
  return llvm::divideCeil(
      getElementTypeOrSelf(memref.getType()).getIntOrFloatBitWidth(), 8);
}

static bool isAlongSum(const RowChain &chain, unsigned input) {
  return lastIteratorOf(chain.product, input) == chain.k;
}

namespace {
/// The conditions of a step.
class ChainConditions {
public:
  ChainConditions(GpuChainAttr step, RecipeAnalysis &state,
                  const RowChain &chain)
      : step(step), state(state), chain(chain), product(chain.product),
        ranges(product.getStaticLoopRanges()), columns(step.getColumns()),
        rows(step.getRows()), run(step.getRun()), depth(step.getDepth()),
        width(step.getWidth()), padding(step.getPadding()),
        lanes(step.getLanes()) {}

  LogicalResult require() {
    FailureOr<SmallVector<Quantity>> tile = findTile();
    if (failed(tile))
      return failure();
    Quantity ofBlock = (*tile)[tile->size() - 2];
    int64_t tiles =
        limits().maxThreads / (step.getMma() ? nvidia::warpSize : 1);
    Product sums = Product(rows).multiply(run).multiply(constant(tiles));
    return failure(
        failed(requireParts(ofBlock)) || failed(requireMma()) ||
        failed(requireAtMost(state, Product(ofBlock).multiply(columns), sums,
                             threadsReason(limits()))) ||
        failed(requireAtMost(
            state, chain.rows.columns, Product(maxRowElements).multiply(lanes),
            "a lane has at most " + std::to_string(maxRowElements) +
                " elements of a row")) ||
        failed(requireVectors(ofBlock)) || failed(requireFit(ofBlock)));
  }

private:
  Quantity constant(int64_t value) const {
    return Quantity(Builder(step.getContext()).getI64IntegerAttr(value));
  }
  GpuLimits limits() const { return launchLimits(state.getOp()); }

  /// How much of the rows a block has, for each dimension of their buffer.
  FailureOr<SmallVector<Quantity>> findTile() {
    auto op = cast<linalg::LinalgOp>(state.getOp());
    std::optional<SmallVector<Quantity>> tile;
    for (OpOperand *input : op.getDpsInputOperands()) {
      bool isRow = llvm::any_of(chain.rows.ops, [&](const PlacedOp &placed) {
        return llvm::is_contained(linalg::LinalgOp(placed.op).getDpsInits(),
                                  input->get());
      });
      if (!isRow ||
          op.getRank(input) != static_cast<int64_t>(chain.rows.rows.size()) + 1)
        continue;
      SmallVector<Quantity> sizes;
      for (AffineExpr expression :
           op.getMatchingIndexingMap(input).getResults()) {
        auto dim = dyn_cast<AffineDimExpr>(expression);
        std::optional<Quantity> extent =
            dim ? findExtent(state, dim.getPosition()) : std::nullopt;
        if (!extent)
          return state.emitError()
                 << "a dimension of the rows that the op reads "
                    "is not indexed by one iterator";
        sizes.push_back(*extent);
      }
      if (tile && *tile != sizes)
        return state.emitError() << "the op reads different rows";
      tile = sizes;
    }
    if (!tile)
      return state.emitError() << "the op doesn't read rows of the product";
    if (tile->back().isKnob() ||
        tile->back().getConstant() != chain.rows.columns)
      return state.emitError()
             << "a block doesn't read all columns of the rows";
    for (size_t i = 0; i + 2 < tile->size(); ++i)
      if (!(*tile)[i].allOf([](int64_t size) { return size == 1; }))
        return state.emitError() << "a block has rows of several matrices of a "
                                    "batch; let its size in 'gpu_blocks' be 1";
    return *tile;
  }

  LogicalResult requirePart(Quantity part, const Product &whole,
                            StringRef what) {
    return requireDivisor(state, part, whole,
                          part.quoted() + " must divide the " + what.str());
  }

  LogicalResult requireParts(Quantity ofBlock) {
    return failure(failed(requirePart(rows, ofBlock, "rows of a block")) ||
                   failed(requirePart(columns, ranges[chain.n], "columns")) ||
                   failed(requirePart(run, columns, "columns at a time")) ||
                   failed(requirePart(depth, ranges[chain.k], "sum")));
  }

  /// Warps have whole instructions, and load rows of 16 bytes.
  LogicalResult requireMma() {
    bool isFollowed =
        llvm::any_of(state.getLaterSteps(), llvm::IsaPred<GpuMmaAttr>);
    if (step.getMma() != isFollowed)
      return state.emitError()
             << (isFollowed ? "'gpu_mma' follows; let 'mma' be true"
                            : "no 'gpu_mma' follows, but 'mma' is true");
    if (!isFollowed)
      return success();
    llvm::Expected<MatrixProduct> onTensorCores =
        matchTensorCoreProduct(product);
    if (!onTensorCores)
      return state.emitError() << "the product of the rows: "
                               << llvm::toString(onTensorCores.takeError());
    int64_t bytes = countBytes(product->getOperand(0));
    for (mlir::Value buffer : listMatrices(chain))
      bytes = std::min(bytes, countBytes(buffer));
    int64_t ofVector = nvidia::maxAccessBytes / bytes;
    return failure(
        failed(requireMultiple(state, rows, mma::m, "the rows of a warp")) ||
        failed(requireMultiple(state, run, mma::n, "the columns of a warp")) ||
        failed(requireMultiple(
            state, depth, mma::depthOf(onTensorCores->element), "the depth")) ||
        failed(requireMultiple(state, padding, ofVector, "the padding")));
  }

  /// The length of the rows of an input's tile.
  Product rowOf(unsigned input, Quantity ofBlock) const {
    if (isAlongSum(chain, input))
      return ranges[chain.k];
    return input == chain.rowInput ? Product(ofBlock) : Product(columns);
  }

  LogicalResult requireVectors(Quantity ofBlock) {
    for (unsigned input : {0, 1}) {
      if (failed(requirePart(width, rowOf(input, ofBlock),
                             "rows of the product's input " +
                                 std::to_string(input))) ||
          failed(requireAtMost(state,
                               Product(width).multiply(constant(
                                   countBytes(product->getOperand(input)))),
                               nvidia::maxAccessBytes,
                               "a vector must have at most 16 bytes")))
        return failure();
    }
    if (padding.isKnob() || padding.getConstant() != 0)
      return requirePart(width, padding, "padding");
    return success();
  }

  /// The bytes of an input's tile.
  TileSize tileOf(unsigned input, Quantity ofBlock) const {
    TileSize elements =
        input == chain.rowInput ? TileSize(ofBlock) : TileSize(columns);
    TileSize sum = ranges[chain.k];
    if (isAlongSum(chain, input))
      sum = sum + TileSize(padding);
    else if (step.getMma())
      elements = elements + TileSize(padding);
    TileSize bytes = elements * sum * countBytes(product->getOperand(input));
    return input == chain.rowInput
               ? bytes
               : bytes * TileSize(Quantity(step.getStages()));
  }

  /// The tiles fit: those of rows, of what the product adds to, and of inputs.
  LogicalResult requireFit(Quantity ofBlock) {
    int64_t limit = step.getLimit();
    if (auto gpu = findGpuLimits(state.getOp()))
      limit = std::min(limit, gpu->maxShared);
    llvm::MapVector<mlir::Value, int64_t> buffers;
    auto add = [&](linalg::LinalgOp op) {
      for (mlir::Value buffer : op.getDpsInits())
        if (!chain.registers.contains(buffer))
          buffers.insert({buffer, countBytes(buffer)});
    };
    add(product);
    for (const PlacedOp &placed : chain.rows.ops)
      add(placed.op);
    llvm::SetVector<mlir::Value> matrices = listMatrices(chain);
    TileSize total = tileOf(0, ofBlock) + tileOf(1, ofBlock);
    for (auto [buffer, bytes] : buffers) {
      bool isMatrix = matrices.contains(buffer);
      TileSize row = isMatrix ? chain.rows.columns : 1;
      if (isMatrix && step.getMma())
        row = row + TileSize(padding);
      total = total + TileSize(ofBlock) * (row * bytes);
    }
    std::string reason = "the tiles of a block must fit " +
                         std::to_string(limit) + " bytes of shared memory";
    if (!total.value)
      state.require(total.expression <= limit, reason);
    else if (*total.value > limit)
      return state.emitError() << reason << ", but take " << *total.value;
    return success();
  }

  GpuChainAttr step;
  RecipeAnalysis &state;
  const RowChain &chain;
  linalg::LinalgOp product;
  SmallVector<int64_t> ranges;
  Quantity columns, rows, run, depth, width, padding, lanes;
};
} // namespace

LogicalResult baco::advance(GpuChainAttr step, RecipeAnalysis &state) {
  FailureOr<BufferedProducers> producers =
      findFusedProducers(state, scopeOf(step));
  if (failed(producers))
    return failure();
  llvm::Expected<RowChain> chain = findRowChain(producers->ops);
  if (!chain)
    return state.emitError() << llvm::toString(chain.takeError());
  if (auto gpu = findGpuLimits(state.getOp()); gpu && !gpu->hasShuffles)
    return state.emitError() << "lanes of a warp exchange registers, which "
                             << gpu->name << " can't do";
  return ChainConditions(step, state, *chain).require();
}

/// A number as transform ops take it: a param, or a constant.
static std::pair<mlir::Value, IntegerAttr> split(OpFoldResult number) {
  if (auto param = dyn_cast<mlir::Value>(number))
    return {param, nullptr};
  return {nullptr, cast<IntegerAttr>(cast<Attribute>(number))};
}

namespace {
/// Writes the loops of a chain's product, of which `target` is a handle.
class ProductLoops {
public:
  ProductLoops(GpuChainAttr step, RecipeExpander &expander,
               const RowChain &chain, mlir::Value target)
      : step(step), expander(expander), chain(chain), target(target),
        product(chain.product) {}

  /// Makes the loops over columns and threads, and the copies in them.
  void writeBlock() {
    auto one = expander.builder.getI64IntegerAttr(1);
    mlir::Value ofRows = promote(chain.rowInput, one);
    SmallVector<OpFoldResult> sizes = zeros();
    sizes[chain.n] = expander.mixed(step.getColumns());
    tile(sizes);
    mlir::Value ofColumns =
        promote(chain.columnInput, expander.mixed(step.getStages()));
    copies = transform::MergeHandlesOp::create(expander.builder, expander.loc,
                                               ValueRange{ofRows, ofColumns},
                                               /*deduplicate=*/false);
    sizes = zeros();
    sizes[chain.m] = expander.mixed(step.getRows());
    sizes[chain.n] = expander.mixed(step.getRun());
    if (chain.batch)
      sizes[*chain.batch] = one;
    std::swap(expander.target, target);
    mlir::Value outer = expander.innermostLoop;
    size_t numMapped = chain.batch ? 3 : 2;
    if (step.getMma())
      tileAndMap<mlir::gpu::GPUWarpMappingAttr>(expander, sizes, numMapped);
    else
      tileAndMap<mlir::gpu::GPUThreadMappingAttr>(expander, sizes, numMapped);
    expander.innermostLoop = outer;
    std::swap(expander.target, target);
  }

  /// Distributes the copies, and makes vectors of a thread's tile, or
  /// instructions for tensor cores of a warp's.
  void writeThread() {
    OpBuilder &builder = expander.builder;
    auto [width, constant] = split(expander.mixed(step.getWidth()));
    GpuCopyOp::create(builder, expander.loc, copies, width, constant,
                      /*consecutive=*/false);
    SmallVector<OpFoldResult> sizes = zeros();
    sizes[chain.k] = expander.mixed(step.getDepth());
    tile(sizes);
    if (step.getMma()) {
      GpuMmaOp::create(builder, expander.loc, target, isFilled());
      return;
    }
    bool isNamed =
        !isa<linalg::GenericOp>(chain.product) && !convertsOtherwise(product);
    transform::VectorizeOp::create(
        builder, expander.loc, target, /*vector_sizes=*/ValueRange(),
        /*static_vector_sizes=*/ArrayRef<int64_t>(),
        /*vectorize_nd_extract=*/UnitAttr(),
        /*assume_dynamic_dims_match_vec_sizes=*/UnitAttr(),
        isNamed ? builder.getUnitAttr() : UnitAttr());
    if (!isNamed)
      expander.applyPatterns([](OpBuilder &builder, Location loc) {
        transform::ApplyVectorReductionToContractPatternsOp::create(builder,
                                                                    loc);
        transform::ApplyTransferPermutationPatternsOp::create(builder, loc);
      });
  }

  /// Whether sums begin with the scalar that an op sets the result to.
  bool isFilled() {
    auto fill = chain.elements.size() == 1
                    ? dyn_cast<linalg::FillOp>(*chain.elements.front())
                    : linalg::FillOp();
    return fill && fill.value().getType() ==
                       getElementTypeOrSelf(product.getDpsInits()[0].getType());
  }

private:
  SmallVector<OpFoldResult> zeros() {
    return SmallVector<OpFoldResult>(product.getNumLoops(),
                                     expander.builder.getI64IntegerAttr(0));
  }

  void tile(ArrayRef<OpFoldResult> sizes) {
    target = transform::TileUsingForOp::create(expander.builder, expander.loc,
                                               TypeRange{expander.anyOp},
                                               target, sizes)
                 .getTiledLinalgOp();
  }

  mlir::Value promote(unsigned input, OpFoldResult numStages) {
    auto [stages, fixedStages] = split(numStages);
    auto [padding, fixedPadding] =
        isAlongSum(chain, input) || step.getMma()
            ? split(expander.mixed(step.getPadding()))
            : std::pair<mlir::Value, IntegerAttr>();
    return GpuPromoteOp::create(expander.builder, expander.loc, expander.anyOp,
                                target, ArrayRef<int64_t>(input), padding,
                                stages, fixedPadding, fixedStages)
        .getResult();
  }

  GpuChainAttr step;
  RecipeExpander &expander;
  RowChain chain;
  mlir::Value target, copies;
  linalg::LinalgOp product;
};
} // namespace

void baco::expand(GpuChainAttr step, RecipeExpander &expander) {
  OpBuilder &builder = expander.builder;
  RowChain chain = llvm::cantFail(findChain(step, expander.state));
  mlir::Value computed =
      GpuFuseOp::create(builder, expander.loc, expander.anyOp, expander.target,
                        /*rows=*/step.getMma());
  auto [padding, fixedPadding] = step.getMma()
                                     ? split(expander.mixed(step.getPadding()))
                                     : std::pair<mlir::Value, IntegerAttr>();
  auto parts =
      GpuGroupOp::create(builder, expander.loc, expander.anyOp, expander.anyOp,
                         expander.anyOp, computed, padding, fixedPadding);
  ProductLoops loops(step, expander, chain, parts.getProduct());
  loops.writeBlock();
  expander.writeInBlock = [&expander, step, parts]() mutable {
    auto [lanes, constant] = split(expander.mixed(step.getLanes()));
    GpuComputeRowsOp::create(expander.builder, expander.loc, parts.getRows(),
                             lanes, constant);
  };
  bool isFilled = step.getMma() && loops.isFilled();
  expander.writeSharedCopies = [&expander, loops, parts, isFilled]() mutable {
    // The fill has no code then.
    if (!isFilled)
      GpuComputeOp::create(expander.builder, expander.loc, parts.getElements());
    loops.writeThread();
  };
}
