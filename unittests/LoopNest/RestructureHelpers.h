//===- RestructureHelpers.h - Runs a nest and its new order -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a function as it is and restructured by a script, runs both on the
// same pseudo-random numbers, and compares all memory afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_LOOPNEST_RESTRUCTUREHELPERS_H
#define BACO_UNITTESTS_LOOPNEST_RESTRUCTUREHELPERS_H

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/Target/CompileModule.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>

namespace baco::loopnest {

/// A row-major array of f64 and its memref descriptor.
struct Operand {
  Operand(std::vector<int64_t> shape, uint64_t seed) {
    int64_t size = 1;
    for (int64_t extent : shape)
      size *= extent;
    // Off the diagonal small, on it large: solving and factoring are stable.
    int64_t row = shape.empty() ? 1 : shape.back();
    for (int64_t i = 0; i < size; ++i) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      double unit = double(seed >> 11) / double(uint64_t(1) << 53);
      bool isDiagonal = shape.size() == 2 && i / row == i % row;
      data.push_back(isDiagonal ? 4 + unit : (unit + 0.5) / 16);
    }
    int64_t address = reinterpret_cast<int64_t>(data.data());
    words = {address, address, 0};
    words.insert(words.end(), shape.begin(), shape.end());
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      int64_t stride = 1;
      for (size_t inner = dim + 1; inner < shape.size(); ++inner)
        stride *= shape[inner];
      words.push_back(stride);
    }
  }
  Operand(const Operand &) = delete;

  std::vector<double> data;
  std::vector<int64_t> words;
};

using Shapes = std::vector<std::vector<int64_t>>;

class RestructureTest : public ::testing::Test {
protected:
  RestructureTest()
      : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  /// The message of what fails when `script` (commands or a CHiLL script, with
  /// quotes or brackets) restructures function `f` of `payload`; empty if the
  /// results agree.
  std::string run(const std::string &payload, const std::string &script,
                  const Shapes &shapes, std::vector<int64_t> sizes = {}) {
    std::string message;
    mlir::ScopedDiagnosticHandler handler(&context,
                                          [&](mlir::Diagnostic &diagnostic) {
                                            if (message.empty())
                                              message = diagnostic.str();
                                            return mlir::success();
                                          });
    auto original = parse(payload), changed = parse(payload);
    auto schedule = parse(scheduleText(script));
    if (!original || !changed || !schedule ||
        failed(target::applySchedule(*changed, *schedule)))
      return message.empty() ? "failed without a message" : message;
    auto expected = execute(*original, shapes, sizes);
    auto actual = execute(*changed, shapes, sizes);
    if (!expected || !actual)
      return "does not compile: " + message +
             llvm::toString(
                 llvm::joinErrors(expected.takeError(), actual.takeError()));
    for (size_t array = 0; array < expected->size(); ++array)
      for (size_t i = 0; i < (*expected)[array].size(); ++i) {
        double want = (*expected)[array][i], got = (*actual)[array][i];
        if (!(std::abs(want - got) <= 1e-10 * (1 + std::abs(want))))
          return "array " + std::to_string(array) + " differs at " +
                 std::to_string(i) + ": " + std::to_string(got) +
                 " instead of " + std::to_string(want);
      }
    return "";
  }

private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry result;
    target::registerDialects(result);
    return result;
  }

  static std::string scheduleText(const std::string &script) {
    return R"(module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %f = transform.structured.match ops{["func.func"]} in %root
          : (!transform.any_op) -> !transform.any_op
        %n = transform.baco.restructure %f )" +
           script + R"( : (!transform.any_op) -> !transform.any_op
        transform.yield
      }
    })";
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context));
  }

  static llvm::Expected<std::vector<std::vector<double>>>
  execute(mlir::ModuleOp module, const Shapes &shapes,
          std::vector<int64_t> sizes) {
    auto kernel = target::compileModule(module, "f");
    if (!kernel)
      return kernel.takeError();
    std::vector<std::unique_ptr<Operand>> operands;
    std::vector<void *> arguments;
    for (const std::vector<int64_t> &shape : shapes) {
      operands.push_back(std::make_unique<Operand>(shape, operands.size() + 1));
      arguments.push_back(operands.back()->words.data());
    }
    for (int64_t &size : sizes)
      arguments.push_back(&size);
    kernel->entry(arguments.data());
    std::vector<std::vector<double>> results;
    for (const auto &operand : operands)
      results.push_back(operand->data);
    return results;
  }

  mlir::MLIRContext context;
};

} // namespace baco::loopnest

#endif // BACO_UNITTESTS_LOOPNEST_RESTRUCTUREHELPERS_H
