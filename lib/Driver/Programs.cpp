//===- Programs.cpp - Functions that call kernels -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "CallCounts.h"
#include "baco/Frontend/LowerFrontEnds.h"
#include "baco/Frontend/OutlineKernels.h"
#include "baco/Frontend/SetInputs.h"
#include "baco/IR/Walk.h"
#include "baco/KernelAnalysis/KernelSignature.h"
#include "baco/Schedule/ExpandRecipes.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;

/// The kernels that `program` calls by itself, and how often; `payload` has it
/// and all that it calls.
static FailureOr<std::vector<std::pair<size_t, std::optional<double>>>>
countCalls(ModuleOp payload, StringRef program, ArrayRef<Kernel> kernels) {
  OwningOpRef<ModuleOp> shell = payload.clone();
  // Calls in a kernel are a part of that kernel.
  for (const Kernel &kernel : kernels)
    if (auto function = shell->lookupSymbol<func::FuncOp>(kernel.name);
        function && kernel.name != program) {
      function.eraseBody();
      function.setPrivate();
    }
  FailureOr<OwningOpRef<ModuleOp>> called = schedule::isolate(*shell, program);
  if (failed(called))
    return failure();
  CallCounts counts(**called);
  std::vector<std::pair<size_t, std::optional<double>>> calls;
  for (auto [i, kernel] : llvm::enumerate(kernels))
    if (auto function = (*called)->lookupSymbol<func::FuncOp>(kernel.name);
        function && kernel.name != program)
      calls.emplace_back(i, counts.of(function));
  return calls;
}

/// The reason why `function` can't be run alone; empty if it can.
static std::string findObstacle(func::FuncOp function, bool hasLibraries) {
  if (llvm::Error why = frontend::checkRunsAlone(function, hasLibraries))
    return llvm::toString(std::move(why));
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (auto shaped = dyn_cast<ShapedType>(type);
        shaped && !(shaped.hasRank() && shaped.hasStaticShape()))
      return ("argument " + Twine(i) + " has type '" + debugString(type) +
              "', whose shape is dynamic")
          .str();
  return "";
}

/// `function` as a program; nullopt if it calls no kernel.
static std::optional<Program> takeProgram(func::FuncOp function,
                                          ArrayRef<Kernel> kernels,
                                          const KernelOptions &options) {
  auto module = function->getParentOfType<ModuleOp>();
  FailureOr<OwningOpRef<ModuleOp>> payload =
      schedule::isolate(module, function.getName());
  if (failed(payload))
    return std::nullopt;
  auto calls = countCalls(**payload, function.getName(), kernels);
  if (failed(calls) || calls->empty())
    return std::nullopt;
  Program program{Kernel{function.getName().str(),
                         function.getLoc(),
                         {},
                         {},
                         /*flops=*/std::nullopt,
                         /*calls=*/std::nullopt},
                  findObstacle(function, options.hasLibraries),
                  std::move(*calls), options.interface};
  program.whole.host = options.cpuHost();
  program.whole.target = options.target;
  if (!program.obstacle.empty())
    return program;
  // Those of the functions that it calls don't matter.
  for (auto other : (*payload)->getOps<func::FuncOp>())
    if (other.getName() != function.getName())
      frontend::removeInputs(other);
  auto copy = (*payload)->lookupSymbol<func::FuncOp>(function.getName());
  target::promiseAlignments(function, copy);
  frontend::makeCallable(copy, /*likeConstants=*/true);
  program.whole.payload = std::move(*payload);
  return program;
}

std::vector<Program> driver::findPrograms(ModuleOp module,
                                          ArrayRef<Kernel> kernels,
                                          const KernelOptions &options) {
  std::vector<Program> programs;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() ||
        !contains(function, llvm::IsaPred<func::CallOp>) ||
        !SymbolTable::symbolKnownUseEmpty(function, module))
      continue;
    if (auto program = takeProgram(function, kernels, options))
      programs.push_back(std::move(*program));
  }
  return programs;
}
