//===- ExtractReductions.cpp - Statements that accumulate -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtractReductions.h"
#include "ExtractIndices.h"
#include "ReductionKind.h"

using namespace mlir;
using namespace baco::loopnest;
using vector::CombiningKind;

/// Whether `load` is one of the terms that make up `whole`. There may be more
/// of them than calls fit the stack.
static bool isTerm(Operation *load, Value whole) {
  // Parts that are to be looked at, and how they are combined with the others.
  SmallVector<std::pair<Value, std::optional<CombiningKind>>> parts = {
      {whole, std::nullopt}};
  while (!parts.empty()) {
    auto [value, kind] = parts.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (op && op == load && kind)
      return true;
    if (!op || op == load || !op->hasOneUse())
      continue;
    for (OpOperand &operand : op->getOpOperands())
      if (auto own = combiningKind(op, operand.getOperandNumber());
          own && own == kind.value_or(*own))
        parts.emplace_back(operand.get(), own);
  }
  return false;
}

std::optional<size_t>
baco::loopnest::findReduction(const NestStatement &statement) {
  if (statement.accesses.empty())
    return std::nullopt;
  const NestAccess &write = statement.accesses.front();
  const NestAccess *read = nullptr;
  for (const NestAccess &access : ArrayRef(statement.accesses).drop_front()) {
    if (access.isWrite)
      return std::nullopt;
    // Other elements of the array may be read, too, as in a triangular solve:
    // these dependences are no reduction's.
    if (access.array != write.array || !access.subscripts ||
        access.subscripts != write.subscripts)
      continue;
    if (read)
      return std::nullopt;
    read = &access;
  }
  if (!write.isWrite || !read || !read->op->hasOneUse() || !isStore(write.op) ||
      !llvm::is_contained(statement.ops, write.op))
    return std::nullopt;
  return isTerm(read->op, storedValue(write.op)) ? std::optional<size_t>(0)
                                                 : std::nullopt;
}
