//===- StepFuseConsumers.cpp - Fuse consumers -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that fuses consumers of the result.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/Consumers.h"
#include "baco/IR/RecipeExpander.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace baco;

LogicalResult
FuseConsumersAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          Attribute count) {
  return verifyQuantity(emitError, "the number of consumers", count,
                        /*minimum=*/0, /*knobMinimum=*/0);
}

LogicalResult FuseConsumersAttr::advance(RecipeState &state) const {
  if (failed(state.needTensors()) || failed(state.needOneNest()))
    return failure();
  return state.fuseConsumers(Quantity(getCount()));
}

LogicalResult RecipeState::fuseConsumers(Quantity count) {
  if (consumersFused)
    return emitError() << "an earlier step has fused consumers; make its "
                          "'count' larger";
  consumersFused = true;
  if (llvm::any_of(recipe.getSteps().getValue().take_front(position),
                   llvm::IsaPred<PadAttr>))
    return emitError() << "consumers can't use the padded tiles of an earlier "
                          "'pad'; put this step before 'pad'";
  auto linalgOp = cast<linalg::LinalgOp>(op);
  SmallVector<int64_t> iterators(linalgOp.getNumLoops(), kWhole);
  for (std::optional<int64_t> iterator : tiled) {
    if (!iterator)
      return emitError() << "a knob decides which iterators are tiled; put the "
                            "step that tiles before 'interchange'";
    if (linalgOp.getIteratorTypesArray()[*iterator] !=
        utils::IteratorType::parallel)
      return emitError()
             << "iterator " << *iterator
             << " of the op is a tiled reduction, so that no iteration "
                "computes a whole sum; tile it in a later step";
    iterators[*iterator] = *iterator;
  }
  SmallVector<TiledDims> results;
  for (OpOperand &init : linalgOp.getDpsInitsMutable()) {
    std::optional<TiledDims> dims =
        getTiledDims(linalgOp.getMatchingIndexingMap(&init), iterators);
    if (!dims)
      return emitError()
             << "the results have an index that is not a single iterator";
    // Whether a slice is all of it is then not known in the loops.
    for (auto [dim, loop] : llvm::enumerate(*dims))
      if (loop == kWhole &&
          cast<ShapedType>(init.get().getType()).isDynamicDim(dim))
        return emitError() << "dimension " << dim
                           << " of a result is dynamic and not tiled; tile it";
    results.push_back(*dims);
  }
  Consumers consumers = findConsumers(op, results);
  if (count.largest() <= static_cast<int64_t>(consumers.ops.size()))
    return success();
  InFlightDiagnostic error = emitError();
  error << "only " << consumers.ops.size() << " of " << count.largest()
        << " consumers can be fused";
  consumers.explain(error, op);
  return error;
}

void FuseConsumersAttr::expand(RecipeExpander &expander) const {
  Quantity count(getCount());
  if (count.largest() == 0)
    return;
  OpBuilder &builder = expander.builder;
  // Outermost first, which the order of iterators need not be.
  SmallVector<mlir::Value> loops(expander.loops.size());
  for (const RecipeExpander::Loop &loop : expander.loops)
    loops[loop.depth] = loop.handle;
  // Those of `parallelize` are one.
  if (loops.empty())
    loops.push_back(expander.innermostLoop);
  auto fuse = [&] {
    NamedAttrList bindings;
    // By name, for the op is defined in a library that this one doesn't need.
    OperationState op(expander.loc, "transform.baco.fuse_consumers");
    op.addOperands(loops);
    op.addAttribute("count", expander.bound("count", getCount(), bindings));
    op.addTypes(SmallVector<Type>(loops.size() + 1, expander.anyOp));
    Operation *created = builder.create(op);
    RecipeExpander::setBindings(created, bindings);
    // Upstream leaves slices without uses, which bufferization would copy.
    transform::ApplyDeadCodeEliminationOp::create(builder, expander.loc,
                                                  expander.function);
    return SmallVector<mlir::Value>(created->getResults());
  };
  auto leave = [&] {
    SmallVector<mlir::Value> handles(loops);
    handles.push_back(expander.noOps());
    return handles;
  };
  SmallVector<mlir::Value> handles =
      count.smallest() > 0
          ? fuse()
          : expander.either(
                expander.isMoreThan(cast<KnobAttr>(getCount()), /*least=*/0),
                loops.size() + 1, leave, fuse);
  expander.fusedConsumers.push_back(handles.pop_back_val());
  for (RecipeExpander::Loop &loop : expander.loops)
    loop.handle = handles[loop.depth];
  expander.innermostLoop = handles.back();
}
