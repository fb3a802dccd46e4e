//===- KernelVariants.h - Kernels of known ratios ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels in kernels/, compiled as the tuner's candidates are, in variants
// that differ by a known share of their work: a worker takes them for the
// candidates of one kernel.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_MEASUREMENT_KERNELVARIANTS_H
#define BACO_BENCHMARKS_MEASUREMENT_KERNELVARIANTS_H

#include "baco/CandidateCompiler/ModuleCompiler.h"

#include <vector>

namespace baco::bench {

/// The names of the kernels, in the order in which they take turns.
const std::vector<std::string> &kernelNames();

/// The text of a kernel, for KernelVariants::setUp; NotFound without the file.
Result<std::string> readKernel(const std::string &name);

/// A kernel whose work is 64 equal parts, each of which may be done twice
/// without other results. Configurations are the names of variants:
///
///   base, same, other   65 parts: the same code under three names. One part is
///                       done twice, so that compilers can't see that none is.
///   longer              67 parts: 3.1 % more work of the same kind
class KernelVariants final : public runtime::CandidateCompiler {
public:
  /// `text` is a module with a function `kernel`, and with the word WORK where
  /// the number of parts belongs.
  Result<runtime::Signature> setUp(const std::string &text) override;
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compilePlain() override;
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compile(const std::string &configuration) override;
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  load(const std::string &object, std::optional<size_t> codeOffset) override;

private:
  target::ModuleCompiler base, longer;
};

} // namespace baco::bench

#endif // BACO_BENCHMARKS_MEASUREMENT_KERNELVARIANTS_H
