//===- WriteBufferization.cpp - A function's tensors become memrefs -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the transform ops of `bufferize`. The lowering does the same by passes
// (Schedule/Bufferize.h): an argument becomes a memref, a result one more
// argument.
//
//===----------------------------------------------------------------------===//

#include "baco/Recipe/WriteBufferization.h"

#include "baco/IR/Bufferization.h"
#include "baco/IR/Walk.h"

#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"

using namespace mlir;
using namespace baco;

namespace {
/// Writes transform ops that take and yield one handle.
struct Writer {
  OpBuilder &builder;
  Location loc;
  /// Whether copies are forwarded behind bufferization.
  bool forwards;
  Type anyOp = transform::AnyOpType::get(builder.getContext());

  mlir::Value runPass(mlir::Value target, StringRef pass,
                      ArrayRef<NamedAttribute> options = {}) {
    return transform::ApplyRegisteredPassOp::create(
               builder, loc, anyOp, target, pass,
               builder.getDictionaryAttr(options),
               /*dynamic_options=*/ValueRange())
        .getResult();
  }
  mlir::Value bufferize(mlir::Value target, bool hasBoundary) {
    auto bufferize =
        transform::OneShotBufferizeOp::create(builder, loc, anyOp, target);
    if (hasBoundary) {
      bufferize.setBufferizeFunctionBoundaries(true);
      bufferize.setFunctionBoundaryTypeConversion(
          bufferization::LayoutMapOption::IdentityLayoutMap);
    }
    return forwards ? runPass(bufferize.getTransformed(), "baco-forward-copies")
                    : bufferize.getTransformed();
  }
  mlir::Value bufferizeBoundaries(mlir::Value module, StringAttr name);
};
} // namespace

/// Whether bufferization makes copies of results of an op in `function` that
/// the pass baco-forward-copies may remove. Other schedules don't need the
/// pass.
static bool insertsSeveralResults(Operation *function) {
  return contains(function, [](Operation *op) {
    auto inserted = dyn_cast<tensor::InsertSliceOp>(op);
    auto made = inserted
                    ? inserted.getSource().getDefiningOp<linalg::LinalgOp>()
                    : linalg::LinalgOp();
    return made && made.getNumDpsInits() > 1;
  });
}

/// Callers change, too, so that it takes the whole module.
mlir::Value Writer::bufferizeBoundaries(mlir::Value module, StringAttr name) {
  mlir::Value changed = runPass(
      bufferize(module, /*hasBoundary=*/true), "buffer-results-to-out-params",
      {builder.getNamedAttr("hoist-static-allocs", builder.getBoolAttr(true)),
       builder.getNamedAttr("modify-public-functions",
                            builder.getBoolAttr(true))});
  return matchFunction(builder, loc, changed, name);
}

mlir::Value baco::writeBufferization(OpBuilder &builder, Location loc,
                                     mlir::Value handle,
                                     Operation *inFunction) {
  auto function = inFunction->getParentOfType<func::FuncOp>();
  Writer writer{builder, loc,
                insertsSeveralResults(function ? function : inFunction)};
  bool hasBoundary = function && hasTensorBoundary(function);
  mlir::Value scope = handle;
  if (hasBoundary)
    scope = transform::GetParentOp::create(
        builder, loc, writer.anyOp, handle, /*isolated_from_above=*/false,
        /*allow_empty_results=*/false,
        builder.getStringAttr(ModuleOp::getOperationName()),
        /*deduplicate=*/false, /*nth_parent=*/1);
  transform::EliminateEmptyTensorsOp::create(builder, loc, scope);
  mlir::Value bufferized =
      hasBoundary ? writer.bufferizeBoundaries(scope, function.getSymNameAttr())
                  : writer.bufferize(scope, /*hasBoundary=*/false);
  transform::BufferLoopHoistingOp::create(builder, loc, bufferized);
  return writer.runPass(bufferized, "buffer-deallocation-pipeline");
}

mlir::Value baco::matchOps(OpBuilder &builder, Location loc, mlir::Value scope,
                           ArrayAttr ops, DictionaryAttr attributes) {
  return transform::MatchOp::create(
      builder, loc, transform::AnyOpType::get(builder.getContext()), scope, ops,
      /*interface=*/transform::MatchInterfaceEnumAttr(), attributes,
      /*filter_result_type=*/TypeAttr(), /*filter_operand_types=*/ArrayAttr());
}

mlir::Value baco::matchFunction(OpBuilder &builder, Location loc,
                                mlir::Value scope, StringAttr name) {
  return matchOps(builder, loc, scope,
                  builder.getStrArrayAttr({func::FuncOp::getOperationName()}),
                  builder.getDictionaryAttr(builder.getNamedAttr(
                      SymbolTable::getSymbolAttrName(), name)));
}

mlir::Value baco::matchMarked(OpBuilder &builder, Location loc,
                              mlir::Value scope, StringRef mark) {
  return matchOps(builder, loc, scope, /*ops=*/ArrayAttr(),
                  builder.getDictionaryAttr(
                      builder.getNamedAttr(mark, builder.getUnitAttr())));
}
