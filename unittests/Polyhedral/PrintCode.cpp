//===- PrintCode.cpp - Print generated code -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrintCode.h"

#include <isl/ast.h>

#include <cstdlib>

using namespace baco::polyhedral;

/// `max(a, b)`.
static std::string printExtremum(const char *name,
                                 const std::vector<isl::ast_expr> &values) {
  std::string text = values.size() > 1 ? std::string(name) + "(" : "";
  for (size_t v = 0; v < values.size(); ++v)
    text += (v ? ", " : "") + values[v].to_C_str();
  return text + (values.size() > 1 ? ")" : "");
}

namespace {
/// Prints a user node in its own loops.
class InnerPrinter {
public:
  explicit InnerPrinter(isl_printer *&printer) : printer(printer) {}

  void printAll(const std::vector<InnerLoop> &loops, const std::string &call) {
    if (loops.size() < 2)
      return print(loops, call);
    open("{");
    print(loops, call);
    close("}");
  }

private:
  /// \param call  `S(c0, ...`, as far as the loops around these go
  void print(const std::vector<InnerLoop> &loops, const std::string &call) {
    if (loops.empty())
      return line(call + ");");
    for (const InnerLoop &loop : loops)
      print(loop, call);
  }

  void print(const InnerLoop &loop, const std::string &call) {
    const std::string &i = loop.iterator;
    std::string first = printExtremum("max", loop.lower);
    bool isOnce = loop.upper.empty(), hasCondition = loop.condition.has_value();
    std::string brace = loop.body.size() > 1 ? " {" : "";
    if (hasCondition)
      open("if (" + loop.condition->to_C_str() + ")" + (isOnce ? brace : ""));
    if (!isOnce)
      open("for (int " + i + " = " + first + "; " + i + " <= " +
           printExtremum("min", loop.upper) + "; " + i + " += 1)" + brace);
    print(loop.body,
          call + (call.back() == '(' ? "" : ", ") + (isOnce ? first : i));
    std::string end = brace.empty() ? "" : "}";
    if (!isOnce)
      close(end);
    if (hasCondition)
      close(isOnce ? end : "");
  }

  void line(const std::string &text) {
    printer = isl_printer_start_line(printer);
    printer = isl_printer_print_str(printer, text.c_str());
    printer = isl_printer_end_line(printer);
  }
  void open(const std::string &text) {
    line(text);
    printer = isl_printer_indent(printer, 2);
  }
  void close(const std::string &text = "") {
    printer = isl_printer_indent(printer, -2);
    if (!text.empty())
      line(text);
  }

  isl_printer *&printer;
};
} // namespace

static isl_printer *printInstance(isl_printer *printer,
                                  isl_ast_print_options *options,
                                  isl_ast_node *node, void *user) {
  const auto &code = *static_cast<const GeneratedCode *>(user);
  const GeneratedInstance &instance = code.instance(isl::manage_copy(node));
  std::string call = isl::manage(isl_ast_node_user_get_expr(node)).to_C_str();
  call.pop_back();
  InnerPrinter(printer).printAll(instance.loops, call);
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
