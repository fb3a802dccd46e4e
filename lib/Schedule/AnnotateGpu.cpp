//===- AnnotateGpu.cpp - Recipes for GPUs ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recipes are written as text, as people write them. Sizes are divisors of
// extents, since steps for GPUs need full tiles; defaults are near to sizes
// that are usual, and satisfy what the steps require.
//
//===----------------------------------------------------------------------===//

#include "AnnotateTensors.h"
#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/RecipeState.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Annotate.h"
#include "baco/Support/NvidiaGpu.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

using Numbers = SmallVector<int64_t>;

/// Accumulators of a thread, in bytes: half of its registers.
static constexpr int64_t maxAccumulatorBytes = 512;

/// The divisors of `extent` from `least` to `most`, or to `most` if there are
/// none.
static Numbers divisorsWithin(int64_t extent, int64_t least, int64_t most) {
  Numbers all, large;
  for (int64_t i = 1; i <= std::min(most, extent); ++i)
    if (extent % i == 0) {
      all.push_back(i);
      if (i >= least)
        large.push_back(i);
    }
  return large.empty() ? all : large;
}

/// A choice as a recipe writes it: a knob, or a number if there is one value.
static std::string knob(StringRef name, ArrayRef<int64_t> values,
                        int64_t chosen) {
  if (values.size() == 1)
    return std::to_string(values[0]);
  return llvm::formatv(
      "#baco.knob<\"{0}\", #baco.ordinal<[{1}]{2}>, default = "
      "{3}>",
      name,
      llvm::join(
          llvm::map_range(values,
                          [](int64_t value) { return std::to_string(value); }),
          ", "),
      values[0] > 0 ? ", log" : "", chosen);
}

static std::string list(ArrayRef<std::string> entries) {
  return "[" + llvm::join(entries, ", ") + "]";
}

/// The point of `domains` that is nearest to `targets`, in ratios, among those
/// for which `holds`; empty if there is none.
static Numbers nearest(ArrayRef<Numbers> domains, ArrayRef<int64_t> targets,
                       function_ref<bool(ArrayRef<int64_t>)> holds) {
  Numbers point(domains.size()), best;
  double least = INFINITY;
  auto visit = [&](auto &self, size_t index, double distance) -> void {
    if (distance >= least)
      return;
    if (index == domains.size()) {
      if (holds(point)) {
        best = point;
        least = distance;
      }
      return;
    }
    for (int64_t value : domains[index]) {
      point[index] = value;
      self(self, index + 1,
           distance + std::abs(std::log2(static_cast<double>(value)) -
                               std::log2(static_cast<double>(targets[index]))));
    }
  };
  visit(visit, 0, 0);
  return best;
}

static int64_t countBytes(Type type) {
  return llvm::divideCeil(getElementTypeOrSelf(type).getIntOrFloatBitWidth(),
                          8);
}

/// Whether operations on scalars are all that the body of `op` has.
static bool isElementwise(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         llvm::all_of(
             op.getIndexingMapsArray(),
             [](AffineMap map) { return map.isProjectedPermutation(); }) &&
         llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &inner) {
                        return isa<arith::ArithDialect, math::MathDialect>(
                            inner.getDialect());
                      });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

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

/// The recipe of a matrix product, or of many: tiles in shared memory and in
/// registers. Empty if it isn't one.
static std::string planProduct(linalg::LinalgOp op, const NvidiaGpu &gpu) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (!linalg::isaContractionOpInterface(op) || failed(dims) ||
      dims->m.size() != 1 || dims->n.size() != 1 || dims->k.size() != 1 ||
      dims->batch.size() > 1 ||
      !isa<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType())))
    return "";
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  int64_t m = extents[dims->m[0]], n = extents[dims->n[0]],
          k = extents[dims->k[0]];
  int64_t bytes = countBytes(op->getOperand(0).getType()),
          sumBytes = countBytes(op.getDpsInits()[0].getType());
  bool isAsync = gpu.hasAsyncCopies() && hasAlignedRows(op->getOpOperand(0)) &&
                 hasAlignedRows(op->getOpOperand(1));
  Numbers all[] = {divisorsWithin(m, 16, 256), divisorsWithin(n, 16, 256),
                   divisorsWithin(k, 8, 64),   divisorsWithin(m, 1, 16),
                   divisorsWithin(n, 1, 16),   divisorsWithin(k, 1, 16)};
  int64_t mostSums = maxAccumulatorBytes / sumBytes;
  auto holds = [&](ArrayRef<int64_t> p) {
    int64_t threads = p[0] / p[3] * (p[1] / p[4]);
    return p[0] % p[3] == 0 && p[1] % p[4] == 0 && p[2] % p[5] == 0 &&
           threads <= nvidia::maxThreads && p[3] * p[4] <= mostSums &&
           (p[0] + p[1]) * p[2] * bytes <= gpu.maxDynamicShared / 4;
  };
  const int64_t targets[] = {64, 64, 16, 4, 4, 4};
  Numbers point = nearest(all, targets, [&](ArrayRef<int64_t> p) {
    return holds(p) && p[0] / p[3] * (p[1] / p[4]) >= nvidia::warpSize;
  });
  bool hasWarps = !point.empty();
  if (!hasWarps)
    point = nearest(all, targets, holds);
  if (point.empty())
    return "";

  // Rows of both tiles, in whichever order their dimensions are.
  auto rowOf = [&](unsigned operand) {
    AffineExpr last = op.getMatchingIndexingMap(&op->getOpOperand(operand))
                          .getResults()
                          .back();
    unsigned dim = cast<AffineDimExpr>(last).getPosition();
    return dim == dims->m[0]   ? point[0]
           : dim == dims->n[0] ? point[1]
                               : point[2];
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
    SmallVector<std::string> entries(op.getNumLoops(), "0");
    entries[dims->m[0]] = rows;
    entries[dims->n[0]] = columns;
    entries[dims->k[0]] = sum;
    if (!dims->batch.empty())
      entries[dims->batch[0]] = batch;
    return list(entries);
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
  // Knobs of one value have no name.
  auto factor = [&](StringRef name, size_t index) {
    return all[index].size() == 1 ? std::to_string(all[index][0]) : name.str();
  };
  std::string tile = factor("TM", 3) + " * " + factor("TN", 4);
  bool isOpen = all[3].size() > 1 || all[4].size() > 1;
  if (isOpen)
    where.push_back("\"" + tile + " <= " + std::to_string(mostSums) +
                    R"(" : "accumulators leave half of the registers of a )"
                    R"(thread")");
  if (hasWarps && isOpen)
    where.push_back("\"" + std::to_string(nvidia::warpSize) + " * " + tile +
                    " <= " + factor("BM", 0) + " * " + factor("BN", 1) +
                    R"(" : "a block has at least one warp of threads")");
  if (!where.empty())
    text += ", where = " + list(where);
  return text;
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

/// The recipe of a reduction of `extent` elements to one.
static std::string planReduction(int64_t extent) {
  Numbers all[] = {divisorsWithin(extent, 32, 1024),
                   divisorsWithin(extent, 1, 32),
                   divisorsWithin(extent, 256, 65536)};
  Numbers point = nearest(all, {256, 8, 8192}, [](ArrayRef<int64_t> p) {
    return p[2] % (p[0] * p[1]) == 0;
  });
  if (point.empty())
    return "";
  std::string local = knob("L", all[0], point[0]);
  return "[#baco.gpu_reduce<chunk = " + knob("C", all[2], point[2]) +
         ", run = " + knob("R", all[1], point[1]) + ", stride = " + local +
         ", global = [" +
         knob("G", {32, 64, 128, 256, 512, 1024, 2048, 4096}, 512) + ", " +
         local + "], local = " + local + ">]";
}

/// The recipe of an op with parallel iterators: tiles of the up to three that
/// are longest.
static std::string planTiles(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  // The last ones first, if extents are equal.
  SmallVector<unsigned> longest(parallel);
  llvm::sort(longest, [&](unsigned a, unsigned b) {
    return std::pair(extents[a], a) > std::pair(extents[b], b);
  });
  longest.resize(std::min<size_t>(longest.size(), 3));
  llvm::sort(longest, std::greater<>());
  bool isVector = isElementwise(op);
  SmallVector<Numbers> all;
  SmallVector<int64_t> targets;
  const int64_t mostInBlock[] = {1024, 64, 8}, inBlock[] = {128, 4, 1};
  for (auto [place, iterator] : llvm::enumerate(longest)) {
    bool isOnly = longest.size() == 1;
    all.push_back(divisorsWithin(extents[iterator], place == 0 ? 16 : 1,
                                 isOnly ? 4096 : mostInBlock[place]));
    targets.push_back(isOnly ? 1024 : inBlock[place]);
    all.push_back(divisorsWithin(extents[iterator], 1, 8));
    targets.push_back(place == 0 && isVector ? 4 : 1);
  }
  Numbers point = nearest(all, targets, [&](ArrayRef<int64_t> p) {
    int64_t threads = 1;
    for (size_t i = 0; i < p.size(); i += 2) {
      if (p[i] % p[i + 1] != 0)
        return false;
      threads *= p[i] / p[i + 1];
    }
    return threads <= nvidia::maxThreads;
  });
  if (point.empty())
    return "";
  SmallVector<std::string> blocks(extents.size(), "0"), threads(blocks),
      rest(blocks);
  const StringRef names[] = {"X", "Y", "Z"};
  for (auto [place, iterator] : llvm::enumerate(longest)) {
    blocks[iterator] =
        knob(("B" + names[place]).str(), all[2 * place], point[2 * place]);
    threads[iterator] = knob(("T" + names[place]).str(), all[2 * place + 1],
                             point[2 * place + 1]);
  }
  std::string text = "[#baco.gpu_blocks<sizes = " + list(blocks) +
                     ">, #baco.gpu_threads<sizes = " + list(threads) + ">";
  if (isVector) {
    // What isn't distributed is for one thread, element by element.
    for (unsigned iterator : parallel)
      if (!llvm::is_contained(longest, iterator))
        rest[iterator] = "1";
    if (llvm::is_contained(rest, "1"))
      text += ", #baco.tile<sizes = " + list(rest) + ">";
    text += ", #baco.vectorize<>";
  }
  return text + "]";
}

/// The recipe of `op`, or why there is none.
static llvm::Expected<RecipeAttr> plan(linalg::LinalgOp op,
                                       const NvidiaGpu &gpu) {
  if (!op.hasPureBufferSemantics())
    return llvm::createStringError("it is on tensors; bufferize it first");
  if (llvm::any_of(op.getStaticLoopRanges(), ShapedType::isDynamic) ||
      llvm::is_contained(op.getStaticLoopRanges(), 0))
    return llvm::createStringError("its shape is not static, or empty");
  for (mlir::Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType());
        type && !type.getElementType().isIntOrFloat())
      return llvm::createStringError(
          "GPUs have no elements of the type of an operand");
  std::string text;
  if (op.getNumParallelLoops() > 0) {
    text = planProduct(op, gpu);
    if (text.empty())
      text = planTiles(op);
  } else if (op.getNumLoops() == 1) {
    text = planReduction(op.getStaticLoopRanges()[0]);
  } else {
    return llvm::createStringError(
        "it reduces several iterators to one element; collapse them first");
  }
  if (text.empty())
    return llvm::createStringError(
        "no sizes of blocks and threads divide its extents");
  auto recipe = dyn_cast_or_null<RecipeAttr>(
      parseAttribute("#baco.recipe<" + text + ">", op.getContext()));
  assert(recipe && "the text of a recipe is well formed");
  // What steps refuse is the reason.
  std::string why;
  ScopedDiagnosticHandler handler(op.getContext(), [&](Diagnostic &diagnostic) {
    if (why.empty())
      why = diagnostic.str();
    return success();
  });
  if (failed(RecipeState(op, recipe).run()))
    return llvm::createStringError(why);
  return recipe;
}

int64_t baco::schedule::annotateForGpu(ModuleOp module, const NvidiaGpu &gpu) {
  module.getContext()->getOrLoadDialect<BacoDialect>();
  int64_t count = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function->hasAttr(BacoDialect::kKeep))
      continue;
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->hasAttr(BacoDialect::kRecipe))
        return WalkResult::skip();
      if (isa<LoopLikeOpInterface>(op) && !contains(op, isStructured)) {
        emitNoRecipe(op, "GPUs get linalg ops only; make it one");
        return WalkResult::skip();
      }
      if (isa<memref::CopyOp>(op))
        emitNoRecipe(op, "GPUs get linalg ops only; write a 'linalg.copy'");
      auto structured = dyn_cast<linalg::LinalgOp>(op);
      if (!structured && isStructured(op))
        emitNoRecipe(op, "it is several linalg ops; decompose it first");
      if (!structured)
        return WalkResult::advance();
      llvm::Expected<RecipeAttr> recipe = plan(structured, gpu);
      if (!recipe) {
        emitNoRecipe(op, llvm::toString(recipe.takeError()));
      } else {
        op->setAttr(BacoDialect::kRecipe, *recipe);
        ++count;
      }
      return WalkResult::skip();
    });
  }
  return count;
}
