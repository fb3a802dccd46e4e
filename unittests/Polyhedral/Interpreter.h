//===- Interpreter.h - Run generated loops ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_POLYHEDRAL_INTERPRETER_H
#define BACO_UNITTESTS_POLYHEDRAL_INTERPRETER_H

#include "baco/Polyhedral/LoopSchedule.h"

#include <functional>
#include <map>
#include <string>

namespace baco::polyhedral::test {

/// Runs the loops and conditions of generated code. What instances do is up to
/// the caller.
class Interpreter {
public:
  Interpreter(const GeneratedCode &code,
              std::map<std::string, int64_t> parameters)
      : code(code), variables(std::move(parameters)) {}

  /// Called for each instance, while the iterators around it have values.
  std::function<void(const GeneratedInstance &)> onInstance;
  /// Called behind each run of a loop, with its trip count.
  std::function<void(const LoopMarks &, int64_t)> onLoop;

  void run() { exec(code.root); }
  /// With the present values of parameters and iterators.
  int64_t eval(const isl::ast_expr &expr) const;

private:
  int64_t evalOp(const isl::ast_expr &expr) const;
  void exec(const isl::ast_node &node);
  void execFor(const isl::ast_node &node);
  /// The instance in its own loops from `index` on.
  void execInner(const GeneratedInstance &instance,
                 const std::vector<InnerLoop> &loops);

  const GeneratedCode &code;
  std::map<std::string, int64_t> variables;
};

} // namespace baco::polyhedral::test

#endif // BACO_UNITTESTS_POLYHEDRAL_INTERPRETER_H
