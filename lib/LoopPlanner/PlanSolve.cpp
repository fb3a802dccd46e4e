//===- PlanSolve.cpp - Plans for triangular solves ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPlanner.h"

#include "baco/Polyhedral/AffineRows.h"

#include <cstdlib>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

namespace {
/// `B[i, j] -= L[i, k] * B[k, j]` for k < i, or the like for other triangles
/// and sides: which loop of the statement is which.
struct SolveShape {
  /// Over rows to be solved, over solved ones, and the remaining one.
  unsigned row = 0, sum = 0, free = 0;
  /// The solved row that is read is that of row = factor * sum + constant;
  /// factor is 1 or -1. A solve that looks right has the rows in the order in
  /// which they are solved once `isReversed` is heeded, and factor 1.
  int64_t factor = 1, constant = 0;
  /// The loop over rows runs against the order in which they are solved.
  bool isReversed = false;

  /// Whether a row is subtracted from all later ones as soon as it is solved.
  bool looksRight() const { return sum < row; }
};
} // namespace

/// Fewer rows in a block make the contraction of little use.
static constexpr int64_t minBlock = 16;

/// The subscript of `relation` in dimension `dim` of the array where all loops
/// are 0; nothing if it depends on parameters or takes large numbers.
static std::optional<int64_t> readConstant(const isl::map &relation,
                                           unsigned dim) {
  std::optional<std::vector<Row>> rows = rowsOf(relation);
  if (!rows)
    return std::nullopt;
  const Row &row = (*rows)[dim];
  auto parameters = row.begin() + relation.domain_tuple_dim();
  bool isPlain = std::all_of(parameters, row.end() - 1,
                             [](int64_t factor) { return factor == 0; });
  return isPlain ? std::optional(row.back()) : std::nullopt;
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

/// The shape of `update`, with a `division` by the diagonal after it unless
/// that is all ones, if it is a solve whose rows are computed one after the
/// other.
static std::optional<SolveShape> findSolve(const NestModel &model,
                                           unsigned update,
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
    auto ofWrite = readConstant(accesses[written].relation, *dim);
    auto ofRead = readConstant(accesses[read].relation, *dim);
    // A solve of a few rows would be one block, which leaves nothing to a
    // contraction.
    if (!row || !sum || !ofWrite || !ofRead || *row == *sum ||
        write.uses(*sum) || solved.uses(*row) || isFew(statement.extents[*row]))
      return std::nullopt;
    SolveShape shape;
    shape.row = *row;
    shape.sum = *sum;
    // The loops are 0, 1 and 2, whose sum is 3.
    shape.free = 3 - *row - *sum;
    // row = (sumFactor * sum + ofRead - ofWrite) / rowFactor.
    // The sign is its own reciprocal: onlyLoop allows 1 and -1 only.
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
    // The division runs once for each row: deeper inside it would divide sums
    // that aren't complete.
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
        knobs(state, division.value_or(update)) {}

  Leaf write();

private:
  /// The statements of the solve, in their order.
  std::vector<unsigned> both() const {
    return {std::min(update, *division), std::max(update, *division)};
  }
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
  LoopValue block, width;
};
} // namespace

/// From an order in which rows are subtracted as soon as they are solved: the
/// division gets the loop over rows, as that of the row that it finishes, and
/// comes behind all that is subtracted from that.
Leaf SolvePlan::lookLeft() {
  unsigned level = shape.row + 1;
  if (division) {
    // A tile of size 0 adds a loop that runs once, which becomes the one over
    // rows.
    if (shape.row < 2)
      state.add(tileLoop(*division, level, 0, level));
    state.add(skewLoop(*division, level, shape.sum + 1, 1));
    state.add(onLoop(Kind::Shift, *division, level, shape.constant));
  }
  Leaf leaf{update, 0, {{0, false}, {1, false}, {2, false}}, model.extents};
  LeafBuilder builder(state, leaf);
  if (shape.isReversed)
    builder.reverse(shape.row);
  // The fusion lets the permutation move both statements alike; afterwards the
  // division leaves the loop of the sum again.
  if (division)
    state.add(onLoops(Kind::Fuse, both(), 3));
  builder.reorder({shape.row, shape.free, shape.sum});
  if (division)
    state.add(onLoops(Kind::Distribute, both(), 3));
  return leaf;
}

/// From the order row, sum, free loop: the free loop comes before that of the
/// sum, and the division runs in it, too.
void SolvePlan::shareFreeLoop(Leaf &leaf) {
  if (shape.free != 2)
    return;
  LeafBuilder(state, leaf).tile(shape.free, 1, 2);
  if (division)
    state.add(onLoops(Kind::Fuse, both(), 2));
}

void SolvePlan::cutIntoBlocks(Leaf &leaf) {
  LeafBuilder builder(state, leaf);
  unsigned blocks = leaf.outer + 1;
  builder.tile(shape.row, block, blocks);
  leaf.extents[shape.row] = 64;
  ++leaf.outer;
  unsigned sum = leaf.level(shape.sum);
  // The terms from earlier blocks; the rest becomes a new statement.
  // The row that a term reads is factor * sum + constant. It belongs to an
  // earlier block if it is below the first row of this one, which is the value
  // of the loop over blocks.
  std::string earlier = (shape.factor < 0 ? "-L" : "L") + std::to_string(sum);
  if (shape.constant != 0)
    earlier += (shape.constant < 0 ? " - " : " + ") +
               std::to_string(std::abs(shape.constant));
  builder.split(shape.sum, earlier + " < L" + std::to_string(blocks));
  builder.distribute(blocks + 1);
}

/// Columns in turn: each is a vector in registers, or, where they are not
/// contiguous, several of them run together.
void SolvePlan::planRest(unsigned rest, const Leaf &leaf) {
  unsigned column = leaf.outer + 1;
  if (unsigned place = leaf.level(shape.free); place != column)
    state.add(tileLoop(rest, place, 1, column));
  bool isContiguous = model.update->stride(shape.free) == Stride::Unit;
  state.add(onLoop(isContiguous ? Kind::Vectorize : Kind::Unroll, rest, column,
                   width));
}

Leaf SolvePlan::write() {
  Leaf leaf{update, 0, {{0, false}, {1, false}, {2, false}}, model.extents};
  if (shape.looksRight())
    leaf = lookLeft();
  else
    shareFreeLoop(leaf);
  // The columns don't depend on each other; rows do.
  if (state.host.threads > 1)
    planThreads(state, leaf, {shape.free});
  int64_t length = state.vectorLength(model.elementBytes);
  bool isContiguous = model.update->stride(shape.free) == Stride::Unit;
  std::vector<int64_t> sizes;
  // A block of all rows would leave no contraction.
  for (int64_t size : {minBlock, 2 * minBlock, 4 * minBlock, 8 * minBlock})
    if (int64_t rows = model.extents[shape.row]; rows == 0 || size < rows)
      sizes.push_back(size);
  block = knobs.add("TB", sizes);
  width = isContiguous ? knobs.add("W", doublings(length, 8 * length))
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

bool baco::polyhedral::planSolve(Planner &planner, const Group &group) {
  PlanState &state = planner.state;
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
  // Rows in blocks, such that most of the work is a contraction.
  auto cut = [&] {
    leaf = SolvePlan(state, *shape, update, division).write();
    if (division)
      state.plan.remarks.push_back("statements " + std::to_string(update) +
                                   " and " + std::to_string(*division) +
                                   " are a triangular solve");
    else
      state.remark(update, "is a triangular solve");
    return true;
  };
  if (!shape || !planner.tryPlan(cut))
    return false;
  LeafOptions options;
  // The terms of earlier blocks read rows that are complete, so that their
  // loops may take any order.
  options.isPermutable = true;
  for (Copies copies : {Copies::All, Copies::Panels, Copies::None}) {
    options.copies = copies;
    if (planner.tryPlan([&] { return planContraction(state, leaf, options); }))
      break;
  }
  return true;
}
