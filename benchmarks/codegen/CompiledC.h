//===- CompiledC.h - Baselines in C -----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles C sources with the compilers of this machine, at run time: only then
// sizes are known, and -march=native means the machine that is measured.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_COMPILEDC_H
#define BACO_BENCHMARKS_CODEGEN_COMPILEDC_H

#include "Cases.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace baco::benchmarks {

/// A kernel in C: gets pointers to its operands' first elements.
using CKernel = void (*)(void **operands);

class CCompiler {
public:
  /// Sources are below `sourceDir`; what is compiled goes to `workDir`.
  CCompiler(std::string sourceDir, std::string workDir)
      : sourceDir(std::move(sourceDir)), workDir(std::move(workDir)) {}

  /// The function of `source`, compiled with the sizes of `target` as macros, T
  /// as the element type, and FLOPS as `flops`. A file is compiled once for all
  /// its functions; its code stays loaded until the program ends. Errors name
  /// the package to install, or are the compiler's first line.
  llvm::Expected<CKernel> compile(const CSource &source, const Case &target,
                                  double flops);

  /// The code of TACO's tool, compiled in the same way. It stays in `workDir`
  /// as `NAME-taco.c`. Errors are the tool's first line, too.
  llvm::Expected<CKernel> compileTaco(const TacoCode &code, const Case &target,
                                      const std::string &name);

  /// The command without sizes and files, for reports.
  static std::string describe(CSource::Compiler compiler);

private:
  std::string sourceDir, workDir;
  /// By the command line: handles of dlopen.
  llvm::StringMap<void *> loaded;
};

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_COMPILEDC_H
