//===- OutlineKernels.cpp - Functions of what is tuned --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/OutlineKernels.h"

#include "KernelEligibility.h"
#include "KernelGroups.h"
#include "OpWork.h"
#include "OutlineGroup.h"
#include "ShapeVersions.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/Bufferization.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Bufferize.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-outline-kernels"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

/// A function with more groups than that, as models have, is taken apart: each
/// candidate would compile all of them, and one search would have the knobs of
/// all.
static constexpr size_t maxGroups = 8;

static bool mayGetRecipe(Operation *op) {
  return isStructured(op) || isa<LoopLikeOpInterface>(op);
}

static bool isWorthTuning(Operation *op) {
  return roleOf(op) == OpRole::Tunable;
}

/// Whether `function` may have too many groups: each has an op worth tuning.
static bool mayHaveManyGroups(func::FuncOp function) {
  size_t count = 0;
  return contains(function, [&](Operation *op) {
    return isWorthTuning(op) && ++count > maxGroups;
  });
}

static bool hasDynamicShapes(func::FuncOp function) {
  auto isDynamic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !(shaped.hasRank() && shaped.hasStaticShape());
  };
  return llvm::any_of(function.getArgumentTypes(), isDynamic) ||
         contains(function, [&](Operation *op) {
           return llvm::any_of(op->getResultTypes(), isDynamic);
         });
}

/// Makes types static where constants tell the shape: of allocations first,
/// then of the ops that use them.
static void inferShapes(func::FuncOp function) {
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
  foldMemoryCasts(function);
}

/// A function that is taken apart, why, and into what.
struct Program {
  func::FuncOp function;
  std::string why;
  Groups groups;
};

/// `function` as a program; nullopt if it stays as it is.
static std::optional<Program>
findProgram(func::FuncOp function, KernelEligibility &alone, bool withTensors) {
  // Whoever writes a recipe knows what is to be tuned.
  if (hasRecipe(function))
    return std::nullopt;
  std::string name = "'" + function.getName().str() + "'";
  std::string why = llvm::toString(alone.check(function));
  bool runsAlone = why.empty();
  if (runsAlone ? !mayHaveManyGroups(function)
                : !contains(function, mayGetRecipe))
    return std::nullopt;
  if (contains(function, isWorthTuning) && hasDynamicShapes(function))
    inferShapes(function);
  Program program{function, name + " can't be run alone, because " + why,
                  findGroups(function, alone, withTensors)};
  size_t count = program.groups.found.size();
  if (runsAlone && count <= maxGroups)
    return std::nullopt;
  if (runsAlone)
    program.why = name + " has " + std::to_string(count) +
                  " groups of ops, which are tuned apart";
  return program;
}

/// The functions to take apart.
static SmallVector<Program>
findPrograms(ModuleOp module, const OutlineOptions &options, bool withTensors) {
  KernelEligibility alone(module, options.hasLibraries);
  SmallVector<Program> programs;
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isChosen =
        options.entry.empty() || function.getName() == options.entry;
    if (function.isExternal() || !isChosen || isNoTune(function))
      continue;
    if (auto program = findProgram(function, alone, withTensors)) {
      LDBG() << function.getName() << ": " << program->why;
      programs.push_back(std::move(*program));
    }
  }
  return programs;
}

/// Outlines `groups` of `function`. Returns the kernels.
static SmallVector<func::FuncOp> outlineGroups(func::FuncOp function,
                                               ArrayRef<Group> groups,
                                               SymbolTable &symbols) {
  SmallVector<func::FuncOp> kernels;
  for (const Group &group : groups)
    if (func::FuncOp kernel = outlineGroup(
            group, kernels.empty() ? function : kernels.back(), symbols))
      kernels.push_back(kernel);
  return kernels;
}

/// The error says why a module with kernels on tensors can't be put into
/// memory. This is tried, for bufferization changes the calls of kernels.
static llvm::Error checkBufferized(ModuleOp module,
                                   ArrayRef<Program> programs) {
  std::string why;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (why.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          why = diagnostic.str();
        return success();
      });
  IRMapping copies;
  OwningOpRef<ModuleOp> copy =
      cast<ModuleOp>(module->clone(copies, Operation::CloneOptions::all()));
  SymbolTable symbols(*copy);
  bool hasTensors = false;
  for (const Program &program : programs) {
    auto groups =
        llvm::map_to_vector(program.groups.found, [&](const Group &group) {
          return Group(llvm::map_range(
              group, [&](Operation *op) { return copies.lookup(op); }));
        });
    func::FuncOp function = program.function;
    hasTensors |=
        llvm::any_of(outlineGroups(cast<func::FuncOp>(copies.lookup(function)),
                                   groups, symbols),
                     hasTensorBoundary);
  }
  if (!hasTensors)
    return llvm::Error::success();
  // As specializeShapes does.
  inlineDynamicResults(*copy);
  if (succeeded(schedule::bufferize(*copy)))
    return llvm::Error::success();
  return llvm::createStringError(why.empty() ? "bufferization fails" : why);
}

/// Says what became of a program.
static void remarkProgram(Program &program,
                          MutableArrayRef<func::FuncOp> kernels) {
  InFlightDiagnostic remark = program.function.emitRemark() << program.why;
  if (kernels.empty()) {
    remark << "; none of its parts can be tuned";
    return;
  }
  constexpr size_t maxNames = 16;
  remark << "; these parts of it can be tuned:";
  for (auto [i, kernel] : llvm::enumerate(kernels.take_front(maxNames)))
    remark << (i == 0 ? " '@" : ", '@") << kernel.getName() << "'";
  if (kernels.size() > maxNames)
    remark << " and " << kernels.size() - maxNames << " more";
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

/// Takes `program` apart. Returns the kernels.
static SmallVector<func::FuncOp> takeApart(Program &program,
                                           SymbolTable &symbols) {
  func::FuncOp function = program.function;
  markNoTune(function);
  for (const auto &[op, why] : program.groups.staying)
    remarkItStays(op, why);
  SmallVector<func::FuncOp> kernels =
      outlineGroups(function, program.groups.found, symbols);
  if (!kernels.empty() || contains(function, isWorthTuning))
    remarkProgram(program, kernels);
  remarkUnusedInputs(function, kernels);
  return kernels;
}

/// Tells upstream's bufferization that functions that print don't write what
/// they take: it has no rank, so that it can't be copied.
static void markPrinted(ModuleOp module) {
  StringRef access = bufferization::BufferizationDialect::kBufferAccessAttrName;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isExternal() || !isPrinter(function.getName()))
      continue;
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (isa<TensorType>(type) && !function.getArgAttr(i, access))
        function.setArgAttr(i, access,
                            StringAttr::get(module.getContext(), "read"));
  }
}

OutlinedKernels baco::frontend::outlineKernels(ModuleOp module,
                                               const OutlineOptions &options) {
  module.getContext()
      ->loadDialect<BacoDialect, bufferization::BufferizationDialect>();
  bool hasTensors = schedule::hasTensors(module);
  if (hasTensors)
    markPrinted(module);
  SmallVector<Program> programs =
      findPrograms(module, options, /*withTensors=*/true);
  if (!programs.empty() && hasTensors)
    if (llvm::Error error = checkBufferized(module, programs)) {
      module.emitRemark()
          << "ops on tensors in functions that can't be run alone are not "
             "tuned, because the module can't be bufferized: "
          << llvm::toString(std::move(error));
      programs = findPrograms(module, options, /*withTensors=*/false);
    }
  SymbolTable symbols(module);
  OutlinedKernels outlined;
  for (Program &program : programs)
    for (func::FuncOp kernel : takeApart(program, symbols))
      outlined[kernel.getName()] = program.function.getName().str();
  return outlined;
}

llvm::Error baco::frontend::checkRunsAlone(func::FuncOp function,
                                           bool hasLibraries) {
  return KernelEligibility(function->getParentOfType<ModuleOp>(), hasLibraries)
      .check(function);
}
