//===- CompilerTesting.h - Kernels for tests of ModuleCompiler ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_TARGET_COMPILERTESTING_H
#define BACO_UNITTESTS_TARGET_COMPILERTESTING_H

#include "baco/CandidateCompiler/ModuleCompiler.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

namespace baco::target::test {

using runtime::CompiledKernel;
using runtime::CompileFailure;

/// Tiles the columns of a matmul by the knob T, and needs T to be 1 or 2.
inline constexpr char scheduleText[] = R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %t = transform.tune.knob<"T"> options = [1, 2] -> !transform.param<i64>
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, %t]
      : (!transform.any_op, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %tile : !transform.any_op
    transform.yield
  }
})";

/// What a compiler of `@f` is set up with.
inline std::string setUpText(llvm::StringRef payload,
                             llvm::StringRef schedule = scheduleText) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object{
      {"payload", payload}, {"schedule", schedule}, {"entry", "f"}});
  return text;
}

/// A row-major matrix and its memref descriptor.
struct Matrix {
  Matrix(int64_t rows, int64_t columns, std::vector<float> values)
      : data(std::move(values)) {
    int64_t address = reinterpret_cast<int64_t>(data.data());
    words = {address, address, 0, rows, columns, columns, 1};
  }
  std::vector<float> data;
  std::vector<int64_t> words;
};

/// A memref descriptor of a vector.
inline std::vector<int64_t> describe(std::vector<double> &values) {
  int64_t address = reinterpret_cast<int64_t>(values.data());
  return {address, address, 0, std::ssize(values), 1};
}

inline CompileFailure
failureOf(std::variant<CompiledKernel, CompileFailure> got) {
  if (auto *failure = std::get_if<CompileFailure>(&got))
    return *failure;
  ADD_FAILURE() << "it compiled";
  return {};
}

} // namespace baco::target::test

#endif // BACO_UNITTESTS_TARGET_COMPILERTESTING_H
