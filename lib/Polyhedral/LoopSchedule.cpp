//===- LoopSchedule.cpp - Reorder the loops of a program ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/LoopSchedule.h"

#include "baco/Polyhedral/ScheduleState.h"

#include "baco/Polyhedral/Context.h"

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// Calls `body` under a bound on isl's work, and returns its result; exceptions
/// become errors.
template <typename Body>
auto guarded(isl::ctx ctx, unsigned long maxOperations, Body body)
    -> Result<decltype(body())> {
  isl_ctx *raw = ctx.get();
  isl_ctx_reset_error(raw);
  isl_ctx_reset_operations(raw);
  isl_ctx_set_max_operations(raw, maxOperations);
  struct Restore {
    isl_ctx *raw;
    ~Restore() {
      isl_ctx_set_max_operations(raw, 0);
      isl_ctx_reset_error(raw);
    }
  } restore{raw};
  auto tooManySteps = [&] {
    return Error{ErrorCode::TimedOut,
                 "the loop nest is too complex: isl took more than " +
                     std::to_string(maxOperations) +
                     " operations (LoopScheduleOptions::maxOperations)"};
  };
  try {
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return {};
    } else {
      return body();
    }
  } catch (const Failure &failure) {
    return failure.error;
  } catch (const isl::exception_quota &) {
    return tooManySteps();
  } catch (const isl::exception &exception) {
    // A failure for want of an operand hides the operand's own failure.
    if (isl_ctx_last_error(raw) == isl_error_quota)
      return tooManySteps();
    return {ErrorCode::Unsupported, std::string("isl: ") + exception.what()};
  } catch (const TooMuchWork &exception) {
    return {ErrorCode::TimedOut, exception.what()};
  } catch (const std::bad_alloc &) {
    return {ErrorCode::OutOfMemory, "out of memory in a loop transformation"};
  }
}

template <typename State, typename Read>
auto query(const State &state, Read read) {
  return guarded(state.ctx(), state.options.maxOperations, read);
}

/// Takes the schedule of a statement apart.
Entry makeEntry(const Statement &statement, const isl::set &domain) {
  std::string name = tupleName(domain);
  auto wrong = [&](const std::string &what) {
    fail(ErrorCode::InvalidArgument, "statement " + name + " " + what);
  };
  isl::map schedule = statement.schedule.intersect_domain(domain);
  unsigned dims = schedule.range_tuple_dim();
  if (dims % 2 == 0)
    wrong("has a schedule with " + std::to_string(dims) +
          " dimensions, which should be 2d + 1 for d loops");
  if (!domain.is_subset(statement.schedule.domain()))
    wrong("has instances that aren't scheduled");
  if (!schedule.is_single_valued())
    wrong("has an instance that is scheduled twice");
  isl::set times = schedule.range();
  Entry entry;
  entry.reduction = statement.reduction;
  std::string from, to;
  for (unsigned dim = 0; dim < dims; ++dim) {
    std::string t = "t" + std::to_string(dim);
    from += (dim ? ", " : "") + t;
    if (dim % 2 == 1)
      to += (dim > 1 ? ", " : "") + t;
    std::optional<int64_t> value = fixedValue(times, dim);
    if (dim % 2 == 1)
      entry.levels.push_back(Level{dim / 2, value == 0});
    else if (value || domain.is_empty())
      entry.constants.push_back(value.value_or(0));
    else
      wrong("has a schedule whose dimension " + std::to_string(dim) +
            " isn't a constant");
  }
  entry.loops = schedule.apply_range(
      isl::map(domain.ctx(), "{ [" + from + "] -> [" + to + "] }"));
  entry.frames.push_back(
      {std::nullopt, selectLoops(domain.ctx(), entry.depth(), 1, entry.depth()),
       std::nullopt});
  for (const Access &access : statement.accesses)
    entry.byLoops.push_back(entry.loops.reverse().apply_range(access.relation));
  return entry;
}

} // namespace

LoopSchedule::LoopSchedule(std::shared_ptr<const State> state)
    : state(std::move(state)) {}

Result<LoopSchedule> LoopSchedule::create(Program program,
                                          LoopScheduleOptions options) {
  isl::ctx ctx = program.context.ctx();
  auto make = [&] {
    auto state = std::make_shared<State>();
    state->program = program;
    state->options = options;
    if (program.statements.empty())
      fail(ErrorCode::InvalidArgument, "the program has no statement");
    std::set<std::string> names;
    for (size_t s = 0; s < program.statements.size(); ++s) {
      const Statement &statement = program.statements[s];
      ScheduledStatement scheduled;
      scheduled.origin = s;
      scheduled.domain =
          statement.domain.intersect_params(program.context).coalesce();
      std::string name = tupleName(scheduled.domain);
      if (name.empty() || !names.insert(name).second)
        fail(ErrorCode::InvalidArgument, "statement " + std::to_string(s) +
                                             " needs a tuple name of its own");
      for (const Access &access : statement.accesses) {
        scheduled.accesses.push_back(access);
        scheduled.accesses.back().relation =
            access.relation.intersect_domain(scheduled.domain);
        if (!access.relation.has_range_tuple_id() ||
            !state->findArray(access.relation.range_tuple_id().name()))
          fail(ErrorCode::InvalidArgument,
               "statement " + name + " refers to an array that isn't declared");
      }
      if (statement.reduction &&
          (*statement.reduction >= statement.accesses.size() ||
           !statement.accesses[*statement.reduction].isWrite))
        fail(ErrorCode::InvalidArgument,
             "the reduction of statement " + name + " isn't one of its writes");
      state->entries.push_back(makeEntry(statement, scheduled.domain));
      if (state->entries.back().depth() != state->depth())
        fail(ErrorCode::InvalidArgument,
             "statements have schedules of different lengths");
      state->statements.push_back(std::move(scheduled));
    }
    state->nextId = state->depth();
    state->normalize();
    state->rebase();
    for (Entry &entry : state->entries)
      entry.frames.erase(entry.frames.begin());
    std::set<std::string> arrays;
    for (const Array &array : program.arrays)
      arrays.insert(array.name);
    state->addDependences(arrays);
    return LoopSchedule(std::move(state));
  };
  return guarded(ctx, options.maxOperations, make);
}

const Program &LoopSchedule::program() const { return state->program; }

const std::vector<ScheduledStatement> &LoopSchedule::statements() const {
  return state->statements;
}

const std::vector<Buffer> &LoopSchedule::buffers() const {
  return state->buffers;
}

unsigned LoopSchedule::numLoops() const { return state->depth(); }

Result<void> LoopSchedule::apply(LoopCommand command) {
  if (Result<void> completed = complete(command); !completed)
    return completed;
  return query(*state, [&] {
    auto next = std::make_shared<State>(*state);
    next->run(command);
    next->normalize();
    for (size_t b = 0; b < next->buffers.size(); ++b)
      next->buffers[b].loop = next->buffersLoop(b);
    state = std::move(next);
  });
}

Result<std::vector<LoopInfo>> LoopSchedule::loops(unsigned statement) const {
  return query(*state, [&] { return state->loops(statement); });
}

Result<Program> LoopSchedule::asProgram() const {
  return query(*state, [&] { return state->asProgram(); });
}

Result<void> LoopSchedule::checkLegal() const {
  return query(*state, [&] { state->checkLegal(); });
}

bool LoopSchedule::isLegalForAnySize() const {
  Result<bool> legal =
      query(*state, [&] { return state->isLegalForAnySize(); });
  return legal && *legal;
}

Result<bool> LoopSchedule::isParallel(unsigned statement, unsigned loop) const {
  return query(*state, [&] {
    state->checkLoop(statement, loop);
    return !state
                ->findRace(state->sharing(statement, loop), loop,
                           /*lanes=*/false)
                .dependence;
  });
}

Result<bool> LoopSchedule::canTile(unsigned statement, unsigned first,
                                   unsigned last) const {
  return query(*state, [&] { return state->canTile(statement, first, last); });
}

Result<bool> LoopSchedule::depends(unsigned source, unsigned sink,
                                   unsigned outer) const {
  return query(*state, [&] {
    state->checkStatement(source);
    state->checkStatement(sink);
    return bool(state->reachability({{source}, {sink}}, outer)[0][1]);
  });
}

Result<std::vector<std::vector<unsigned>>>
LoopSchedule::components(std::span<const unsigned> statements,
                         unsigned outer) const {
  return query(*state, [&] {
    std::vector<std::vector<unsigned>> units, result;
    for (unsigned s : statements) {
      state->checkStatement(s);
      units.push_back({s});
    }
    for (const std::vector<size_t> &part : state->components(units, outer)) {
      std::vector<unsigned> &group = result.emplace_back();
      for (size_t u : part)
        group.push_back(statements[u]);
    }
    return result;
  });
}

Result<std::optional<Band>>
LoopSchedule::findBand(std::span<const unsigned> statements, unsigned first,
                       unsigned last, BandGoal goal) const {
  return query(*state,
               [&] { return state->findBand(statements, first, last, goal); });
}

Result<std::vector<std::vector<unsigned>>>
LoopSchedule::legalOrders(unsigned statement, unsigned loops) const {
  return query(*state, [&] { return state->legalOrders(statement, loops); });
}

Result<GeneratedCode> LoopSchedule::generate() const {
  return query(*state, [&] { return state->generate(); });
}
