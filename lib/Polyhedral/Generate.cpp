//===- Generate.cpp - Loops that run a schedule ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

#include <isl/ast_build.h>
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>

#include <algorithm>
#include <exception>
#include <map>

using namespace baco;
using namespace baco::polyhedral;

namespace {

const char loopPrefix[] = "loop ";
const char instancePrefix[] = "instance ";

size_t annotation(const isl::ast_node &node, const char *prefix) {
  isl::id id = isl::manage(isl_ast_node_get_annotation(node.get()));
  return std::stoul(id.name().substr(std::string(prefix).size()));
}

/// Builds the schedule tree, and later tells what its loops stand for.
class Generator {
public:
  Generator(isl::ctx ctx, const std::vector<Entry> &entries)
      : ctx(ctx), entries(entries), bands(entries.size()) {
    for (unsigned s = 0; s < entries.size(); ++s)
      byName[entries[s].loops.domain_tuple_id().name()] = s;
  }

  isl::schedule tree() {
    std::vector<unsigned> live;
    for (unsigned s = 0; s < entries.size(); ++s)
      if (!entries[s].loops.is_empty())
        live.push_back(s);
    if (live.empty())
      fail(ErrorCode::InvalidArgument, "no statement has an instance");
    isl::schedule schedule = build(live, 0);
    bool anyFull = false;
    for (const Entry &entry : entries) {
      fullSteps.emplace_back(entry);
      anyFull |= fullSteps.back().mayTell();
    }
    if (!anyFull)
      return schedule;
    isl_schedule_node *root = isl_schedule_get_root(schedule.get());
    root = isl_schedule_node_map_descendant_bottom_up(root, isolate, this);
    rethrow();
    if (!root)
      isl::exception::throw_last_error(ctx);
    isl::schedule isolated = isl::manage(isl_schedule_node_get_schedule(root));
    isl_schedule_node_free(root);
    return isolated;
  }

  /// The statements of a union of instances and the level (from 0) of the band
  /// at this depth.
  std::vector<unsigned> members(const isl::union_map &instances) const {
    std::set<unsigned> found;
    instances.foreach_map([&](const isl::map &map) {
      found.insert(byName.at(map.domain_tuple_id().name()));
    });
    return {found.begin(), found.end()};
  }

  const std::vector<unsigned> &bandsOf(unsigned s) const { return bands[s]; }
  unsigned statement(const std::string &name) const { return byName.at(name); }
  void rethrow() {
    if (thrown)
      std::rethrow_exception(thrown);
  }

private:
  /// The loops of `group`, which share the constants before `level`.
  isl::schedule build(const std::vector<unsigned> &group, unsigned level) {
    std::map<int64_t, std::vector<unsigned>> parts;
    for (unsigned s : group)
      parts[entries[s].constants[level]].push_back(s);
    isl::schedule whole;
    for (const auto &[constant, part] : parts) {
      isl::schedule one =
          level == entries[part[0]].depth() ? leaf(part) : band(part, level);
      whole = whole.is_null() ? one
                              : isl::manage(isl_schedule_sequence(
                                    whole.release(), one.release()));
    }
    return whole;
  }

  isl::schedule leaf(const std::vector<unsigned> &part) {
    isl::union_set domain;
    for (unsigned s : part) {
      isl::union_set own(entries[s].loops.domain());
      domain = domain.is_null() ? own : domain.unite(own);
    }
    return isl::schedule::from_domain(domain);
  }

  isl::schedule band(const std::vector<unsigned> &part, unsigned level) {
    isl::union_map values;
    bool runsOnce = true;
    isl::val only;
    for (unsigned s : part) {
      isl::map own = entries[s].loops.apply_range(
          selectLoops(ctx, entries[s].depth(), level + 1, level + 1));
      isl::val value = isl::manage(
          isl_map_plain_get_val_if_fixed(own.get(), isl_dim_out, 0));
      runsOnce &= isl_val_is_int(value.get()) == isl_bool_true &&
                  (only.is_null() ||
                   isl_val_eq(only.get(), value.get()) == isl_bool_true);
      only = value;
      values = values.is_null() ? isl::union_map(own) : values.unite(own);
    }
    if (runsOnce)
      return build(part, level + 1);
    for (unsigned s : part)
      bands[s].push_back(level);
    isl::schedule inner = build(part, level + 1);
    // Pieces of the domain needn't be told apart in each expression.
    isl_multi_union_pw_aff *partial = isl_multi_union_pw_aff_gist(
        values.as_multi_union_pw_aff().release(), inner.domain().release());
    return isl::manage(
        isl_schedule_insert_partial_schedule(inner.release(), partial));
  }

  /// Separates the part of a band in which steps are full.
  static isl_schedule_node *isolate(isl_schedule_node *node, void *user) {
    auto &self = *static_cast<Generator *>(user);
    if (isl_schedule_node_get_type(node) != isl_schedule_node_band ||
        self.thrown)
      return node;
    try {
      std::vector<unsigned> group;
      isl::manage(isl_schedule_node_get_domain(node))
          .foreach_set([&](const isl::set &set) {
            group.push_back(self.byName.at(tupleName(set)));
          });
      std::sort(group.begin(), group.end());
      unsigned depth = isl_schedule_node_get_schedule_depth(node);
      isl::set full;
      for (unsigned s : group) {
        const std::vector<unsigned> &bands = self.bands[s];
        isl::set own = self.fullSteps[s].at(bands.at(depth) + 1);
        if (own.is_null())
          continue;
        // Loops that run once have no band.
        isl_set *visible = own.release();
        for (unsigned l = bands.at(depth) + 1; l-- > 0;)
          if (std::find(bands.begin(), bands.end(), l) == bands.end())
            visible = isl_set_project_out(visible, isl_dim_set, l, 1);
        own = isl::manage(visible);
        full = full.is_null() ? own : full.unite(own).coalesce();
      }
      if (full.is_null() || isl_set_n_basic_set(full.get()) != 1)
        return node;
      // isolate[[outer bands] -> [this band]]
      isl_map *option = isl_map_from_range(full.release());
      for (unsigned d = 0; d < depth; ++d)
        option = isl_map_move_dims(option, isl_dim_in, d, isl_dim_out, 0, 1);
      isl_set *wrapped = isl_map_wrap(option);
      wrapped = isl_set_set_tuple_name(wrapped, "isolate");
      return isl_schedule_node_band_set_ast_build_options(
          node, isl_union_set_from_set(wrapped));
    } catch (...) {
      self.thrown = std::current_exception();
      return node;
    }
  }

  isl::ctx ctx;
  const std::vector<Entry> &entries;
  /// For each statement the levels (from 0) that have a band, outermost first.
  std::vector<std::vector<unsigned>> bands;
  std::map<std::string, unsigned> byName;
  /// For each statement.
  std::vector<FullSteps> fullSteps;
  std::exception_ptr thrown;
};

/// What the callbacks of isl's code generator need.
struct Callbacks {
  const Generator &generator;
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
};

LoopMarks marksOf(Callbacks &callbacks, const std::vector<unsigned> &group,
                  unsigned depth) {
  LoopMarks marks;
  for (unsigned s : group) {
    unsigned level = callbacks.generator.bandsOf(s).at(depth);
    const Level &own = callbacks.entries[s].levels[level];
    marks.loop = level + 1;
    marks.unroll |= own.unroll;
    marks.parallel |= own.parallel;
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
    callbacks.groups.push_back(callbacks.generator.members(schedule));
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

/// An integer affine hull if it is a function, else the map itself. It finds
/// the plain sum of loops where the map may speak of floors.
isl::map simplified(const isl::map &map) {
  isl::map plain = equalities(map);
  if (plain.is_single_valued())
    return plain;
  isl::map hull = isl::map(map.affine_hull());
  return hull.is_single_valued() ? hull : map;
}

/// In terms of the loops of `build`; nothing if they aren't functions.
/// `loops`: { [those loops] -> [L1, ..., Ld] }.
std::optional<std::vector<isl::ast_expr>>
subscripts(const isl::ast_build &build, const isl::map &loops,
           const isl::map &reference) {
  isl::map touched = simplified(loops.apply_range(reference));
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
        callbacks.generator.statement(schedule.domain_tuple_id().name());
    isl::ast_expr call = isl::manage(isl_ast_node_user_get_expr(node));
    for (int a = 1, n = isl_ast_expr_get_op_n_arg(call.get()); a < n; ++a)
      instance.iterators.push_back(
          isl::manage(isl_ast_expr_get_op_arg(call.get(), a)));
    const auto &accesses = callbacks.statements[instance.statement].accesses;
    // isl leaves out loops that run once and divides by common factors, so its
    // loops aren't quite ours.
    const Entry &entry = callbacks.entries[instance.statement];
    isl::map loops = simplified(schedule.reverse().apply_range(entry.loops));
    for (size_t a = 0; a < accesses.size(); ++a) {
      std::optional<isl::map> plain = entry.plainReference(a);
      instance.accesses.push_back(
          {accesses[a].relation.range_tuple_id().name(), accesses[a].isWrite,
           subscripts(build, loops, plain ? *plain : entry.reference(a))});
    }
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
  Generator generator(ctx(), entries);
  isl::schedule tree = generator.tree();
  GeneratedCode code;
  Callbacks callbacks{generator,
                      entries,
                      statements,
                      [&](unsigned s, unsigned loop) {
                        return carriesReduction(sharing(s, loop), loop);
                      },
                      code,
                      iteratorStem(program.context),
                      {},
                      {},
                      nullptr};
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
