//===- Optimize.cpp - LLVM's passes over a kernel -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/Optimize.h"
#include "BackEndDefects.h"

#include "baco/Target/CPU/ScalarWork.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"

#define DEBUG_TYPE "baco-optimize"

using namespace llvm;
using baco::TargetOptions;
using namespace baco::target;

Pipeline baco::target::choosePipeline(const Module &module,
                                      const TargetOptions &options) {
  if (options.optLevel) {
    constexpr Pipeline levels[] = {Pipeline::CleanUp, Pipeline::O1,
                                   Pipeline::O2, Pipeline::O3};
    return levels[*options.optLevel];
  }
  switch (findScalarWork(module)) {
  case ScalarWork::None:
    return Pipeline::CleanUp;
  case ScalarWork::Copies:
    return Pipeline::CleanUpAndVectorize;
  case ScalarWork::Arithmetic:
    return Pipeline::O3;
  }
  llvm_unreachable("unknown work");
}

CodeGenOptLevel baco::target::codegenLevel(Pipeline pipeline,
                                           const TargetOptions &options) {
  if (options.codegenLevel)
    return static_cast<CodeGenOptLevel>(*options.codegenLevel);
  return pipeline <= Pipeline::CleanUpAndVectorize
             ? CodeGenOptLevel::Default
             : CodeGenOptLevel::Aggressive;
}

/// Gives each innermost loop of `function` a hint for the vectorizer.
static void setInterleaveCount(Function &function, int64_t count) {
  DominatorTree tree(function);
  LoopInfo loops(tree);
  // LLVM's vectorizer takes no other loops.
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      addStringMetadataToLoop(loop, "llvm.loop.interleave.count", count);
}

void baco::target::applyTargetOptions(Module &module,
                                      const TargetOptions &options) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (options.preferVectorWidth) {
      function.addFnAttr("prefer-vector-width",
                         llvm::utostr(*options.preferVectorWidth));
      // Otherwise the schedule's vectors would not be split.
      function.addFnAttr("min-legal-vector-width", "0");
    }
    if (options.interleaveCount)
      setInterleaveCount(function, *options.interleaveCount);
  }
}

void ScopedOptions::set(StringRef name, StringRef value) {
  cl::Option *option = cl::getRegisteredOptions().lookup(name);
  if (!option)
    return;
  option->addOccurrence(0, name, value);
  options.push_back(option);
}

ScopedOptions::~ScopedOptions() {
  // LLVM's options are global, and would apply to the next module, too.
  for (cl::Option *option : options)
    option->reset();
}

static FunctionPassManager cleanUp(bool vectorizes) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass());
  LoopPassManager loops;
  // The vectorizer takes only loops whose condition is at their end.
  if (vectorizes)
    loops.addPass(LoopRotatePass());
  loops.addPass(LICMPass(LICMOptions()));
  passes.addPass(
      // LICM needs MemorySSA.
      createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  if (vectorizes) {
    passes.addPass(LoopVectorizePass());
    passes.addPass(
        InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)));
    passes.addPass(SimplifyCFGPass());
  }
  return passes;
}

static OptimizationLevel levelOf(Pipeline pipeline) {
  return pipeline == Pipeline::O1   ? OptimizationLevel::O1
         : pipeline == Pipeline::O2 ? OptimizationLevel::O2
                                    : OptimizationLevel::O3;
}

static bool hasBlockOf(const Module &module, size_t maxInstructions) {
  return llvm::any_of(module, [&](const Function &function) {
    return llvm::any_of(function, [&](const BasicBlock &block) {
      return block.size() > maxInstructions;
    });
  });
}

/// Whether some block has so many instructions that LLVM's vectorizer of
/// straight-line code would take seconds: its time grows with the square of
/// their number, 32 s for tiles of 12 x 32 scalar sums. Only short code needs
/// it; loops have a separate vectorizer.
static bool hasHugeBlock(const Module &module) {
  return hasBlockOf(module, 1000);
}

void baco::target::limitCodeGeneration(const Module &module,
                                       ScopedOptions &options) {
  // The time of this pass also grows with the square: 0.6 s for 20,000
  // instructions in a row, and more than 40 s for 100,000, which take 2 s
  // without it.
  if (hasBlockOf(module, 20'000))
    options.set("enable-misched", "false");
}

void baco::target::optimize(Module &module, TargetMachine &machine,
                            Pipeline pipeline, const TargetOptions &options) {
  ScopedOptions thresholds;
  if (options.unrollThreshold)
    for (StringRef name : {"unroll-threshold", "unroll-partial-threshold"})
      thresholds.set(name, llvm::utostr(*options.unrollThreshold));
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = !hasHugeBlock(module);
  // With the machine, passes know its vectors and what instructions cost.
  PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes;
  if (pipeline <= Pipeline::CleanUpAndVectorize)
    passes.addPass(createModuleToFunctionPassAdaptor(
        cleanUp(pipeline == Pipeline::CleanUpAndVectorize)));
  else
    passes = builder.buildPerModuleDefaultPipeline(levelOf(pipeline));
  LDBG() << module.getName() << ": pipeline " << static_cast<int>(pipeline);
  passes.run(module, modules);
  // LLVM's passes may make such instructions, too, so this is the last step.
  workAroundBackEnd(module);
}
