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

#include "baco/IR/SparsifierOptions.h"
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

/// The loops where each of those that index the sparse operand is split, or is
/// not because there is one tile.
struct Variant {
  IterationGraph graph;
  Conditions premises;
};

class SparsifyRules {
public:
  SparsifyRules(SparsifyAttr step, const IterationGraph &unsplit,
                ArrayRef<TiledLoop> tiles, RecipeState &state);

  LogicalResult run();

private:
  LogicalResult stateFormat(StringRef name);
  LogicalResult stateOrder(StringRef name, const IterationGraph::Offer &offer);
  /// What holds if one of `loops` visits the outermost level of `format`.
  LogicalResult stateRepeats(StringRef name, const StorageFormat &format,
                             ArrayRef<int64_t> loops);
  LogicalResult stateArranged(StringRef name, const Variant &variant,
                              const StorageFormat &format);
  /// What `format` needs, whose levels are in this order where `premises` hold.
  LogicalResult stateSizes(StringRef name, const Conditions &premises,
                           const StorageFormat &format);
  LogicalResult stateCoordinates(StringRef name, const Conditions &premises,
                                 const StorageFormat &format);
  LogicalResult statePositions();
  LogicalResult stateParallel();
  LogicalResult stateTeam();
  LogicalResult stateTiles();
  LogicalResult stateNarrow();
  LogicalResult statePeel();
  LogicalResult stateVectors();

  LogicalResult implies(const Conditions &premises,
                        const Conditions &conclusions,
                        const std::string &reason);
  Condition isFormat(StringRef name) const;
  Condition isAround(int64_t outer, int64_t inner) const;
  Condition isJustAround(int64_t outer, int64_t inner) const;
  Condition isOutermost(ArrayRef<int64_t> loops) const;
  Condition isInnermost(int64_t loop) const;
  Condition isSequential() const;
  Quantity vectorLength() const;
  static Condition compare(Quantity quantity, StringRef relation,
                           int64_t number);
  /// The tiles of the dimension that `level` is a part of.
  const TiledLoop *tilesOf(const sparse::Level &level) const;
  /// How many coordinates `level` has, for expressions.
  std::string sizeText(const sparse::Level &level) const;

  /// With as many loops as possible.
  IterationGraph graph;
  SmallVector<Variant, 4> variants;
  ArrayRef<TiledLoop> tiles;
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

static SmallVector<int64_t> valuesOf(Quantity quantity) {
  SmallVector<int64_t> values;
  (void)quantity.allOf([&](int64_t value) {
    values.push_back(value);
    return true;
  });
  return values;
}

SparsifyRules::SparsifyRules(SparsifyAttr step, const IterationGraph &unsplit,
                             ArrayRef<TiledLoop> tiles, RecipeState &state)
    : graph(unsplit), tiles(tiles), state(state), step(step),
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
    // What holds of one size that splits the loop holds of all.
    int64_t size = tiled.size.smallest();
    graph.split(tiled.loop, size);
    SmallVector<Variant, 4> both;
    for (Variant &variant : variants) {
      Variant whole = variant;
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

Condition SparsifyRules::isJustAround(int64_t outer, int64_t inner) const {
  if (order)
    return {"",
            std::next(llvm::find(*order, outer)) == llvm::find(*order, inner)};
  std::string name = variable(step.getOrder());
  return {
      llvm::formatv("pos({0}, {1}) + 1 == pos({0}, {2})", name, outer, inner)
          .str()};
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

Condition SparsifyRules::isInnermost(int64_t loop) const {
  if (order)
    return {"", order->back() == loop};
  return {variable(step.getOrder()) + "[" +
          std::to_string(graph.getNumLoops() - 1) +
          "] == " + std::to_string(loop)};
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

const TiledLoop *SparsifyRules::tilesOf(const sparse::Level &level) const {
  if (level.divisor == 1 && level.modulus == 0)
    return nullptr;
  for (const IterationGraph::Split &split : graph.getSplits())
    for (const IterationGraph::Part &part : graph.getParts())
      if (part.loop == split.inner && part.dimension == level.dimension)
        return llvm::find_if(tiles, [&](const TiledLoop &tiled) {
          return tiled.loop == split.loop;
        });
  llvm_unreachable("the level is of a loop that is split");
}

std::string SparsifyRules::sizeText(const sparse::Level &level) const {
  std::string extent = std::to_string(graph.getShape()[level.dimension]);
  const TiledLoop *tiled = tilesOf(level);
  if (!tiled)
    return extent;
  return level.divisor > 1 ? extent + " // " + tiled->size.str()
                           : tiled->size.str();
}

/// The most positions of a level, where a level has as many coordinates as
/// `sizeOf` says.
static double mostPositionsOf(
    const StorageFormat &format, std::optional<int64_t> numEntries,
    llvm::function_ref<int64_t(const sparse::Level &level)> sizeOf) {
  double count = 1, largest = 1;
  for (const sparse::Level &level : format.levels) {
    count *= static_cast<double>(sizeOf(level));
    // An unknown number may be small.
    if (level.kind != LevelKind::Dense)
      count = std::min(count,
                       numEntries ? static_cast<double>(*numEntries) : largest);
    largest = std::max(largest, count);
  }
  return largest;
}

LogicalResult SparsifyRules::stateSizes(StringRef name,
                                        const Conditions &premises,
                                        const StorageFormat &format) {
  // For all sizes of tiles. A dimension has one size, whatever the others have.
  double least = HUGE_VAL, most = 0;
  SmallVector<SmallVector<int64_t>> sizes = {{}};
  for (const TiledLoop &tiled : tiles) {
    SmallVector<SmallVector<int64_t>> more;
    for (const SmallVector<int64_t> &before : sizes)
      for (int64_t size :
           tiled.isSparse ? valuesOf(tiled.size) : SmallVector<int64_t>{1}) {
        more.push_back(before);
        more.back().push_back(size);
      }
    sizes = std::move(more);
  }
  for (ArrayRef<int64_t> each : sizes) {
    double positions = mostPositionsOf(
        format, graph.getNumEntries(), [&](const sparse::Level &level) {
          const TiledLoop *tiled = tilesOf(level);
          int64_t extent = graph.getShape()[level.dimension];
          if (!tiled)
            return extent;
          int64_t size = each[tiled - tiles.begin()];
          return level.divisor > 1 ? extent / size : size;
        });
    least = std::min(least, positions);
    most = std::max(most, positions);
  }
  if (most > mostPositions) {
    Conditions few;
    std::string number = llvm::formatv("{0:F0}", most).str();
    if (least <= mostPositions) {
      SmallVector<std::string> factors;
      for (const sparse::Level &level : format.levels) {
        if (level.kind != LevelKind::Dense)
          break;
        factors.push_back("(" + sizeText(level) + ")");
      }
      few.push_back({llvm::join(factors, " * ") +
                     " <= " + std::to_string(int64_t(mostPositions))});
      number = "up to " + number;
    }
    if (failed(implies(premises, few,
                       "dense levels of format " + quote(name) + " have " +
                           number + " positions, more than 2^26")))
      return failure();
  }
  return stateCoordinates(name, premises, format);
}

LogicalResult SparsifyRules::stateCoordinates(StringRef name,
                                              const Conditions &premises,
                                              const StorageFormat &format) {
  int64_t stored = -1;
  for (const sparse::Level &level : format.levels) {
    if (level.kind == LevelKind::Dense)
      continue;
    int64_t extent = graph.getShape()[level.dimension];
    const TiledLoop *tiled = tilesOf(level);
    if (!tiled) {
      stored = std::max(stored, extent - 1);
      continue;
    }
    for (int64_t width : {8, 16, 32}) {
      int64_t most = int64_t(1) << width;
      Condition fits =
          level.divisor > 1
              ? compare(tiled->size, ">=", (extent + most - 1) / most)
              : compare(tiled->size, "<=", most);
      if (failed(implies(
              premises, {compare(coordinates, ">=", 2 * width), fits},
              "coordinates of tiles of iterator " +
                  std::to_string(tiled->loop) + " that format " + quote(name) +
                  " stores need more than " + std::to_string(width) + " bits")))
        return failure();
    }
  }
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

LogicalResult SparsifyRules::stateOrder(StringRef name,
                                        const IterationGraph::Offer &offer) {
  if (offer.isArranged) {
    SmallVector<int64_t> all;
    for (const IterationGraph::Part &part : graph.getParts())
      all.push_back(part.loop);
    return stateRepeats(name, offer.format, all);
  }
  SmallVector<int64_t> loops = graph.loopsOfLevels(offer.format);
  for (size_t l = 1; l < loops.size(); ++l)
    if (failed(implies({isFormat(name)}, {isAround(loops[l - 1], loops[l])},
                       "format " + quote(name) + " stores iterator " +
                           std::to_string(loops[l - 1]) +
                           " outside of iterator " + std::to_string(loops[l]) +
                           ", so that its loop must be outside, too")))
      return failure();
  return stateRepeats(name, offer.format, loops.front());
}

LogicalResult SparsifyRules::stateRepeats(StringRef name,
                                          const StorageFormat &format,
                                          ArrayRef<int64_t> loops) {
  if (format.levels.front().isUnique)
    return success();
  return implies({isFormat(name)},
                 {isSequential(), isOutermost(otherLoops(graph, loops))},
                 "upstream doesn't run the loop over a level that repeats "
                 "coordinates on several threads, so that the code would be "
                 "the same");
}

LogicalResult SparsifyRules::stateArranged(StringRef name,
                                           const Variant &variant,
                                           const StorageFormat &format) {
  ArrayRef<IterationGraph::Part> parts = variant.graph.getParts();
  size_t rank = parts.size();
  size_t numDense = llvm::count_if(format.levels, [](const auto &level) {
    return level.kind == LevelKind::Dense;
  });
  // Which dimensions have the dense levels depends on the order.
  for (uint64_t set = 0; set < uint64_t(1) << rank; ++set) {
    if (static_cast<size_t>(llvm::popcount(set)) != numDense)
      continue;
    Conditions premises = variant.premises;
    premises.push_back(isFormat(name));
    StorageFormat arranged = format;
    size_t nextDense = 0, nextOther = numDense;
    for (size_t p = 0; p < rank; ++p) {
      bool isDense = set >> p & 1;
      parts[p].assignTo(arranged.levels[isDense ? nextDense++ : nextOther++]);
      for (size_t other = 0; other < rank; ++other)
        if (isDense && !(set >> other & 1))
          premises.push_back(isAround(parts[p].loop, parts[other].loop));
    }
    if (failed(stateSizes(name, premises, arranged)))
      return failure();
  }
  return success();
}

/// What is the same as `name` for a matrix, according to the order of loops.
static ArrayRef<StringRef> otherNames(StringRef name) {
  static constexpr StringRef rows[] = {"csr", "csc"}, both[] = {"dcsr", "dcsc"};
  return name == "dense-csf" ? ArrayRef(rows)
         : name == "csf"     ? ArrayRef(both)
                             : ArrayRef<StringRef>();
}

/// Whether the step chooses among all of `names`, too.
static bool isOffered(SparsifyAttr step, ArrayRef<StringRef> names) {
  SmallVector<StringRef> offered = textsOf(step.getFormat());
  return !names.empty() && llvm::all_of(names, [&](StringRef name) {
    return llvm::is_contained(offered, name);
  });
}

LogicalResult SparsifyRules::stateFormat(StringRef name) {
  auto offer = graph.findFormat(name);
  if (!offer)
    return state.emitError() << llvm::toString(offer.takeError());
  if (failed(stateOrder(name, *offer)))
    return failure();
  for (const Variant &variant : variants) {
    Conditions premises = variant.premises;
    premises.push_back(isFormat(name));
    auto own = variant.graph.findFormat(name);
    LogicalResult stated = success();
    if (!own) {
      stated = implies(premises, {}, llvm::toString(own.takeError()));
    } else if (variant.graph.getParts().size() == graph.getShape().size() &&
               isOffered(step, otherNames(name))) {
      stated = implies(premises, {},
                       "format " + quote(name) + " without tiles is '" +
                           llvm::join(otherNames(name), "' or '") + "'");
    } else if (own->isArranged) {
      stated = stateArranged(name, variant, own->format);
    } else {
      stated = stateSizes(name, premises, own->format);
    }
    if (failed(stated))
      return failure();
  }
  return success();
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

LogicalResult SparsifyRules::stateTeam() {
  const std::string same = " makes no difference for one thread";
  if (Attribute schedule = step.getSchedule()) {
    StringRef usual = textsOf(schedule).front();
    Condition isUsual{"", true};
    if (isa<KnobAttr>(schedule))
      isUsual = {variable(schedule) + " == \"" + usual.str() + "\""};
    if (failed(implies({isSequential()}, {isUsual}, "'schedule'" + same)))
      return failure();
    auto zero = Builder(step.getContext()).getI64IntegerAttr(0);
    Quantity chunk(step.getChunk() ? step.getChunk() : Attribute(zero));
    Condition isStatic{"", textsOf(schedule).front() == "static"};
    if (isa<KnobAttr>(schedule))
      isStatic = {variable(schedule) + " == \"static\""};
    if (failed(implies({}, {isStatic, compare(chunk, ">=", 1)},
                       "only a static schedule has parts without a 'chunk'")))
      return failure();
  }
  for (auto [name, field] :
       {std::pair<StringRef, Attribute>("'chunk'", step.getChunk()),
        {"'threads'", step.getThreads()}}) {
    if (!field || !isa<KnobAttr>(field))
      continue;
    Quantity quantity(field);
    if (failed(implies({isSequential()},
                       {compare(quantity, "<=", quantity.smallest())},
                       name.str() + same)))
      return failure();
  }
  return success();
}

LogicalResult SparsifyRules::stateTiles() {
  for (auto [tiled, split] : llvm::zip_equal(tiles, graph.getSplits())) {
    std::string name = std::to_string(split.loop);
    if (failed(implies({}, {isAround(split.loop, split.inner)},
                       "the loop over the tiles of iterator " + name +
                           " must be outside of that in a tile")))
      return failure();
    if (tiled.isSparse &&
        failed(implies({compare(tiled.size, ">=", tiled.extent)},
                       {isJustAround(split.loop, split.inner)},
                       "iterator " + name +
                           " has one tile, so that the place "
                           "of the loop over tiles makes no difference")))
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

/// A loop that becomes one vector leaves nothing to `vl`.
LogicalResult SparsifyRules::stateVectors() {
  linalg::LinalgOp op = graph.getOp();
  Type element = getElementTypeOrSelf(op.getDpsInits().front().getType());
  if (!element.isIntOrFloat())
    return success();
  int64_t most = SparsifierOptions::mostTileBytes /
                 std::max(1u, element.getIntOrFloatBitWidth() / 8);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (auto [loop, extent] : llvm::enumerate(extents)) {
    if (graph.isSparseLoop(loop) || !graph.isParallelLoop(loop) ||
        ShapedType::isDynamic(extent))
      continue;
    const auto *split = llvm::find_if(
        graph.getSplits(),
        [loop = static_cast<int64_t>(loop)](const IterationGraph::Split &each) {
          return each.loop == loop;
        });
    bool isSplit = split != graph.getSplits().end();
    Attribute length = Builder(step.getContext()).getI64IntegerAttr(extent);
    int64_t inner = loop;
    if (isSplit) {
      length = step.getTiles()[loop];
      inner = split->inner;
    }
    if (failed(
            implies({isInnermost(inner), compare(Quantity(length), "<=", most)},
                    {compare(vectorLength(), "<=", 0)},
                    "the innermost loop, over at most " + std::to_string(most) +
                        (isSplit ? " elements of a tile" : " elements") +
                        ", is one vector in any case" + same.str())))
      return failure();
  }
  return success();
}

LogicalResult SparsifyRules::run() {
  for (StringRef name : textsOf(step.getFormat()))
    if (failed(stateFormat(name)))
      return failure();
  return failure(failed(statePositions()) || failed(stateParallel()) ||
                 failed(stateTeam()) || failed(stateTiles()) ||
                 failed(stateNarrow()) || failed(statePeel()) ||
                 failed(stateVectors()));
}

LogicalResult baco::stateSparsifyRules(SparsifyAttr step,
                                       const IterationGraph &graph,
                                       ArrayRef<TiledLoop> tiles,
                                       RecipeState &state) {
  return SparsifyRules(step, graph, tiles, state).run();
}
