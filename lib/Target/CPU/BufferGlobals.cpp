//===- BufferGlobals.cpp - Constants that bufferization makes -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/LowerToLoops.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace baco;
using memref::GetGlobalOp;
using memref::GlobalOp;

/// How upstream names the globals that it makes, before the type.
static constexpr StringLiteral kPrefix = "__constant_";

llvm::StringSet<> target::namesOfGlobals(ModuleOp module) {
  llvm::StringSet<> names;
  for (auto global : module.getOps<GlobalOp>())
    names.insert(global.getSymName());
  return names;
}

/// The name without the number that makes it unique.
static StringRef withoutNumber(StringRef name) {
  auto [base, number] = name.rsplit('_');
  bool isNumber = !number.empty() && llvm::all_of(number, llvm::isDigit);
  return isNumber && base.size() > kPrefix.size() ? base : name;
}

void target::orderBufferGlobals(ModuleOp module,
                                const llvm::StringSet<> &before) {
  SmallVector<GlobalOp> made;
  for (auto global : module.getOps<GlobalOp>())
    if (global.getSymName().starts_with(kPrefix) &&
        !before.contains(global.getSymName()))
      made.push_back(global);
  // A single global has one order only.
  if (made.size() < 2)
    return;
  // The uses of each global, in the order of the first ones.
  llvm::MapVector<StringAttr, SmallVector<GetGlobalOp>> uses;
  size_t numFunctions = 0;
  for (Operation &function : *module.getBody()) {
    bool hasUse = false;
    function.walk([&](GetGlobalOp get) {
      StringAttr name = get.getNameAttr().getAttr();
      if (!name.getValue().starts_with(kPrefix) ||
          before.contains(name.getValue()))
        return;
      uses[name].push_back(get);
      hasUse = true;
    });
    numFunctions += hasUse;
  }
  // Bufferization takes functions in the order of their addresses, which only
  // matters if there are several.
  if (numFunctions < 2)
    return;
  SymbolTable symbols(module);
  llvm::DenseMap<StringAttr, GlobalOp> used;
  for (GlobalOp global : made) {
    // All names are free before the first one is given anew.
    symbols.remove(global);
    if (uses.contains(global.getSymNameAttr())) {
      used[global.getSymNameAttr()] = global;
      global->remove();
    } else {
      global->erase();
    }
  }
  for (auto &[name, gets] : uses) {
    GlobalOp global = used.lookup(name);
    // A nested module may have a global of such a name.
    if (!global)
      continue;
    global.setSymName(withoutNumber(name));
    // Like upstream: in front, with another number if the name is taken.
    StringAttr unique = symbols.insert(global, module.getBody()->begin());
    for (GetGlobalOp get : gets)
      get.setNameAttr(FlatSymbolRefAttr::get(unique));
  }
}
