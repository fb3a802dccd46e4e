//===- UsedSymbols.cpp - Symbols that ops name ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/UsedSymbols.h"

using namespace mlir;

std::optional<baco::SymbolNames> baco::usedSymbols(
    ModuleOp module,
    llvm::function_ref<bool(const SymbolTable::SymbolUse &)> isMeant) {
  auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses)
    return std::nullopt;
  SymbolNames names;
  // Symbols of nested modules are named by way of the module.
  for (const SymbolTable::SymbolUse &use : *uses)
    if (isMeant(use))
      names.insert(use.getSymbolRef().getRootReference());
  return names;
}
