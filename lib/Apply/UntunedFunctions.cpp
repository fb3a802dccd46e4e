//===- UntunedFunctions.cpp - Functions outside of the kernels ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UntunedFunctions.h"

#include "baco/IR/Bufferization.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/IR/NoTune.h"
#include "baco/Recipe/WriteBufferization.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace baco;
using namespace baco::apply;

/// The symbols that are kernels, or that one refers to, directly or not.
static llvm::StringSet<> findTuned(ModuleOp module,
                                   ArrayRef<ScheduledKernel> kernels) {
  llvm::StringSet<> names;
  SmallVector<std::string> open;
  auto add = [&](StringRef name) {
    if (names.insert(name).second)
      open.push_back(name.str());
  };
  for (const ScheduledKernel &kernel : kernels)
    add(kernel.function);
  while (!open.empty()) {
    Operation *function = module.lookupSymbol(open.pop_back_val());
    if (!function)
      continue;
    if (auto uses = SymbolTable::getSymbolUses(function))
      for (const SymbolTable::SymbolUse &use : *uses)
        add(use.getSymbolRef().getRootReference());
  }
  return names;
}

/// Bufferizes all of `module` as a schedule on the tensors of `kernel`, a
/// function of `module`, does: callers change with the kernel.
static void bufferizeWith(func::FuncOp kernel, ModuleOp module) {
  OwningOpRef<ModuleOp> schedule = ModuleOp::create(module.getLoc());
  Type handle = transform::AnyOpType::get(module.getContext());
  auto builder = OpBuilder::atBlockEnd(schedule->getBody());
  transform::NamedSequenceOp::create(
      builder, module.getLoc(), schedule::defaultSequence, handle, TypeRange(),
      [&](OpBuilder &body, Location loc, BlockArgument root) {
        writeBufferization(
            body, loc, matchFunction(body, loc, root, kernel.getSymNameAttr()),
            kernel.getBody().front().getTerminator());
        transform::YieldOp::create(body, loc);
      });
  // The schedule fails in the same way, and reports it.
  DiagnosticRecorder silence(module.getContext());
  (void)target::applySchedule(module, *schedule);
}

UntunedFunctions::UntunedFunctions(ModuleOp module,
                                   ArrayRef<ScheduledKernel> kernels)
    : module(module) {
  llvm::StringSet<> tuned = findTuned(module, kernels);
  for (auto function : module.getOps<FunctionOpInterface>())
    // Declarations can't be timed or checked, and of programs it was the parts.
    if (!function.isExternal() && !tuned.contains(function.getName()) &&
        !isNoTune(function))
      names.push_back(function.getName().str());
  if (names.empty())
    return;
  before = module.clone();
  for (const ScheduledKernel &kernel : kernels) {
    auto function = before->lookupSymbol<func::FuncOp>(kernel.function);
    if (function && bufferizesBoundaries(kernel.schedule) &&
        hasTensorBoundary(function))
      bufferizeWith(function, *before);
  }
  target::removeOwnAttributes(*before);
}

void UntunedFunctions::warnOfChanges() {
  for (const std::string &name : names) {
    Operation *function = module.lookupSymbol(name);
    Operation *expected = before->lookupSymbol(name);
    if (function && expected &&
        !OperationEquivalence::isEquivalentTo(
            expected, function, OperationEquivalence::IgnoreLocations))
      function->emitWarning() << "the schedule changes '" << name
                              << "' too, which was neither timed nor checked";
  }
}
