//===- AnnotateGpuChains.cpp - Attention in one kernel --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of rows that another product and a softmax compute. One kernel saves
// two launches and the way of the rows through memory; blocks that have whole
// rows are few, and so are their threads.
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"
#include "baco/Analysis/BufferedProducers.h"
#include "baco/Analysis/MatrixProduct.h"
#include "baco/Analysis/RowChain.h"
#include "baco/IR/BacoDialect.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

namespace {
/// The chain whose rows a product of f32 reads, and their extents.
struct ChainedProduct {
  RowChain chain;
  MatrixProduct product;
  /// Of the result: rows, in each matrix of a batch, and columns. Of the rows
  /// in shared memory: columns, and terms of their sums.
  int64_t rows, results, columns, terms;
  int64_t batch = 1;
  /// The matrices of such rows that are there at a time.
  int64_t matrices = 1;
};
} // namespace

static bool isOfF32(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isF32();
  });
}

static std::optional<ChainedProduct> findChainedProduct(linalg::LinalgOp op) {
  std::optional<MatrixProduct> product = matchMatrixProduct(op);
  if (!product || !op.hasPureBufferSemantics() || op.hasDynamicShape() ||
      product->m > product->n || !isOfF32(op) ||
      op->hasAttr(BacoDialect::kTF32))
    return std::nullopt;
  llvm::Expected<BufferedProducers> producers = findBufferedProducers(op, op);
  if (llvm::errorToBool(producers.takeError()) ||
      llvm::any_of(producers->ops, [](linalg::LinalgOp producer) {
        return producer->hasAttr(BacoDialect::kRecipe);
      }))
    return std::nullopt;
  llvm::Expected<RowChain> chain = findRowChain(producers->ops);
  if (llvm::errorToBool(chain.takeError()))
    return std::nullopt;
  // Others compute inputs, too: of each block all of them, once more.
  bool isOther = llvm::any_of(chain->elements, [&](linalg::LinalgOp element) {
    return element.getDpsInits()[0] !=
           linalg::LinalgOp(chain->product).getDpsInits()[0];
  });
  unsigned rank = op.getRank(&op->getOpOperand(0));
  bool isRow = producers->buffers.contains(op->getOperand(0)) &&
               !producers->buffers.contains(op->getOperand(1)) &&
               isAlongSum(op, *product, 0) &&
               iteratorOf(op, 0, rank - 2) == product->m;
  if (isOther || !isRow || chain->m > chain->n || !isOfF32(chain->product) ||
      chain->product->hasAttr(BacoDialect::kTF32))
    return std::nullopt;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  ChainedProduct found{std::move(*chain),  *product,
                       ranges[product->m], ranges[product->n],
                       ranges[product->k], 0};
  found.terms = linalg::LinalgOp(found.chain.product)
                    .getStaticLoopRanges()[found.chain.k];
  for (unsigned iterator : product->batch)
    found.batch *= ranges[iterator];
  llvm::SetVector<mlir::Value> buffers;
  buffers.insert(linalg::LinalgOp(found.chain.product).getDpsInits()[0]);
  for (const PlacedOp &placed : found.chain.rows.ops)
    buffers.insert_range(linalg::LinalgOp(placed.op).getDpsInits());
  for (mlir::Value buffer : found.chain.registers)
    buffers.remove(buffer);
  found.matrices = buffers.size();
  return found;
}

namespace {
/// Chooses the recipe.
class ChainPlan {
public:
  ChainPlan(linalg::LinalgOp op, const ChainedProduct &of, const GpuLimits &gpu)
      : op(op), of(of), gpu(gpu), builder(op.getContext()) {}

  RecipeAttr make() {
    width =
        std::gcd(nvidia::maxAccessBytes / 4, std::gcd(of.terms, of.results));
    for (int64_t count = 1; count <= nvidia::warpSize; count *= 2)
      if (count * maxRowElements >= of.columns)
        lanes.push_back(count);
    if (lanes.empty() || !gpu.hasShuffles || !gpu.hasAsyncCopies)
      return {};
    all = {
        divisorsWithin(of.rows, 4, 64),     divisorsWithin(of.columns, 16, 256),
        divisorsWithin(of.rows, 1, 8),      divisorsWithin(of.columns, 1, 8),
        divisorsWithin(of.results, 1, 8),   divisorsWithin(of.terms, 1, 8),
        divisorsWithin(of.columns, 16, 64), divisorsWithin(of.columns, 1, 8)};
    point = choosePoint();
    return point.empty() ? RecipeAttr() : write();
  }

private:
  enum Place { BM, BN, TM, TS, TN, KU, BK, KV };

  /// The bytes of shared memory without those for copies ahead.
  int64_t countBytes(ArrayRef<int64_t> p) const {
    return 4 * (p[BM] * (of.matrices * of.columns + of.terms + width) +
                p[BN] * (of.terms + width) + p[BK] * of.results);
  }

  Numbers choosePoint() {
    // As many rows as leave no multiprocessor idle, but at least some, which
    // share what is read of other inputs.
    constexpr int64_t maxRows = 32, minRows = 8;
    int64_t rows = maxRows;
    while (rows > minRows &&
           (of.batch * of.rows < rows * gpu.multiprocessors ||
            rows * of.matrices * of.columns * 4 > gpu.maxShared * 2 / 3))
      rows /= 2;
    int64_t ofThread = rows >= maxRows ? 4 : 2;
    const int64_t targets[] = {rows, 64, ofThread, 4, 4, 4, 32, 4};
    return nearest(all, targets, [&](ArrayRef<int64_t> p) {
      int64_t along = of.results / p[TN];
      return p[BM] % p[TM] == 0 && p[BN] % p[TS] == 0 && p[BK] % p[KV] == 0 &&
             p[BN] / p[TS] <= along && 2 * p[BN] / p[TS] > along &&
             p[BM] / p[TM] * along >= nvidia::warpSize &&
             p[BM] / p[TM] * along <= gpu.maxThreads &&
             countBytes(p) <= gpu.maxShared;
    });
  }

  /// As many lanes as there are vectors in a row, of a warp.
  int64_t chooseLanes() const {
    int64_t chosen = lanes.front();
    for (int64_t count : lanes)
      if (count * (nvidia::maxAccessBytes / 4) <= of.columns)
        chosen = count;
    return chosen;
  }

  Attribute knob(StringRef name, Place place) {
    return builder.knob(name, all[place], point[place]);
  }

  RecipeAttr write() {
    MLIRContext *context = op.getContext();
    Attribute number = builder.getI64IntegerAttr(width);
    Attribute ofThread = knob("TM", TM), stages = builder.knob("S", {1, 2}, 1),
              stagesOfTile = builder.knob("SV", {1, 2, 3}, 2);
    SmallVector<Attribute> steps = {
        GpuBlocksAttr::get(context,
                           sizesOf(op, of.product, knob("BM", BM),
                                   builder.getI64IntegerAttr(0)),
                           /*global=*/{}, /*local=*/{}),
        GpuChainAttr::get(context, knob("BN", BN), ofThread, knob("TS", TS),
                          knob("KU", KU), number, number, stages,
                          builder.knob("L", lanes, chooseLanes()),
                          gpu.maxShared),
        builder.tileAlong(op, of.product.k, knob("BK", BK)),
        GpuSharedAttr::get(context, builder.getDenseI64ArrayAttr({1}), number,
                           /*padding=*/{}, /*run=*/{}, stagesOfTile,
                           gpu.maxShared, /*enabled=*/{}),
        GpuThreadsAttr::get(context,
                            sizesOf(op, of.product, ofThread, knob("TN", TN)),
                            /*local=*/{}),
        builder.tileAlong(op, of.product.k, knob("KV", KV)),
        VectorizeAttr::get(context, {}, {}),
        HoistAttr::get(context, {})};
    builder.addEpilogue(steps, op);
    return builder.recipe(steps, conditions());
  }

  std::string nameOf(StringRef name, Place place) const {
    return all[place].size() == 1 ? std::to_string(all[place][0]) : name.str();
  }

  SmallVector<ConstraintAttr> conditions() {
    SmallVector<ConstraintAttr> where;
    auto add = [&](const std::string &condition, StringRef reason) {
      where.push_back(ConstraintAttr::get(op.getContext(), condition, reason,
                                          /*advisory=*/false));
    };
    std::string bm = nameOf("BM", BM), bn = nameOf("BN", BN),
                tm = nameOf("TM", TM), ts = nameOf("TS", TS),
                tn = nameOf("TN", TN), bk = nameOf("BK", BK);
    add(llvm::formatv("{0} * {1} <= {2} * {3}", bn, tn, of.results, ts),
        "threads that compute rows compute the result, too");
    add(llvm::formatv("{0} * {1} * {2} <= {3} * {4}", nvidia::warpSize, tm, tn,
                      of.results, bm),
        "a block has at least one warp of threads");
    add(llvm::formatv("{0} * {1} + {2} * S * {3} + {4} * SV * {5} <= {6}",
                      4 * (of.matrices * of.columns + of.terms + width), bm,
                      4 * (of.terms + width), bn, 4 * of.results, bk,
                      gpu.maxShared),
        "the tiles of a block must fit its shared memory");
    return where;
  }

  linalg::LinalgOp op;
  const ChainedProduct &of;
  const GpuLimits &gpu;
  RecipeBuilder builder;
  int64_t width = 1;
  Numbers lanes;
  /// The domains and defaults of the sizes.
  SmallVector<Numbers> all;
  Numbers point;
};
} // namespace

/// Whether one kernel is faster than three: rows are so short that launches
/// take most of the time, or its blocks, of at least eight rows of moderate
/// length, are as many as multiprocessors. Of longer rows too few fit shared
/// memory.
static bool isOneFaster(const ChainedProduct &of, const GpuLimits &gpu) {
  constexpr int64_t minRows = 8, shortRow = 256, longRow = 1024;
  return of.columns <= shortRow ||
         (of.columns <= longRow &&
          of.batch * of.rows >= minRows * gpu.multiprocessors);
}

RecipeAttr schedule::planChain(linalg::LinalgOp op, const GpuLimits &gpu) {
  std::optional<ChainedProduct> of = findChainedProduct(op);
  if (!of || !isOneFaster(*of, gpu))
    return {};
  return ChainPlan(op, *of, gpu).make();
}
