//===- ReductionKind.cpp - Operations that reductions are made of ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/ReductionKind.h"
#include "ExtractIndices.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace baco::loopnest;
using vector::CombiningKind;

std::optional<CombiningKind>
baco::loopnest::combiningKind(Operation *op, unsigned operandOfX) {
  using Kind = std::optional<CombiningKind>;
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case<arith::AddFOp, arith::AddIOp>(
          [](auto) { return CombiningKind::ADD; })
      .Case<arith::SubFOp, arith::SubIOp>([&](auto) {
        return operandOfX == 0 ? Kind(CombiningKind::ADD) : std::nullopt;
      })
      .Case([&](math::FmaOp) {
        return operandOfX == 2 ? Kind(CombiningKind::ADD) : std::nullopt;
      })
      .Case<arith::MulFOp, arith::MulIOp>(
          [](auto) { return CombiningKind::MUL; })
      .Case([](arith::MinimumFOp) { return CombiningKind::MINIMUMF; })
      .Case([](arith::MaximumFOp) { return CombiningKind::MAXIMUMF; })
      .Case([](arith::MinNumFOp) { return CombiningKind::MINNUMF; })
      .Case([](arith::MaxNumFOp) { return CombiningKind::MAXNUMF; })
      .Case([](arith::MinSIOp) { return CombiningKind::MINSI; })
      .Case([](arith::MaxSIOp) { return CombiningKind::MAXSI; })
      .Case([](arith::MinUIOp) { return CombiningKind::MINUI; })
      .Case([](arith::MaxUIOp) { return CombiningKind::MAXUI; })
      .Case([](arith::AndIOp) { return CombiningKind::AND; })
      .Case([](arith::OrIOp) { return CombiningKind::OR; })
      .Case([](arith::XOrIOp) { return CombiningKind::XOR; })
      .Default([](Operation *) { return Kind(); });
}

TypedAttr baco::loopnest::neutralElement(CombiningKind kind, Type type) {
  Builder builder(type.getContext());
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    switch (kind) {
    case CombiningKind::MUL:
      return builder.getFloatAttr(type, 1.0);
    case CombiningKind::MINIMUMF:
      return builder.getFloatAttr(type, APFloat::getInf(semantics));
    case CombiningKind::MAXIMUMF:
      return builder.getFloatAttr(type, APFloat::getInf(semantics, true));
    case CombiningKind::MINNUMF:
    case CombiningKind::MAXNUMF:
      return builder.getFloatAttr(type, APFloat::getNaN(semantics));
    default:
      // Not +0: that would turn a sum of -0 into +0.
      return builder.getFloatAttr(type, APFloat::getZero(semantics, true));
    }
  }
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  switch (kind) {
  case CombiningKind::MUL:
    return builder.getIntegerAttr(type, APInt(bits, 1));
  case CombiningKind::MINSI:
    return builder.getIntegerAttr(type, APInt::getSignedMaxValue(bits));
  case CombiningKind::MAXSI:
    return builder.getIntegerAttr(type, APInt::getSignedMinValue(bits));
  case CombiningKind::MINUI:
  case CombiningKind::AND:
    return builder.getIntegerAttr(type, APInt::getAllOnes(bits));
  default:
    return builder.getIntegerAttr(type, APInt::getZero(bits));
  }
}

Value baco::loopnest::makeNeutral(OpBuilder &builder, Location loc,
                                  CombiningKind kind, VectorType type) {
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type,
                             neutralElement(kind, type.getElementType())));
}

arith::FastMathFlags baco::loopnest::reassociation(Type type) {
  return isa<FloatType>(type) ? arith::FastMathFlags::reassoc
                              : arith::FastMathFlags::none;
}

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
