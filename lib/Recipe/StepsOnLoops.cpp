//===- StepsOnLoops.cpp - Tile, interchange, promote ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a recipe that make, order and fill loops.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace baco;

//===----------------------------------------------------------------------===//
// TileAttr
//===----------------------------------------------------------------------===//

LogicalResult baco::advance(TileAttr step, RecipeAnalysis &state) {
  if (step.getSizes().size() != state.getNumIterators())
    return state.emitError() << step.getSizes().size() << " sizes given for "
                             << state.getNumIterators() << " iterators";
  return state.tile(step);
}

void baco::expand(TileAttr step, RecipeExpander &expander) {
  ArrayRef<Attribute> sizes = step.getSizes().getValue();
  // The iterators with a loop, then the others: `order` permutes the former.
  SmallVector<int64_t> iterators;
  for (auto [iterator, size] : llvm::enumerate(sizes))
    if (makesLoop(size))
      iterators.push_back(iterator);
  size_t numLoops = iterators.size();
  for (auto [iterator, size] : llvm::enumerate(sizes))
    if (!makesLoop(size))
      iterators.push_back(iterator);

  NamedAttrList bindings;
  SmallVector<int64_t> interchange;
  if (step.getOrder()) {
    Attribute binding;
    if (auto knob = dyn_cast<KnobAttr>(step.getOrder());
        knob && !llvm::is_sorted(iterators))
      binding = ReorderAttr::get(step.getContext(), knob.getName(), iterators);
    Attribute order =
        expander.bound("interchange", step.getOrder(), bindings, binding);
    for (int64_t loop : *getIntegerList(order))
      interchange.push_back(iterators[loop]);
    interchange.append(iterators.begin() + numLoops, iterators.end());
  }

  SmallVector<OpFoldResult> mixedSizes;
  for (auto [iterator, size] : llvm::enumerate(sizes)) {
    Remainder remainder = step.getRemainder(iterator);
    const Extents &extents = expander.state.getExtents()[iterator];
    bool isCut = remainder != Remainder::Exact &&
                 !RecipeAnalysis::dividesAlways(Quantity(size), extents);
    if (auto knob = dyn_cast<KnobAttr>(size);
        knob && Quantity(knob).smallest() == 0)
      mixedSizes.push_back(expander.sizeOrAll(knob, *extents.front().count));
    else if (isCut)
      mixedSizes.push_back(
          expander.cutInParts(iterator, size, remainder, step.getRest()));
    else
      mixedSizes.push_back(expander.mixed(size));
  }
  SmallVector<Type> loopTypes(numLoops, expander.anyOp);
  auto op = transform::TileUsingForOp::create(expander.builder, expander.loc,
                                              loopTypes, expander.target,
                                              mixedSizes, interchange);
  RecipeExpander::setBindings(op, bindings);
  expander.target = op.getTiledLinalgOp();
  expander.enterLoops(op.getLoops().front(), op.getLoops().back());
}

//===----------------------------------------------------------------------===//
// InterchangeAttr
//===----------------------------------------------------------------------===//

LogicalResult baco::advance(InterchangeAttr step, RecipeAnalysis &state) {
  if (failed(verifyOrder([&] { return state.emitError(); }, step.getOrder(),
                         state.getNumIterators())))
    return failure();
  state.interchange(step.getOrder());
  return success();
}

void baco::expand(InterchangeAttr step, RecipeExpander &expander) {
  NamedAttrList bindings;
  Attribute order =
      expander.bound("iterator_interchange", step.getOrder(), bindings);
  mlir::Value generic = transform::GeneralizeOp::create(
      expander.builder, expander.loc, expander.anyOp, expander.target);
  auto op = transform::InterchangeOp::create(expander.builder, expander.loc,
                                             expander.anyOp, generic,
                                             *getIntegerList(order));
  RecipeExpander::setBindings(op, bindings);
  expander.target = op.getTransformed();
}

//===----------------------------------------------------------------------===//
// PromoteAttr
//===----------------------------------------------------------------------===//

LogicalResult baco::advance(PromoteAttr step, RecipeAnalysis &state) {
  Operation *op = state.getOp();
  for (int64_t operand : step.getOperands().asArrayRef()) {
    if (operand >= static_cast<int64_t>(op->getNumOperands()))
      return state.emitError() << "there is no operand " << operand
                               << ", the op has " << op->getNumOperands();
    auto type = dyn_cast<ShapedType>(op->getOperand(operand).getType());
    if (!type || type.getRank() == 0)
      return state.emitError()
             << "operand " << operand << " has no dimensions to copy, it is "
             << op->getOperand(operand).getType();
  }
  state.promote(step);
  return success();
}

void baco::expand(PromoteAttr step, RecipeExpander &expander) {
  if (!whereOn(step.getEnabled()))
    return;
  OpBuilder &builder = expander.builder;
  expander.target = expander.ifEnabled(
      step.getEnabled(), expander.target, [&]() -> mlir::Value {
        return transform::PromoteOp::create(
                   builder, expander.loc, expander.anyOp, expander.target,
                   builder.getI64ArrayAttr(step.getOperands().asArrayRef()),
                   /*use_full_tile_buffers=*/builder.getArrayAttr({}),
                   /*use_full_tiles_by_default=*/false,
                   /*use_original_subview_size=*/false, /*use_alloca=*/false,
                   /*memory_space=*/Attribute(), /*mapping=*/ArrayAttr(),
                   builder.getI64IntegerAttr(step.getAlignment()))
            .getTransformed();
      });
  expander.promotions.push_back({expander.target.getDefiningOp(),
                                 expander.innermostLoop,
                                 step.getOperands().asArrayRef().front()});
}
