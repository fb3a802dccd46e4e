//===- Generate.cpp - Loops that run a schedule ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleTree.h"

#include <isl/ast_build.h>
#include <isl/options.h>

using namespace baco;
using namespace baco::polyhedral;

namespace {

const char loopPrefix[] = "loop ";
const char instancePrefix[] = "instance ";

size_t annotation(const isl::ast_node &node, const char *prefix) {
  isl::id id = isl::manage(isl_ast_node_get_annotation(node.get()));
  return std::stoul(id.name().substr(std::string(prefix).size()));
}

/// An integer affine hull if it is a function, else the map itself. It finds
/// the plain sum of loops where the map may speak of floors.
isl::map simplified(const isl::map &map) {
  isl::map plain = equalities(map);
  if (plain.is_single_valued())
    return plain;
  isl::map hull = isl::map(map.affine_hull());
  return hull.is_single_valued() ? hull : map;
}

/// What a statement's instances are made of, in terms of what isl scans.
struct Instance {
  /// { S[c0, ...] -> the statement's iterators }.
  isl::map iterators;
  /// { S[c0, ...] -> A[x] }, for each access.
  std::vector<isl::map> accesses;
};

/// What the callbacks of isl's code generator need.
struct Callbacks {
  const ScheduleTree &tree;
  const std::vector<Entry> &entries;
  const std::vector<ScheduledStatement> &statements;
  std::function<bool(unsigned, unsigned)> carriesReduction;
  GeneratedCode &code;
  /// Iterators are this and the number of their band.
  std::string iterator;
  /// What carriesReduction said.
  std::map<std::pair<unsigned, unsigned>, bool> reductions;
  /// Statements in each of the code's loops.
  std::vector<std::vector<unsigned>> groups;
  std::exception_ptr thrown;
  std::map<unsigned, Instance> instances;

  const Instance &instance(unsigned s) {
    auto [known, isNew] = instances.try_emplace(s);
    if (!isNew)
      return known->second;
    const Entry &entry = entries[s];
    const isl::map &loops = tree.loops(s);
    known->second.iterators =
        loops.apply_range(simplified(entry.loops.reverse()));
    for (size_t a = 0; a < statements[s].accesses.size(); ++a) {
      std::optional<isl::map> plain = entry.plainReference(a);
      known->second.accesses.push_back(
          loops.apply_range(plain ? *plain : entry.reference(a)));
    }
    return known->second;
  }
};

LoopMarks marksOf(Callbacks &callbacks, const std::vector<unsigned> &group,
                  unsigned depth) {
  LoopMarks marks;
  for (unsigned s : group) {
    // Where isl doesn't see that the bands tell the instance, it adds loops,
    // of one iteration, that look for it.
    const std::vector<ScannedLoop> &bands = callbacks.tree.scanned(s);
    if (depth >= bands.size())
      continue;
    const ScannedLoop &scanned = bands[depth];
    unsigned level = scanned.level;
    const Level &own = callbacks.entries[s].levels[level];
    marks.loop = level + 1;
    marks.stride = scanned.steps.stride;
    marks.origin = scanned.steps.origin;
    marks.unroll |= own.unroll;
    marks.parallel |= own.parallel;
    marks.prefetch = std::max(marks.prefetch, own.prefetch);
    if (own.vector) {
      marks.vectorWidth = own.step;
      auto [known, isNew] =
          callbacks.reductions.try_emplace({s, level + 1}, false);
      if (isNew)
        known->second = callbacks.carriesReduction(s, level + 1);
      marks.reduction |= known->second;
    }
  }
  return marks;
}

isl_id *beforeFor(isl_ast_build *build, void *user) {
  auto &callbacks = *static_cast<Callbacks *>(user);
  isl_ctx *ctx = isl_ast_build_get_ctx(build);
  try {
    isl::union_map schedule = isl::manage(isl_ast_build_get_schedule(build));
    callbacks.groups.push_back(callbacks.tree.members(schedule));
    callbacks.code.loops.emplace_back();
  } catch (...) {
    callbacks.thrown = std::current_exception();
    return nullptr;
  }
  std::string name =
      loopPrefix + std::to_string(callbacks.code.loops.size() - 1);
  return isl_id_alloc(ctx, name.c_str(), nullptr);
}

/// Here the node tells which band it is: the number in its iterator's name.
isl_ast_node *afterFor(isl_ast_node *raw, isl_ast_build *, void *user) {
  auto &callbacks = *static_cast<Callbacks *>(user);
  try {
    isl::ast_node node = isl::manage_copy(raw);
    size_t index = annotation(node, loopPrefix);
    isl::ast_expr iterator = isl::manage(isl_ast_node_for_get_iterator(raw));
    isl::id id = isl::manage(isl_ast_expr_get_id(iterator.get()));
    unsigned band = std::stoul(id.name().substr(callbacks.iterator.size()));
    callbacks.code.loops.at(index) =
        marksOf(callbacks, callbacks.groups.at(index), band);
    return raw;
  } catch (...) {
    callbacks.thrown = std::current_exception();
    return isl_ast_node_free(raw);
  }
}

/// A stem for iterators that no parameter begins with.
std::string iteratorStem(const isl::set &context) {
  std::string stem = "c";
  isl::space space = context.space();
  for (int p = 0, n = isl_space_dim(space.get(), isl_dim_param); p < n; ++p) {
    std::string name = isl_space_get_dim_name(space.get(), isl_dim_param, p);
    if (name.compare(0, stem.size(), stem) == 0)
      stem = name + "_c";
  }
  return stem;
}

/// The values of `function`, { S[c0, ...] -> [...] }, in terms of the loops of
/// `build`, { [those loops] -> S[c0, ...] }; nothing if they don't tell them.
std::optional<std::vector<isl::ast_expr>> valuesOf(const isl::ast_build &build,
                                                   const isl::map &counts,
                                                   const isl::map &function) {
  isl::map touched = simplified(counts.apply_range(function));
  if (!touched.is_single_valued())
    return std::nullopt;
  isl::ast_expr expr = build.access_from(touched.as_pw_multi_aff());
  std::vector<isl::ast_expr> found;
  int n = isl_ast_expr_get_op_n_arg(expr.get());
  for (int a = 1; a < n; ++a)
    found.push_back(isl::manage(isl_ast_expr_get_op_arg(expr.get(), a)));
  return found;
}

isl_ast_node *atDomain(isl_ast_node *node, isl_ast_build *rawBuild,
                       void *user) {
  auto &callbacks = *static_cast<Callbacks *>(user);
  try {
    isl::ast_build build = isl::manage_copy(rawBuild);
    isl::map schedule;
    build.schedule().foreach_map([&](const isl::map &map) { schedule = map; });
    GeneratedInstance instance;
    instance.statement =
        callbacks.tree.statement(schedule.domain_tuple_id().name());
    const Instance &own = callbacks.instance(instance.statement);
    isl::map counts = simplified(schedule.reverse());
    std::optional<std::vector<isl::ast_expr>> iterators =
        valuesOf(build, counts, own.iterators);
    if (!iterators)
      fail(ErrorCode::Unsupported, "two instances of statement " +
                                       schedule.domain_tuple_id().name() +
                                       " run at the same time");
    instance.iterators = std::move(*iterators);
    const auto &accesses = callbacks.statements[instance.statement].accesses;
    for (size_t a = 0; a < accesses.size(); ++a)
      instance.accesses.push_back({accesses[a].relation.range_tuple_id().name(),
                                   accesses[a].isWrite,
                                   valuesOf(build, counts, own.accesses[a])});
    callbacks.code.instances.push_back(std::move(instance));
    std::string name =
        instancePrefix + std::to_string(callbacks.code.instances.size() - 1);
    return isl_ast_node_set_annotation(
        node, isl_id_alloc(isl_ast_node_get_ctx(node), name.c_str(), nullptr));
  } catch (...) {
    callbacks.thrown = std::current_exception();
    return isl_ast_node_free(node);
  }
}

} // namespace

const GeneratedInstance &
GeneratedCode::instance(const isl::ast_node &user) const {
  return instances.at(annotation(user, instancePrefix));
}

const LoopMarks &GeneratedCode::marks(const isl::ast_node &loop) const {
  return loops.at(annotation(loop, loopPrefix));
}

GeneratedCode LoopSchedule::State::generate() const {
  ScheduleTree scheduleTree(ctx(), entries);
  isl::schedule tree = scheduleTree.build();
  GeneratedCode code;
  Callbacks callbacks{scheduleTree,
                      entries,
                      statements,
                      [&](unsigned s, unsigned loop) {
                        return carriesReduction(sharing(s, loop), loop);
                      },
                      code,
                      iteratorStem(program.context),
                      {},
                      {},
                      nullptr,
                      {}};
  isl_options_set_ast_build_atomic_upper_bound(ctx().get(), 1);
  isl_ast_build *build = isl_ast_build_from_context(program.context.copy());
  build = isl_ast_build_set_at_each_domain(build, atDomain, &callbacks);
  build = isl_ast_build_set_before_each_for(build, beforeFor, &callbacks);
  build = isl_ast_build_set_after_each_for(build, afterFor, &callbacks);
  isl_id_list *iterators = isl_id_list_alloc(ctx().get(), depth());
  for (unsigned l = 0; l < depth(); ++l) {
    std::string name = callbacks.iterator + std::to_string(l);
    iterators = isl_id_list_add(
        iterators, isl_id_alloc(ctx().get(), name.c_str(), nullptr));
  }
  build = isl_ast_build_set_iterators(build, iterators);
  isl_ast_node *root = isl_ast_build_node_from_schedule(build, tree.release());
  isl_ast_build_free(build);
  if (callbacks.thrown) {
    isl_ast_node_free(root);
    std::rethrow_exception(callbacks.thrown);
  }
  if (!root)
    isl::exception::throw_last_error(ctx());
  code.root = isl::manage(root);
  return code;
}
