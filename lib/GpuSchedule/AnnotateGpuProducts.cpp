//===- AnnotateGpuProducts.cpp - Products of matrices on GPUs -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"
#include "baco/Analysis/Epilogue.h"
#include "baco/TransformOps/GpuOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// The paddings of both inputs' rows: `alongSum`, or else `others`.
static ArrayAttr padRows(linalg::LinalgOp op, const MatrixProduct &product,
                         Attribute alongSum, Attribute others) {
  auto padding = [&](unsigned operand) {
    return isAlongSum(op, product, operand) ? alongSum : others;
  };
  return ArrayAttr::get(op.getContext(), {padding(0), padding(1)});
}

Attribute schedule::padForMma(linalg::LinalgOp op,
                              const MatrixProduct &product) {
  RecipeBuilder builder(op.getContext());
  int64_t bytes = countBytes(product.element),
          longest = nvidia::maxAccessBytes / bytes;
  if (bytes < 4)
    return builder.knob("P", {0, longest}, longest);
  // Eight rows of 16 bytes, or, if columns are read element by element, of
  // eight elements, are in different banks.
  return padRows(op, product, builder.getI64IntegerAttr(longest),
                 builder.getI64IntegerAttr(2 * longest));
}

/// The length of the rows of an input's tile, in whichever order its dimensions
/// are; `tile` has the sizes for rows and columns of the result and the sum.
static int64_t rowOfTile(linalg::LinalgOp op, const MatrixProduct &product,
                         unsigned operand, ArrayRef<int64_t> tile) {
  std::optional<unsigned> iterator = lastIteratorOf(op, operand);
  return iterator == product.m   ? tile[0]
         : iterator == product.n ? tile[1]
         : iterator == product.k ? tile[2]
                                 : 1;
}

ArrayAttr schedule::sizesOf(linalg::LinalgOp op, const MatrixProduct &product,
                            Attribute rows, Attribute columns) {
  RecipeBuilder builder(op.getContext());
  SmallVector<Attribute> sizes = builder.zeros(op.getNumLoops());
  sizes[product.m] = rows;
  sizes[product.n] = columns;
  for (unsigned iterator : product.batch)
    sizes[iterator] = builder.getI64IntegerAttr(1);
  return builder.getArrayAttr(sizes);
}

/// As many blocks as leave few multiprocessors idle.
static int64_t enoughBlocks(const GpuLimits &gpu) {
  constexpr int64_t idleOneOf = 16;
  return gpu.multiprocessors - gpu.multiprocessors / idleOneOf;
}

/// The blocks that have all elements of the result, in tiles of that size.
static int64_t countBlocks(const MatrixProduct &product,
                           ArrayRef<int64_t> extents, int64_t rows,
                           int64_t columns) {
  int64_t batch = 1;
  for (unsigned iterator : product.batch)
    batch *= extents[iterator];
  return batch * llvm::divideCeilSigned(extents[product.m], rows) *
         llvm::divideCeilSigned(extents[product.n], columns);
}

/// Whether there may be fewer tiles of the result than multiprocessors, so that
/// several blocks or threads have parts of a sum.
static bool canHaveParts(linalg::LinalgOp op, const MatrixProduct &product,
                         const GpuLimits &gpu, ArrayRef<int64_t> extents) {
  constexpr int64_t usualTile = 64;
  // The batch is along z.
  return product.batch.empty() &&
         !llvm::errorToBool(checkSplit(op, product.k)) &&
         countBlocks(product, extents, usualTile, usualTile) <
             gpu.multiprocessors;
}

/// The sizes that parts of the sum may have, if blocks can have them; empty
/// otherwise.
static Numbers listParts(linalg::LinalgOp op, const MatrixProduct &product,
                         const GpuLimits &gpu, ArrayRef<int64_t> extents,
                         int64_t largestStep) {
  constexpr int64_t maxParts = 32;
  int64_t k = extents[product.k];
  Numbers sizes;
  if (!canHaveParts(op, product, gpu, extents))
    return sizes;
  // Parts are of at least two steps, so that copies can be ahead.
  for (int64_t parts = maxParts; parts > 0; parts /= 2)
    if (k % (parts * largestStep) == 0 && k / parts >= 2 * largestStep)
      sizes.push_back(k / parts);
  if (sizes.size() < 2)
    sizes.clear();
  return sizes;
}

/// The most parts of the sum that have at least `leastPart`.
static int64_t countParts(linalg::LinalgOp op, const MatrixProduct &product,
                          const GpuLimits &gpu, ArrayRef<int64_t> extents,
                          int64_t largestStep, int64_t leastPart) {
  for (int64_t size : listParts(op, product, gpu, extents, largestStep))
    if (size >= leastPart)
      return extents[product.k] / size;
  return 1;
}

/// The step that gives parts of the sum to different blocks; null if there is
/// none. By default there are as many parts, not shorter than `leastPart`, as
/// leave few multiprocessors idle.
static Attribute planSplit(linalg::LinalgOp op, const MatrixProduct &product,
                           const GpuLimits &gpu, ArrayRef<int64_t> extents,
                           ArrayRef<Numbers> all, ArrayRef<int64_t> point,
                           int64_t leastPart) {
  Numbers sizes = listParts(op, product, gpu, extents, all[2].back());
  llvm::erase_if(sizes, [&](int64_t size) { return size % point[2] != 0; });
  if (sizes.size() < 2)
    return {};
  int64_t tiles = countBlocks(product, extents, point[0], point[1]);
  int64_t k = extents[product.k], chosen = sizes.back();
  for (int64_t size : llvm::reverse(sizes))
    if (tiles * (k / chosen) < enoughBlocks(gpu) && size >= leastPart)
      chosen = size;
  RecipeBuilder builder(op.getContext());
  SmallVector<Attribute> ofParts = builder.zeros(op.getNumLoops());
  ofParts[product.k] = builder.knob("KS", sizes, chosen);
  return GpuSplitAttr::get(op.getContext(), builder.getArrayAttr(ofParts));
}

/// The first steps, which give each block a tile of the result and copy parts
/// of both inputs to shared memory. `all` and `point` begin with the domains
/// and defaults of the tile's rows and columns, and of the step of the sum,
/// whose parts have at least `leastPart` by default.
static SmallVector<Attribute>
planBlocks(linalg::LinalgOp op, const MatrixProduct &product,
           const GpuLimits &gpu, ArrayRef<int64_t> extents,
           ArrayRef<Numbers> all, ArrayRef<int64_t> point, Attribute padding,
           int64_t leastPart) {
  RecipeBuilder builder(op.getContext());
  SmallVector<Attribute> steps = {GpuBlocksAttr::get(
      op.getContext(),
      sizesOf(op, product, builder.knob("BM", all[0], point[0]),
              builder.knob("BN", all[1], point[1])),
      /*global=*/{}, /*local=*/{})};
  if (Attribute split =
          planSplit(op, product, gpu, extents, all, point, leastPart))
    steps.push_back(split);
  steps.push_back(
      builder.tileAlong(op, product.k, builder.knob("BK", all[2], point[2])));
  steps.push_back(builder.copyAhead(
      op, {rowOfTile(op, product, 0, point), rowOfTile(op, product, 1, point)},
      extents[product.k] / point[2], padding, gpu));
  return steps;
}

/// The rows and columns of a block's tile: `most` each, or less, down to
/// `least`, as long as too few multiprocessors have a block. If several
/// `parts` of the sum can have blocks, tiles of few rows or columns are up to
/// `longest` the other way.
static std::pair<int64_t, int64_t> chooseBlock(const MatrixProduct &product,
                                               const GpuLimits &gpu,
                                               ArrayRef<int64_t> extents,
                                               int64_t parts, int64_t most,
                                               int64_t least, int64_t longest) {
  int64_t m = extents[product.m], n = extents[product.n];
  int64_t rows = std::min(m, most), columns = std::min(n, most);
  if (parts > 1) {
    rows = std::min({m, longest, most * most / columns});
    columns = std::min({n, longest, most * most / rows});
  }
  auto isFew = [&] {
    return parts * countBlocks(product, extents, rows, columns) <
           enoughBlocks(gpu);
  };
  while (isFew() && std::max(rows, columns) > least)
    (rows >= columns ? rows : columns) /= 2;
  return {rows, columns};
}

/// The least rows and columns of a block's tile whose sums are sliced.
static constexpr int64_t minSlicedTile = 32;

/// The rows and columns of a block's tile such that multiprocessors, each with
/// blocks one after another, end early; of several the largest one. Zeros if
/// only few multiprocessors have a block.
static std::pair<int64_t, int64_t>
chooseSlicedBlock(const MatrixProduct &product, const GpuLimits &gpu,
                  ArrayRef<int64_t> extents) {
  constexpr int64_t largest = 64;
  std::pair<int64_t, int64_t> best;
  int64_t leastTime = std::numeric_limits<int64_t>::max();
  for (int64_t columns = largest; columns >= minSlicedTile; columns /= 2)
    for (int64_t rows = largest; rows >= minSlicedTile; rows /= 2) {
      int64_t time =
          llvm::divideCeilSigned(countBlocks(product, extents, rows, columns),
                                 gpu.multiprocessors) *
          rows * columns;
      if (time < leastTime && rows <= extents[product.m] &&
          columns <= extents[product.n]) {
        leastTime = time;
        best = {rows, columns};
      }
    }
  constexpr int64_t leastShare = 8;
  if (leastTime < std::numeric_limits<int64_t>::max() &&
      countBlocks(product, extents, best.first, best.second) * leastShare <
          gpu.multiprocessors)
    return {};
  return best;
}

/// The recipe of a product on threads: tiles in registers.
static RecipeAttr planOnThreads(linalg::LinalgOp op,
                                const MatrixProduct &product,
                                const GpuLimits &gpu,
                                ArrayRef<int64_t> extents) {
  int64_t m = extents[product.m], n = extents[product.n],
          k = extents[product.k];
  int64_t bytes = std::max(countBytes(op->getOperand(0).getType()),
                           countBytes(op->getOperand(1).getType())),
          sumBytes = countBytes(op.getDpsInits()[0].getType());
  Numbers all[] = {divisorsWithin(m, 16, 256), divisorsWithin(n, 16, 256),
                   divisorsWithin(k, 8, 64),   divisorsWithin(m, 1, 16),
                   divisorsWithin(n, 1, 16),   divisorsWithin(k, 1, 16),
                   divisorsWithin(k, 4, 64)};
  int64_t maxSums = maxAccumulatorBytes / sumBytes,
          maxInBlock = maxBlockAccumulatorBytes / sumBytes;
  bool canSlice = canHaveParts(op, product, gpu, extents);
  auto holds = [&](ArrayRef<int64_t> p) {
    int64_t slices = p[2] / p[6],
            threads = p[0] / p[3] * (p[1] / p[4]) * slices;
    return p[0] % p[3] == 0 && p[1] % p[4] == 0 && p[2] % p[6] == 0 &&
           p[6] % p[5] == 0 && p[3] % slices == 0 &&
           (canSlice || slices == 1) && threads <= gpu.maxThreads &&
           p[3] * p[4] <= maxSums && p[0] * p[1] * slices <= maxInBlock &&
           (p[0] + p[1]) * p[2] * bytes <= gpu.maxShared / 4;
  };
  constexpr int64_t leastPart = 256;
  int64_t parts =
      countParts(op, product, gpu, extents, all[2].back(), leastPart);
  auto [rows, columns] = chooseBlock(product, gpu, extents, parts, /*most=*/64,
                                     /*least=*/16, /*longest=*/256);
  // Threads that have slices of a sum have large tiles, which read least.
  constexpr int64_t leastSliced = 256, longSum = 1024, maxSlices = 16,
                    slicedThreads = 128;
  int64_t slices = 1;
  if (canSlice && k >= leastSliced) {
    // Blocks have parts of longer sums, too.
    auto [slicedRows, slicedColumns] =
        k > longSum ? std::pair(rows, columns)
                    : chooseSlicedBlock(product, gpu, extents);
    if (std::min(slicedRows, slicedColumns) >= minSlicedTile) {
      rows = slicedRows;
      columns = slicedColumns;
      slices = std::min(maxSlices, slicedThreads * maxSums / (rows * columns));
    }
  }
  // As many threads as warps hide latencies by, and as many steps of the sum in
  // a tile as few threads have time for. Few threads with many sums read least:
  // a multiprocessor has four warps then, of one block or of several.
  constexpr int64_t largeTile = 64 * 64, leastRows = 32, longRow = 128,
                    smallTile = 2048;
  // Results of padded products are written one by one, whoever has them.
  int64_t leastSum = extents.equals(op.getStaticLoopRanges()) ? 64 : 256;
  int64_t threads = 256;
  if (rows * columns >= largeTile && rows >= leastRows && k >= leastSum) {
    threads = 128;
    if (n >= longRow &&
        countBlocks(product, extents, rows, longRow) >= enoughBlocks(gpu))
      columns = longRow;
    else if (parts * countBlocks(product, extents, rows, columns) >
             gpu.multiprocessors)
      threads = 64;
  }
  if (slices > 1)
    threads = slicedThreads;
  int64_t sums = std::max<int64_t>(1, rows * columns * slices / threads);
  int64_t ofRow = 1;
  while (ofRow * ofRow < sums)
    ofRow *= 2;
  int64_t ofColumn = std::max<int64_t>(1, sums / ofRow);
  // Slices share the rows of a tile in the end.
  if (slices > 1)
    std::swap(ofRow, ofColumn);
  bool areFew = threads <= 128 || rows * columns < smallTile;
  int64_t step = slices > 1 ? 64 : areFew ? 32 : 16;
  const int64_t targets[] = {rows,  columns, step,         ofColumn,
                             ofRow, 4,       step / slices};
  Numbers point = nearest(all, targets, [&](ArrayRef<int64_t> p) {
    return holds(p) &&
           p[0] / p[3] * (p[1] / p[4]) * (p[2] / p[6]) >= nvidia::warpSize;
  });
  bool hasWarps = !point.empty();
  // Else elements are one by one, with tiles that needn't be full.
  if (!hasWarps && m * n < nvidia::warpSize)
    point = nearest(all, targets, holds);
  if (point.empty())
    return {};

  MLIRContext *context = op.getContext();
  RecipeBuilder builder(context);
  // Threads that read columns of a tile want other banks.
  int64_t longest = nvidia::maxAccessBytes / bytes;
  Attribute padding =
      builder.knob("P", {0, longest}, isAlongSum(op, product, 1) ? longest : 0);
  SmallVector<Attribute> steps = planBlocks(
      op, product, gpu, extents, all, point,
      padRows(op, product, padding, builder.getI64IntegerAttr(0)), leastPart);
  SmallVector<Attribute> ofThread =
      llvm::to_vector(sizesOf(op, product, builder.knob("TM", all[3], point[3]),
                              builder.knob("TN", all[4], point[4])));
  if (canSlice)
    ofThread[product.k] = builder.knob("KT", all[6], point[6]);
  llvm::append_values(
      steps,
      GpuThreadsAttr::get(context, builder.getArrayAttr(ofThread),
                          /*local=*/{}),
      builder.tileAlong(op, product.k, builder.knob("KU", all[5], point[5])),
      VectorizeAttr::get(context, {}, {}), HoistAttr::get(context, {}));
  builder.addEpilogue(steps, op);
  builder.pad(steps, op, extents);
  SmallVector<ConstraintAttr> where;
  const NamedSizes thread[] = {{"TM", all[3]}, {"TN", all[4]}},
                   block[] = {{"BM", all[0]}, {"BN", all[1]}};
  builder.limitSums(where, thread, maxSums, "thread");
  if (hasWarps) {
    auto ofThreads = llvm::to_vector(ArrayRef(thread)),
         ofBlock = llvm::to_vector(ArrayRef(block));
    if (canSlice) {
      ofThreads.push_back({"KT", all[6]});
      ofBlock.push_back({"BK", all[2]});
    }
    builder.needWarp(where, ofThreads, ofBlock);
  }
  builder.limitSums(where, block, maxInBlock, "multiprocessor");
  return builder.recipe(steps, where);
}

/// The recipe of a product on tensor cores: a tile of each warp, whose sums are
/// in registers. Null if the chip or the extents don't allow it.
static RecipeAttr planOnTensorCores(linalg::LinalgOp op, const GpuLimits &gpu) {
  llvm::Expected<MatrixProduct> product = matchTensorCoreProduct(op);
  if (llvm::errorToBool(product.takeError()) || !gpu.hasMmaSync)
    return {};
  int64_t depth = mma::depthOf(product->element),
          bytes = countBytes(product->element);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (auto [iterator, unit] :
       {std::pair(product->m, mma::m), std::pair(product->n, mma::n),
        std::pair(product->k, depth)})
    extents[iterator] = roundForMma(extents[iterator], unit);
  int64_t m = extents[product->m], n = extents[product->n],
          k = extents[product->k];
  Numbers all[] = {
      divisorsWithin(m, 32, 256, mma::m), divisorsWithin(n, 32, 256, mma::n),
      divisorsWithin(k, 2 * depth, 128 / bytes, depth),
      divisorsWithin(m, 16, 128, mma::m), divisorsWithin(n, 16, 128, mma::n)};
  if (llvm::any_of(all, [](const Numbers &values) { return values.empty(); }))
    return {};
  // Blocks of full size only if there is one for each multiprocessor.
  constexpr int64_t leastPart = 512;
  auto [rows, columns] = chooseBlock(
      *product, gpu, extents,
      countParts(op, *product, gpu, extents, all[2].back(), leastPart),
      /*most=*/128, /*least=*/32, /*longest=*/128);
  // A warp that has all rows of a block reads columns alone.
  constexpr int64_t manyRows = 64, longSum = 256;
  int64_t ofWarp = rows == manyRows && k >= longSum ? rows : rows / 2;
  constexpr int64_t maxSums = maxAccumulatorBytes / 4 * nvidia::warpSize,
                    maxInBlock = maxBlockAccumulatorBytes / 4;
  Numbers point =
      nearest(all, {rows, columns, 128 / bytes, ofWarp, columns / 4},
              [&](ArrayRef<int64_t> p) {
                return p[0] % p[3] == 0 && p[1] % p[4] == 0 &&
                       p[0] / p[3] * (p[1] / p[4]) * nvidia::warpSize <=
                           gpu.maxThreads &&
                       p[3] * p[4] <= maxSums && p[0] * p[1] <= maxInBlock &&
                       (p[0] + p[1]) * p[2] * bytes <= gpu.maxShared / 4;
              });
  if (point.empty())
    return {};
  MLIRContext *context = op.getContext();
  RecipeBuilder builder(context);
  SmallVector<Attribute> steps =
      planBlocks(op, *product, gpu, extents, all, point,
                 padForMma(op, *product), leastPart);
  steps.push_back(GpuMmaAttr::get(
      context, sizesOf(op, *product, builder.knob("WM", all[3], point[3]),
                       builder.knob("WN", all[4], point[4]))));
  builder.addEpilogue(steps, op);
  builder.pad(steps, op, extents);
  SmallVector<ConstraintAttr> where;
  builder.limitSums(where, {{"WM", all[3]}, {"WN", all[4]}}, maxSums, "thread");
  builder.limitSums(where, {{"BM", all[0]}, {"BN", all[1]}}, maxInBlock,
                    "multiprocessor");
  return builder.recipe(steps, where);
}

bool schedule::hasFusedEpilogue(linalg::LinalgOp op) {
  return (matchMatrixProduct(op) || matchConvolutionProduct(op)) &&
         !findEpilogue(op).isEmpty();
}

bool schedule::isShortProduct(linalg::LinalgOp op) {
  // LLVM unrolls as long loops, whose loads then overlap.
  constexpr int64_t maxTerms = 24, maxProducts = 1 << 20;
  std::optional<MatrixProduct> product = matchGeneralProduct(op);
  return product && op.getStaticLoopRanges()[product->k] <= maxTerms &&
         llvm::product_of(op.getStaticLoopRanges()) <= maxProducts &&
         findEpilogue(op).isEmpty();
}

RecipeAttr schedule::planProduct(linalg::LinalgOp op, const GpuLimits &gpu) {
  std::optional<MatrixProduct> product = matchGeneralProduct(op);
  if (!product)
    return {};
  if (RecipeAttr recipe = planOnTensorCores(op, gpu))
    return recipe;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (unsigned iterator : {product->m, product->n, product->k})
    extents[iterator] = roundUp(extents[iterator], maxExtentUnit);
  return planOnThreads(op, *product, gpu, extents);
}
