//===- KernelArithmetic.cpp - How a kernel computes -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three lists of ops, and one walk.
//
//===----------------------------------------------------------------------===//

#include "KernelArithmetic.h"

#include "baco/IR/BacoDialect.h"
#include "baco/Runtime/Floats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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

/// Whether integers must be in some range for `op` to have a result, or for
/// what it yields to be an address.
static bool needsRange(Operation *op) {
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::DivSIOp,
          arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return !getElementTypeOrSelf(op->getResult(0).getType()).isIndex();
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

/// Whether `op` subtracts a product, or from one.
static bool subtractsProduct(Operation *op) {
  return isa<arith::SubFOp>(op) &&
         llvm::any_of(op->getOperands(), [](Value value) {
           return value.getDefiningOp<arith::MulFOp>() != nullptr;
         });
}

/// Notes that results are rounded to `type`.
static void lowerPrecision(ElementType type, Signature &signature) {
  if (runtime::floatFormat(type).digits <
      runtime::floatFormat(signature.roundedTo).digits)
    signature.roundedTo = type;
}

static void readOps(func::FuncOp function, Signature &signature,
                    llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (!seen.insert(function).second)
    return;
  function.walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op))
      if (auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
              call, call.getCalleeAttr()))
        readOps(callee, signature, seen);
    if (auto address = dyn_cast<memref::GetGlobalOp>(op)) {
      auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
          op, address.getNameAttr());
      if (global && !global.getConstant() &&
          !llvm::is_contained(signature.variables, global.getSymName()))
        signature.variables.push_back(global.getSymName().str());
    }
    signature.hasJumps |= jumps(op);
    // Tensor cores take as many digits of f32 as f16 has.
    if (op->hasAttr(baco::BacoDialect::kTF32))
      lowerPrecision(ElementType::F16, signature);
    readSpecials(op, signature);
    signature.mayOverflow &= !subtractsProduct(op);
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
  readOps(kernel, signature, seen);
}
