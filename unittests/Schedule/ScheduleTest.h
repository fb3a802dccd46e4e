//===- ScheduleTest.h - Payloads and schedules for tests --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules that declare knobs and run loop commands on a function.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_SCHEDULE_SCHEDULETEST_H
#define BACO_UNITTESTS_SCHEDULE_SCHEDULETEST_H

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/Schedule/ExtractSpace.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace baco {

/// A function `@f` with `loops`, such as `%i = 0 to 4`, around `body`.
inline std::string nestText(const std::string &arguments,
                            const std::vector<std::string> &loops,
                            const std::string &body) {
  std::string text = "func.func @f(" + arguments + ") {\n";
  for (const std::string &loop : loops)
    text += "affine.for " + loop + " {\n";
  return text + body + "\n" + std::string(loops.size(), '}') + "\nreturn\n}\n";
}

class ScheduleTest : public ::testing::Test {
protected:
  ScheduleTest() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry result;
    target::registerDialects(result);
    return result;
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context));
  }

  /// A schedule that declares `knobs` and runs `script` on the function.
  static std::string scheduleText(const std::string &knobs,
                                  const std::string &script) {
    return R"(module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %f = transform.structured.match ops{["func.func"]} in %root
          : (!transform.any_op) -> !transform.any_op
        )" +
           knobs + " %n = transform.baco.restructure %f " + script +
           R"( : (!transform.any_op) -> !transform.any_op
        transform.yield
      }
    })";
  }

  static std::string number(const std::string &name,
                            const std::string &values) {
    return "%" + name + " = transform.tune.knob<\"" + name + "\"> options = [" +
           values + "] -> !transform.param<i64>\n";
  }
  static std::string order(unsigned size) {
    return "%order = transform.tune.knob<\"order\"> options = "
           "#baco.permutation<" +
           std::to_string(size) + "> -> !transform.any_param\n";
  }

  mlir::MLIRContext context;
};

} // namespace baco

#endif // BACO_UNITTESTS_SCHEDULE_SCHEDULETEST_H
