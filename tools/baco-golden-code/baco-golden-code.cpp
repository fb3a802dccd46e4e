//===- baco-golden-code.cpp - Which code the pipeline makes ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the version of LLVM, and for each public function of the files a hash
// of its machine code for each of three CPUs: as it stands, and by its recipe,
// which has no knobs. The same on every x86-64: .ci/check-pipeline compares it
// with what was committed.
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/Frontend/LowerFrontEnds.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Support/ContentHash.h"
#include "baco/Target/CompileModule.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace baco;

/// Their instructions differ, and with them what LLVM makes of vectors.
static constexpr llvm::StringLiteral cpus[] = {"x86-64-v2", "x86-64-v3",
                                               "x86-64-v4"};

/// Prints the hashes for `function` of `module`, which stays as it is.
static LogicalResult printHashes(ModuleOp module, func::FuncOp function,
                                 const llvm::Twine &name) {
  for (StringRef cpu : cpus) {
    OwningOpRef<ModuleOp> copy = module.clone();
    auto kernel =
        target::compileModule(*copy, function.getName(),
                              /*clock=*/nullptr, /*variables=*/{}, cpu);
    if (!kernel)
      return function.emitError() << llvm::toString(kernel.takeError());
    ContentHash hash;
    hash.add(kernel->object);
    llvm::outs() << name << " " << cpu << " " << hash.digits() << "\n";
  }
  return success();
}

/// The same for the plain code of `function`, and for what its recipe makes.
static LogicalResult printFunction(func::FuncOp function, StringRef file) {
  StringRef name = function.getName();
  FailureOr<OwningOpRef<ModuleOp>> payload = schedule::isolate(
      function->getParentOfType<ModuleOp>(), function.getName());
  if (failed(payload))
    return failure();
  FailureOr<OwningOpRef<ModuleOp>> schedule =
      schedule::expandRecipes(**payload);
  if (failed(schedule))
    return failure();
  schedule::removeRecipes(**payload);
  frontend::makeCallable((*payload)->lookupSymbol<func::FuncOp>(name));
  if (failed(printHashes(**payload, function, file + " " + name + " plain")))
    return failure();
  if (failed(target::applySchedule(**payload, **schedule,
                                   /*sequence=*/"__transform_main", name)))
    return failure();
  return printHashes(**payload, function, file + " " + name + " scheduled");
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::list<std::string> files(llvm::cl::Positional, llvm::cl::OneOrMore,
                                    llvm::cl::desc("FILE..."));
  llvm::cl::ParseCommandLineOptions(argc, argv);
  DialectRegistry registry;
  target::registerDialects(registry);
  target::registerPasses();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::outs() << "llvm " << LLVM_VERSION_STRING << "\n";
  for (const std::string &file : files) {
    auto module = parseSourceFile<ModuleOp>(file, &context);
    if (!module)
      return 1;
    for (auto function : module->getOps<func::FuncOp>())
      if (function.isPublic() &&
          failed(printFunction(function, llvm::sys::path::filename(file))))
        return 1;
  }
  return 0;
}
