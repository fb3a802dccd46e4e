//===- PlanSolve.cpp - Plans for triangular solves ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AffineRows.h"
#include "LoopPlanner.h"

#include <isl/map.h>
#include <isl/point.h>
#include <isl/val.h>

#include <cstdlib>

using namespace baco;
using namespace baco::polyhedral;
using Kind = PlanCommand::Kind;

/// Fewer rows in a block make the contraction of little use.
static constexpr int64_t minBlock = 16;

/// The subscript of `relation` in dimension `dim` of the array where all loops
/// are 0; nothing if it depends on parameters or takes large numbers.
static std::optional<int64_t> readConstant(const isl::map &relation,
                                           const Reference &reference,
                                           unsigned dim) {
  isl_map *map = relation.get();
  unsigned params = isl_map_dim(map, isl_dim_param);
  if (relation.is_empty() ||
      isl_map_involves_dims(map, isl_dim_param, 0, params) != isl_bool_false)
    return std::nullopt;
  unsigned loops = isl_map_dim(map, isl_dim_in);
  isl::point sample = relation.wrap().sample_point();
  auto coordinate = [&](unsigned place) {
    return smallNumber(isl::manage(
        isl_point_get_coordinate_val(sample.get(), isl_dim_set, place)));
  };
  std::optional<int64_t> constant = coordinate(loops + dim);
  for (unsigned l = 0; l < loops && constant; ++l)
    if (int64_t factor = reference.coefficients[dim][l]) {
      std::optional<int64_t> value = coordinate(l);
      if (!value || !isSmall(factor))
        return std::nullopt;
      *constant -= factor * *value;
    }
  return constant;
}

/// The only loop that moves the subscript, and if so by 1 or -1.
static std::optional<unsigned> onlyLoop(const std::vector<int64_t> &subscript) {
  std::optional<unsigned> result;
  for (unsigned l = 0; l < subscript.size(); ++l)
    if (subscript[l] != 0) {
      if (result || std::abs(subscript[l]) != 1)
        return std::nullopt;
      result = l;
    }
  return result;
}

std::optional<SolveShape>
baco::polyhedral::findSolve(const NestModel &model, unsigned update,
                            std::optional<unsigned> division) {
  const StatementModel &statement = model.statements[update];
  if (statement.depth() != 3 || !statement.update || statement.isRectangular)
    return std::nullopt;
  auto isFew = [](int64_t extent) { return extent && extent <= minBlock; };
  const std::vector<Access> &accesses =
      model.program.statements[update].accesses;
  const Reference &write = *statement.update;
  size_t written = statement.update - statement.references.data();
  for (size_t read = 0; read < statement.references.size(); ++read) {
    const Reference &solved = statement.references[read];
    if (solved.isWrite || !solved.isAffine || solved.array != write.array ||
        solved.coefficients == write.coefficients)
      continue;
    // They differ in one dimension, where one has the row and one the sum.
    std::optional<unsigned> dim;
    unsigned numDifferent = 0;
    for (unsigned d = 0; d < write.coefficients.size(); ++d)
      if (solved.coefficients[d] != write.coefficients[d]) {
        dim = d;
        ++numDifferent;
      }
    if (numDifferent != 1)
      return std::nullopt;
    auto row = onlyLoop(write.coefficients[*dim]);
    auto sum = onlyLoop(solved.coefficients[*dim]);
    auto ofWrite = readConstant(accesses[written].relation, write, *dim);
    auto ofRead = readConstant(accesses[read].relation, solved, *dim);
    if (!row || !sum || !ofWrite || !ofRead || *row == *sum ||
        write.uses(*sum) || solved.uses(*row) || isFew(statement.extents[*row]))
      return std::nullopt;
    SolveShape shape;
    shape.row = *row;
    shape.sum = *sum;
    shape.free = 3 - *row - *sum;
    // row = (sumFactor * sum + ofRead - ofWrite) / rowFactor.
    int64_t sign = write.coefficients[*dim][*row];
    shape.factor = sign * solved.coefficients[*dim][*sum];
    shape.constant = sign * (*ofRead - *ofWrite);
    // With the free loop innermost, the division has one of its own.
    unsigned shared = shape.sum == 2 ? 2 : 1;
    if (shape.looksRight()) {
      shared = shape.row;
      shape.isReversed = shape.factor < 0;
      shape.constant *= shape.factor;
      shape.factor = 1;
    }
    if (division && (model.statements[*division].depth() != 2 ||
                     !model.share(update, *division, shared) ||
                     model.share(update, *division, shared + 1)))
      return std::nullopt;
    return shape;
  }
  return std::nullopt;
}

namespace {
/// Writes the commands of a solve, and says where they have put its loops.
class SolvePlan {
public:
  SolvePlan(PlanState &state, const SolveShape &shape, unsigned update,
            std::optional<unsigned> division)
      : state(state), shape(shape), update(update), division(division),
        model(state.model.statements[update]),
        knobs(state, groupSuffix(state, division.value_or(update))) {}

  Leaf write();

private:
  PlanCommand &add(Kind kind, unsigned statement, unsigned loop);
  void tile(unsigned statement, unsigned loop, PlanField size, unsigned outer);
  Leaf lookLeft();
  void shareFreeLoop(Leaf &leaf);
  void cutIntoBlocks(Leaf &leaf);
  void planRest(unsigned rest, const Leaf &leaf);

  PlanState &state;
  SolveShape shape;
  unsigned update;
  std::optional<unsigned> division;
  const StatementModel &model;
  KnobGroup knobs;
  PlanField block, width;
};
} // namespace

PlanCommand &SolvePlan::add(Kind kind, unsigned statement, unsigned loop) {
  PlanCommand &command = state.plan.commands.emplace_back();
  command.kind = kind;
  command.statement = statement;
  command.loop = loop;
  return command;
}

void SolvePlan::tile(unsigned statement, unsigned loop, PlanField size,
                     unsigned outer) {
  PlanCommand &command = add(Kind::Tile, statement, loop);
  command.size = size;
  command.outerLoop = outer;
}

/// From an order in which rows are subtracted as soon as they are solved: the
/// division gets the loop over rows, as that of the row that it finishes, and
/// comes behind all that is subtracted from that.
Leaf SolvePlan::lookLeft() {
  unsigned level = shape.row + 1;
  if (division) {
    if (shape.row < 2)
      tile(*division, level, 0, level);
    state.plan.commands.push_back(skewLoop(*division, level, shape.sum + 1, 1));
    add(Kind::Shift, *division, level).size = shape.constant;
  }
  Leaf leaf{update, 0, {{0, false}, {1, false}, {2, false}}, model.extents};
  LeafBuilder builder(state, leaf);
  if (shape.isReversed)
    builder.reverse(shape.row);
  std::vector<unsigned> both;
  if (division) {
    both = {std::min(update, *division), std::max(update, *division)};
    add(Kind::Fuse, update, 3).statements = both;
  }
  builder.reorder({shape.row, shape.free, shape.sum});
  if (division)
    add(Kind::Distribute, update, 3).statements = both;
  return leaf;
}

/// From the order row, sum, free loop: the free loop comes before that of the
/// sum, and the division runs in it, too.
void SolvePlan::shareFreeLoop(Leaf &leaf) {
  if (shape.free != 2)
    return;
  LeafBuilder(state, leaf).tile(shape.free, 1, 2);
  if (division)
    add(Kind::Fuse, update, 2).statements = {std::min(update, *division),
                                             std::max(update, *division)};
}

void SolvePlan::cutIntoBlocks(Leaf &leaf) {
  LeafBuilder builder(state, leaf);
  unsigned blocks = leaf.outer + 1;
  builder.tile(shape.row, block, blocks);
  leaf.extents[shape.row] = 64;
  ++leaf.outer;
  unsigned sum = leaf.level(shape.sum);
  // What is used of earlier blocks; the rest becomes a new statement.
  std::string earlier = (shape.factor < 0 ? "-L" : "L") + std::to_string(sum);
  if (shape.constant != 0)
    earlier += (shape.constant < 0 ? " - " : " + ") +
               std::to_string(std::abs(shape.constant));
  add(Kind::Split, update, sum).condition =
      earlier + " < L" + std::to_string(blocks);
  add(Kind::Distribute, update, blocks + 1).statements = {update};
}

/// Columns in turn: each is a vector in registers, or, where they are not
/// contiguous, several of them run together.
void SolvePlan::planRest(unsigned rest, const Leaf &leaf) {
  unsigned column = leaf.outer + 1;
  if (unsigned place = leaf.level(shape.free); place != column)
    tile(rest, place, 1, column);
  bool isContiguous = model.update->stride(shape.free) == Stride::Unit;
  add(isContiguous ? Kind::Vectorize : Kind::Unroll, rest, column).size = width;
}

Leaf SolvePlan::write() {
  Leaf leaf{update, 0, {{0, false}, {1, false}, {2, false}}, model.extents};
  if (shape.looksRight())
    leaf = lookLeft();
  else
    shareFreeLoop(leaf);
  if (state.host.threads > 1)
    planThreads(state, leaf, {shape.free});
  int64_t length = state.vectorLength(model.elementBytes);
  bool isContiguous = model.update->stride(shape.free) == Stride::Unit;
  std::vector<int64_t> sizes;
  for (int64_t size : {minBlock, 2 * minBlock, 4 * minBlock, 8 * minBlock})
    if (int64_t rows = model.extents[shape.row]; rows == 0 || size < rows)
      sizes.push_back(size);
  block = knobs.add("TB", sizes);
  width = isContiguous ? knobs.add("W", doublings(length, length, 8 * length))
                       : knobs.add("U", {1, 2, 4, 8, 16});
  knobs.choose([&](const auto &value) -> std::vector<double> {
    // Within a block nothing is used twice from registers, least of all where
    // there are no vectors.
    return {std::abs(value(block) - (isContiguous ? 64.0 : 32.0)),
            std::abs(value(width) - (isContiguous ? 8.0 * length : 8.0))};
  });
  cutIntoBlocks(leaf);
  planRest(state.numStatements++, leaf);
  return leaf;
}

Leaf baco::polyhedral::planSolveBlocks(PlanState &state,
                                       const SolveShape &shape, unsigned update,
                                       std::optional<unsigned> division) {
  Leaf leaf = SolvePlan(state, shape, update, division).write();
  state.plan.remarks.push_back(
      division
          ? "statements " + std::to_string(update) + " and " +
                std::to_string(*division) + " are a triangular solve"
          : "statement " + std::to_string(update) + " is a triangular solve");
  return leaf;
}

bool Planner::planSolve(const Group &group) {
  // The statement that a split adds must be known by its number.
  if (state.hasOptionalCopies)
    return false;
  unsigned update = group.statements[0];
  std::optional<unsigned> division;
  if (group.statements.size() == 2) {
    division = group.statements[1];
    if (state.model.statements[update].depth() <
        state.model.statements[*division].depth())
      std::swap(update, *division);
  }
  std::optional<SolveShape> shape = findSolve(state.model, update, division);
  Leaf leaf;
  auto cut = [&] {
    leaf = planSolveBlocks(state, *shape, update, division);
    return true;
  };
  if (!shape || !tryPlan(cut))
    return false;
  LeafOptions options;
  options.isPermutable = true;
  for (Copies copies : {Copies::All, Copies::Panels, Copies::None}) {
    options.copies = copies;
    if (tryPlan([&] { return planContraction(state, leaf, options); }))
      break;
  }
  return true;
}
