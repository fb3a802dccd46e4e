//===- OutlineKernels.cpp - Functions of what is tuned --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Intake/OutlineKernels.h"

#include "KernelGroups.h"
#include "OpWork.h"
#include "OutlineGroup.h"
#include "RunsAlone.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/Bufferization.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Bufferize.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-outline-kernels"

using namespace mlir;
using namespace baco;
using namespace baco::intake;

/// A function with more groups than that, as models have, is taken apart: each
/// candidate would compile all of them, and one search would have the knobs of
/// all.
static constexpr size_t mostGroups = 8;

/// A function that is taken apart, and why.
struct Program {
  func::FuncOp function;
  std::string why;
};

/// The number of groups in `function`, without remarks.
static size_t countGroups(func::FuncOp function, RunsAlone &alone,
                          bool withTensors) {
  ScopedDiagnosticHandler quiet(
      function.getContext(), [](Diagnostic &diagnostic) {
        return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
      });
  return findGroups(function, alone, withTensors).size();
}

/// The functions to take apart.
static SmallVector<Program> findPrograms(ModuleOp module, RunsAlone &alone,
                                         StringRef entry, bool withTensors) {
  SmallVector<Program> programs;
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isChosen = entry.empty() || function.getName() == entry;
    if (function.isExternal() || !isChosen ||
        function->hasAttr(BacoDialect::kKeep))
      continue;
    // Whoever writes a recipe knows what is to be tuned.
    if (contains(function, [](Operation *op) {
          return op->hasAttr(BacoDialect::kRecipe);
        }))
      continue;
    std::string name = "'" + function.getName().str() + "'";
    if (std::string why = alone.whyNot(function); !why.empty())
      programs.push_back(
          {function, name + " can't be run alone, because " + why});
    else if (size_t count = countGroups(function, alone, withTensors);
             count > mostGroups)
      programs.push_back(
          {function, name + " has " + std::to_string(count) +
                         " groups of ops, which are tuned apart"});
  }
  return programs;
}

static bool mayGetRecipe(Operation *op) {
  return isStructured(op) || isa<LoopLikeOpInterface>(op);
}

static bool isWorthTuning(Operation *op) {
  return roleOf(op) == OpRole::Tunable;
}

/// Makes types static where constants tell the shape: of allocations first,
/// then of the ops that use them.
static void inferShapes(func::FuncOp function) {
  if (!contains(function, isWorthTuning))
    return;
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  memref::AllocOp::getCanonicalizationPatterns(patterns, context);
  memref::AllocaOp::getCanonicalizationPatterns(patterns, context);
  memref::SubViewOp::getCanonicalizationPatterns(patterns, context);
  memref::CastOp::getCanonicalizationPatterns(patterns, context);
  tensor::EmptyOp::getCanonicalizationPatterns(patterns, context);
  tensor::CastOp::getCanonicalizationPatterns(patterns, context);
  context->getOrLoadDialect<linalg::LinalgDialect>()
      ->getCanonicalizationPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  GreedyRewriteConfig config;
  config.enableFolding(true);
  // It converges; if not, the types are what they are.
  (void)applyPatternsGreedily(function, std::move(patterns), config);
}

/// Says what became of a program.
static void remarkProgram(Program &program,
                          MutableArrayRef<func::FuncOp> kernels) {
  InFlightDiagnostic remark = program.function.emitRemark() << program.why;
  if (kernels.empty()) {
    remark << "; none of its parts can be tuned";
    return;
  }
  constexpr size_t mostNames = 16;
  remark << "; these parts of it can be tuned:";
  for (auto [i, kernel] : llvm::enumerate(kernels.take_front(mostNames)))
    remark << (i == 0 ? " '@" : ", '@") << kernel.getName() << "'";
  if (kernels.size() > mostNames)
    remark << " and " << kernels.size() - mostNames << " more";
}

/// Says which inputs of a program no kernel takes.
static void remarkUnusedInputs(func::FuncOp program,
                               ArrayRef<func::FuncOp> kernels) {
  for (BlockArgument argument : program.getArguments()) {
    auto isKernelCall = [&](Operation *user) {
      auto call = dyn_cast<func::CallOp>(user);
      return call && llvm::any_of(kernels, [&](func::FuncOp kernel) {
               return kernel.getName() == call.getCallee();
             });
    };
    if (program.getArgAttr(argument.getArgNumber(), BacoDialect::kInput) &&
        llvm::none_of(argument.getUsers(), isKernelCall))
      program.emitRemark() << "the input of argument "
                           << argument.getArgNumber()
                           << " isn't used: no part that can be tuned takes "
                              "this argument";
  }
}

/// Outlines what `module` has; on tensors, too, if `withTensors`.
static OutlinedKernels outline(ModuleOp module, const OutlineOptions &options,
                               bool withTensors) {
  RunsAlone alone(module, options.hasLibraries);
  SymbolTable symbols(module);
  OutlinedKernels outlined;
  for (Program &program :
       findPrograms(module, alone, options.entry, withTensors)) {
    func::FuncOp function = program.function;
    LDBG() << function.getName() << ": " << program.why;
    if (!contains(function, mayGetRecipe))
      continue;
    function->setAttr(BacoDialect::kKeep, UnitAttr::get(module.getContext()));
    inferShapes(function);
    SmallVector<func::FuncOp> kernels;
    for (const Group &group : findGroups(function, alone, withTensors))
      if (func::FuncOp kernel = outlineGroup(
              group, kernels.empty() ? function : kernels.back(), symbols)) {
        outlined[kernel.getName()] = function.getName().str();
        kernels.push_back(kernel);
      }
    bool hasWork = !kernels.empty() || contains(function, isWorthTuning);
    if (hasWork)
      remarkProgram(program, kernels);
    remarkUnusedInputs(function, kernels);
  }
  return outlined;
}

/// Why the functions that were made of `module` can't become functions on
/// memory, of whose callers bufferization changes the calls; empty if they can.
static std::string whyNoMemory(ModuleOp module,
                               const OutlinedKernels &outlined) {
  bool hasTensors = llvm::any_of(outlined, [&](const auto &entry) {
    return hasTensorBoundary(module.lookupSymbol<func::FuncOp>(entry.getKey()));
  });
  if (!hasTensors)
    return {};
  std::string why;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (why.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          why = diagnostic.str();
        return success();
      });
  OwningOpRef<ModuleOp> copy = module.clone();
  if (succeeded(schedule::bufferize(*copy)))
    return {};
  return why.empty() ? "bufferization fails" : why;
}

OutlinedKernels baco::intake::outlineKernels(ModuleOp module,
                                             const OutlineOptions &options) {
  module.getContext()->getOrLoadDialect<BacoDialect>();
  OwningOpRef<ModuleOp> before;
  if (schedule::hasTensors(module))
    before = module.clone();
  SmallVector<Diagnostic> remarks;
  OutlinedKernels outlined;
  {
    // Those of a first try that fails aren't true.
    ScopedDiagnosticHandler handler(module.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      remarks.push_back(std::move(diagnostic));
                                      return success();
                                    });
    outlined = outline(module, options, /*withTensors=*/true);
  }
  std::string why = whyNoMemory(module, outlined);
  if (why.empty()) {
    for (Diagnostic &remark : remarks)
      module.getContext()->getDiagEngine().emit(std::move(remark));
    return outlined;
  }
  module.getBodyRegion().takeBody(before->getBodyRegion());
  module.emitRemark() << "ops on tensors in functions that can't be run alone "
                         "are not tuned, because the module can't be "
                         "bufferized: "
                      << why;
  return outline(module, options, /*withTensors=*/false);
}
