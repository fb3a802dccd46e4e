//===- Execution.cpp - Run programs and schedules -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include <isl/ast.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

namespace {

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 32);
}

uint64_t mix(uint64_t a, const Point &point) {
  for (int64_t value : point)
    a = mix(a, static_cast<uint64_t>(value));
  return a;
}

uint64_t mix(uint64_t a, const std::string &text) {
  for (char c : text)
    a = mix(a, static_cast<uint64_t>(c));
  return a;
}

isl::set fix(isl::set set, const std::map<std::string, int64_t> &parameters) {
  for (const auto &[name, value] : parameters) {
    int position =
        isl_set_find_dim_by_name(set.get(), isl_dim_param, name.c_str());
    if (position >= 0)
      set = isl::manage(
          isl_set_fix_si(set.release(), isl_dim_param, position, value));
  }
  return set;
}

std::vector<Point> points(const isl::set &set) {
  std::vector<Point> found;
  unsigned dims = isl_set_dim(set.get(), isl_dim_set);
  set.foreach_point([&](const isl::point &point) {
    Point values;
    isl::multi_val coordinates = point.multi_val();
    for (unsigned d = 0; d < dims; ++d)
      values.push_back(isl_val_get_num_si(coordinates.at(d).get()));
    found.push_back(values);
  });
  std::sort(found.begin(), found.end());
  return found;
}

/// { [in] : ... } -> the images of one point.
std::vector<Point> images(const isl::map &map, const Point &point,
                          const std::map<std::string, int64_t> &parameters) {
  isl::map one = map;
  for (size_t d = 0; d < point.size(); ++d)
    one = isl::manage(isl_map_fix_si(one.release(), isl_dim_in, d, point[d]));
  return points(fix(one.range(), parameters));
}

/// Runs one instance: `read` and `write` access its elements by the number of
/// the access.
template <typename Read, typename Write>
void execute(const Statement &statement, unsigned number,
             const Point &iterators, const std::vector<size_t> &numElements,
             Read read, Write write) {
  const Access *update =
      statement.reduction ? &statement.accesses[*statement.reduction] : nullptr;
  uint64_t term = mix(mix(number, iterators), 1);
  uint64_t old = 0;
  for (size_t a = 0; a < statement.accesses.size(); ++a) {
    if (statement.accesses[a].isWrite)
      continue;
    for (size_t e = 0; e < numElements[a]; ++e) {
      uint64_t value = read(a, e);
      if (update && statement.accesses[a].relation.is_equal(update->relation))
        old = value;
      else
        term = mix(term, value);
    }
  }
  for (size_t a = 0; a < statement.accesses.size(); ++a)
    if (statement.accesses[a].isWrite)
      for (size_t e = 0; e < numElements[a]; ++e)
        write(a, e, update ? old + term : term + e);
}

/// Evaluates and runs the nodes of generated code.
class Interpreter {
public:
  Interpreter(const GeneratedCode &code,
              std::map<std::string, int64_t> variables)
      : code(code), variables(std::move(variables)) {}

  std::function<void(const GeneratedInstance &)> onInstance;
  std::function<void(const LoopMarks &, int64_t)> onLoop;

  int64_t eval(const isl::ast_expr &expr) {
    switch (isl_ast_expr_get_type(expr.get())) {
    case isl_ast_expr_int:
      return isl_val_get_num_si(
          isl::manage(isl_ast_expr_int_get_val(expr.get())).get());
    case isl_ast_expr_id:
      return variables.at(
          isl::manage(isl_ast_expr_id_get_id(expr.get())).name());
    default:
      break;
    }
    auto arg = [&](int a) {
      return eval(isl::manage(isl_ast_expr_get_op_arg(expr.get(), a)));
    };
    int n = isl_ast_expr_get_op_n_arg(expr.get());
    auto floorDiv = [](int64_t a, int64_t b) {
      return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
    };
    switch (isl_ast_expr_get_op_type(expr.get())) {
    case isl_ast_expr_op_add:
      return arg(0) + arg(1);
    case isl_ast_expr_op_sub:
      return arg(0) - arg(1);
    case isl_ast_expr_op_mul:
      return arg(0) * arg(1);
    case isl_ast_expr_op_minus:
      return -arg(0);
    case isl_ast_expr_op_max:
    case isl_ast_expr_op_min: {
      int64_t value = arg(0);
      bool max = isl_ast_expr_get_op_type(expr.get()) == isl_ast_expr_op_max;
      for (int a = 1; a < n; ++a)
        value = max ? std::max(value, arg(a)) : std::min(value, arg(a));
      return value;
    }
    case isl_ast_expr_op_fdiv_q:
      return floorDiv(arg(0), arg(1));
    case isl_ast_expr_op_pdiv_q:
    case isl_ast_expr_op_div:
      return arg(0) / arg(1);
    case isl_ast_expr_op_pdiv_r:
    case isl_ast_expr_op_zdiv_r:
      return arg(0) % arg(1);
    case isl_ast_expr_op_select:
    case isl_ast_expr_op_cond:
      return arg(0) ? arg(1) : arg(2);
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then:
      return arg(0) && arg(1);
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else:
      return arg(0) || arg(1);
    case isl_ast_expr_op_eq:
      return arg(0) == arg(1);
    case isl_ast_expr_op_le:
      return arg(0) <= arg(1);
    case isl_ast_expr_op_lt:
      return arg(0) < arg(1);
    case isl_ast_expr_op_ge:
      return arg(0) >= arg(1);
    case isl_ast_expr_op_gt:
      return arg(0) > arg(1);
    default:
      throw std::runtime_error("an operation that the interpreter lacks");
    }
  }

  void exec(const isl::ast_node &node) {
    switch (isl_ast_node_get_type(node.get())) {
    case isl_ast_node_for:
      return execFor(node);
    case isl_ast_node_if: {
      if (eval(isl::manage(isl_ast_node_if_get_cond(node.get()))))
        exec(isl::manage(isl_ast_node_if_get_then_node(node.get())));
      else if (isl_ast_node_if_has_else_node(node.get()))
        exec(isl::manage(isl_ast_node_if_get_else_node(node.get())));
      return;
    }
    case isl_ast_node_block: {
      isl::ast_node_list list =
          isl::manage(isl_ast_node_block_get_children(node.get()));
      for (unsigned c = 0; c < list.size(); ++c)
        exec(list.at(c));
      return;
    }
    case isl_ast_node_user:
      return execInner(code.instance(node), 0);
    default:
      throw std::runtime_error("a node that the interpreter lacks");
    }
  }

private:
  /// The instance in its own loops from `index` on.
  void execInner(const GeneratedInstance &instance, size_t index) {
    if (index == instance.loops.size())
      return onInstance(instance);
    const InnerLoop &loop = instance.loops[index];
    int64_t first = eval(loop.lower.front());
    for (const isl::ast_expr &lower : loop.lower)
      first = std::max(first, eval(lower));
    int64_t last = loop.upper.empty() ? first : eval(loop.upper.front());
    for (const isl::ast_expr &upper : loop.upper)
      last = std::min(last, eval(upper));
    for (int64_t value = first; value <= last; ++value) {
      variables[loop.iterator] = value;
      execInner(instance, index + 1);
    }
    variables.erase(loop.iterator);
    if (onLoop)
      onLoop(loop.marks, std::max<int64_t>(0, last - first + 1));
  }

  void execFor(const isl::ast_node &node) {
    std::string name =
        isl::manage(
            isl_ast_expr_get_id(
                isl::manage(isl_ast_node_for_get_iterator(node.get())).get()))
            .name();
    int64_t trips = 0;
    variables[name] = eval(isl::manage(isl_ast_node_for_get_init(node.get())));
    isl::ast_node body = isl::manage(isl_ast_node_for_get_body(node.get()));
    if (isl_ast_node_for_is_degenerate(node.get())) {
      trips = 1;
      exec(body);
    } else {
      isl::ast_expr cond = isl::manage(isl_ast_node_for_get_cond(node.get()));
      int64_t inc = eval(isl::manage(isl_ast_node_for_get_inc(node.get())));
      for (; eval(cond); variables[name] += inc, ++trips)
        exec(body);
    }
    variables.erase(name);
    if (onLoop)
      onLoop(code.marks(node), trips);
  }

  const GeneratedCode &code;

public:
  std::map<std::string, int64_t> variables;
};

} // namespace

Reference::Reference(const Program &program,
                     std::map<std::string, int64_t> parameters)
    : program(program), parameters(std::move(parameters)) {
  for (unsigned s = 0; s < program.statements.size(); ++s) {
    const Statement &statement = program.statements[s];
    for (const Point &point : points(fix(statement.domain, this->parameters))) {
      Instance instance{s, point, {}, {}};
      instance.time = images(statement.schedule, point, this->parameters)[0];
      for (const Access &access : statement.accesses)
        instance.elements.push_back(
            images(access.relation, point, this->parameters));
      instances.push_back(instance);
    }
  }
  std::sort(
      instances.begin(), instances.end(),
      [](const Instance &a, const Instance &b) { return a.time < b.time; });
  for (size_t i = 0; i < instances.size(); ++i)
    index[{instances[i].statement, instances[i].iterators}] = i;
}

Memory Reference::initial() const {
  Memory memory;
  for (const Array &array : program.arrays)
    for (const Point &point : points(fix(array.elements, parameters)))
      memory[array.name][point] = mix(mix(17, array.name), point);
  return memory;
}

Memory Reference::run() const {
  Memory memory = initial();
  for (const Instance &instance : instances) {
    const Statement &statement = program.statements[instance.statement];
    std::vector<size_t> counts;
    for (const auto &elements : instance.elements)
      counts.push_back(elements.size());
    auto slot = [&](size_t a, size_t e) -> uint64_t & {
      return memory.at(statement.accesses[a].relation.range_tuple_id().name())
          .at(instance.elements[a][e]);
    };
    execute(statement, instance.statement, instance.iterators, counts, slot,
            [&](size_t a, size_t e, uint64_t value) { slot(a, e) = value; });
  }
  return memory;
}

std::string Reference::checkOrder(const std::vector<size_t> &order,
                                  bool reassociate) const {
  std::vector<size_t> position(instances.size(), SIZE_MAX);
  for (size_t p = 0; p < order.size(); ++p) {
    if (position[order[p]] != SIZE_MAX)
      return "an instance runs twice";
    position[order[p]] = p;
  }
  if (order.size() != instances.size())
    return "an instance doesn't run";
  struct Touch {
    size_t instance;
    bool isWrite, isUpdate;
  };
  std::map<std::pair<std::string, Point>, std::vector<Touch>> touches;
  for (size_t i = 0; i < instances.size(); ++i) {
    const Statement &statement = program.statements[instances[i].statement];
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const Access &access = statement.accesses[a];
      bool update = statement.reduction &&
                    access.relation.is_equal(
                        statement.accesses[*statement.reduction].relation);
      for (const Point &element : instances[i].elements[a])
        touches[{access.relation.range_tuple_id().name(), element}].push_back(
            {i, access.isWrite, update});
    }
  }
  for (const auto &[element, list] : touches)
    for (const Touch &a : list)
      for (const Touch &b : list) {
        if (a.instance >= b.instance || (!a.isWrite && !b.isWrite))
          continue;
        bool same =
            instances[a.instance].statement == instances[b.instance].statement;
        if (reassociate && a.isUpdate && b.isUpdate && same)
          continue;
        if (position[a.instance] > position[b.instance])
          return "conflicting instances run in the wrong order";
      }
  return "";
}

Execution baco::polyhedral::test::run(const Reference &reference,
                                      const LoopSchedule &schedule,
                                      const GeneratedCode &code) {
  Execution result;
  result.memory = reference.initial();
  for (const Buffer &buffer : schedule.buffers()) {
    Point point(buffer.shape.size(), 0);
    auto &elements = result.memory[buffer.name];
    std::function<void(size_t)> fill = [&](size_t d) {
      if (d == point.size()) {
        elements[point] = mix(99, point);
        return;
      }
      for (point[d] = 0; point[d] < buffer.shape[d]; ++point[d])
        fill(d + 1);
    };
    fill(0);
  }
  Interpreter interpreter(code, reference.parameters);
  interpreter.onInstance = [&](const GeneratedInstance &instance) {
    if (!result.problem.empty())
      return;
    Point iterators;
    for (const isl::ast_expr &expr : instance.iterators)
      iterators.push_back(interpreter.eval(expr));
    auto slot = [&](size_t a) -> uint64_t * {
      const GeneratedAccess &access = instance.accesses[a];
      Point point;
      for (const isl::ast_expr &expr : *access.subscripts)
        point.push_back(interpreter.eval(expr));
      auto &array = result.memory.at(access.array);
      auto found = array.find(point);
      if (found == array.end()) {
        result.problem = access.array + " is accessed out of bounds";
        static uint64_t nowhere;
        return &nowhere;
      }
      return &found->second;
    };
    const ScheduledStatement &statement =
        schedule.statements()[instance.statement];
    if (statement.kind != ScheduledStatement::Kind::Original) {
      *slot(1) = *slot(0);
      return;
    }
    auto found = reference.index.find(
        {static_cast<unsigned>(statement.origin), iterators});
    if (found == reference.index.end()) {
      result.problem = "an instance runs that isn't in the program";
      return;
    }
    result.order.push_back(found->second);
    execute(
        reference.program.statements[statement.origin], statement.origin,
        iterators, std::vector<size_t>(instance.accesses.size(), 1),
        [&](size_t a, size_t) { return *slot(a); },
        [&](size_t a, size_t, uint64_t value) { *slot(a) = value; });
  };
  interpreter.exec(code.root);
  return result;
}

MarkedTrips baco::polyhedral::test::markedTrips(const Reference &reference,
                                                const GeneratedCode &code) {
  MarkedTrips trips;
  Interpreter interpreter(code, reference.parameters);
  interpreter.onInstance = [](const GeneratedInstance &) {};
  interpreter.onLoop = [&](const LoopMarks &marks, int64_t count) {
    if (marks.unroll)
      trips.unrolled.push_back(count);
    if (marks.vectorWidth)
      trips.vectors.push_back(count);
  };
  interpreter.exec(code.root);
  return trips;
}

std::string baco::polyhedral::test::check(const Reference &reference,
                                          const LoopSchedule &schedule,
                                          bool reassociate, bool isExpanded) {
  baco::Result<GeneratedCode> code = schedule.generate();
  if (!code)
    return code.error().message;
  Execution result = run(reference, schedule, *code);
  if (!result.problem.empty())
    return result.problem + "\n" + print(*code);
  if (!isExpanded)
    if (std::string problem = reference.checkOrder(result.order, reassociate);
        !problem.empty())
      return problem + "\n" + print(*code);
  Memory expected = reference.run();
  for (const auto &[name, elements] : expected)
    if (result.memory[name] != elements)
      return name + " has wrong contents\n" + print(*code);
  return "";
}

std::vector<LoopMarks>
baco::polyhedral::test::allMarks(const GeneratedCode &code) {
  std::vector<LoopMarks> marks = code.loops;
  for (const GeneratedInstance &instance : code.instances)
    for (const InnerLoop &loop : instance.loops)
      marks.push_back(loop.marks);
  return marks;
}

/// `max(a, b)`.
static std::string printExtremum(const char *name,
                                 const std::vector<isl::ast_expr> &values) {
  std::string text = values.size() > 1 ? std::string(name) + "(" : "";
  for (size_t v = 0; v < values.size(); ++v)
    text += (v ? ", " : "") + values[v].to_C_str();
  return text + (values.size() > 1 ? ")" : "");
}

/// A user node in its own loops.
static isl_printer *printInstance(isl_printer *printer,
                                  isl_ast_print_options *options,
                                  isl_ast_node *node, void *user) {
  const auto &code = *static_cast<const GeneratedCode *>(user);
  isl::ast_node own = isl::manage_copy(node);
  const GeneratedInstance &instance = code.instance(own);
  auto line = [&](const std::string &text) {
    printer = isl_printer_start_line(printer);
    printer = isl_printer_print_str(printer, text.c_str());
    printer = isl_printer_end_line(printer);
  };
  std::string call = isl::manage(isl_ast_node_user_get_expr(node)).to_C_str();
  call.pop_back();
  for (const InnerLoop &loop : instance.loops) {
    const std::string &i = loop.iterator;
    std::string first = printExtremum("max", loop.lower);
    bool isOnce = loop.upper.empty();
    if (!isOnce) {
      line("for (int " + i + " = " + first + "; " + i +
           " <= " + printExtremum("min", loop.upper) + "; " + i + " += 1)");
      printer = isl_printer_indent(printer, 2);
    }
    call += (call.back() == '(' ? "" : ", ") + (isOnce ? first : i);
  }
  line(call + ");");
  for (const InnerLoop &loop : instance.loops)
    if (!loop.upper.empty())
      printer = isl_printer_indent(printer, -2);
  isl_ast_print_options_free(options);
  return printer;
}

std::string baco::polyhedral::test::print(const GeneratedCode &code) {
  isl_ctx *ctx = code.root.ctx().get();
  isl_printer *printer =
      isl_printer_set_output_format(isl_printer_to_str(ctx), ISL_FORMAT_C);
  isl_ast_print_options *options = isl_ast_print_options_set_print_user(
      isl_ast_print_options_alloc(ctx), printInstance,
      const_cast<GeneratedCode *>(&code));
  printer = isl_ast_node_print(code.root.get(), printer, options);
  char *raw = isl_printer_get_str(printer);
  isl_printer_free(printer);
  std::string text = raw ? raw : "";
  free(raw);
  return text;
}
