//===- RoundTrip.h - Is applied what was measured? --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case is tuned, which writes a tuned library, and the library is applied in
// another process. The machine code must be that of the configuration that was
// chosen. If the entry is marked stock, a stock mlir-opt must make the same IR
// of the payload and the library.
//
// Automatic schedules need ops of baco. So a case with linalg ops is tuned once
// more, with recipes of upstream's steps.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_ROUNDTRIP_H
#define BACO_BENCHMARKS_CODEGEN_ROUNDTRIP_H

#include "CaseRunner.h"

namespace baco::benchmarks {

/// How the code of a CompiledKernel::object differs from that of another:
/// function by function, with what it refers to, and the constants; not in
/// where they lie. Empty if it doesn't.
llvm::Expected<std::string> findCodeDifference(llvm::StringRef object,
                                               llvm::StringRef other);

class RoundTrip {
public:
  /// `settings` must outlive it.
  explicit RoundTrip(const RunSettings &settings) : settings(settings) {}

  /// One result for each schedule of the case: a note on what is the same; an
  /// error if something isn't.
  std::vector<CaseResult> run(const Row &row, const Case &target);

private:
  /// Of a payload, whose file's stem is `name`.
  llvm::Expected<std::string> check(const std::string &payload,
                                    const std::string &name,
                                    const Case &target);

  const RunSettings &settings;
  MlirKernels mlir;
};

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_ROUNDTRIP_H
