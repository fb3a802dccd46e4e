//===- LoopOrderConstraints.cpp - Which loop orders are legal -------------===//
//--------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOrderConstraints.h"

using namespace mlir;
using namespace baco;

static Quantity widthOf(Attribute field, unsigned given, MLIRContext *context) {
  return Quantity(field ? field
                        : Attribute(Builder(context).getI64IntegerAttr(given)));
}

SparsifyRules::SparsifyRules(SparsifyAttr step, const IterationGraph &unsplit,
                             ArrayRef<TiledLoop> tiles, RecipeAnalysis &state)
    : unsplit(unsplit), graph(unsplit), tiles(tiles), state(state), step(step),
      positions(widthOf(step.getPositions(), graph.getOwnFormat().positionWidth,
                        step.getContext())),
      coordinates(widthOf(step.getCoordinates(),
                          graph.getOwnFormat().coordinateWidth,
                          step.getContext())) {
  if (FailureOr<SmallVector<int64_t>> list = getIntegerList(step.getOrder());
      succeeded(list))
    order = *list;
  variants.push_back({unsplit, {}});
  for (const TiledLoop &tiled : tiles) {
    // A condition on one size that splits the loop holds for all.
    int64_t size = tiled.size.smallest();
    graph.split(tiled.loop, size);
    SmallVector<LoopVariant, 4> both;
    for (LoopVariant &variant : variants) {
      LoopVariant whole = variant;
      variant.graph.split(tiled.loop, size);
      whole.graph.split(tiled.loop, tiled.extent);
      if (tiled.isSparse && size < tiled.extent) {
        variant.premises.push_back(compare(tiled.size, "<=", tiled.extent - 1));
        whole.premises.push_back(compare(tiled.size, ">=", tiled.extent));
        both.push_back(std::move(whole));
      }
      both.push_back(std::move(variant));
    }
    variants = std::move(both);
  }
}

std::string baco::quoted(StringRef name) { return "'" + name.str() + "'"; }

LogicalResult SparsifyRules::implies(const KnobConditions &premises,
                                     const KnobConditions &conclusions,
                                     const std::string &reason) {
  SmallVector<Expression> parts;
  for (const Expression &premise : premises) {
    if (premise.asBool() == false)
      return success();
    if (!premise.asBool())
      parts.push_back(!premise.enclosed());
  }
  for (const Expression &conclusion : conclusions) {
    if (conclusion.asBool() == true)
      return success();
    if (!conclusion.asBool())
      parts.push_back(conclusion);
  }
  if (parts.empty())
    return state.emitError() << reason;
  state.require(Expression::chain("||", parts), reason);
  return success();
}

/// A knob that isn't a number.
static Expression variableOf(Attribute knob) {
  return Expression::variable(cast<KnobAttr>(knob).getName());
}

Expression SparsifyRules::isText(Attribute field, StringRef text) {
  if (auto constant = dyn_cast<StringAttr>(field))
    return Expression::literal(constant.getValue() == text);
  return variableOf(field) == Expression::literal(text.str());
}

Expression SparsifyRules::isFormat(StringRef name) const {
  return isText(step.getFormat(), name);
}

Expression SparsifyRules::place(int64_t loop) const {
  return Expression::function(
      "pos", std::vector<Expression>{variableOf(step.getOrder()), loop});
}

Expression SparsifyRules::isAround(int64_t outer, int64_t inner) const {
  if (order)
    return Expression::literal(llvm::find(*order, outer) <
                               llvm::find(*order, inner));
  return place(outer) < place(inner);
}

Expression SparsifyRules::isJustAround(int64_t outer, int64_t inner) const {
  if (order)
    return Expression::literal(std::next(llvm::find(*order, outer)) ==
                               llvm::find(*order, inner));
  return place(outer) + 1 == place(inner);
}

Expression SparsifyRules::isOutermost(ArrayRef<int64_t> loops) const {
  if (loops.empty() || loops.size() == graph.getNumLoops())
    return Expression::literal(!loops.empty());
  if (order)
    return Expression::literal(llvm::is_contained(loops, order->front()));
  return Expression::in(Expression::element(variableOf(step.getOrder()), 0),
                        std::vector<Expression>(loops.begin(), loops.end()));
}

Expression SparsifyRules::isInnermost(ArrayRef<int64_t> loops) const {
  if (order)
    return Expression::literal(llvm::is_contained(loops, order->back()));
  Expression innermost =
      Expression::element(variableOf(step.getOrder()), graph.getNumLoops() - 1);
  if (loops.size() == 1)
    return innermost == loops.front();
  return Expression::in(innermost,
                        std::vector<Expression>(loops.begin(), loops.end()));
}

Expression SparsifyRules::isSequential() const {
  if (Attribute parallel = step.getParallel())
    return isText(parallel, "none");
  return Expression::literal(true);
}

Expression SparsifyRules::compare(Quantity quantity, StringRef relation,
                                  int64_t number) {
  bool isAtLeast = relation == ">=";
  auto holds = [&](int64_t value) {
    return isAtLeast ? value >= number : value <= number;
  };
  if (quantity.allOf(holds))
    return Expression::literal(true);
  if (quantity.allOf([&](int64_t value) { return !holds(value); }))
    return Expression::literal(false);
  return Expression::infix(quantity.expression(), relation, number);
}
