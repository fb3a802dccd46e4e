//===- AnnotateGpuProducts.cpp - Products of matrices on GPUs -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"
#include "baco/IR/MatrixProduct.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// Whether rows of the operand begin at multiples of 16 bytes, so that
/// `cp.async` can copy vectors of all lengths.
static bool hasAlignedRows(OpOperand &operand) {
  auto type = cast<MemRefType>(operand.get().getType());
  int64_t offset, bytes = countBytes(type);
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return false;
  strides.back() = offset;
  return llvm::all_of(strides, [&](int64_t stride) {
    return ShapedType::isStatic(stride) &&
           stride * bytes % nvidia::maxAccessBytes == 0;
  });
}

/// The length of the rows of an input's tile, in whichever order its dimensions
/// are; `tile` has the sizes for rows and columns of the result and the sum.
static int64_t rowOfTile(linalg::LinalgOp op, const MatrixProduct &product,
                         unsigned operand, ArrayRef<int64_t> tile) {
  unsigned last = op.getRank(&op->getOpOperand(operand)) - 1;
  unsigned iterator = iteratorOf(op, operand, last);
  return iterator == product.m   ? tile[0]
         : iterator == product.n ? tile[1]
         : iterator == product.k ? tile[2]
                                 : 1;
}

/// Sizes of a step for rows and columns of the result, the sum and the batch.
static std::string sizesOf(linalg::LinalgOp op, const MatrixProduct &product,
                           const std::array<std::string, 4> &sizes) {
  SmallVector<std::string> entries(op.getNumLoops(), "0");
  entries[product.m] = sizes[0];
  entries[product.n] = sizes[1];
  entries[product.k] = sizes[2];
  if (product.batch)
    entries[*product.batch] = sizes[3];
  return list(entries);
}

/// A size in a constraint: knobs of one value have no name.
static std::string factor(StringRef name, const Numbers &values) {
  return values.size() == 1 ? std::to_string(values[0]) : name.str();
}

/// The constraint that `sums`, a product of sizes, leave half of the registers
/// of `holder`.
static std::string limitSums(const std::string &sums, int64_t most,
                             const std::string &holder) {
  return "\"" + sums + " <= " + std::to_string(most) +
         R"(" : "accumulators leave half of the registers of a )" + holder +
         "\"";
}

/// The recipe of a product on threads: tiles in registers.
static std::string planOnThreads(linalg::LinalgOp op,
                                 const MatrixProduct &product,
                                 const NvidiaGpu &gpu) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  int64_t m = extents[product.m], n = extents[product.n],
          k = extents[product.k];
  int64_t bytes = countBytes(op->getOperand(0).getType()),
          sumBytes = countBytes(op.getDpsInits()[0].getType());
  bool isAsync = gpu.hasAsyncCopies() && hasAlignedRows(op->getOpOperand(0)) &&
                 hasAlignedRows(op->getOpOperand(1));
  Numbers all[] = {divisorsWithin(m, 16, 256), divisorsWithin(n, 16, 256),
                   divisorsWithin(k, 8, 64),   divisorsWithin(m, 1, 16),
                   divisorsWithin(n, 1, 16),   divisorsWithin(k, 1, 16)};
  int64_t maxSums = maxAccumulatorBytes / sumBytes,
          maxInBlock = maxBlockAccumulatorBytes / sumBytes;
  auto holds = [&](ArrayRef<int64_t> p) {
    int64_t threads = p[0] / p[3] * (p[1] / p[4]);
    return p[0] % p[3] == 0 && p[1] % p[4] == 0 && p[2] % p[5] == 0 &&
           threads <= nvidia::maxThreads && p[3] * p[4] <= maxSums &&
           p[0] * p[1] <= maxInBlock &&
           (p[0] + p[1]) * p[2] * bytes <= gpu.maxDynamicShared / 4;
  };
  const int64_t targets[] = {64, 64, 16, 4, 4, 4};
  Numbers point = nearest(all, targets, [&](ArrayRef<int64_t> p) {
    return holds(p) && p[0] / p[3] * (p[1] / p[4]) >= nvidia::warpSize;
  });
  bool hasWarps = !point.empty();
  // Else elements are one by one, with tiles that needn't be full.
  if (!hasWarps && m * n < nvidia::warpSize)
    point = nearest(all, targets, holds);
  if (point.empty())
    return "";

  auto rowOf = [&](unsigned operand) {
    return rowOfTile(op, product, operand, point);
  };
  int64_t longest = nvidia::maxAccessBytes / bytes;
  int64_t width = std::gcd(longest, std::gcd(rowOf(0), rowOf(1)));
  Numbers widths = divisorsWithin(longest, 1, longest), paddings = {0, longest};
  isAsync &= width * bytes >= nvidia::minAsyncBytes && k / point[2] > 1;
  std::string knobs[] = {
      knob("BM", all[0], point[0]), knob("BN", all[1], point[1]),
      knob("BK", all[2], point[2]), knob("TM", all[3], point[3]),
      knob("TN", all[4], point[4]), knob("KU", all[5], point[5])};
  auto sizes = [&](const std::string &rows, const std::string &columns,
                   const std::string &sum, const std::string &batch) {
    return sizesOf(op, product, {rows, columns, sum, batch});
  };
  std::string text =
      "[#baco.gpu_blocks<sizes = " + sizes(knobs[0], knobs[1], "0", "1") +
      ">, #baco.tile<sizes = " + sizes("0", "0", knobs[2], "0") +
      ">, #baco.gpu_shared<operands = [0, 1], width = " +
      knob("V", widths, width) + ", padding = " + knob("P", paddings, 0);
  if (isAsync)
    text += ", stages = " + knob("S", {1, 2, 3, 4}, k / point[2] > 2 ? 3 : 2);
  text +=
      ", limit = " + std::to_string(gpu.maxDynamicShared) +
      ">, #baco.gpu_threads<sizes = " + sizes(knobs[3], knobs[4], "0", "1") +
      ">, #baco.tile<sizes = " + sizes("0", "0", knobs[5], "0") +
      ">, #baco.vectorize<>, #baco.hoist<>]";
  SmallVector<std::string> where;
  std::string tile = factor("TM", all[3]) + " * " + factor("TN", all[4]),
              block = factor("BM", all[0]) + " * " + factor("BN", all[1]);
  bool isOpen = all[3].size() > 1 || all[4].size() > 1;
  if (isOpen)
    where.push_back(limitSums(tile, maxSums, "thread"));
  if (hasWarps && isOpen)
    where.push_back("\"" + std::to_string(nvidia::warpSize) + " * " + tile +
                    " <= " + block +
                    R"(" : "a block has at least one warp of threads")");
  if (all[0].back() * all[1].back() > maxInBlock)
    where.push_back(limitSums(block, maxInBlock, "multiprocessor"));
  if (!where.empty())
    text += ", where = " + list(where);
  return text;
}

/// The recipe of a product on tensor cores: a tile of each warp, whose sums are
/// in registers. Empty if the chip or the extents don't allow it.
static std::string planOnTensorCores(linalg::LinalgOp op,
                                     const NvidiaGpu &gpu) {
  std::optional<MatrixProduct> product;
  if (!gpu.hasMmaSync() || !whyNoTensorCores(op, product).empty())
    return "";
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  int64_t m = extents[product->m], n = extents[product->n],
          k = extents[product->k];
  int64_t depth = mma::depthOf(product->element),
          bytes = countBytes(product->element);
  // Blocks of full size only if there is one for each multiprocessor.
  constexpr int64_t large = 128, small = 64;
  int64_t blocks = extents[product->m] / large * (extents[product->n] / large);
  if (product->batch)
    blocks *= extents[*product->batch];
  int64_t block = blocks >= gpu.multiprocessors ? large : small;
  Numbers all[] = {
      divisorsWithin(m, 32, 256, mma::m), divisorsWithin(n, 32, 256, mma::n),
      divisorsWithin(k, 2 * depth, 128 / bytes, depth),
      divisorsWithin(m, 16, 128, mma::m), divisorsWithin(n, 16, 128, mma::n)};
  if (llvm::any_of(all, [](const Numbers &values) { return values.empty(); }))
    return "";
  constexpr int64_t maxSums = maxAccumulatorBytes / 4 * nvidia::warpSize,
                    maxInBlock = maxBlockAccumulatorBytes / 4;
  Numbers point =
      nearest(all, {block, block, 64 / bytes, block / 2, block / 4},
              [&](ArrayRef<int64_t> p) {
                return p[0] % p[3] == 0 && p[1] % p[4] == 0 &&
                       p[0] / p[3] * (p[1] / p[4]) * nvidia::warpSize <=
                           nvidia::maxThreads &&
                       p[3] * p[4] <= maxSums && p[0] * p[1] <= maxInBlock &&
                       (p[0] + p[1]) * p[2] * bytes <= gpu.maxDynamicShared / 4;
              });
  if (point.empty())
    return "";
  int64_t longest = nvidia::maxAccessBytes / bytes;
  int64_t width =
      std::gcd(longest, std::gcd(rowOfTile(op, *product, 0, point),
                                 rowOfTile(op, *product, 1, point)));
  Numbers paddings = {0, longest};
  // Columns of 32 bits, which lanes read one by one, want other banks.
  if (bytes == 4)
    paddings.push_back(2 * longest);
  std::string text =
      "[#baco.gpu_blocks<sizes = " +
      sizesOf(op, *product,
              {knob("BM", all[0], point[0]), knob("BN", all[1], point[1]), "0",
               "1"}) +
      ">, #baco.tile<sizes = " +
      sizesOf(op, *product, {"0", "0", knob("BK", all[2], point[2]), "0"}) +
      ">, #baco.gpu_shared<operands = [0, 1], width = " +
      knob("V", divisorsWithin(longest, 1, longest), width) +
      ", padding = " + knob("P", paddings, longest);
  if (hasAlignedRows(op->getOpOperand(0)) &&
      hasAlignedRows(op->getOpOperand(1)) &&
      width * bytes >= nvidia::minAsyncBytes && k / point[2] > 1)
    text += ", stages = " + knob("S", {1, 2, 3, 4}, k / point[2] > 2 ? 3 : 2);
  text += ", limit = " + std::to_string(gpu.maxDynamicShared) +
          ">, #baco.gpu_mma<sizes = " +
          sizesOf(op, *product,
                  {knob("WM", all[3], point[3]), knob("WN", all[4], point[4]),
                   "0", "1"}) +
          ">]";
  SmallVector<std::string> where;
  if (all[3].back() * all[4].back() > maxSums)
    where.push_back(
        limitSums(factor("WM", all[3]) + " * " + factor("WN", all[4]), maxSums,
                  "thread"));
  if (all[0].back() * all[1].back() > maxInBlock)
    where.push_back(
        limitSums(factor("BM", all[0]) + " * " + factor("BN", all[1]),
                  maxInBlock, "multiprocessor"));
  if (!where.empty())
    text += ", where = " + list(where);
  return text;
}

std::string schedule::planProduct(linalg::LinalgOp op, const NvidiaGpu &gpu) {
  std::optional<MatrixProduct> product = matchMatrixProduct(op);
  if (!product || !isa<FloatType>(product->element))
    return "";
  std::string text = planOnTensorCores(op, gpu);
  return text.empty() ? planOnThreads(op, *product, gpu) : text;
}
