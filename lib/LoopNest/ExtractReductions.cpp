//===- ExtractReductions.cpp - Statements that accumulate -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtractReductions.h"
#include "ExtractIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace baco::loopnest;

namespace {
enum class Combiner { None, Sum, Product, Minimum, Maximum, Bits };
} // namespace

/// How the operation combines its operands. Kinds of minimum that treat NaN
/// differently don't occur in one chain: the op's name must stay the same.
static Combiner combinerOf(Operation *op) {
  if (isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp,
          math::FmaOp>(op))
    return Combiner::Sum;
  if (isa<arith::MulFOp, arith::MulIOp>(op))
    return Combiner::Product;
  if (isa<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp>(
          op))
    return Combiner::Minimum;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp>(
          op))
    return Combiner::Maximum;
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return Combiner::Bits;
  return Combiner::None;
}

/// The operands of `op` that are terms of its combination with sign plus.
static SmallVector<Value> terms(Operation *op) {
  if (isa<arith::SubFOp, arith::SubIOp>(op))
    return {op->getOperand(0)};
  if (isa<math::FmaOp>(op))
    return {op->getOperand(2)};
  return {op->getOperand(0), op->getOperand(1)};
}

/// Whether `load` is one of the terms that make up `whole`. There may be more
/// of them than calls fit the stack.
static bool isTerm(Operation *load, Value whole, Combiner combiner) {
  bool isSum = combiner == Combiner::Sum;
  // Parts that are to be looked at, and the ops that combine them.
  SmallVector<std::pair<Value, Operation *>> parts = {{whole, nullptr}};
  while (!parts.empty()) {
    auto [value, user] = parts.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (op && op == load && user)
      return true;
    if (!op || op == load || !op->hasOneUse() || combinerOf(op) != combiner ||
        (user && !isSum && user->getName() != op->getName()))
      continue;
    for (Value term : terms(op))
      parts.emplace_back(term, op);
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
  Value stored = storedValue(write.op);
  Operation *last = stored.getDefiningOp();
  Combiner combiner = last ? combinerOf(last) : Combiner::None;
  if (combiner == Combiner::None || !isTerm(read->op, stored, combiner))
    return std::nullopt;
  return 0;
}
