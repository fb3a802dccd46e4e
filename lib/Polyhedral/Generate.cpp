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

isl_ast_node *annotated(isl_ast_node *node, const char *prefix, size_t index) {
  std::string name = prefix + std::to_string(index);
  return isl_ast_node_set_annotation(
      node, isl_id_alloc(isl_ast_node_get_ctx(node), name.c_str(), nullptr));
}

/// The state of the callbacks of isl's code generator.
struct Callbacks {
  const ScheduleTree &tree;
  const std::vector<Entry> &entries;
  const std::vector<ScheduledStatement> &statements;
  GeneratedCode &code;
  /// Iterators are this and the number of their band.
  std::string iterator;
  std::string name(unsigned band) const {
    return iterator + std::to_string(band);
  }
  std::exception_ptr thrown;
};

LoopMarks marksOf(Callbacks &callbacks, const std::set<unsigned> &group,
                  unsigned depth) {
  LoopMarks marks;
  for (unsigned s : group) {
    // isl adds loops of one iteration that search for the instance, if it
    // doesn't see that the bands determine it.
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
    if (own.vector)
      marks.vectorWidth = own.step;
  }
  return marks;
}

/// The statements in a loop.
std::set<unsigned> statementsIn(isl_ast_node *loop, const GeneratedCode &code) {
  struct Found {
    const GeneratedCode &code;
    std::set<unsigned> statements;
  } found{code, {}};
  isl_ast_node_foreach_descendant_top_down(
      loop,
      [](isl_ast_node *node, void *user) {
        if (isl_ast_node_get_type(node) != isl_ast_node_user)
          return isl_bool_true;
        auto &all = *static_cast<Found *>(user);
        all.statements.insert(
            all.code.instance(isl::manage_copy(node)).statement);
        return isl_bool_false;
      },
      &found);
  return std::move(found.statements);
}

/// The number in the iterator's name tells the band of the node here.
isl_ast_node *afterFor(isl_ast_node *node, isl_ast_build *, void *user) {
  auto &callbacks = *static_cast<Callbacks *>(user);
  try {
    isl::ast_expr iterator = isl::manage(isl_ast_node_for_get_iterator(node));
    isl::id id = isl::manage(isl_ast_expr_get_id(iterator.get()));
    unsigned band = std::stoul(id.name().substr(callbacks.iterator.size()));
    std::vector<LoopMarks> &loops = callbacks.code.loops;
    loops.push_back(
        marksOf(callbacks, statementsIn(node, callbacks.code), band));
    return annotated(node, loopPrefix, loops.size() - 1);
  } catch (...) {
    callbacks.thrown = std::current_exception();
    return isl_ast_node_free(node);
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

/// The arguments of a call or an access.
std::vector<isl::ast_expr> argumentsOf(const isl::ast_expr &call) {
  std::vector<isl::ast_expr> found;
  auto operation = call.as<isl::ast_expr_op>();
  for (unsigned a = 1; a < operation.n_arg(); ++a)
    found.push_back(operation.arg(a));
  return found;
}

/// The values of `function`, { S[c0, ...] -> [...] }, in terms of the loops of
/// `build`, { [those loops] -> S[c0, ...] }; nothing if they don't tell them.
std::optional<std::vector<isl::ast_expr>> valuesOf(const isl::ast_build &build,
                                                   const isl::map &counts,
                                                   const isl::map &function) {
  isl::map touched = simplified(counts.apply_range(function));
  if (!touched.is_single_valued())
    return std::nullopt;
  return argumentsOf(build.access_from(touched.as_pw_multi_aff()));
}

/// Affine functions as expressions of iterators and parameters.
class RowExpressions {
public:
  /// \param counts  of the scanned loops, outermost first
  /// \param space  of a set; has the parameters
  RowExpressions(std::vector<isl::ast_expr> counts, const isl::space &space)
      : counts(std::move(counts)), space(space) {}

  isl::ctx ctx() const { return space.ctx(); }

  isl::ast_expr operator()(const Row &row) const {
    isl_ctx *ctx = space.ctx().get();
    unsigned numParams = isl_space_dim(space.get(), isl_dim_param);
    unsigned numCounts = row.size() - numParams - 1;
    int64_t constant = row.back();
    isl_ast_expr *sum = nullptr;
    auto number = [&](int64_t value) {
      return isl_ast_expr_from_val(isl_val_int_from_si(ctx, value));
    };
    auto add = [&](isl_ast_expr *term) {
      sum = sum ? isl_ast_expr_add(sum, term) : term;
    };
    for (unsigned c = 0; c + 1 < row.size(); ++c) {
      if (row[c] == 0)
        continue;
      isl::ast_expr value =
          c < numCounts ? counts.at(c)
                        : isl::manage(isl_ast_expr_from_id(isl_space_get_dim_id(
                              space.get(), isl_dim_param, c - numCounts)));
      std::optional<int64_t> known;
      if (isl_ast_expr_get_type(value.get()) == isl_ast_expr_int)
        known = smallNumber(isl::manage(isl_ast_expr_get_val(value.get())));
      if (known)
        constant += row[c] * *known;
      else
        add(row[c] == 1 ? value.release()
                        : isl_ast_expr_mul(number(row[c]), value.release()));
    }
    if (constant != 0 || !sum)
      add(number(constant));
    return isl::manage(sum);
  }

  std::vector<isl::ast_expr> operator()(const std::vector<Row> &rows) const {
    std::vector<isl::ast_expr> all;
    for (const Row &row : rows)
      all.push_back((*this)(row));
    return all;
  }

private:
  std::vector<isl::ast_expr> counts;
  isl::space space;
};

/// The conjunction of the part's conditions on the loops outside, if there are
/// any.
std::optional<isl::ast_expr> conditionOf(const InnerPart &part,
                                         const RowExpressions &outside) {
  isl_ast_expr *all = nullptr;
  auto add = [&](auto compare, const Row &row) {
    isl_ctx *ctx = outside.ctx().get();
    isl_ast_expr *holds = compare(outside(row).release(),
                                  isl_ast_expr_from_val(isl_val_zero(ctx)));
    all = all ? isl_ast_expr_and(all, holds) : holds;
  };
  for (const Row &row : part.zero)
    add(isl_ast_expr_eq, row);
  for (const Row &row : part.atLeastZero)
    add(isl_ast_expr_ge, row);
  return all ? std::optional(isl::manage(all)) : std::nullopt;
}

/// Reads the instance of a statement that has affine functions only.
class InstanceReader {
public:
  InstanceReader(Callbacks &callbacks, const isl::ast_node &node,
                 const isl::space &space, GeneratedInstance &instance)
      : callbacks(callbacks), inner(callbacks.tree.inner(instance.statement)),
        space(space), instance(instance) {
    // The node is S(c0, ...).
    counts = argumentsOf(node.as<isl::ast_node_user>().expr());
    for (unsigned l = 0; l < inner.size(); ++l)
      counts.push_back(isl::manage(isl_ast_expr_from_id(
          isl_id_alloc(space.ctx().get(),
                       callbacks.name(inner.first() + l).c_str(), nullptr))));
  }

  /// Sets the loops, iterators and subscripts of the instance.
  /// \param domain  { S[c0, ...] }, the instances that run here
  void read(const isl::set &domain) {
    instance.loops = readLoops(
        inner.at(isl::manage(isl_set_reset_tuple_id(domain.copy()))), 0);
    const auto &rows = *callbacks.tree.functions(instance.statement).rows;
    RowExpressions expressions(counts, space);
    instance.iterators = expressions(rows.iterators);
    for (size_t a = 0; a < rows.accesses.size(); ++a)
      instance.accesses[a].subscripts = expressions(rows.accesses[a]);
  }

private:
  /// Inner loop number `index`.
  std::vector<InnerLoop> readLoops(const std::vector<InnerPart> &parts,
                                   unsigned index) {
    std::vector<InnerLoop> loops;
    unsigned depth = inner.first() + index;
    RowExpressions outside(counts, space);
    for (const InnerPart &part : parts) {
      InnerLoop loop;
      loop.iterator = callbacks.name(depth);
      loop.marks = marksOf(callbacks, {instance.statement}, depth);
      loop.condition = conditionOf(part, outside);
      loop.lower = outside(part.bounds.lower);
      loop.upper = outside(part.bounds.upper);
      loop.body = readLoops(part.body, index + 1);
      loops.push_back(std::move(loop));
    }
    return loops;
  }

  Callbacks &callbacks;
  const ConvexLoopBounds &inner;
  isl::space space;
  GeneratedInstance &instance;
  /// The counts of all loops.
  std::vector<isl::ast_expr> counts;
};

isl_ast_node *atDomain(isl_ast_node *node, isl_ast_build *rawBuild,
                       void *user) {
  auto &callbacks = *static_cast<Callbacks *>(user);
  try {
    isl::ast_build build = isl::manage_copy(rawBuild);
    isl::map schedule;
    build.schedule().foreach_map([&](const isl::map &map) { schedule = map; });
    std::string name = schedule.domain_tuple_id().name();
    GeneratedInstance instance;
    instance.statement = callbacks.tree.statement(name);
    for (const Access &access :
         callbacks.statements[instance.statement].accesses)
      instance.accesses.push_back(
          {access.relation.range_tuple_id().name(), access.isWrite, {}});
    const InstanceFunctions &own = callbacks.tree.functions(instance.statement);
    if (own.rows) {
      isl::set domain = schedule.domain();
      InstanceReader(callbacks, isl::manage_copy(node), domain.space(),
                     instance)
          .read(domain);
    } else {
      isl::map counts = simplified(schedule.reverse());
      std::optional<std::vector<isl::ast_expr>> iterators =
          valuesOf(build, counts, own.iterators);
      if (!iterators)
        fail(ErrorCode::Unsupported,
             "two instances of statement " + name + " run at the same time");
      instance.iterators = std::move(*iterators);
      for (size_t a = 0; a < own.accesses.size(); ++a)
        instance.accesses[a].subscripts =
            valuesOf(build, counts, own.accesses[a]);
    }
    callbacks.code.instances.push_back(std::move(instance));
    return annotated(node, instancePrefix, callbacks.code.instances.size() - 1);
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
  Callbacks callbacks{
      scheduleTree, entries, statements, code, iteratorStem(program.context),
      nullptr};
  isl_options_set_ast_build_atomic_upper_bound(ctx().get(), 1);
  isl_ast_build *build = isl_ast_build_from_context(program.context.copy());
  build = isl_ast_build_set_at_each_domain(build, atDomain, &callbacks);
  build = isl_ast_build_set_after_each_for(build, afterFor, &callbacks);
  isl_id_list *iterators = isl_id_list_alloc(ctx().get(), depth());
  for (unsigned l = 0; l < depth(); ++l)
    iterators = isl_id_list_add(
        iterators,
        isl_id_alloc(ctx().get(), callbacks.name(l).c_str(), nullptr));
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
