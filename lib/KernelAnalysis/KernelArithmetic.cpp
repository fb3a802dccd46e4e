//===- KernelArithmetic.cpp - How a kernel computes -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists of ops, and one walk.
//
//===----------------------------------------------------------------------===//

#include "SignatureParts.h"
#include "ValueSources.h"

#include "baco/IR/BacoDialect.h"
#include "baco/Verification/Floats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <limits>

using namespace mlir;
namespace runtime = baco::runtime;
using baco::runtime::ElementType;
using baco::runtime::Signature;

std::optional<ElementType> baco::target::elementTypeOf(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    if (complex.getElementType().isF32())
      return ElementType::ComplexF32;
    if (complex.getElementType().isF64())
      return ElementType::ComplexF64;
    return std::nullopt;
  }
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  if (type.isInteger(1))
    return ElementType::I1;
  if (type.isInteger(8))
    return ElementType::I8;
  if (type.isInteger(16))
    return ElementType::I16;
  if (type.isInteger(32))
    return ElementType::I32;
  if (type.isInteger(64))
    return ElementType::I64;
  if (type.isIndex())
    return ElementType::Index;
  return std::nullopt;
}

// Ops of other dialects move numbers.
bool baco::target::roundsFloats(Operation *op) {
  if (isa<arith::ConstantOp, arith::ExtFOp, arith::SelectOp, arith::BitcastOp,
          arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp, math::AbsFOp, math::CopySignOp>(op))
    return false;
  return isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(
             op->getDialect()) ||
         isa<vector::ContractionOp, vector::FMAOp, vector::ReductionOp,
             vector::MultiDimReductionOp, vector::OuterProductOp,
             vector::ScanOp>(op);
}

/// Whether a difference in the last bit of a float may become any difference.
static bool jumps(Operation *op) {
  return isa<arith::CmpFOp, arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp,
             arith::RemFOp, math::FloorOp, math::CeilOp, math::RoundOp,
             math::RoundEvenOp, math::TruncOp, complex::EqualOp,
             complex::NotEqualOp>(op);
}

/// Whether one of the terms of `sum`, which may be negated, is a product.
static bool addsProduct(Operation *sum) {
  baco::target::ValueSources terms(/*isSame=*/true);
  for (Value operand : sum->getOperands())
    terms.add(operand);
  for (size_t i = 0; i < terms.values.size(); ++i)
    if (auto negation = terms.values[i].getDefiningOp<arith::NegFOp>())
      terms.add(negation.getOperand());
  return llvm::any_of(terms.values, [](Value term) {
    return term.getDefiningOp<arith::MulFOp>();
  });
}

/// Whether an operand of `op` depends on its result, as in a reduction.
static bool isCarried(Operation *op) {
  baco::target::ValueSources sources(/*isSame=*/false);
  for (Value operand : op->getOperands())
    sources.add(operand);
  return sources.values.contains(op->getResult(0));
}

/// Whether schedules may compute other bits than `op`: sums and products in
/// other orders, if there `areReductions`; sums that are fused with products;
/// quotients by reciprocals; and functions in other ways.
static bool mayVary(Operation *op, bool areReductions) {
  if (auto flagged = dyn_cast<arith::ArithFastMathInterface>(op))
    if (auto flags = flagged.getFastMathFlagsAttr();
        flags && flags.getValue() != arith::FastMathFlags::none)
      return true;
  if (isa<CallOpInterface>(op))
    return true;
  if (isa<arith::AddFOp, arith::SubFOp>(op))
    return areReductions || addsProduct(op);
  if (isa<arith::MulFOp>(op))
    return areReductions && isCarried(op);
  if (isa<arith::DivFOp>(op)) {
    APFloat divisor(0.0);
    return !matchPattern(op->getOperand(1), m_ConstantFloat(&divisor)) ||
           !divisor.getExactInverse(nullptr);
  }
  return baco::target::roundsFloats(op) &&
         !isa<arith::ArithDialect>(op->getDialect()) &&
         !isa<math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
              math::TruncOp, math::SqrtOp>(op);
}

/// The bounds of a float that maxima and minima with constants give.
static std::pair<double, double> boundsOf(Value value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  APFloat constant(0.0);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return {constant.convertToDouble(), constant.convertToDouble()};
  Operation *op = value.getDefiningOp();
  bool isRounding = op && isa<math::FloorOp, math::CeilOp, math::RoundOp,
                              math::RoundEvenOp, math::TruncOp>(op);
  bool isMaximum = op && isa<arith::MaximumFOp, arith::MaxNumFOp>(op);
  bool isMinimum = op && isa<arith::MinimumFOp, arith::MinNumFOp>(op);
  if (!isRounding && !isMaximum && !isMinimum)
    return {-infinity, infinity};
  auto [low, high] = boundsOf(op->getOperand(0));
  if (isRounding)
    return {std::floor(low), std::ceil(high)};
  auto [otherLow, otherHigh] = boundsOf(op->getOperand(1));
  if (isMaximum)
    return {std::max(low, otherLow), std::max(high, otherHigh)};
  return {std::min(low, otherLow), std::min(high, otherHigh)};
}

/// Whether `op`, which jumps, yields the same for any number in any schedule.
static bool jumpsExactly(Operation *op, bool areReductions) {
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    bool isSigned = isa<arith::FPToSIOp>(op);
    int width = getElementTypeOrSelf(op->getResult(0)).getIntOrFloatBitWidth();
    double end = std::ldexp(1, width - isSigned);
    auto [low, high] = boundsOf(op->getOperand(0));
    if (low < (isSigned ? -end : 0) || high >= end)
      return false;
  }
  baco::target::ValueSources sources(/*isSame=*/false);
  for (Value operand : op->getOperands())
    sources.add(operand);
  return llvm::none_of(sources.values, [&](Value source) {
    Operation *definition = source.getDefiningOp();
    return definition && mayVary(definition, areReductions);
  });
}

/// Whether `op` is one function of some numbers, and another one of others.
static bool isPiecewise(Operation *op) {
  if (isa<arith::CmpIOp, arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp,
          arith::MinUIOp>(op))
    return !getElementTypeOrSelf(op->getOperand(0)).isIndex();
  return jumps(op) || isa<arith::MaximumFOp, arith::MinimumFOp,
                          arith::MaxNumFOp, arith::MinNumFOp>(op);
}

/// Adds the number that `constant` is, or has in all its elements.
static void addConstant(arith::ConstantOp constant, Signature &signature) {
  constexpr size_t maxConstants = 16;
  Attribute value = constant.getValue();
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = splat.getSplatValue<Attribute>();
  double number = 0;
  if (auto real = dyn_cast<FloatAttr>(value))
    number = real.getValueAsDouble();
  else if (auto integer = dyn_cast<IntegerAttr>(value);
           integer && integer.getType().isSignlessInteger())
    number = static_cast<double>(integer.getValue().getSExtValue());
  if (number != 0 && std::isfinite(number) &&
      signature.constants.size() < maxConstants &&
      !llvm::is_contained(signature.constants, number))
    signature.constants.push_back(number);
}

/// Whether integers must be in some range for `op` to have a result, or for
/// what it yields to be an address. Divisors are positive in any case; should
/// one that is computed not be, the kernel is run on other numbers.
static bool needsRange(Operation *op) {
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return !getElementTypeOrSelf(op->getResult(0).getType()).isIndex() &&
           !matchPattern(op->getOperand(1), m_Constant());
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return getElementTypeOrSelf(op->getResult(0).getType()).isIndex();
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && (flags.hasNoSignedWrap() || flags.hasNoUnsignedWrap());
}

/// Keeps NaN or infinities out of the inputs where `op` is not defined for
/// them: by its flags, or as it makes an integer of a float.
static void readSpecials(Operation *op, Signature &signature) {
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    signature.takesNaN = signature.takesInfinity = false;
  auto flagged = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!flagged)
    return;
  // Optional in some ops.
  arith::FastMathFlagsAttr attribute = flagged.getFastMathFlagsAttr();
  if (!attribute)
    return;
  arith::FastMathFlags flags = attribute.getValue();
  // Infinities make NaNs: inf - inf. Approximate or reassociated operations may
  // overflow where the original does not.
  using arith::FastMathFlags;
  if (arith::bitEnumContainsAny(flags, FastMathFlags::nnan))
    signature.takesNaN = signature.takesInfinity = false;
  if (arith::bitEnumContainsAny(
          flags, FastMathFlags::ninf | FastMathFlags::arcp |
                     FastMathFlags::afn | FastMathFlags::reassoc))
    signature.takesInfinity = false;
}

/// Notes that results are rounded to `type`.
static void lowerPrecision(ElementType type, Signature &signature) {
  if (runtime::floatFormat(type).digits <
      runtime::floatFormat(signature.roundedTo).digits)
    signature.roundedTo = type;
}

/// `isCalled`: by the kernel.
static void readOps(func::FuncOp function, bool isCalled, Signature &signature,
                    llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (!seen.insert(function).second)
    return;
  function.walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op))
      if (auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
              call, call.getCalleeAttr()))
        readOps(callee, /*isCalled=*/true, signature, seen);
    if (auto address = dyn_cast<memref::GetGlobalOp>(op)) {
      auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
          op, address.getNameAttr());
      if (global && !global.getConstant() &&
          !llvm::is_contained(signature.variables, global.getSymName()))
        signature.variables.push_back(global.getSymName().str());
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      addConstant(constant, signature);
    signature.isPiecewise |= isPiecewise(op);
    if (jumps(op)) {
      signature.hasJumps = true;
      signature.areJumpsExact = signature.areJumpsExact && !isCalled &&
                                jumpsExactly(op, signature.reductionLength > 1);
    }
    // Tensor cores take as many digits of f32 as f16 has.
    if (op->hasAttr(baco::BacoDialect::kTF32))
      lowerPrecision(ElementType::F16, signature);
    readSpecials(op, signature);
    signature.mayOverflow &= !(isa<arith::SubFOp>(op) && addsProduct(op));
    signature.takesAnyInteger &= !needsRange(op);
    // On memrefs it has no results.
    bool isSoftmax = isa<linalg::SoftmaxOp>(op);
    if (!baco::target::roundsFloats(op) && !isSoftmax)
      return;
    TypeRange types = op->getResultTypes();
    if (isSoftmax)
      types = op->getOperandTypes();
    for (Type type : types) {
      auto element = baco::target::elementTypeOf(getElementTypeOrSelf(type));
      if (!element || !runtime::isFloat(*element))
        continue;
      lowerPrecision(runtime::partType(*element), signature);
    }
  });
}

void baco::target::readArithmetic(func::FuncOp kernel, Signature &signature) {
  llvm::SmallPtrSet<Operation *, 4> seen;
  readOps(kernel, /*isCalled=*/false, signature, seen);
}
