//===- LoopOrderConstraints.cpp - Which loop orders are legal -------------===//
//--------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOrderConstraints.h"

#include "baco/Expression/Expression.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

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
  SmallVector<std::string> parts;
  for (const KnobCondition &premise : premises) {
    if (premise.known == false)
      return success();
    if (!premise.known)
      parts.push_back("!(" + premise.text + ")");
  }
  for (const KnobCondition &conclusion : conclusions) {
    if (conclusion.known == true)
      return success();
    if (!conclusion.known)
      parts.push_back(conclusion.text);
  }
  if (parts.empty())
    return state.emitError() << reason;
  state.require(llvm::join(parts, " || "), reason);
  return success();
}

std::string baco::knobText(Attribute knob) {
  return variableText(cast<KnobAttr>(knob).getName().str());
}

KnobCondition SparsifyRules::isFormat(StringRef name) const {
  if (!isa<KnobAttr>(step.getFormat()))
    return {"", true};
  return {knobText(step.getFormat()) + " == \"" + name.str() + "\""};
}

KnobCondition SparsifyRules::isAround(int64_t outer, int64_t inner) const {
  if (order)
    return {"", llvm::find(*order, outer) < llvm::find(*order, inner)};
  auto place = [&](int64_t loop) {
    return "pos(" + knobText(step.getOrder()) + ", " + std::to_string(loop) +
           ")";
  };
  return {place(outer) + " < " + place(inner)};
}

KnobCondition SparsifyRules::isJustAround(int64_t outer, int64_t inner) const {
  if (order)
    return {"",
            std::next(llvm::find(*order, outer)) == llvm::find(*order, inner)};
  std::string name = knobText(step.getOrder());
  return {
      llvm::formatv("pos({0}, {1}) + 1 == pos({0}, {2})", name, outer, inner)
          .str()};
}

/// `loops` for expressions.
static std::string setText(ArrayRef<int64_t> loops) {
  return "{" +
         llvm::join(
             llvm::map_range(loops,
                             [](int64_t loop) { return std::to_string(loop); }),
             ", ") +
         "}";
}

KnobCondition SparsifyRules::isOutermost(ArrayRef<int64_t> loops) const {
  if (loops.empty() || loops.size() == graph.getNumLoops())
    return {"", !loops.empty()};
  if (order)
    return {"", llvm::is_contained(loops, order->front())};
  return {"in(" + knobText(step.getOrder()) + "[0], " + setText(loops) + ")"};
}

KnobCondition SparsifyRules::isInnermost(ArrayRef<int64_t> loops) const {
  if (order)
    return {"", llvm::is_contained(loops, order->back())};
  std::string innermost = knobText(step.getOrder()) + "[" +
                          std::to_string(graph.getNumLoops() - 1) + "]";
  if (loops.size() == 1)
    return {innermost + " == " + std::to_string(loops.front())};
  return {"in(" + innermost + ", " + setText(loops) + ")"};
}

KnobCondition SparsifyRules::isSequential() const {
  Attribute parallel = step.getParallel();
  if (!parallel)
    return {"", true};
  if (auto text = dyn_cast<StringAttr>(parallel))
    return {"", text.getValue() == "none"};
  return {knobText(parallel) + " == \"none\""};
}

KnobCondition SparsifyRules::compare(Quantity quantity, StringRef relation,
                                     int64_t number) {
  bool isAtLeast = relation == ">=";
  auto holds = [&](int64_t value) {
    return isAtLeast ? value >= number : value <= number;
  };
  if (quantity.allOf(holds))
    return {"", true};
  if (quantity.allOf([&](int64_t value) { return !holds(value); }))
    return {"", false};
  return {quantity.str() + " " + relation.str() + " " + std::to_string(number)};
}
