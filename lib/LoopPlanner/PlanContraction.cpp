//===- PlanContraction.cpp - Plans for matrix products --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"

using namespace baco::polyhedral;

/// Rows that fit in the cache in any case.
static constexpr int64_t fewRows = 64;
/// Fewer panels of four vectors don't pay for a copy of rows.
static constexpr int64_t fewPanels = 4;
/// Steps of the innermost reduction in one pass of its loop, at most; also of
/// dot products.
static constexpr int64_t maxSteps = 4;

/// The smallest tile of a reduction worth having, if there are `rest` steps of
/// other reductions for each of its own.
static int64_t minDepth(int64_t rest) {
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
    int64_t size = roundUp((extent + parts - 1) / parts, unit);
    size = std::min(size, extent);
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

/// Tiles of the reduction. One tile is whole passes of its loop, too: the
/// schedule may be used for a longer one, where each tile would end in single
/// steps.
std::vector<int64_t> ContractionPlan::tileDepths() const {
  std::vector<int64_t> sizes =
      tileSizes(leaf.extents[*cut], minDepth(restDepth), 1024);
  sizes.back() = roundUp(leaf.extents[*cut], maxSteps);
  // A copy of one tile would have no size.
  if (copies && sizes.back() == 0)
    sizes.pop_back();
  return sizes;
}

/// Reductions up to this depth needn't be cut: a panel of two vectors is at
/// most twice level 1, and a block of enough rows half of level 2.
int64_t ContractionPlan::deepest() const {
  constexpr int64_t enoughRows = 96;
  const MachineSizes &host = state.host;
  int64_t depth = host.l1Bytes / host.vectorBytes;
  if (host.l2Bytes > 0)
    depth = std::min(depth, host.l2Bytes / 2 / (enoughRows * bytes));
  return depth;
}

void ContractionPlan::findSizes() {
  std::vector<int64_t> rows;
  for (int64_t r :
       usesTiles ? std::vector<int64_t>{4, 7, 8, 12, 14, 16, 24, 28, 32}
                 : std::vector(std::begin(tileHeights), std::end(tileHeights)))
    if (r <= extent(roles.u))
      rows.push_back(r);
  // The list skips some sizes. A small extent among these is a tile without a
  // remainder.
  if (extent(roles.u) < rows.back() + 2)
    rows.push_back(extent(roles.u));
  mr = knobs.add("MR", rows);
  // Up to four vectors, which make enough sums with two rows.
  int64_t vectors = extent(roles.u) > 1 ? 4 : minSums;
  nr = knobs.add("NR", vectorWidths(length, leaf.extents[roles.v], vectors));
  // A row of a convolution may be too short to fill the registers with sums:
  // lines are jammed, too.
  if (!roles.inside.empty() && extent(roles.inside.back()) > 1) {
    second = roles.inside.back();
    std::vector<int64_t> lines;
    for (int64_t r : {1, 2, 3, 4})
      if (r <= extent(*second))
        lines.push_back(r);
    jr = knobs.add("JR", lines);
  }
  int64_t depth = 1;
  // The deepest reduction is cut, so that short ones, such as a window's, run
  // as a whole.
  for (unsigned r : roles.reductions) {
    depth *= extent(r);
    if (!cut || extent(r) > extent(*cut))
      cut = r;
  }
  restDepth = depth / extent(*cut);
  if (depth > deepest() && !usesTiles) {
    // The part beside the diagonal becomes a statement, whose number must be
    // known.
    for (unsigned dim : {roles.u, roles.v})
      if (!state.hasOptionalCopies && leaf.outer == 0 && !leaf.reversed &&
          state.model.isTriangle(leaf.statement, dim, *cut))
        triangle = dim;
    // Beside the diagonal nothing is copied.
    kc = triangle     ? knobs.add("KC", {64, 96, 128, 192, 240, 256})
         : copiesRows ? knobs.add("KC", evenParts(extent(*cut), length))
                      : knobs.add("KC", tileDepths());
  } else {
    kc = extent(*cut);
    cut.reset();
  }
  int64_t innermost = extent(roles.reductions.back());
  ku = innermost <= maxSteps ? LoopValue(innermost)
       : usesTiles           ? LoopValue(maxSteps)
       : numDotTerms > 1     ? knobs.add("KU", {maxSteps, 2 * maxSteps})
                             : knobs.add("KU", {maxSteps / 2, maxSteps});
  // Blocks of rows are there already.
  tilesRows = !leaf.isBlock && extent(roles.u) > fewRows;
  // Tiles read rows as fast from level 2.
  if (usesTiles && depth * extent(roles.u) <= state.host.l2Bytes / 2)
    tilesRows = false;
  mc = tilesRows
           ? knobs.add("MC", copiesRows
                                 ? blockHeights(extent(roles.u))
                                 : tileSizes(leaf.extents[roles.u], 32, 512))
           : LoopValue(extent(roles.u));
}

double ContractionPlan::panelBytes() const {
  double size = 0;
  for (size_t access : roles.panels)
    size += model.references[access].boxElements(model.extents) * bytes;
  return size;
}

/// Whether panels are asked for one ahead. Constant ones come from memory:
/// trials repeat the kernel, and find them in a cache, but the network around
/// it reads them anew in each execution (a 3x3 convolution of 7x7x512 took 1.43
/// ms there, and 1.11 ms in trials). Copies that level 2 can't hold come from
/// level 3, which took 6 to 10 % of products of 128 x 3072 x 768 to 2048 x 2048
/// x 768 on an Intel Xeon; smaller ones gain nothing.
bool ContractionPlan::streamsPanels() const {
  double level2 = state.host.l2Bytes;
  if (numDotTerms > 1 || level2 <= 0)
    return false;
  return arePanelsConstant() ? panelBytes() > level2 / 4
                             : copiesRows && panelBytes() > level2 / 2;
}

bool ContractionPlan::mayInterleave() const {
  return numDotTerms > 1 && arePanelsConstant() &&
         std::ranges::all_of(roles.panels, [&](size_t access) {
           return model.references[access].dotTerms == 4;
         });
}

/// Panels whose vectors are contiguous anyway needn't be copied.
void ContractionPlan::findCopies() {
  if (!copies)
    return;
  bool isContiguous = std::ranges::all_of(roles.panels, [&](size_t access) {
    return fastest(access) + 1 == model.references[access].coefficients.size();
  });
  // Panels that are read for each block of rows are copied in any case.
  if (copiesRows) {
    packRows = knobs.add("packRows", {0, length});
    prefetch = knobs.add("prefetch", {0, 1});
  }
  bool isStrided = std::ranges::any_of(roles.panels, [&](size_t access) {
    return model.references[access].elementStride != 1;
  });
  if (isContiguous && !isStrided && mayInterleave()) {
    pack = knobs.add("pack", {0, length});
    return;
  }
  // Measured: without copies 73 rows times 454 columns gain 6 %, and 80 times
  // 768 gain 11 %; 146 times 1451 lose 20 %, and 72 times 3072, of which few
  // rows fit level 2 at once, 9 %.
  constexpr int64_t fewUses = 96, usualDepth = 256;
  bool isRepaid =
      copiesRows && (extent(roles.u) > fewUses ||
                     pitch(roles.panels) * usualDepth > state.host.l2Bytes / 2);
  bool isPackedAhead = arePanelsConstant() && streamsPanels();
  if (!isContiguous || isStrided || isRepaid || isPackedAhead) {
    // Vectors would be put together of single elements, all in one block.
    pack = isStrided ? 1 : length;
    return;
  }
  if (usesTiles)
    return;
  pack = knobs.add("pack", {0, length});
  if (!copiesRows)
    prefetch = knobs.add("prefetch", {0, 1});
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
  return touchedBytes(extents) <= state.host.l2Bytes / 4 ? roles.outside.back()
                                                         : roles.v;
}

/// The instances whose row, or column, is in the tile of the reduction, which
/// is loop `block`, too, become a statement that comes after the others: what
/// these read and it writes must not have been written before.
void ContractionPlan::writeTriangle(LeafBuilder &builder, unsigned block) {
  builder.split(*triangle, "L" + std::to_string(leaf.level(*triangle)) +
                               " < L" + std::to_string(block));
  Leaf rest = leaf;
  rest.statement = state.numStatements++;
  builder.distribute(block + 1);
  LeafBuilder beside(state, rest);
  beside.vectorize(roles.v, nr);
  beside.unroll(roles.u, mr);
  beside.unroll(roles.reductions.back(), ku);
}

/// Lets the statement that sets the sums share the loops outside of the
/// reductions, so that sums start in registers. `fill` has the leaf's loops in
/// their original order, `order` those of the sums.
void ContractionPlan::writeFill(Leaf fill, std::vector<unsigned> order) {
  auto isReduction = [&](std::optional<unsigned> dim) {
    return dim && std::ranges::count(roles.reductions, *dim) > 0;
  };
  std::erase_if(order, isReduction);
  std::erase_if(fill.loops,
                [&](const PlacedLoop &loop) { return isReduction(loop.dim); });
  fill.statement = *leaf.fill;
  LeafBuilder builder(state, fill);
  builder.reorder(order);
  builder.vectorize(roles.v, nr);
  builder.unroll(roles.u, mr);
  if (second)
    builder.unroll(*second, jr);
  state.add(onLoops(LoopCommandKind::Fuse, {fill.statement, leaf.statement},
                    leaf.level(roles.u)));
}

void ContractionPlan::writeCommands() {
  const Leaf original = leaf;
  LeafBuilder builder(state, leaf);
  // Vectors need elements in the order of memory; a loop that is reversed
  // already needn't be turned again.
  if ((roles.step < 0) != (leaf.reversed == roles.v))
    builder.reverse(roles.v);
  // The order is Goto and van de Geijn's: panels move with `v`, each row in
  // them uses one again, and sums stay in registers along the reductions.
  std::vector<unsigned> order = roles.outside;
  order.push_back(roles.v);
  order.insert(order.end(), roles.inside.begin(), roles.inside.end());
  order.push_back(roles.u);
  order.insert(order.end(), roles.reductions.begin(), roles.reductions.end());
  builder.reorder(order);
  // Tiles go in front of the loop over panels: those of the reduction first,
  // those of rows inside.
  unsigned place = leaf.outer + roles.outside.size() + 1;
  if (cut)
    builder.tile(*cut, kc, place++);
  if (triangle)
    writeTriangle(builder, place - 1);
  unsigned blocks = place;
  if (tilesRows)
    builder.tile(roles.u, mc, place++);
  builder.vectorize(roles.v, nr);
  builder.unroll(roles.u, mr);
  if (second)
    builder.unroll(*second, jr);
  if (numDotTerms > 1 && isShortLine())
    builder.unroll(roles.reductions.end()[-2],
                   extent(roles.reductions.end()[-2]));
  builder.unroll(roles.reductions.back(), ku);
  // Each tile of a cut reduction adds to the sums of the one before, so the
  // fill can't be in it.
  if (leaf.fill && !cut && !tilesRows && !leaf.reversed)
    writeFill(original, order);
  if (!copies)
    return;
  // All blocks of rows use the same panels, so these are copied in front of the
  // loop over blocks.
  for (size_t access : roles.panels)
    if (copiesRows)
      builder.copy(leaf.isBlock ? leaf.outer : blocks, access, fastest(access),
                   pack, nr);
    else
      builder.copy(leaf.level(roles.v) + 1, access, fastest(access), pack);
  if (copiesRows)
    for (size_t access : roles.blocks)
      if (const Reference &reference = model.references[access];
          reference.uses(roles.u))
        builder.copy(leaf.level(roles.v), access,
                     reference.coefficients.size() - 1, packRows);
  // Panels that may stay in place aren't contiguous.
  if (streamsPanels() && !isKnob(pack))
    builder.prefetch(findStream(), LoopValue(1));
  if (isKnob(prefetch))
    builder.prefetch(copiesRows ? roles.u : findStream(), prefetch);
}

/// Whether blocks of rows can be copied, and are used by enough panels.
bool ContractionPlan::hasBlocks() const {
  // Buffers have constant sizes, and only the rows may come between the panels
  // and the reductions.
  return (model.isRectangular || triangle) && roles.inside.empty() &&
         leaf.extents[roles.u] > fewRows &&
         leaf.extents[roles.v] >= fewPanels * 4 * length &&
         std::ranges::none_of(roles.reductions, [&](unsigned dim) {
           return leaf.extents[dim] == 0;
         });
}

bool ContractionPlan::isShortLine() const {
  if (roles.reductions.size() < 2)
    return false;
  unsigned innermost = roles.reductions.back(),
           next = roles.reductions.end()[-2];
  const Reference &block = model.references[roles.blocks.front()];
  size_t rank = block.coefficients.size();
  return extent(innermost) < maxSteps &&
         extent(innermost) * extent(next) <= 4 * maxSteps && rank >= 2 &&
         block.stride(innermost) == Stride::Unit &&
         block.coefficients[rank - 2][next] == 1 &&
         block.rowElements == extent(innermost);
}

int64_t ContractionPlan::countDotTerms() const {
  if (roles.panels.size() != 1 || roles.blocks.size() != 1 ||
      bytes != sizeof(int32_t) || !state.host.hasDotProducts ||
      !state.model.program.statements[leaf.statement].isInteger)
    return 1;
  int64_t terms = model.references[roles.panels.front()].dotTerms;
  if (terms != model.references[roles.blocks.front()].dotTerms)
    return 1;
  int64_t steps = extent(roles.reductions.back());
  if (steps >= terms)
    return terms;
  if (isShortLine())
    steps *= extent(roles.reductions.end()[-2]);
  // Fewer products keep their multiplications.
  if (steps < terms - 1)
    return 1;
  int64_t instructions = (steps + terms - 1) / terms;
  return steps / instructions;
}

bool ContractionPlan::mayUseTiles() const {
  if (numDotTerms != 4 || !state.host.hasTiles || isShortLine() ||
      leaf.extents[roles.u] < minTileRows ||
      leaf.extents[roles.v] < tileColumns ||
      // The rest would take longer than all others.
      (leaf.extents[roles.v] % tileColumns != 0 &&
       leaf.extents[roles.v] < 4 * tileColumns) ||
      leaf.extents[roles.reductions.back()] < maxSteps)
    return false;
  int64_t depth = 1;
  for (unsigned r : roles.reductions) {
    if (leaf.extents[r] == 0)
      return false;
    depth *= leaf.extents[r];
  }
  return depth * 4 * tileColumns <= state.host.l2Bytes / 4;
}

bool ContractionPlan::isBoundByMemory() const {
  auto isOnce = [&](unsigned dim) { return leaf.extents[dim] == 1; };
  int64_t rows = leaf.extents[roles.u];
  if (rows < 1 || rows > maxStreamedRows || roles.panels.size() != 1 ||
      roles.reductions.size() != 1 || numDotTerms > 1 ||
      !std::ranges::all_of(roles.outside, isOnce) ||
      !std::ranges::all_of(roles.inside, isOnce))
    return false;
  const Reference &panel = model.references[roles.panels[0]];
  bool isTransposed = panel.stride(roles.reductions[0]) == Stride::Unit;
  return comesFromMemory(state, leaf, panel) &&
         (rows == 1 || isTransposed ||
          (panel.stride(roles.v) == Stride::Unit &&
           panel.rowElements * bytes > pageBytes));
}

bool ContractionPlan::write() {
  if (isBoundByMemory())
    return false;
  findSizes();
  // Tiles have copies of panels of their own.
  if (copiesRows && (usesTiles || !hasBlocks()))
    return false;
  findCopies();
  addRules();
  choose();
  writeCommands();
  state.plan.usesDotProducts |= numDotTerms > 1;
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
  state.remark(leaf.statement, "is a contraction");
  return true;
}
