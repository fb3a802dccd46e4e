//===- ReductionKind.cpp - Operations that reductions are made of ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionKind.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
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

arith::FastMathFlags baco::loopnest::reassociation(Type type) {
  return isa<FloatType>(type) ? arith::FastMathFlags::reassoc
                              : arith::FastMathFlags::none;
}
