//===- LiftNestedModules.cpp - Modules in modules -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerForms.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace baco;

/// The declaration that `symbol`, one too, repeats in `outer`; null if there is
/// none.
static Operation *findDeclaration(SymbolOpInterface symbol,
                                  SymbolTable &outer) {
  Operation *same = outer.lookup(symbol.getName());
  return same && OperationEquivalence::isEquivalentTo(
                     symbol, same, OperationEquivalence::IgnoreLocations)
             ? same
             : nullptr;
}

/// Whether the ops in `inner` mean the same in its place in `outer`, once those
/// that are defined in both have other names.
static bool canBeLifted(ModuleOp inner, SymbolTable &outer) {
  if (!inner->getDiscardableAttrs().empty() ||
      (inner.getSymName() &&
       !SymbolTable::symbolKnownUseEmpty(inner, outer.getOp())))
    return false;
  return llvm::all_of(
      inner.getOps<SymbolOpInterface>(), [&](SymbolOpInterface symbol) {
        return !symbol.isDeclaration() || !outer.lookup(symbol.getName()) ||
               findDeclaration(symbol, outer);
      });
}

/// Gives what `inner` defines names that are free in `outer`, and takes out of
/// it what that declares, too.
static void separate(ModuleOp inner, SymbolTable &outer) {
  SymbolTable table(inner);
  for (auto symbol :
       llvm::make_early_inc_range(inner.getOps<SymbolOpInterface>())) {
    std::string name = symbol.getName().str();
    if (!outer.lookup(name))
      continue;
    if (symbol.isDeclaration()) {
      symbol->erase();
      continue;
    }
    FailureOr<StringAttr> renamed = table.renameToUnique(symbol, {&outer});
    if (succeeded(renamed))
      emitRemark(symbol.getLoc())
          << "renamed '" << name << "' of a nested module to '"
          << renamed->getValue() << "': the name is taken";
  }
}

int64_t baco::frontend::liftNestedModules(ModuleOp module) {
  int64_t count = 0;
  for (auto inner : llvm::make_early_inc_range(module.getOps<ModuleOp>())) {
    count += liftNestedModules(inner);
    SymbolTable outer(module);
    if (!canBeLifted(inner, outer))
      continue;
    separate(inner, outer);
    module.getBody()->getOperations().splice(inner->getIterator(),
                                             inner.getBody()->getOperations());
    inner->erase();
    ++count;
  }
  return count;
}
