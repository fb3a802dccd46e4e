//===- NativeMatmul.h - A kernel for measuring the measurement --*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix multiplication in C++ whose variants differ by a known share of
// their work: a worker takes it for a compiler's. Below the MLIR line, so that
// nothing but the harness itself is measured.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_MEASUREMENT_NATIVEMATMUL_H
#define BACO_BENCHMARKS_MEASUREMENT_NATIVEMATMUL_H

#include "baco/Runtime/Candidate.h"

namespace baco::bench {

/// C += A * B, 384 x 384, f32, as 64 strips of six rows. The plain kernel
/// computes each once. Configurations are the names of variants:
///
///   base    the plain kernel
///   same    another name for it
///   longer  computes two of the strips a second time, into memory that nobody
///           reads: 66 / 64, 3.1 %, more work of the same kind
class NativeMatmul final : public runtime::CandidateCompiler {
public:
  Result<runtime::Signature> setUp(const std::string &text) override;
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compilePlain() override;
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compile(const std::string &configuration) override;
};

} // namespace baco::bench

#endif // BACO_BENCHMARKS_MEASUREMENT_NATIVEMATMUL_H
