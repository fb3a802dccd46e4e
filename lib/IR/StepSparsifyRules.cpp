//===- StepSparsifyRules.cpp - What a sparse operand's format forbids -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule is a clause: if all premises hold, one of the conclusions does.
// Those that constants decide drop out.
//
//===----------------------------------------------------------------------===//

#include "SparsifyRules.h"

#include "baco/Space/Expression.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace baco;
using baco::sparse::LevelKind;
using baco::sparse::StorageFormat;

/// More would take more than a gigabyte for values and positions.
static constexpr double mostPositions = 1 << 26;

SmallVector<StringRef> baco::textsOf(Attribute field) {
  if (auto text = dyn_cast<StringAttr>(field))
    return {text.getValue()};
  SmallVector<StringRef> texts;
  auto domain = cast<CategoricalAttr>(cast<KnobAttr>(field).getDomain());
  for (auto text : domain.getValues().getAsRange<StringAttr>())
    texts.push_back(text.getValue());
  return texts;
}

namespace {
/// A condition over knobs, or what constants make of it.
struct Condition {
  std::string text;
  std::optional<bool> known = std::nullopt;
};

using Conditions = SmallVector<Condition>;

class SparsifyRules {
public:
  SparsifyRules(SparsifyAttr step, const IterationGraph &graph,
                RecipeState &state);

  LogicalResult run();

private:
  LogicalResult stateFormat(StringRef name);
  LogicalResult stateLevels(StringRef name, const StorageFormat &format);
  LogicalResult stateArranged(StringRef name, const StorageFormat &format);
  /// What `format` needs, whose levels are in this order where `premises` hold.
  LogicalResult stateSizes(StringRef name, const Conditions &premises,
                           const StorageFormat &format);
  LogicalResult statePositions();
  LogicalResult stateParallel();
  LogicalResult stateTiles();
  LogicalResult stateNarrow();
  LogicalResult statePeel();

  LogicalResult implies(const Conditions &premises,
                        const Conditions &conclusions,
                        const std::string &reason);
  Condition isFormat(StringRef name) const;
  Condition isAround(int64_t outer, int64_t inner) const;
  Condition isOutermost(ArrayRef<int64_t> loops) const;
  Condition isSequential() const;
  Quantity vectorLength() const;
  static Condition compare(Quantity quantity, StringRef relation,
                           int64_t number);

  const IterationGraph &graph;
  RecipeState &state;
  SparsifyAttr step;
  Quantity positions, coordinates;
  /// Where it is constant.
  std::optional<SmallVector<int64_t>> order;
};
} // namespace

static Quantity widthOf(Attribute field, unsigned given, MLIRContext *context) {
  return Quantity(field ? field
                        : Attribute(Builder(context).getI64IntegerAttr(given)));
}

SparsifyRules::SparsifyRules(SparsifyAttr step, const IterationGraph &graph,
                             RecipeState &state)
    : graph(graph), state(state), step(step),
      positions(widthOf(step.getPositions(), graph.getOwnFormat().positionWidth,
                        step.getContext())),
      coordinates(widthOf(step.getCoordinates(),
                          graph.getOwnFormat().coordinateWidth,
                          step.getContext())) {
  if (FailureOr<SmallVector<int64_t>> list = getIntegerList(step.getOrder());
      succeeded(list))
    order = *list;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

LogicalResult SparsifyRules::implies(const Conditions &premises,
                                     const Conditions &conclusions,
                                     const std::string &reason) {
  SmallVector<std::string> parts;
  for (const Condition &premise : premises) {
    if (premise.known == false)
      return success();
    if (!premise.known)
      parts.push_back("!(" + premise.text + ")");
  }
  for (const Condition &conclusion : conclusions) {
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

/// `name` as expressions read it.
static std::string variable(Attribute knob) {
  return variableText(cast<KnobAttr>(knob).getName().str());
}

Condition SparsifyRules::isFormat(StringRef name) const {
  if (!isa<KnobAttr>(step.getFormat()))
    return {"", true};
  return {variable(step.getFormat()) + " == \"" + name.str() + "\""};
}

Condition SparsifyRules::isAround(int64_t outer, int64_t inner) const {
  if (order)
    return {"", llvm::find(*order, outer) < llvm::find(*order, inner)};
  auto place = [&](int64_t loop) {
    return "pos(" + variable(step.getOrder()) + ", " + std::to_string(loop) +
           ")";
  };
  return {place(outer) + " < " + place(inner)};
}

Condition SparsifyRules::isOutermost(ArrayRef<int64_t> loops) const {
  if (loops.empty() || loops.size() == graph.getNumLoops())
    return {"", !loops.empty()};
  if (order)
    return {"", llvm::is_contained(loops, order->front())};
  return {
      "in(" + variable(step.getOrder()) + "[0], {" +
      llvm::join(llvm::map_range(
                     loops, [](int64_t loop) { return std::to_string(loop); }),
                 ", ") +
      "})"};
}

Condition SparsifyRules::isSequential() const {
  Attribute parallel = step.getParallel();
  if (!parallel)
    return {"", true};
  if (auto text = dyn_cast<StringAttr>(parallel))
    return {"", text.getValue() == "none"};
  return {variable(parallel) + " == \"none\""};
}

Condition SparsifyRules::compare(Quantity quantity, StringRef relation,
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

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// The least width for numbers up to `largest`.
static int64_t bitsFor(int64_t largest) {
  int64_t bits = 8;
  while (bits < 64 && largest >> bits != 0)
    bits *= 2;
  return bits;
}

static std::string quote(StringRef name) { return "'" + name.str() + "'"; }

LogicalResult SparsifyRules::stateSizes(StringRef name,
                                        const Conditions &premises,
                                        const StorageFormat &format) {
  std::optional<int64_t> numEntries = graph.getNumEntries();
  double count = 1, largest = 1;
  int64_t stored = -1;
  for (const sparse::Level &level : format.levels) {
    int64_t extent = graph.getShape()[level.dimension];
    count *= static_cast<double>(extent);
    if (level.kind != LevelKind::Dense) {
      stored = std::max(stored, extent - 1);
      // An unknown number may be small.
      count = std::min(count,
                       numEntries ? static_cast<double>(*numEntries) : largest);
    }
    largest = std::max(largest, count);
  }
  if (largest > mostPositions &&
      failed(implies(premises, {},
                     "dense levels of format " + quote(name) + " have " +
                         llvm::formatv("{0:F0}", largest).str() +
                         " positions, more than 2^26")))
    return failure();
  if (stored < 0)
    return success();
  return implies(premises, {compare(coordinates, ">=", bitsFor(stored))},
                 "coordinates up to " + std::to_string(stored) +
                     " that format " + quote(name) + " stores need " +
                     std::to_string(bitsFor(stored)) + " bits");
}

/// For all formats: those that store no positions don't care.
LogicalResult SparsifyRules::statePositions() {
  std::optional<int64_t> numEntries = graph.getNumEntries();
  if (!numEntries)
    return success();
  return implies({}, {compare(positions, ">=", bitsFor(*numEntries))},
                 "positions up to " + std::to_string(*numEntries) +
                     ", the number of entries, need " +
                     std::to_string(bitsFor(*numEntries)) + " bits");
}

/// The loops of `graph` but for `loops`.
static SmallVector<int64_t> otherLoops(const IterationGraph &graph,
                                       ArrayRef<int64_t> loops) {
  SmallVector<int64_t> others;
  for (int64_t loop = 0; loop < static_cast<int64_t>(graph.getNumLoops());
       ++loop)
    if (!llvm::is_contained(loops, loop))
      others.push_back(loop);
  return others;
}

static constexpr StringLiteral repeats =
    "upstream doesn't run the loop over a level that repeats coordinates on "
    "several threads, so that the code would be the same";

LogicalResult SparsifyRules::stateLevels(StringRef name,
                                         const StorageFormat &format) {
  SmallVector<int64_t> loops = graph.loopsOfLevels(format);
  for (size_t l = 1; l < loops.size(); ++l)
    if (failed(implies({isFormat(name)}, {isAround(loops[l - 1], loops[l])},
                       "format " + quote(name) + " stores iterator " +
                           std::to_string(loops[l - 1]) +
                           " outside of iterator " + std::to_string(loops[l]) +
                           ", so that its loop must be outside, too")))
      return failure();
  if (!format.levels.front().isUnique &&
      failed(implies(
          {isFormat(name)},
          {isSequential(), isOutermost(otherLoops(graph, loops.front()))},
          repeats.str())))
    return failure();
  return stateSizes(name, {isFormat(name)}, format);
}

LogicalResult SparsifyRules::stateArranged(StringRef name,
                                           const StorageFormat &format) {
  ArrayRef<int64_t> loops = graph.getLoops();
  if (!format.levels.front().isUnique &&
      failed(implies({isFormat(name)},
                     {isSequential(), isOutermost(otherLoops(graph, loops))},
                     repeats.str())))
    return failure();
  size_t rank = loops.size();
  size_t numDense = llvm::count_if(format.levels, [](const auto &level) {
    return level.kind == LevelKind::Dense;
  });
  if (numDense == 0 || numDense == rank)
    return stateSizes(name, {isFormat(name)}, format);
  // Which dimensions have the dense levels depends on the order.
  for (uint64_t set = 0; set < uint64_t(1) << rank; ++set) {
    if (static_cast<size_t>(llvm::popcount(set)) != numDense)
      continue;
    Conditions premises = {isFormat(name)};
    StorageFormat arranged = format;
    size_t nextDense = 0, nextOther = numDense;
    for (size_t d = 0; d < rank; ++d) {
      bool isDense = set >> d & 1;
      arranged.levels[isDense ? nextDense++ : nextOther++].dimension = d;
      for (size_t other = 0; other < rank; ++other)
        if (isDense && !(set >> other & 1))
          premises.push_back(isAround(loops[d], loops[other]));
    }
    if (failed(stateSizes(name, premises, arranged)))
      return failure();
  }
  return success();
}

LogicalResult SparsifyRules::stateFormat(StringRef name) {
  auto offer = graph.findFormat(name);
  if (!offer)
    return state.emitError() << llvm::toString(offer.takeError());
  if (offer->isArranged && order)
    return stateLevels(name, graph.arrange(offer->format, *order));
  return offer->isArranged ? stateArranged(name, offer->format)
                           : stateLevels(name, offer->format);
}

LogicalResult SparsifyRules::stateParallel() {
  SmallVector<int64_t> loops;
  for (int64_t loop = 0; loop < static_cast<int64_t>(graph.getNumLoops());
       ++loop)
    if (graph.isParallelLoop(loop))
      loops.push_back(loop);
  return implies({}, {isSequential(), isOutermost(loops)},
                 "the outermost loop runs on several threads, and iterations "
                 "of a reduction would write to the same elements at once");
}

LogicalResult SparsifyRules::stateTiles() {
  auto inner =
      static_cast<int64_t>(graph.getNumLoops() - graph.getSplits().size());
  for (int64_t outer : graph.getSplits()) {
    std::string name = std::to_string(outer);
    if (failed(implies({}, {isAround(outer, inner++)},
                       "the loop over the tiles of iterator " + name +
                           " must be outside of that in a tile")))
      return failure();
  }
  return success();
}

static constexpr StringLiteral same = ", so that the code would be the same";

Quantity SparsifyRules::vectorLength() const {
  Attribute none = Builder(step.getContext()).getI64IntegerAttr(0);
  return Quantity(step.getVl() ? step.getVl() : none);
}

LogicalResult SparsifyRules::stateNarrow() {
  if (!step.getSimd32())
    return success();
  Condition isNarrow = compare(Quantity(step.getSimd32()), ">=", 1);
  if (failed(implies({isNarrow}, {compare(vectorLength(), ">=", 1)},
                     "'simd32' is for vectors" + same.str())) ||
      failed(implies({isNarrow}, {compare(coordinates, "<=", 32)},
                     "'simd32' is for coordinates of at most 32 bits" +
                         same.str())))
    return failure();
  if (llvm::all_of(graph.getShape(),
                   [](int64_t extent) { return extent <= INT32_MAX; }))
    return success();
  return implies({isNarrow}, {},
                 "'simd32' is for coordinates below 2^31, as it extends their "
                 "sign");
}

LogicalResult SparsifyRules::statePeel() {
  if (!step.getPeel())
    return success();
  return implies({compare(Quantity(step.getPeel()), ">=", 1)},
                 {compare(vectorLength(), ">=", 1)},
                 "'peel' is for vectors" + same.str());
}

LogicalResult SparsifyRules::run() {
  for (StringRef name : textsOf(step.getFormat()))
    if (failed(stateFormat(name)))
      return failure();
  return failure(failed(statePositions()) || failed(stateParallel()) ||
                 failed(stateTiles()) || failed(stateNarrow()) ||
                 failed(statePeel()));
}

LogicalResult baco::stateSparsifyRules(SparsifyAttr step,
                                       const IterationGraph &graph,
                                       RecipeState &state) {
  return SparsifyRules(step, graph, state).run();
}
