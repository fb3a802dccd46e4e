//===- PlanRowBlocks.cpp - Products and what is around them, by rows ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nests that follow each other, one of them a product, take turns on blocks of
// rows: a block of scores is computed, turned into weights, and multiplied with
// the values before the next one begins. Intermediate results stay in level 2,
// and temporaries are as large as a block. Within a block each statement is
// planned like one in a nest of its own.
//
//===----------------------------------------------------------------------===//

#include "RowBlocks.h"

#include "ContractionRoles.h"
#include "LoopPlanner.h"
#include "RowFusionGroup.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

/// The roles of the loops of a statement that is a product.
static std::optional<ContractionRoles> rolesOf(const NestModel &model,
                                               unsigned s) {
  const StatementModel &statement = model.statements[s];
  // A product has two loops of the result and one of the reduction.
  if (!statement.update || statement.depth() < 3)
    return std::nullopt;
  Leaf leaf{s, 0, {}, statement.extents};
  for (unsigned dim = 0; dim < statement.depth(); ++dim)
    leaf.loops.push_back({dim, false});
  LeafOptions options;
  // Copies make operands contiguous that couldn't be panels in place.
  options.copies = Copies::All;
  return findRoles(statement, leaf, options);
}

/// Whether the statement only sets elements.
static bool onlyWrites(const StatementModel &statement) {
  return std::ranges::all_of(statement.references,
                             [](const Reference &r) { return r.isWrite; });
}

/// Whether statement `first` sets exactly the elements to which `second`, a
/// product, adds, in loops that are also the first ones of `second`.
static bool isFillOf(const NestModel &model, unsigned first, unsigned second) {
  const StatementModel &fill = model.statements[first];
  const StatementModel &product = model.statements[second];
  if (!onlyWrites(fill) || fill.references.size() != 1 ||
      !rolesOf(model, second) || product.depth() <= fill.depth() ||
      !std::equal(fill.extents.begin(), fill.extents.end(),
                  product.extents.begin()))
    return false;
  for (unsigned dim = fill.depth(); dim < product.depth(); ++dim)
    if (product.update->uses(dim))
      return false;
  const Reference &set = fill.references[0];
  if (set.array != product.update->array ||
      set.coefficients.size() != product.update->coefficients.size())
    return false;
  for (size_t d = 0; d < set.coefficients.size(); ++d)
    if (!std::equal(set.coefficients[d].begin(), set.coefficients[d].end(),
                    product.update->coefficients[d].begin()))
      return false;
  return true;
}

/// Whether `fill` shares the innermost loops of the product after it.
static bool sharesRegisters(const LoopPlan &plan, int64_t fill) {
  // A fill and its product are neighbors: planInBlocks looks at no others.
  return std::ranges::any_of(plan.commands, [&](const LoopCommand &command) {
    return command.kind == Kind::Fuse &&
           command.arguments[0] ==
               LoopValue(std::vector<int64_t>{fill, fill + 1});
  });
}

RowBlocks::RowBlocks(const NestModel &model, const LoopSchedule &original,
                     const MachineSizes &host)
    : model(model), original(original), host(host) {
  if (model.statements.empty())
    return;
  // The fewest loops that make a group are shared; in attention these are the
  // heads and the rows.
  for (unsigned loops = 1; loops < model.statements[0].depth() + 1; ++loops) {
    outer = loops;
    if (size_t found = find(); found > 0) {
      count = found;
      return;
    }
  }
}

bool RowBlocks::fits(unsigned s) const {
  const StatementModel &statement = model.statements[s];
  const StatementModel &first = model.statements[0];
  // Statements that share a loop already are a nest of their own, and an
  // unknown extent makes the size of a block unknown.
  return statement.depth() >= outer && statement.isRectangular &&
         (s == 0 || !model.share(s - 1, s, 1)) &&
         std::ranges::count(statement.extents, 0) == 0 &&
         std::equal(first.extents.begin(), first.extents.begin() + outer,
                    statement.extents.begin()) &&
         !model.program.statements[s].isScalar &&
         std::ranges::all_of(statement.references, [](const Reference &r) {
           return r.isAffine && !r.coefficients.empty();
         });
}

double RowBlocks::bytesOfBlock(size_t statements, int64_t rows) const {
  double bytes = 0;
  std::vector<std::string> seen;
  for (unsigned s = 0; s < statements; ++s)
    for (const Reference &reference : model.statements[s].references) {
      bool isNew = std::ranges::find(seen, reference.array) == seen.end();
      if (!isNew || !isHandedOver(reference.array, statements))
        continue;
      seen.push_back(reference.array);
      std::vector<int64_t> extents = model.statements[s].extents;
      std::fill_n(extents.begin(), outer - 1, 1);
      extents[outer - 1] = std::min(extents[outer - 1], rows);
      bytes += reference.boxBytes(extents);
    }
  return bytes;
}

bool RowBlocks::isHandedOver(const std::string &array,
                             size_t statements) const {
  bool isWritten = false;
  for (unsigned s = 0; s < statements; ++s)
    for (const Reference &reference : model.statements[s].references) {
      if (reference.array != array)
        continue;
      if (isWritten && !reference.isWrite)
        return true;
      isWritten |= reference.isWrite;
    }
  return false;
}

bool RowBlocks::sharesArray(unsigned s) const {
  for (const Reference &reference : model.statements[s].references)
    for (unsigned t = 0; t < s; ++t)
      for (const Reference &other : model.statements[t].references)
        if (other.array == reference.array &&
            (other.isWrite || reference.isWrite))
          return true;
  return false;
}

size_t RowBlocks::find() const {
  int64_t rows = model.statements[0].extents[outer - 1];
  if (rows < 2)
    return 0;
  // A group needs a product and another statement: `best` is the longest prefix
  // that has both and is worth it.
  size_t best = 0;
  double around = 1;
  for (unsigned dim = 0; dim + 1 < outer; ++dim)
    around *= double(model.statements[0].extents[dim]);
  unsigned products = 0, others = 0;
  std::vector<unsigned> taken;
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    if (!fits(s))
      break;
    taken.push_back(s);
    std::optional<ContractionRoles> roles = rolesOf(model, s);
    if (roles) {
      // Contiguous loops aren't cut; and operands of all rows have to stay in
      // the cache beside the blocks of rows.
      double panels = 0;
      std::vector<int64_t> extents = model.statements[s].extents;
      std::fill_n(extents.begin(), outer - 1, 1);
      for (size_t access : roles->panels)
        panels += model.statements[s].references[access].boxBytes(extents);
      if (roles->v < outer || panels > host.l2Bytes / 2.0)
        break;
      ++products;
    }
    bool isFill = onlyWrites(model.statements[s]);
    others += !roles && !isFill;
    // Further statements only add bytes and dependences, so the search ends
    // here. What is legal for single rows is so for blocks of any size
    // (RowBlocks).
    if (bytesOfBlock(taken.size(), smallestBlock) > host.l2Bytes / 4.0 ||
        (taken.size() > 1 &&
         !areLegal({onLoops(Kind::Fuse, taken, outer)}, original)))
      break;
    // A fill at the end belongs to the product behind it. And what takes less
    // than a quarter of level 2 stays there without blocks, too.
    if (!isFill && products > 0 && others > 0 && sharesArray(s) &&
        bytesOfBlock(taken.size(), rows) * around > host.l2Bytes / 4.0)
      best = taken.size();
  }
  return best;
}

/// Cuts the rows of all statements into blocks, which they share. Returns the
/// number of loops that they share, a knob.
static LoopValue shareBlocks(PlanState &state, const RowBlocks &blocks,
                             LoopValue &size) {
  unsigned outer = blocks.outer;
  size_t count = state.model.statements.size();
  int64_t rows = state.model.statements[0].extents[outer - 1];
  KnobGroup knobs(state);
  LoopValue group = knobs.add("group", {0, int64_t(outer)});
  size = knobs.add("TB", tileSizes(rows, smallestBlock, 256));
  // The size of a block is proportional to its rows: these are bytes of one.
  auto bytes =
      int64_t(blocks.bytesOfBlock(count, smallestBlock)) / smallestBlock;
  Expression shared = toExpression(group), block = toExpression(size);
  knobs.require(shared > 0 || block == rows,
                "blocks of rows keep together what statements hand over");
  knobs.requireAtMost(block * bytes, state.host.l2Bytes / 2,
                      "what statements hand over stays in half of level 2",
                      {shared == 0});
  knobs.choose([&](const auto &value) -> std::vector<double> {
    // Products want many rows.
    return {double(value(group) == 0),
            std::max(double(value(size) * bytes), state.host.l2Bytes / 4.0),
            -double(value(size))};
  });
  std::vector<unsigned> all(count);
  std::iota(all.begin(), all.end(), 0);
  // The statements have separate loops until they are fused, so each is tiled.
  for (unsigned s : all)
    state.add(tileLoop(s, outer, size, outer));
  state.add(onLoops(Kind::Fuse, all, group));
  return group;
}

/// Makes temporaries as small as a block.
static void contractTemporaries(PlanState &state, const LoopValue &group) {
  const NestModel &model = state.model;
  for (const Array &array : model.program.arrays) {
    if (!array.isTemporary)
      continue;
    for (unsigned s = 0; s < model.statements.size(); ++s) {
      const auto &references = model.statements[s].references;
      auto found = std::ranges::find(references, array.name, &Reference::array);
      if (found == references.end())
        continue;
      // One reference is enough: the command redirects those of all statements
      // that share the loops.
      state.add({Kind::Contract, {s, group, found - references.begin()}});
      break;
    }
  }
}

/// Lets neighbors from `first` on, at most `most`, take turns row by row within
/// a block. Returns how many do.
static size_t planRowFusionInBlocks(Planner &planner, const Group &group,
                                    unsigned first, size_t most) {
  PlanState &state = planner.state;
  const Program &program = planner.original.program();
  // RowFusionGroup counts from the first statement of a program, so the
  // neighbors become a program of their own.
  Program part{program.context, {}, program.arrays, program.measured};
  auto begin = program.statements.begin() + first;
  part.statements.assign(begin, begin + most);
  NestModel model(part);
  LoopSchedule order = originalOrder(part);
  size_t count = RowFusionGroup(model, order).count();
  if (count < 2)
    return 0;
  // The plan of a group is for all statements of its program: cut that down.
  if (count < most)
    return planRowFusionInBlocks(planner, group, first, count);
  RowFusionGroup fusion(model, order);
  if (fusion.outer != group.outside.size())
    return 0;
  bool isPlanned = planner.tryPlan([&] {
    PlanState inner(model, state.host);
    // The new knobs must not take names that the plan around them uses.
    inner.plan.knobs = state.plan.knobs;
    size_t numKnobs = inner.plan.knobs.size();
    try {
      writeRowFusion(inner, fusion, /*mayRunAhead=*/false);
    } catch (const Failure &) {
      // No order within a row was legal; each statement then gets its own
      // loops.
      return false;
    }
    moveInside(inner.plan, numKnobs, first, fusion.outer);
    state.plan.knobs = inner.plan.knobs;
    for (LoopCommand &command : inner.plan.commands)
      state.add(std::move(command));
    for (PlanConstraint &constraint : inner.plan.constraints)
      state.plan.constraints.push_back(std::move(constraint));
    return true;
  });
  return isPlanned ? count : 0;
}

/// Plans each statement of the program inside of shared loops. `size` is the
/// knob with the size of blocks in these: what is planned for all rows at once
/// is legal for blocks of any size.
static void planInBlocks(Planner &planner, const Group &group,
                         const std::string &size) {
  PlanState &state = planner.state;
  const std::vector<StatementModel> &statements = state.model.statements;
  std::optional<int64_t> best =
      planner.setDefault(size, statements[0].extents[group.firstDim]);
  for (unsigned s = 0; s < statements.size();) {
    size_t others = 0;
    while (s + others < statements.size() && !rolesOf(state.model, s + others))
      ++others;
    if (size_t fused =
            others > 1 ? planRowFusionInBlocks(planner, group, s, others) : 0) {
      s += fused;
      continue;
    }
    Group alone = group;
    if (s + 1 < statements.size() && isFillOf(state.model, s, s + 1)) {
      alone.statements = {s + 1};
      alone.fill = s;
      planner.planLeaf(s + 1, alone);
      // A fill whose product is cut along the reduction stays apart, and needs
      // a plan of its own.
      if (!sharesRegisters(state.plan, s)) {
        alone.statements = {s};
        alone.fill = std::nullopt;
        planner.planLeaf(s, alone);
      }
      s += 2;
      continue;
    }
    alone.statements = {s++};
    planner.planLeaf(alone.statements[0], alone);
  }
  if (best)
    planner.setDefault(size, *best);
}

Result<LoopPlan> baco::polyhedral::planRowBlocks(const RowBlocks &blocks) {
  // Statements are planned for one thread; chunks are put around all of it at
  // the end.
  MachineSizes one = blocks.host;
  one.threads = 1;
  PlanState state(blocks.model, one);
  Planner planner(state, blocks.original);
  LoopValue size, group;
  if (!planner.tryPlan([&] {
        group = shareBlocks(state, blocks, size);
        return true;
      }))
    return {ErrorCode::Unsupported, "the nests can't share blocks of rows"};
  Group inner;
  for (unsigned dim = 0; dim + 1 < blocks.outer; ++dim)
    inner.outside.push_back({dim, false});
  inner.outside.push_back({blocks.outer - 1, true});
  inner.firstDim = blocks.outer - 1;
  inner.isBlock = true;
  planInBlocks(planner, inner, toString(size));
  // The blocks are worth it even where temporaries can't shrink.
  if (!planner.tryPlan([&] {
        contractTemporaries(state, group);
        return true;
      }))
    state.plan.remarks.push_back("temporaries keep their sizes");
  state.plan.remarks.push_back("nests take turns on blocks of rows");
  if (blocks.host.threads > 1 &&
      !distributeRows(state, blocks.original, blocks.outer,
                      blocks.host.threads))
    return {ErrorCode::Unsupported,
            "the blocks of rows can't be distributed over threads"};
  return std::move(state.plan);
}
