//===- Nest.h - A loop nest under test --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_POLYHEDRAL_NEST_H
#define BACO_UNITTESTS_POLYHEDRAL_NEST_H

#include "Execution.h"
#include "PrintCode.h"
#include "TestPrograms.h"

#include <gtest/gtest.h>

#define ASSERT_OK(expr)                                                        \
  do {                                                                         \
    const auto &result = (expr);                                               \
    ASSERT_TRUE(result) << result.error().message;                             \
  } while (false)

namespace baco::polyhedral::test {

/// The message of a refused command.
template <typename T>
std::string message(const Result<T> &result) {
  return result ? "no error" : result.error().message;
}

/// A schedule that scripts change.
class ScriptedSchedule : public LoopSchedule {
public:
  ScriptedSchedule(LoopSchedule schedule) : LoopSchedule(std::move(schedule)) {}

  /// The commands, until one fails; knobs have no values.
  Result<void> run(const std::string &script) {
    Result<std::vector<ScriptCommand>> commands = parseLoopScript(script);
    if (!commands)
      return commands.error();
    for (const ScriptCommand &command : *commands)
      if (Result<void> done = apply(command.command); !done)
        return done;
    return {};
  }
};

/// A program, its schedule and its executions.
struct Nest {
  explicit Nest(Program given, LoopScheduleOptions options = {},
                std::map<std::string, int64_t> parameters = {})
      : program(std::move(given)), reference(program, std::move(parameters)),
        created(create(program, options)), reassociate(options.reassociate) {}

  static ScriptedSchedule create(const Program &program,
                                 LoopScheduleOptions options = {}) {
    Result<LoopSchedule> created = LoopSchedule::create(program, options);
    if (!created)
      throw std::runtime_error(created.error().message);
    return std::move(*created);
  }

  ScriptedSchedule &operator*() { return created; }
  ScriptedSchedule *operator->() { return &created; }
  Result<void> run(const std::string &script) { return created.run(script); }
  std::string check(bool isExpanded = false) {
    return test::check(reference, created, reassociate, isExpanded);
  }
  std::string code() {
    Result<GeneratedCode> generated = created.generate();
    return generated ? print(*generated) : generated.error().message;
  }

  Program program;
  Reference reference;
  ScriptedSchedule created;
  bool reassociate;
};

} // namespace baco::polyhedral::test

#endif // BACO_UNITTESTS_POLYHEDRAL_NEST_H
