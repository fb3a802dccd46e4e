//===- PlanContraction.cpp - Plans for matrix products --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionRoles.h"

#include <algorithm>
#include <functional>

using namespace baco::polyhedral;

/// Two multiply-add units with a latency of 4 need this many independent sums.
static constexpr int64_t minSums = 8;
/// Reductions up to this depth are not worth cutting.
static constexpr int64_t shallow = 640;
/// Rows that fit in the cache in any case.
static constexpr int64_t fewRows = 64;
/// Fewer panels of four vectors don't pay for a copy of rows.
static constexpr int64_t fewPanels = 4;
/// Steps of the innermost reduction in one pass of its loop, at most.
static constexpr int64_t mostSteps = 4;

namespace {
/// Writes the plan of one contraction.
class ContractionPlan {
public:
  ContractionPlan(PlanState &state, Leaf &leaf, const ContractionRoles &roles,
                  Copies copies)
      : state(state), leaf(leaf), roles(roles), copies(copies != Copies::None),
        copiesRows(copies == Copies::All),
        model(state.model.statements[leaf.statement]),
        bytes(model.elementBytes), length(state.vectorLength(bytes)),
        knobs(state, groupSuffix(state, leaf.statement)) {}

  bool write();

private:
  bool hasBlocks() const;
  void findSizes();
  void findCopies();
  bool addRules();
  bool addRulesOfCopies(const std::string &depth);
  double panelBytes(int64_t depth, int64_t width) const {
    return double(depth) * width * bytes * roles.panels.size();
  }
  double countCycles(const std::function<int64_t(const PlanField &)> &value);
  void choose();
  void writeCommands();
  unsigned findStream() const;
  int64_t extent(unsigned dim) const {
    return leaf.extents[dim] ? leaf.extents[dim] : 1024;
  }
  /// Is the loop inside of one over tiles of it?
  bool isInTile(unsigned dim) const {
    return std::any_of(
        leaf.loops.begin(), leaf.loops.end(),
        [&](const PlacedLoop &loop) { return loop.dim == dim && loop.isTile; });
  }
  unsigned fastest(size_t access) const {
    return *movedDimension(model.references[access], roles.v, roles.step);
  }

  PlanState &state;
  Leaf &leaf;
  const ContractionRoles &roles;
  bool copies;
  /// Blocks of rows are copied, too, and all panels of a block at once.
  bool copiesRows;
  const StatementModel &model;
  int64_t bytes, length;
  KnobGroup knobs;
  /// The reduction loop that is tiled, if one is; iterations of the others.
  std::optional<unsigned> cut;
  int64_t restDepth = 1;
  /// A second loop that is unrolled and jammed, if one is.
  std::optional<unsigned> second;
  PlanField mr, jr = 1, nr, kc, ku, mc, pack, prefetch, packRows;
  bool tilesRows = false;
};
} // namespace

/// The smallest tile of a reduction worth having, if there are `rest` steps of
/// other reductions for each of its own.
static int64_t leastDepth(int64_t rest) {
  int64_t depth = 64;
  while (depth > 16 && depth * rest > 128)
    depth /= 2;
  return depth;
}

/// Parts of about equal size, in whole vectors, for copies. Unlike powers of
/// two, none of them leaves a small rest.
static std::vector<int64_t> evenParts(int64_t extent, int64_t unit) {
  std::vector<int64_t> sizes;
  for (int64_t parts : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32}) {
    int64_t size = (extent + parts - 1) / parts;
    size = std::min((size + unit - 1) / unit * unit, extent);
    if (size >= std::min<int64_t>(128, extent) && size <= 1024)
      sizes.push_back(size);
  }
  if (sizes.empty())
    sizes = {256, 512, 1024};
  return sizes;
}

/// Rows of a block that consist of whole tiles for most heights of these.
static std::vector<int64_t> blockHeights(int64_t extent) {
  std::vector<int64_t> heights;
  for (int64_t height : {48, 96, 120, 168, 192, 240, 336, 384, 480})
    if (height < extent)
      heights.push_back(height);
  if (extent <= 512)
    heights.push_back(extent);
  return heights;
}

void ContractionPlan::findSizes() {
  std::vector<int64_t> rows;
  for (int64_t r : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14})
    if (r <= extent(roles.u))
      rows.push_back(r);
  if (extent(roles.u) < rows.back() + 2)
    rows.push_back(extent(roles.u));
  mr = knobs.add("MR", rows);
  nr = knobs.add("NR", vectorWidths(length, leaf.extents[roles.v], 4));
  if (!roles.inside.empty() && extent(roles.inside.back()) > 1) {
    second = roles.inside.back();
    std::vector<int64_t> lines;
    for (int64_t r : {1, 2, 3, 4})
      if (r <= extent(*second))
        lines.push_back(r);
    jr = knobs.add("JR", lines);
  }
  int64_t depth = 1;
  for (unsigned r : roles.reductions) {
    depth *= extent(r);
    if (!cut || extent(r) > extent(*cut))
      cut = r;
  }
  restDepth = depth / extent(*cut);
  if (depth > shallow) {
    kc = knobs.add("KC", copiesRows ? evenParts(extent(*cut), length)
                                    : tileSizes(leaf.extents[*cut],
                                                leastDepth(restDepth), 1024));
  } else {
    kc = extent(*cut);
    cut.reset();
  }
  int64_t innermost = extent(roles.reductions.back());
  ku = innermost <= mostSteps ? PlanField(innermost)
                              : knobs.add("KU", {mostSteps / 2, mostSteps});
  tilesRows = extent(roles.u) > fewRows;
  mc = tilesRows
           ? knobs.add("MC", copiesRows
                                 ? blockHeights(extent(roles.u))
                                 : tileSizes(leaf.extents[roles.u], 32, 512))
           : PlanField(extent(roles.u));
}

/// Panels whose vectors are contiguous anyway needn't be copied.
void ContractionPlan::findCopies() {
  if (!copies)
    return;
  bool isContiguous =
      std::all_of(roles.panels.begin(), roles.panels.end(), [&](size_t access) {
        return fastest(access) + 1 ==
               model.references[access].coefficients.size();
      });
  // Panels that are read for each block of rows are copied in any case.
  if (copiesRows) {
    packRows = knobs.add("packRows", {0, length});
    prefetch = knobs.add("prefetch", {0, 1});
  }
  if (!isContiguous || copiesRows) {
    pack = length;
    return;
  }
  pack = knobs.add("pack", {0, length});
  prefetch = knobs.add("prefetch", {0, 1});
}

bool ContractionPlan::addRulesOfCopies(const std::string &depth) {
  if (pack.knob.empty())
    return true;
  bool feasible = knobs.require(
      pack.knob + " == 0 || " + prefetch.knob + " == 0",
      "what is copied to panels needn't be asked for ahead of its use");
  int64_t pitch = 0;
  for (size_t access : roles.panels) {
    // Rows that lie powers of two apart share few places in a cache.
    int64_t row = model.references[access].rowElements * bytes;
    pitch = std::max(pitch, row & -row);
  }
  if (pitch > 0)
    feasible &= knobs.require(
        pack.knob + " != 0 || " + depth + " * " + std::to_string(pitch) +
            " <= " +
            std::to_string(std::max<int64_t>(state.host.l2Bytes / 2, 1)),
        "rows of a panel that isn't copied find room in half of level 2, where "
        "those that lie powers of two apart compete for the same places");
  return feasible;
}

bool ContractionPlan::addRules() {
  auto spell = KnobGroup::spell;
  std::string registers = std::to_string(state.host.vectorRegisters);
  std::string sums = spell(mr) + (second ? " * " + spell(jr) : "") + " * " +
                     spell(nr) + " // " + std::to_string(length);
  std::string loads = std::to_string(roles.panels.size()) + " * " + spell(nr) +
                      " // " + std::to_string(length);
  std::string depth = spell(kc) + " * " + std::to_string(restDepth);
  auto isTile = [&](const PlanField &size) {
    return size.knob.empty() ? "" : size.knob + " == 0 || ";
  };
  // Unknown extents have a size 0, about which nothing can be said.
  std::string freeDepth = cut && !leaf.extents[*cut] ? isTile(kc) : "";
  std::string freeRows = tilesRows && !leaf.extents[roles.u] ? isTile(mc) : "";
  bool feasible =
      knobs.require(sums + " + " + loads + " + 1 <= " + registers,
                    "the tile of sums and what is multiplied into it fit " +
                        registers + " vector registers");
  // 37 of 32 were fine and 41 were not, on AVX-512 with LLVM 22.
  int64_t mixed = state.host.vectorRegisters * 5 / 4;
  feasible &= knobs.require(
      sums + " + " + spell(ku) + " * (" + loads +
          ") + 1 <= " + std::to_string(mixed),
      "LLVM mixes the steps of a pass: with a quarter more than " + registers +
          " vectors for sums and what all steps multiply into them, it spills");
  feasible &=
      knobs.require(sums + " >= " + std::to_string(minSums),
                    std::to_string(minSums) +
                        " independent sums hide the latency of multiply-adds");
  int64_t panelLimit =
      copiesRows ? 2 * state.host.l1Bytes
                 : std::max(state.host.l1Bytes, state.host.l2Bytes / 4);
  feasible &= knobs.require(
      freeDepth + depth + " * " + spell(nr) + " * " +
          std::to_string(bytes * roles.panels.size()) +
          " <= " + std::to_string(panelLimit),
      copiesRows ? "a panel, which is used again for each row, takes no more "
                   "than twice level 1"
                 : "a panel, which is used again for each row, stays in level "
                   "1 or a quarter of level 2");
  feasible &= knobs.require(
      freeDepth + freeRows + depth + " * " + spell(mc) + " * " +
          std::to_string(bytes * roles.blocks.size()) +
          " <= " + std::to_string(std::max<int64_t>(state.host.l2Bytes / 2, 1)),
      "a block of rows, which is used again for each panel, stays in half of "
      "level 2");
  if (isInTile(roles.u))
    feasible &= knobs.require(
        std::to_string(extent(roles.u)) + " % " + spell(mr) + " == 0",
        "the rows that a tile has consist of whole register tiles");
  if (tilesRows)
    feasible &=
        knobs.require(spell(mc) + " % " + spell(mr) + " == 0 || " + spell(mc) +
                          " == " + std::to_string(leaf.extents[roles.u]),
                      "blocks consist of whole register tiles");
  return feasible && addRulesOfCopies(freeDepth + depth);
}

/// Parts of at most `size` that `extent` is cut into, and how many there are.
static std::vector<std::pair<int64_t, int64_t>> cutInto(int64_t extent,
                                                        int64_t size) {
  std::vector<std::pair<int64_t, int64_t>> parts;
  if (extent >= size)
    parts.push_back({size, extent / size});
  if (extent % size)
    parts.push_back({extent % size, 1});
  return parts;
}

/// Registers for a row of `width` elements. Where vectors are gathered there
/// are no masks, but narrower and narrower vectors.
static int64_t countRegisters(int64_t width, int64_t length, bool isMasked) {
  int64_t registers = width / length;
  for (int64_t rest = width % length; rest > 0; rest &= rest - 1) {
    ++registers;
    if (isMasked)
      break;
  }
  return registers;
}

/// Cycles that one step of the reductions takes for the whole output. The
/// figures are those of a core with two multiply-add units that loads two
/// vectors a cycle, fitted to kernels in L1 and L2 on Sapphire Rapids.
double ContractionPlan::countCycles(
    const std::function<int64_t(const PlanField &)> &value) {
  // A load costs this, as it takes a place that a multiply-add could have had,
  // and one that comes from level 2 is as much as four.
  constexpr double load = 0.1;
  // What is copied lies one after the other: panels come to level 1 ahead of
  // their use, and elements of a block, many rows at a time, less so.
  const double fromLevel2 = copiesRows ? 1.5 : 4;
  const double scalar = copiesRows ? 0.2 : load;
  // Reading and writing the sums, for each vector.
  constexpr double update = 1.5;
  // What the innermost loop takes for a pass, and to begin and end: it competes
  // with multiply-adds for units, and its end is mispredicted.
  constexpr double pass = 0.8, start = 10;
  // What it takes to bring a vector of a panel from memory, and to fill a
  // buffer with it.
  constexpr double fetch = 9, fill = 2;
  double depth = double(value(kc) ? value(kc) : 1 << 20) * restDepth;
  bool isPacked = copies && value(pack) != 0;
  bool isNear = panelBytes(1, value(nr)) * depth <= state.host.l1Bytes * 0.75;
  double perVector = std::min(roles.loadsOfPanel, 2 * length);
  if (!isNear || (copies && !isPacked))
    perVector = std::max(perVector, fromLevel2);
  // Uses of a panel before the next one comes.
  double uses = extent(roles.u);
  for (unsigned dim : roles.inside)
    uses *= extent(dim);
  unsigned innermost = roles.reductions.back();
  double trips = cut == innermost ? depth / restDepth : extent(innermost);
  double perStep = pass / value(ku) + start / trips;
  double cycles = 0;
  for (auto [rows, rowParts] : cutInto(extent(roles.u), value(mr)))
    for (auto [lines, lineParts] :
         cutInto(second ? extent(*second) : 1, value(jr)))
      for (auto [width, widthParts] : cutInto(extent(roles.v), value(nr))) {
        double row = countRegisters(width, length, roles.loadsOfPanel == 1);
        double vectors = row * roles.panels.size();
        double scalars = rows * lines * roles.blocks.size();
        double products = rows * lines * vectors;
        double latency = minSums / 2.0 * roles.panels.size();
        double one = std::max(products / 2, latency) + scalar * scalars +
                     load * vectors * perVector + products * update / depth +
                     perStep;
        // Each sum that finds no register is read and written.
        one += std::max(0.0, (rows * lines + roles.panels.size()) * row + 1 -
                                 state.host.vectorRegisters);
        // Mixed steps that nearly fit cost less.
        if (copiesRows)
          one += load * std::max(0.0, products + value(ku) * vectors + 1 -
                                          state.host.vectorRegisters);
        double first = vectors * rows * lines / uses;
        if (isPacked)
          one += first * (fetch + fill);
        else if (copies)
          one += value(prefetch) ? vectors * load : first * fetch;
        cycles += one * double(rowParts * lineParts * widthParts);
      }
  return cycles;
}

void ContractionPlan::choose() {
  knobs.choose([&](const auto &value) -> std::vector<double> {
    double depth = value(kc) ? value(kc) : 1 << 20;
    double height = value(mc) ? value(mc) : 1 << 20;
    double block = depth * restDepth * height * bytes * roles.blocks.size();
    // All panels of a block compete with it for level 2.
    double room = state.host.l2Bytes / (copiesRows ? 4.0 : 2.0);
    return {countCycles(value), std::max(block, room), -height,
            -double(copiesRows ? value(packRows) + value(prefetch) : 0)};
  });
}

/// The loop whose next iteration is asked for. Of products in a batch it is the
/// whole next product, if that finds room beside the one that is computed; else
/// the next panel.
unsigned ContractionPlan::findStream() const {
  if (roles.outside.empty() || extent(roles.outside.back()) == 1)
    return roles.v;
  std::vector<int64_t> extents = model.extents;
  for (unsigned dim : roles.outside)
    extents[dim] = 1;
  double product = 0;
  for (const Reference &reference : model.references)
    product += double(reference.boxElements(extents)) * bytes;
  return product <= state.host.l2Bytes / 4 ? roles.outside.back() : roles.v;
}

void ContractionPlan::writeCommands() {
  LeafBuilder builder(state, leaf);
  if ((roles.step < 0) != (leaf.reversed == roles.v))
    builder.reverse(roles.v);
  std::vector<unsigned> order = roles.outside;
  order.push_back(roles.v);
  order.insert(order.end(), roles.inside.begin(), roles.inside.end());
  order.push_back(roles.u);
  order.insert(order.end(), roles.reductions.begin(), roles.reductions.end());
  builder.reorder(order);
  unsigned place = leaf.outer + roles.outside.size() + 1;
  if (cut)
    builder.tile(*cut, kc, place++);
  unsigned blocks = place;
  if (tilesRows)
    builder.tile(roles.u, mc, place++);
  builder.vectorize(roles.v, nr);
  builder.unroll(roles.u, mr);
  if (second)
    builder.unroll(*second, jr);
  builder.unroll(roles.reductions.back(), ku);
  if (!copies)
    return;
  for (size_t access : roles.panels)
    if (copiesRows)
      builder.copy(blocks, access, fastest(access), pack, nr);
    else
      builder.copy(leaf.level(roles.v) + 1, access, fastest(access), pack);
  if (copiesRows)
    for (size_t access : roles.blocks)
      if (const Reference &reference = model.references[access];
          reference.uses(roles.u))
        builder.copy(leaf.level(roles.v), access,
                     reference.coefficients.size() - 1, packRows);
  if (!prefetch.knob.empty())
    builder.prefetch(copiesRows ? roles.u : findStream(), prefetch);
}

/// Whether blocks of rows can be copied, and are used by enough panels.
bool ContractionPlan::hasBlocks() const {
  return model.isRectangular && roles.inside.empty() &&
         leaf.extents[roles.u] > fewRows &&
         leaf.extents[roles.v] >= fewPanels * 4 * length &&
         std::none_of(roles.reductions.begin(), roles.reductions.end(),
                      [&](unsigned dim) { return leaf.extents[dim] == 0; });
}

bool ContractionPlan::write() {
  if (copiesRows && !hasBlocks())
    return false;
  findSizes();
  findCopies();
  if (!addRules())
    return false;
  choose();
  writeCommands();
  return true;
}

bool baco::polyhedral::planContraction(PlanState &state, Leaf leaf,
                                       const LeafOptions &options) {
  const StatementModel &model = state.model.statements[leaf.statement];
  if (!model.update || !options.isPermutable || options.isMinor)
    return false;
  std::optional<ContractionRoles> roles = findRoles(model, leaf, options);
  if (!roles)
    return false;
  if (!ContractionPlan(state, leaf, *roles, options.copies).write())
    return false;
  state.plan.remarks.push_back("statement " + std::to_string(leaf.statement) +
                               " is a contraction");
  return true;
}
