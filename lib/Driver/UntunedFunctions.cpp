//===- UntunedFunctions.cpp - What no kernel ran --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UntunedFunctions.h"

#include "baco/IR/BacoDialect.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;

/// The symbols that are kernels, or that one refers to, directly or not.
static llvm::StringSet<> findTuned(ModuleOp module,
                                   ArrayRef<TunedKernel> kernels) {
  llvm::StringSet<> names;
  SmallVector<std::string> open;
  auto add = [&](StringRef name) {
    if (names.insert(name).second)
      open.push_back(name.str());
  };
  for (const TunedKernel &kernel : kernels)
    if (kernel.schedule)
      add(kernel.summary.name);
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

UntunedFunctions::UntunedFunctions(ModuleOp module,
                                   ArrayRef<TunedKernel> kernels)
    : module(module) {
  llvm::StringSet<> tuned = findTuned(module, kernels);
  for (auto function : module.getOps<FunctionOpInterface>())
    // Declarations can't be timed or checked, and of programs it was the parts.
    if (!function.isExternal() && !tuned.contains(function.getName()) &&
        !function->hasAttr(BacoDialect::kKeep))
      functions.emplace_back(function.getName().str(),
                             OperationFingerPrint(function));
}

void UntunedFunctions::warnOfChanges() {
  for (const auto &[name, before] : functions) {
    Operation *function = module.lookupSymbol(name);
    if (function && OperationFingerPrint(function) != before)
      function->emitWarning() << "the schedule changes '" << name
                              << "' too, which was neither timed nor checked";
  }
}
