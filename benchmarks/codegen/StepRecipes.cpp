//===- StepRecipes.cpp - Recipes that need nothing of baco ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles divide the extents, so that their shapes are static and become vectors.
//
//===----------------------------------------------------------------------===//

#include "StepRecipes.h"

#include "MlirFiles.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/Walk.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace baco;
using namespace baco::benchmarks;

/// The largest power of two that divides `extent`, up to `limit`, which is one.
static int64_t largestPower(int64_t extent, int64_t limit) {
  return std::gcd(extent, limit);
}

/// The tile of `op` that becomes vectors.
static SmallVector<int64_t> chooseTile(linalg::LinalgOp op) {
  constexpr int64_t width = 16, height = 4;
  SmallVector<int64_t> extents = op.getStaticLoopRanges(), tile(extents);
  bool isLast = true;
  for (auto [iterator, extent, size] : llvm::reverse(
           llvm::zip_equal(op.getIteratorTypesArray(), extents, tile))) {
    bool isParallel = iterator == utils::IteratorType::parallel;
    size = isParallel ? largestPower(extent, isLast ? width : height) : 1;
    isLast &= !isParallel;
  }
  return tile;
}

/// Vector tiles, in loops over larger ones, and vectors. The vectorizer takes
/// no convolution of two dimensions.
static Attribute writeRecipe(linalg::LinalgOp op) {
  SmallVector<int64_t> tile = chooseTile(op);
  SmallVector<std::string> inner, outer(tile.size(), "0");
  bool hasKnob = false;
  for (auto [i, extent, size] :
       llvm::enumerate(op.getStaticLoopRanges(), tile)) {
    inner.push_back(std::to_string(size));
    if (hasKnob || size == extent)
      continue;
    outer[i] = llvm::formatv("#baco.knob<\"T\", #baco.ordinal<[{0}, {1}]>>",
                             size, extent);
    hasKnob = true;
  }
  std::string text = llvm::formatv(
      "#baco.recipe<[#baco.tile<sizes = [{0}]>, #baco.tile<sizes = [{1}]>{2}]>",
      llvm::join(outer, ", "), llvm::join(inner, ", "),
      linalg::isaConvolutionOpInterface(op)
          ? ""
          : ", #baco.vectorize<>, #baco.hoist<>");
  return parseAttribute(text, op.getContext());
}

static bool computes(linalg::LinalgOp op) {
  return !isa<linalg::FillOp, linalg::CopyOp>(op.getOperation()) &&
         op.getNumLoops() > 0 && !op.hasDynamicShape();
}

static bool hasSchedule(ModuleOp module) {
  return hasRecipe(module) || contains(module, [](Operation *op) {
           return isa<transform::NamedSequenceOp>(op);
         });
}

static bool hasSparseOperand(linalg::LinalgOp op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    return sparse_tensor::getSparseTensorEncoding(type);
  });
}

llvm::Expected<bool>
baco::benchmarks::writeWithSteps(const std::string &file,
                                 const std::string &output) {
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  auto module = readModule(context, file);
  if (!module)
    return module.takeError();
  SmallVector<linalg::LinalgOp> ops;
  (*module)->walk([&](linalg::LinalgOp op) {
    if (computes(op))
      ops.push_back(op);
  });
  if (ops.empty() || hasSchedule(**module) ||
      llvm::any_of(ops, hasSparseOperand))
    return false;
  for (linalg::LinalgOp op : ops)
    op->setAttr(BacoDialect::kRecipe, writeRecipe(op));
  if (llvm::Error error = writeModule(**module, output))
    return error;
  return true;
}
