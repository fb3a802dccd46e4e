//===- Interpreter.cpp - Run generated loops ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <isl/ast.h>

#include <algorithm>
#include <stdexcept>

using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

int64_t Interpreter::eval(const isl::ast_expr &expr) const {
  switch (isl_ast_expr_get_type(expr.get())) {
  case isl_ast_expr_int:
    return isl_val_get_num_si(
        isl::manage(isl_ast_expr_int_get_val(expr.get())).get());
  case isl_ast_expr_id:
    return variables.at(isl::manage(isl_ast_expr_id_get_id(expr.get())).name());
  default:
    return evalOp(expr);
  }
}

int64_t Interpreter::evalOp(const isl::ast_expr &expr) const {
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

void Interpreter::exec(const isl::ast_node &node) {
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
  case isl_ast_node_user: {
    const GeneratedInstance &instance = code.instance(node);
    return execInner(instance, instance.loops);
  }
  default:
    throw std::runtime_error("a node that the interpreter lacks");
  }
}

void Interpreter::execInner(const GeneratedInstance &instance,
                            const std::vector<InnerLoop> &loops) {
  if (loops.empty())
    return onInstance(instance);
  for (const InnerLoop &loop : loops) {
    if (loop.condition && !eval(*loop.condition))
      continue;
    int64_t first = eval(loop.lower.front());
    for (const isl::ast_expr &lower : loop.lower)
      first = std::max(first, eval(lower));
    int64_t last = loop.upper.empty() ? first : eval(loop.upper.front());
    for (const isl::ast_expr &upper : loop.upper)
      last = std::min(last, eval(upper));
    for (int64_t value = first; value <= last; ++value) {
      variables[loop.iterator] = value;
      execInner(instance, loop.body);
    }
    variables.erase(loop.iterator);
    if (onLoop)
      onLoop(loop.marks, std::max<int64_t>(0, last - first + 1));
  }
}

void Interpreter::execFor(const isl::ast_node &node) {
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
