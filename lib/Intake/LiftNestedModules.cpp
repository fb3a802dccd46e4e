//===- LiftNestedModules.cpp - Modules in modules -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiftNestedModules.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace baco;

/// Whether the ops in `inner` mean the same in its place in `outer`, whose
/// symbols are `taken`.
static bool canBeLifted(ModuleOp inner, ModuleOp outer,
                        const llvm::StringSet<> &taken) {
  if (!inner->getDiscardableAttrs().empty() ||
      (inner.getSymName() && !SymbolTable::symbolKnownUseEmpty(inner, outer)))
    return false;
  return llvm::none_of(inner.getOps<SymbolOpInterface>(),
                       [&](SymbolOpInterface symbol) {
                         return taken.contains(symbol.getName());
                       });
}

int64_t baco::intake::liftNestedModules(ModuleOp module) {
  int64_t count = 0;
  llvm::StringSet<> taken;
  auto takeNames = [&](ModuleOp from) {
    for (auto symbol : from.getOps<SymbolOpInterface>())
      if (StringAttr name = SymbolTable::getSymbolName(symbol))
        taken.insert(name);
  };
  takeNames(module);
  for (auto inner : llvm::make_early_inc_range(module.getOps<ModuleOp>())) {
    count += liftNestedModules(inner);
    if (!canBeLifted(inner, module, taken))
      continue;
    takeNames(inner);
    module.getBody()->getOperations().splice(inner->getIterator(),
                                             inner.getBody()->getOperations());
    inner->erase();
    ++count;
  }
  return count;
}
