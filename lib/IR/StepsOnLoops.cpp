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

#include "baco/IR/RecipeExpander.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// TileAttr
//===----------------------------------------------------------------------===//

static std::optional<Remainder> parseRemainder(Attribute text) {
  auto name = dyn_cast<StringAttr>(text);
  return llvm::StringSwitch<std::optional<Remainder>>(name ? name.getValue()
                                                           : "")
      .Case("exact", Remainder::Exact)
      .Case("split", Remainder::Split)
      .Case("balance", Remainder::Balance)
      .Default(std::nullopt);
}

static LogicalResult verifyRemainders(EmitError emitError, ArrayAttr sizes,
                                      ArrayAttr remainders) {
  if (remainders.size() != sizes.size())
    return emitError() << remainders.size() << " remainders given for "
                       << sizes.size() << " sizes";
  for (auto [size, text] : llvm::zip_equal(sizes, remainders)) {
    std::optional<Remainder> remainder = parseRemainder(text);
    if (!remainder)
      return emitError() << "a remainder must be \"exact\", \"split\" or "
                            "\"balance\", but is "
                         << text;
    if (!makesLoop(size) && *remainder != Remainder::Exact)
      return emitError() << "a remainder of " << text
                         << " is given where the size is 0";
  }
  return success();
}

Remainder TileAttr::getRemainder(size_t iterator) const {
  if (!getRemainders())
    return Remainder::Exact;
  return *parseRemainder(getRemainders()[iterator]);
}

LogicalResult TileAttr::verify(EmitError emitError, ArrayAttr sizes,
                               Attribute order, ArrayAttr remainders,
                               int64_t rest) {
  for (Attribute size : sizes)
    if (failed(verifyQuantity(emitError, "a tile size", size, /*minimum=*/0,
                              /*knobMinimum=*/0)))
      return failure();
  int64_t numLoops = llvm::count_if(sizes, makesLoop);
  if (numLoops == 0)
    return emitError() << "a tile step must make at least one loop, but all "
                          "sizes are 0";
  if (remainders && failed(verifyRemainders(emitError, sizes, remainders)))
    return failure();
  if (rest < 0)
    return emitError() << "the largest tile of the rest is " << rest
                       << ", but must not be negative";
  if (rest > 0 &&
      (!remainders ||
       !llvm::is_contained(remainders,
                           StringAttr::get(sizes.getContext(), "split"))))
    return emitError() << "'rest' is given, but no remainder is \"split\"";
  return order ? verifyOrder(emitError, order, numLoops) : success();
}

LogicalResult TileAttr::advance(RecipeState &state) const {
  if (failed(state.needOp()))
    return failure();
  if (getSizes().size() != state.getNumIterators())
    return state.emitError() << getSizes().size() << " sizes given for "
                             << state.getNumIterators() << " iterators";
  return state.tile(*this);
}

void TileAttr::expand(RecipeExpander &expander) const {
  ArrayRef<Attribute> sizes = getSizes().getValue();
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
  if (getOrder()) {
    Attribute binding;
    if (auto knob = dyn_cast<KnobAttr>(getOrder());
        knob && !llvm::is_sorted(iterators))
      binding = ReorderAttr::get(getContext(), knob.getName(), iterators);
    Attribute order =
        expander.bound("interchange", getOrder(), bindings, binding);
    for (int64_t loop : *getIntegerList(order))
      interchange.push_back(iterators[loop]);
    interchange.append(iterators.begin() + numLoops, iterators.end());
  }

  SmallVector<OpFoldResult> mixedSizes;
  for (auto [iterator, size] : llvm::enumerate(sizes)) {
    Remainder remainder = getRemainder(iterator);
    const Extents &extents = expander.state.getExtents()[iterator];
    bool isCut = remainder != Remainder::Exact &&
                 !RecipeState::dividesAlways(Quantity(size), extents);
    if (auto knob = dyn_cast<KnobAttr>(size);
        knob && Quantity(knob).smallest() == 0)
      mixedSizes.push_back(expander.sizeOrAll(knob, *extents.front().count));
    else if (isCut)
      mixedSizes.push_back(
          expander.cutInParts(iterator, size, remainder, getRest()));
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

LogicalResult InterchangeAttr::verify(EmitError emitError, Attribute order) {
  return verifyOrder(emitError, order, /*count=*/std::nullopt);
}

LogicalResult InterchangeAttr::advance(RecipeState &state) const {
  if (failed(state.needOp()) ||
      failed(verifyOrder([&] { return state.emitError(); }, getOrder(),
                         state.getNumIterators())))
    return failure();
  state.interchange(getOrder());
  return success();
}

void InterchangeAttr::expand(RecipeExpander &expander) const {
  NamedAttrList bindings;
  Attribute order =
      expander.bound("iterator_interchange", getOrder(), bindings);
  mlir::Value generic = transform::GeneralizeOp::create(
      expander.builder, expander.loc, expander.anyOp, expander.target);
  auto op = transform::InterchangeOp::create(expander.builder, expander.loc,
                                             expander.anyOp, generic,
                                             *getIntegerList(order));
  RecipeExpander::setBindings(op, bindings);
  expander.target = op.getTransformed();
}

//===----------------------------------------------------------------------===//
// GeneralizeAttr
//===----------------------------------------------------------------------===//

LogicalResult GeneralizeAttr::advance(RecipeState &state) const {
  if (failed(state.needOp()))
    return failure();
  state.generalize();
  return success();
}

void GeneralizeAttr::expand(RecipeExpander &expander) const {
  expander.target = transform::GeneralizeOp::create(
      expander.builder, expander.loc, expander.anyOp, expander.target);
}

//===----------------------------------------------------------------------===//
// PromoteAttr
//===----------------------------------------------------------------------===//

LogicalResult PromoteAttr::verify(EmitError emitError,
                                  DenseI64ArrayAttr operands, int64_t alignment,
                                  Attribute enabled) {
  if (operands.empty())
    return emitError() << "a promote step needs at least one operand";
  for (auto [index, operand] : llvm::enumerate(operands.asArrayRef())) {
    if (operand < 0)
      return emitError() << "operand index " << operand << " is negative";
    if (llvm::is_contained(operands.asArrayRef().take_front(index), operand))
      return emitError() << "operand " << operand << " is promoted twice";
  }
  if (alignment < 1 || !llvm::isPowerOf2_64(alignment))
    return emitError() << "the alignment must be a power of two, but is "
                       << alignment;
  return verifySwitch(emitError, enabled);
}

LogicalResult PromoteAttr::advance(RecipeState &state) const {
  if (failed(state.needOp()) || failed(state.needMemRefs()))
    return failure();
  if (!state.hasLoops())
    return state.emitError() << "there is no loop yet to copy operands in; put "
                                "a 'tile' before it";
  Operation *op = state.getOp();
  for (int64_t operand : getOperands().asArrayRef()) {
    if (operand >= static_cast<int64_t>(op->getNumOperands()))
      return state.emitError() << "there is no operand " << operand
                               << ", the op has " << op->getNumOperands();
    auto type = dyn_cast<ShapedType>(op->getOperand(operand).getType());
    if (!type || type.getRank() == 0)
      return state.emitError()
             << "operand " << operand << " has no dimensions to copy, it is "
             << op->getOperand(operand).getType();
  }
  state.promote(*this);
  return success();
}

void PromoteAttr::expand(RecipeExpander &expander) const {
  if (!whereOn(getEnabled()))
    return;
  OpBuilder &builder = expander.builder;
  expander.target =
      expander.ifEnabled(getEnabled(), expander.target, [&]() -> mlir::Value {
        return transform::PromoteOp::create(
                   builder, expander.loc, expander.anyOp, expander.target,
                   builder.getI64ArrayAttr(getOperands().asArrayRef()),
                   /*use_full_tile_buffers=*/builder.getArrayAttr({}),
                   /*use_full_tiles_by_default=*/false,
                   /*use_original_subview_size=*/false, /*use_alloca=*/false,
                   /*memory_space=*/Attribute(), /*mapping=*/ArrayAttr(),
                   builder.getI64IntegerAttr(getAlignment()))
            .getTransformed();
      });
  expander.promotions.push_back({expander.target.getDefiningOp(),
                                 expander.innermostLoop,
                                 getOperands().asArrayRef().front()});
}
