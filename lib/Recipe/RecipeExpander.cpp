//===- RecipeExpander.cpp - Writes the schedule of a recipe ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that the steps share: knobs, bindings, matching and patterns. The steps'
// own ops are in Steps*.cpp.
//
//===----------------------------------------------------------------------===//

#include "baco/Recipe/RecipeExpander.h"

#include "Steps.h"
#include "baco/Recipe/WriteBufferization.h"
#include "baco/TransformOps/BacoTransformOps.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SMT/IR/SMTOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace baco;

RecipeExpander::RecipeExpander(OpBuilder &builder, Operation *op,
                               RecipeAttr recipe, StringRef tag,
                               mlir::Value function, mlir::Value target)
    : builder(builder), loc(op->getLoc()),
      anyOp(transform::AnyOpType::get(builder.getContext())), tag(tag),
      state(op, recipe), function(function), target(target), recipe(recipe) {}

/// `command` with knobs replaced by their names.
static Attribute nameKnobs(Attribute command) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](KnobAttr knob) {
    Attribute name = StringAttr::get(knob.getContext(), knob.getName());
    // The named command has no knobs.
    return std::make_pair(name, WalkResult::skip());
  });
  return replacer.replace(command);
}

LogicalResult RecipeExpander::runOnLoops() {
  if (failed(state.checkOp()))
    return failure();
  for (KnobAttr knob : recipe.getKnobs())
    declareKnob(knob);
  for (Attribute step :
       llvm::make_filter_range(recipe.getSteps(), llvm::IsaPred<LLVMAttr>))
    findRow(step).expand(step, *this);
  SmallVector<Attribute> commands =
      llvm::map_to_vector(recipe.getCommands(), nameKnobs);
  target = transform::RestructureOp::create(builder, loc, anyOp, target,
                                            builder.getArrayAttr(commands),
                                            /*strict=*/false);
  return success();
}

LogicalResult RecipeExpander::run() {
  if (state.isOnLoops())
    return runOnLoops();
  if (failed(state.checkOp()))
    return failure();
  for (KnobAttr knob : recipe.getKnobs())
    declareKnob(knob);
  for (Attribute step : recipe.getSteps()) {
    // A copy checks the step first, because `expand` needs a valid step and the
    // state before it.
    RecipeAnalysis after = state;
    if (failed(after.advance()))
      return failure();
    findRow(step).expand(step, *this);
    state = after;
  }
  joinParts();
  for (const auto &write : llvm::reverse(lastWrites))
    write(*this);
  for (const auto &[knob, extent] : state.getKnobExtents())
    if (extent && !knob.getExtent())
      params[knob.getName()].getDefiningOp()->setDiscardableAttr(
          BacoDialect::kExtent, builder.getI64IntegerAttr(*extent));
  return success();
}

void RecipeExpander::declareKnob(KnobAttr knob) {
  // Tile sizes are operands of this type; other fields are bound attributes.
  Type type = transform::AnyParamType::get(builder.getContext());
  if (isa<OrdinalAttr, IntegerRangeAttr>(knob.getDomain()))
    type =
        transform::ParamType::get(builder.getContext(), builder.getI64Type());
  auto op = transform::tune::KnobOp::create(
      builder, loc, type, builder.getStringAttr(knob.getName()),
      knob.getDomain(), /*selected=*/Attribute());
  if (knob.getDefaultValue())
    op->setDiscardableAttr(BacoDialect::kDefault, knob.getDefaultValue());
  if (knob.getWeights())
    op->setDiscardableAttr(BacoDialect::kWeights, knob.getWeights());
  if (knob.getExtent())
    op->setDiscardableAttr(BacoDialect::kExtent, knob.getExtent());
  params[knob.getName()] = op.getResult();
}

void RecipeExpander::enterLoops(mlir::Value outer, mlir::Value inner) {
  if (!outermostLoop)
    outermostLoop = outer;
  innermostLoop = inner;
}

mlir::Value RecipeExpander::nest() {
  // Parts have loops of their own.
  bool isHere = outermostLoop &&
                outermostLoop.getParentBlock() == builder.getInsertionBlock();
  return isHere ? outermostLoop : function;
}

OpFoldResult RecipeExpander::mixed(Attribute field) {
  if (auto knob = dyn_cast<KnobAttr>(field))
    return params[knob.getName()];
  Quantity quantity(field);
  if (!quantity.isKnob())
    return OpFoldResult(builder.getI64IntegerAttr(quantity.getConstant()));
  return compute(quantity, [](ValueRange inputs) { return inputs[0]; });
}

Attribute RecipeExpander::bound(StringRef attribute, Attribute field,
                                NamedAttrList &bindings, Attribute binding) {
  auto knob = dyn_cast<KnobAttr>(field);
  if (!knob)
    return field;
  bindings.append(attribute,
                  binding ? binding : builder.getStringAttr(knob.getName()));
  return knob.getDefaultOrFirst();
}

SmallVector<int64_t> RecipeExpander::boundList(StringRef attribute,
                                               ArrayRef<Attribute> fields,
                                               NamedAttrList &bindings) {
  SmallVector<Attribute> binding(fields);
  SmallVector<int64_t> list;
  for (Attribute &field : binding) {
    Attribute value = field;
    if (auto knob = dyn_cast<KnobAttr>(field)) {
      value = knob.getDefaultOrFirst();
      field = builder.getStringAttr(knob.getName());
    }
    list.push_back(cast<IntegerAttr>(value).getInt());
  }
  if (llvm::any_of(binding, llvm::IsaPred<StringAttr>))
    bindings.append(attribute, builder.getArrayAttr(binding));
  return list;
}

void RecipeExpander::setBindings(Operation *op, const NamedAttrList &bindings) {
  if (!bindings.empty())
    op->setDiscardableAttr(BacoDialect::kBind,
                           bindings.getDictionary(op->getContext()));
}

mlir::Value RecipeExpander::match(mlir::Value scope, StringRef name,
                                  StringRef mark) {
  DictionaryAttr attributes;
  if (!mark.empty())
    attributes = builder.getDictionaryAttr(
        builder.getNamedAttr(mark, builder.getUnitAttr()));
  return matchOps(builder, loc, scope, builder.getStrArrayAttr({name}),
                  attributes);
}

mlir::Value RecipeExpander::noOps() {
  // A function has no modules.
  return match(function, ModuleOp::getOperationName());
}

static mlir::Value integer(OpBuilder &builder, Location loc, int64_t value) {
  return ::mlir::smt::IntConstantOp::create(
      builder, loc,
      IntegerAttr::get(builder.getContext(), llvm::APSInt::get(value)));
}

mlir::Value
RecipeExpander::compute(ArrayRef<Quantity> quantities,
                        function_ref<mlir::Value(ValueRange)> write) {
  SmallVector<mlir::Value> inputs;
  for (const Quantity &quantity : quantities)
    for (Attribute factor : quantity.getFactors())
      if (auto knob = dyn_cast<KnobAttr>(factor))
        inputs.push_back(params[knob.getName()]);
  auto param =
      transform::ParamType::get(builder.getContext(), builder.getI64Type());
  auto op = transform::smt::ConstrainParamsOp::create(
      builder, loc, TypeRange{param}, ValueRange(inputs));
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types(inputs.size(),
                          ::mlir::smt::IntType::get(builder.getContext()));
  SmallVector<Location> locations(inputs.size(), loc);
  Block *body = builder.createBlock(&op.getBody(), {}, types, locations);
  SmallVector<mlir::Value> values;
  unsigned numRead = 0;
  for (const Quantity &quantity : quantities) {
    SmallVector<mlir::Value> factors;
    for (Attribute factor : quantity.getFactors())
      factors.push_back(
          isa<KnobAttr>(factor)
              ? body->getArgument(numRead++)
              : integer(builder, loc, cast<IntegerAttr>(factor).getInt()));
    values.push_back(
        factors.size() == 1
            ? factors[0]
            : ::mlir::smt::IntMulOp::create(builder, loc, factors).getResult());
  }
  ::mlir::smt::YieldOp::create(builder, loc, ValueRange{write(values)});
  return op.getResult(0);
}

mlir::Value RecipeExpander::sizeOrAll(KnobAttr size, Quantity extent) {
  // size + extent * (1 / (size + 1))
  return compute({Quantity(size), extent}, [&](ValueRange inputs) {
    using namespace ::mlir::smt;
    mlir::Value one = integer(builder, loc, 1);
    mlir::Value next =
        IntAddOp::create(builder, loc, ValueRange{inputs[0], one});
    mlir::Value isZero = IntDivOp::create(builder, loc, one, next);
    mlir::Value rest =
        IntMulOp::create(builder, loc, ValueRange{inputs[1], isZero});
    return IntAddOp::create(builder, loc, ValueRange{inputs[0], rest});
  });
}

SmallVector<mlir::Value> RecipeExpander::ifEnabled(Attribute enabled,
                                                   size_t numHandles, Write off,
                                                   Write on) {
  if (!isa_and_present<KnobAttr>(enabled))
    return whereOn(enabled) ? on() : off();
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types(numHandles, anyOp);
  auto op = transform::tune::AlternativesOp::create(
      builder, loc, types, builder.getStringAttr(tag),
      /*selected_region_attr=*/IntegerAttr(), cast<mlir::Value>(mixed(enabled)),
      /*alternativesCount=*/2);
  builder.createBlock(&op.getAlternatives()[0]);
  transform::YieldOp::create(builder, loc, off());
  builder.createBlock(&op.getAlternatives()[1]);
  transform::YieldOp::create(builder, loc, on());
  return llvm::to_vector_of<mlir::Value>(op.getResults());
}

mlir::Value RecipeExpander::ifEnabled(Attribute enabled, mlir::Value handle,
                                      function_ref<mlir::Value()> on) {
  using Values = SmallVector<mlir::Value>;
  return ifEnabled(
      enabled, /*numHandles=*/1, [&] { return Values{handle}; },
      [&] { return Values{on()}; })[0];
}

void RecipeExpander::applyPatterns(
    function_ref<void(OpBuilder &, Location)> patterns) {
  transform::ApplyPatternsOp::create(builder, loc, function, patterns);
}
