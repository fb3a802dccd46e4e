//===- MlirFiles.cpp - Modules in files -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MlirFiles.h"

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/IR/DiagnosticRecorder.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace baco;

DialectRegistry baco::benchmarks::makeRegistry() {
  DialectRegistry registry;
  target::registerDialects(registry);
  target::registerPasses();
  return registry;
}

llvm::Expected<OwningOpRef<ModuleOp>>
baco::benchmarks::readModule(MLIRContext &context, StringRef file) {
  DiagnosticRecorder recorder(&context);
  auto module = parseSourceFile<ModuleOp>(file, ParserConfig(&context));
  if (module)
    return module;
  return llvm::createStringError(
      recorder.message(("'" + file + "' can't be read").str()));
}

llvm::Error baco::benchmarks::writeModule(ModuleOp module, StringRef file) {
  return llvm::writeToOutput(file, [&](llvm::raw_ostream &out) {
    out << module;
    return llvm::Error::success();
  });
}
