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
/// The chain whose rows a product reads, and their extents.
struct ChainedProduct {
  RowChain chain;
  MatrixProduct product;
  /// Of the result: rows, in each matrix of a batch, and columns. Of the rows
  /// in shared memory: columns, and terms of their sums.
  int64_t rows, results, columns, terms;
  int64_t batch = 1;
  /// The matrices of such rows that are there at a time.
  int64_t matrices = 1;
  /// Whether tensor cores do both products, of elements of 16 bits.
  bool isMma = false;
};
} // namespace

static bool isOfF32(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isF32();
  });
}

/// Whether tensor cores can multiply elements of 16 bits by `op`.
static bool isOfHalves(linalg::LinalgOp op) {
  llvm::Expected<MatrixProduct> product = matchTensorCoreProduct(op);
  return !llvm::errorToBool(product.takeError()) &&
         countBytes(product->element) == 2;
}

static std::optional<ChainedProduct> findChainedProduct(linalg::LinalgOp op) {
  std::optional<MatrixProduct> product = matchMatrixProduct(op);
  if (!product || !op.hasPureBufferSemantics() || op.hasDynamicShape() ||
      product->m > product->n || !(isOfF32(op) || isOfHalves(op)) ||
      op->hasAttr(BacoDialect::kTF32))
    return std::nullopt;
  llvm::Expected<BufferedProducers> producers = findBufferedProducers(
      op, op, isOfF32(op) ? ProducerScope::Inputs : ProducerScope::Rows);
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
  if (isOther || !isRow || chain->m > chain->n ||
      !(isOfF32(op) ? isOfF32(chain->product) : isOfHalves(chain->product)) ||
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
  found.isMma = !isOfF32(op);
  return found;
}

static constexpr StringRef fitReason =
    "the tiles of a block must fit its shared memory";

namespace {
/// Chooses the recipe.
class ChainPlan {
public:
  ChainPlan(linalg::LinalgOp op, const ChainedProduct &of, const GpuLimits &gpu)
      : op(op), of(of), gpu(gpu), builder(op.getContext()) {
    for (int64_t count = 1; count <= nvidia::warpSize; count *= 2)
      if (count * maxRowElements >= of.columns)
        lanes.push_back(count);
  }

protected:
  bool isPossible() const {
    return !lanes.empty() && gpu.hasShuffles && gpu.hasAsyncCopies;
  }

  /// As many lanes as there are vectors in a row, up to `most`.
  int64_t chooseLanes(int64_t most) const {
    int64_t chosen = lanes.front();
    for (int64_t count : lanes)
      if (count <= most && count * (nvidia::maxAccessBytes / 4) <= of.columns)
        chosen = count;
    return chosen;
  }

  Attribute knob(StringRef name, unsigned place) {
    return builder.knob(name, all[place], point[place]);
  }

  std::string nameOf(StringRef name, unsigned place) const {
    return all[place].size() == 1 ? std::to_string(all[place][0]) : name.str();
  }

  ConstraintAttr condition(const std::string &text, StringRef reason) {
    return ConstraintAttr::get(op.getContext(), text, reason,
                               /*advisory=*/false);
  }

  linalg::LinalgOp op;
  const ChainedProduct &of;
  const GpuLimits &gpu;
  RecipeBuilder builder;
  Numbers lanes;
  /// The domains and defaults of the sizes.
  SmallVector<Numbers> all;
  Numbers point;
};

/// That of products on threads.
class ThreadChainPlan : ChainPlan {
public:
  using ChainPlan::ChainPlan;

  RecipeAttr make() {
    width =
        std::gcd(nvidia::maxAccessBytes / 4, std::gcd(of.terms, of.results));
    if (!isPossible())
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
        GpuChainAttr::get(
            context, knob("BN", BN), ofThread, knob("TS", TS), knob("KU", KU),
            number, number, stages,
            builder.knob("L", lanes, chooseLanes(nvidia::warpSize)),
            gpu.maxShared,
            /*mma=*/false),
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

  SmallVector<ConstraintAttr> conditions() {
    std::string bm = nameOf("BM", BM), bn = nameOf("BN", BN),
                tm = nameOf("TM", TM), ts = nameOf("TS", TS),
                tn = nameOf("TN", TN), bk = nameOf("BK", BK);
    return {condition(
                llvm::formatv("{0} * {1} <= {2} * {3}", bn, tn, of.results, ts),
                "threads that compute rows compute the result, too"),
            condition(llvm::formatv("{0} * {1} * {2} <= {3} * {4}",
                                    nvidia::warpSize, tm, tn, of.results, bm),
                      "a block has at least one warp of threads"),
            condition(llvm::formatv(
                          "{0} * {1} + {2} * S * {3} + {4} * SV * {5} <= {6}",
                          4 * (of.matrices * of.columns + of.terms + width), bm,
                          4 * (of.terms + width), bn, 4 * of.results, bk,
                          gpu.maxShared),
                      fitReason)};
  }

  int64_t width = 1;
};

/// That of products on tensor cores.
class MmaChainPlan : ChainPlan {
public:
  MmaChainPlan(linalg::LinalgOp op, const ChainedProduct &of,
               const GpuLimits &gpu)
      : ChainPlan(op, of, gpu), product(of.chain.product) {
    for (mlir::Value matrix : listMatrices(of.chain))
      matrixBytes += countBytes(matrix.getType());
  }

  RecipeAttr make() {
    constexpr int64_t depth = 16;
    all = {divisorsWithin(of.rows, mma::m, 128, mma::m),
           divisorsWithin(of.columns, 32, 256, 2 * mma::n),
           divisorsWithin(of.rows, mma::m, 64, mma::m),
           divisorsWithin(of.columns, mma::n, 128, mma::n),
           divisorsWithin(of.results, mma::n, 128, mma::n),
           divisorsWithin(of.terms, depth, 64, depth),
           divisorsWithin(of.columns, depth, 128, depth)};
    if (!isPossible() || !gpu.hasMmaSync ||
        llvm::any_of(all, [](const Numbers &values) { return values.empty(); }))
      return {};
    point = choosePoint();
    return point.empty() ? RecipeAttr() : write();
  }

private:
  /// Sizes: a block's rows, columns at a time, and terms of the result's sum at
  /// a time; a warp's rows, and columns of rows and of the result; and terms of
  /// the rows' sum in an iteration.
  enum Place { BM, BN, WM, WS, WN, KU, BK };
  /// Elements of a vector of 16 bytes. It divides rows of all tiles; if rows
  /// are longer by one, eight of them are in different banks.
  static constexpr int64_t ofVector = nvidia::maxAccessBytes / 2;
  /// Accumulators of a block and of a warp.
  static constexpr int64_t maxInBlock = maxBlockAccumulatorBytes / 4;
  static constexpr int64_t maxSums = maxAccumulatorBytes / 4 * nvidia::warpSize;

  /// The bytes of shared memory with `stages` of tiles of keys and values,
  /// whichever way their rows are.
  int64_t countBlockBytes(ArrayRef<int64_t> p, int64_t stages) const {
    auto tile = [](int64_t rows, int64_t columns) {
      return rows * columns + std::max(rows, columns) * ofVector;
    };
    return matrixBytes * p[BM] * (of.columns + ofVector) +
           2 * tile(p[BM], of.terms) +
           2 * stages * (tile(p[BN], of.terms) + tile(p[BK], of.results));
  }

  /// As many rows as leave no multiprocessor idle, since they share what is
  /// read of other inputs, and then as many columns at a time as fit, without
  /// much shorter tiles of the result's sum.
  Numbers choosePoint() {
    constexpr int64_t maxRows = 64;
    for (int64_t rows : llvm::reverse(all[BM])) {
      bool isFew = of.batch * of.rows < rows * gpu.multiprocessors;
      if (rows > maxRows || (isFew && rows != all[BM].front()))
        continue;
      for (int64_t columns : llvm::reverse(all[BN])) {
        const int64_t targets[] = {rows,   columns, mma::m, columns / 8,
                                   mma::n, 64,      128};
        Numbers chosen = nearest(all, targets, [&](ArrayRef<int64_t> p) {
          bool isLong = 2 * p[BK] >= columns || p[BK] == all[BK].back();
          return p[BM] == rows && p[BN] == columns && isLong && isFeasible(p);
        });
        if (!chosen.empty())
          return chosen;
      }
    }
    return {};
  }

  int64_t countThreads(ArrayRef<int64_t> p) const {
    return p[BM] / p[WM] * (of.results / p[WN]) * nvidia::warpSize;
  }

  /// Lanes that have parts of all rows of a block at once, unless a lane then
  /// has more elements than leave registers for what is computed of them.
  int64_t chooseLanes(ArrayRef<int64_t> p) const {
    int64_t chosen = ChainPlan::chooseLanes(
        std::min(nvidia::warpSize, countThreads(p) / p[BM]));
    for (int64_t count : lanes)
      if (count > chosen && chosen * maxRowElements / 2 < of.columns)
        chosen = count;
    return chosen;
  }

  bool isFeasible(ArrayRef<int64_t> p) const {
    int64_t along = of.results / p[WN], ofRows = p[BN] / p[WS];
    // If possible, no warp is idle.
    bool isIdle = 2 * ofRows <= along && p[WS] != all[WS].front();
    return p[BM] % p[WM] == 0 && p[BN] % p[WS] == 0 && !isIdle &&
           ofRows <= along && countThreads(p) <= gpu.maxThreads &&
           countThreads(p) / nvidia::warpSize * p[WM] * p[WS] <= maxInBlock &&
           countThreads(p) * of.columns <= maxInBlock * chooseLanes(p) &&
           p[WM] * p[WN] <= maxSums && p[WM] * p[WS] <= maxSums &&
           p[BM] * of.results <= maxInBlock &&
           countBlockBytes(p, /*stages=*/1) <= gpu.maxShared;
  }

  RecipeAttr write() {
    MLIRContext *context = op.getContext();
    int64_t numStages = countBlockBytes(point, 2) <= gpu.maxShared ? 2 : 1;
    Attribute number = builder.getI64IntegerAttr(ofVector),
              ofWarp = knob("WM", WM),
              stages = builder.knob("S", {1, 2}, numStages),
              stagesOfTile = builder.knob("SV", {1, 2, 3}, numStages),
              padding = builder.knob("P", {0, ofVector}, ofVector);
    SmallVector<Attribute> steps = {
        GpuBlocksAttr::get(context,
                           sizesOf(op, of.product, knob("BM", BM),
                                   builder.getI64IntegerAttr(0)),
                           /*global=*/{}, /*local=*/{}),
        GpuChainAttr::get(context, knob("BN", BN), ofWarp, knob("WS", WS),
                          knob("KU", KU), number, padding, stages,
                          builder.knob("L", lanes, chooseLanes(point)),
                          gpu.maxShared, /*mma=*/true),
        builder.tileAlong(op, of.product.k, knob("BK", BK)),
        GpuSharedAttr::get(context, builder.getDenseI64ArrayAttr({1}), number,
                           padding, /*run=*/{}, stagesOfTile, gpu.maxShared,
                           /*enabled=*/{}),
        GpuMmaAttr::get(context,
                        sizesOf(op, of.product, ofWarp, knob("WN", WN)))};
    builder.addEpilogue(steps, op);
    SmallVector<ConstraintAttr> where;
    builder.limitSums(where, {{"WM", all[WM]}, {"WS", all[WS]}}, maxSums,
                      "thread");
    builder.limitSums(where, {{"WM", all[WM]}, {"WN", all[WN]}}, maxSums,
                      "thread");
    builder.limitSums(where, {{"BM", all[BM]}}, maxInBlock / of.results,
                      "multiprocessor");
    limitRegisters(where);
    where.push_back(fit());
    return builder.recipe(steps, where);
  }

  /// Adds the conditions that sums of the rows' product, in all warps, and what
  /// lanes have of rows, leave registers of a block.
  void limitRegisters(SmallVectorImpl<ConstraintAttr> &where) {
    std::string bm = nameOf("BM", BM), wm = nameOf("WM", WM),
                ws = nameOf("WS", WS), wn = nameOf("WN", WN),
                l = lanes.size() == 1 ? std::to_string(lanes[0]) : "L";
    where.push_back(condition(llvm::formatv("{0} * {1} * {2} <= {3} * {4}",
                                            of.results, bm, ws, maxInBlock, wn),
                              "accumulators leave half of the registers of a "
                              "multiprocessor"));
    where.push_back(condition(
        llvm::formatv("{0} * {1} <= {2} * {3} * {4} * {5}",
                      of.results * nvidia::warpSize * of.columns, bm,
                      maxInBlock, wm, wn, l),
        "elements of rows leave half of the registers of a multiprocessor"));
  }

  /// The condition that all tiles fit: those of rows and queries, keys, and
  /// values.
  ConstraintAttr fit() {
    auto tile = [](const std::string &rows, const std::string &row) {
      return llvm::formatv("{0} * ({1} + P)", rows, row).str();
    };
    auto ofInput = [&](unsigned input, const std::string &elements) {
      std::string terms = std::to_string(of.terms);
      return lastIteratorOf(product, input) == of.chain.k
                 ? tile(elements, terms)
                 : tile(terms, elements);
    };
    std::string bm = nameOf("BM", BM), bk = nameOf("BK", BK),
                results = std::to_string(of.results);
    std::string text = llvm::formatv(
        "{0} * {1} + 2 * {2} + 2 * S * {3} + 2 * SV * {4} <= {5}", matrixBytes,
        tile(bm, std::to_string(of.columns)), ofInput(of.chain.rowInput, bm),
        ofInput(of.chain.columnInput, nameOf("BN", BN)),
        isAlongSum(op, of.product, 1) ? tile(results, bk) : tile(bk, results),
        gpu.maxShared);
    return condition(text, fitReason);
  }

  linalg::LinalgOp product;
  /// The bytes of one column of all matrices in shared memory.
  int64_t matrixBytes = 0;
};
} // namespace

/// Whether one kernel is faster than three. On tensor cores: rows are short, or
/// the keys and values, which each block reads, aren't so large that these
/// reads take longer than those of rows in memory.
static bool isOneFasterOnTensorCores(const ChainedProduct &of) {
  constexpr int64_t shortRow = 128, maxTerms = 256, maxRead = 1 << 19;
  int64_t terms = of.terms + of.results;
  return of.columns <= shortRow ||
         (terms <= maxTerms && of.columns * terms < maxRead);
}

/// The same on threads: rows are so short that launches take most of the time,
/// or its blocks, of at least eight rows of moderate length, are as many as
/// multiprocessors. Of longer rows too few fit shared memory.
static bool isOneFasterOnThreads(const ChainedProduct &of,
                                 const GpuLimits &gpu) {
  constexpr int64_t minRows = 8, shortRow = 256, longRow = 1024;
  return of.columns <= shortRow ||
         (of.columns <= longRow &&
          of.batch * of.rows >= minRows * gpu.multiprocessors);
}

SmallVector<linalg::LinalgOp> schedule::listChain(linalg::LinalgOp op) {
  std::optional<ChainedProduct> of = findChainedProduct(op);
  if (!of || !of->isMma)
    return {};
  SmallVector<linalg::LinalgOp> ops = of->chain.elements;
  ops.push_back(of->chain.product);
  for (const PlacedOp &placed : of->chain.rows.ops)
    ops.push_back(placed.op);
  return ops;
}

RecipeAttr schedule::planChain(linalg::LinalgOp op, const GpuLimits &gpu) {
  std::optional<ChainedProduct> of = findChainedProduct(op);
  if (of && of->isMma && isOneFasterOnTensorCores(*of))
    return MmaChainPlan(op, *of, gpu).make();
  if (of && !of->isMma && isOneFasterOnThreads(*of, gpu))
    return ThreadChainPlan(op, *of, gpu).make();
  return {};
}
