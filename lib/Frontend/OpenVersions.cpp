//===- OpenVersions.cpp - Versions with dynamic extents -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules of loop nests take symbolic bounds, those of linalg ops don't.
//
//===----------------------------------------------------------------------===//

#include "ShapeVersions.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/OpenExtents.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

static bool hasDynamicOperand(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !(shaped.hasRank() && shaped.hasStaticShape());
  });
}

/// Makes loops of the linalg ops of `version` with dynamic operands.
static llvm::Error lowerToLoops(func::FuncOp version) {
  SmallVector<linalg::LinalgOp> ops;
  version.walk([&](linalg::LinalgOp op) {
    if (hasDynamicOperand(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(version.getContext());
  for (linalg::LinalgOp op : ops) {
    if (op->hasAttr(BacoDialect::kRecipe))
      return llvm::createStringError("the recipe of '" +
                                     op->getName().getStringRef() +
                                     "' needs an op of static shape");
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToAffineLoops(rewriter, op)))
      return llvm::createStringError("'" + op->getName().getStringRef() +
                                     "' of dynamic shape has no form as loops");
    rewriter.eraseOp(op);
  }
  return llvm::Error::success();
}

void baco::frontend::forEachOpenExtent(
    func::FuncOp version,
    function_ref<void(unsigned, unsigned, int64_t)> action) {
  for (BlockArgument argument : version.getArguments()) {
    auto extents = measuredExtents(argument);
    if (!extents)
      continue;
    auto type = cast<MemRefType>(argument.getType());
    for (auto [dimension, extent] : llvm::enumerate(*extents))
      if (type.isDynamicDim(dimension))
        action(argument.getArgNumber(), dimension, extent);
  }
}

/// Uses the first of the extents that are measured alike for all of them, so
/// that loops over them have one bound.
static void unifyExtents(func::FuncOp version) {
  llvm::DenseMap<std::pair<Value, int64_t>, Value> known;
  llvm::DenseMap<int64_t, Value> first;
  OpBuilder builder = OpBuilder::atBlockBegin(&version.getBody().front());
  forEachOpenExtent(
      version, [&](unsigned number, unsigned dimension, int64_t measured) {
        Value memory = version.getArgument(number);
        Value &extent = first[measured];
        if (!extent)
          extent = memref::DimOp::create(builder, version.getLoc(), memory,
                                         int64_t(dimension));
        known[{memory, dimension}] = extent;
      });
  version.walk([&](memref::DimOp op) {
    std::optional<int64_t> dimension = op.getConstantIndex();
    Value extent =
        dimension ? known.lookup({op.getSource(), *dimension}) : Value();
    if (extent && extent != op.getResult())
      op.getResult().replaceAllUsesWith(extent);
  });
}

llvm::Error baco::frontend::openVersion(func::FuncOp version,
                                        const Extents &extents) {
  for (auto [number, its] : llvm::enumerate(extents)) {
    if (llvm::none_of(its, isOpenExtent))
      continue;
    if (!isa<MemRefType>(version.getArgumentTypes()[number]))
      return llvm::createStringError(
          "argument " + llvm::Twine(number) +
          " is a tensor, whose extents can't stay open; write the extents "
          "without '?', which tunes a version of exactly that shape");
    version.setArgAttr(
        number, kExtents,
        DenseI64ArrayAttr::get(version.getContext(),
                               llvm::map_to_vector(its, measuredExtent)));
  }
  if (llvm::Error why = lowerToLoops(version))
    return why;
  unifyExtents(version);
  return llvm::Error::success();
}
