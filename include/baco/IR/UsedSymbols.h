//===- UsedSymbols.h - Symbols that ops name --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_USEDSYMBOLS_H
#define BACO_IR_USEDSYMBOLS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

namespace baco {

using SymbolNames = llvm::DenseSet<mlir::StringAttr>;

/// The symbols of `module` with a use that `isMeant` accepts; nothing if some
/// op may use any. It looks at all attributes, so that once for all symbols is
/// much faster than SymbolTable::symbolKnownUseEmpty for each.
std::optional<SymbolNames> usedSymbols(
    mlir::ModuleOp module,
    llvm::function_ref<bool(const mlir::SymbolTable::SymbolUse &)> isMeant =
        [](const mlir::SymbolTable::SymbolUse &) { return true; });

} // namespace baco

#endif // BACO_IR_USEDSYMBOLS_H
