//===- Majorant.cpp - A kernel whose results bound another's --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Differences become sums, and constants positive.
//
//===----------------------------------------------------------------------===//

#include "Majorant.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

static bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

static bool hasNegative(Attribute value) {
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return number.getValue().isNegative();
  auto numbers = dyn_cast_or_null<DenseFPElementsAttr>(value);
  return numbers && llvm::any_of(numbers.getValues<APFloat>(),
                                 [](APFloat v) { return v.isNegative(); });
}

/// The constants in memory that `op` takes the address of; null: none.
static memref::GlobalOp findGlobal(memref::GetGlobalOp op) {
  return SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
}

/// Moves floats, or computes none.
static bool isTransparent(Operation *op) {
  if (isa<memref::MemRefDialect, affine::AffineDialect, scf::SCFDialect,
          tensor::TensorDialect, bufferization::BufferizationDialect>(
          op->getDialect()) ||
      isa<func::FuncOp, func::ReturnOp, linalg::YieldOp, linalg::IndexOp,
          linalg::LinalgOp>(op))
    return true;
  return llvm::none_of(op->getOperandTypes(), isFloat) &&
         llvm::none_of(op->getResultTypes(), isFloat) &&
         isa<arith::ArithDialect>(op->getDialect());
}

bool baco::target::needsMajorant(func::FuncOp kernel) {
  bool subtracts = false;
  WalkResult walked = kernel.walk([&](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      subtracts |= hasNegative(constant.getValue());
    else if (auto address = dyn_cast<memref::GetGlobalOp>(op))
      subtracts |= hasNegative(findGlobal(address).getInitialValueAttr());
    else if (isa<arith::SubFOp, arith::NegFOp>(op))
      subtracts = true;
    else if (!isa<arith::AddFOp, arith::MulFOp, arith::DivFOp, arith::ExtFOp,
                  arith::TruncFOp, math::FmaOp>(op) &&
             !isTransparent(op))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return subtracts && !walked.wasInterrupted();
}

/// Is `value` the same up to its sign if all inputs are positive: an element of
/// an argument that nothing writes, or a constant?
static bool keepsSize(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<func::FuncOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  if (isa<arith::ConstantOp>(op))
    return true;
  if (isa<arith::NegFOp, arith::ExtFOp, arith::TruncFOp>(op))
    return keepsSize(op->getOperand(0));
  Value memory;
  if (auto load = dyn_cast<memref::LoadOp>(op))
    memory = load.getMemRef();
  else if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    memory = load.getMemRef();
  return memory && isa<BlockArgument>(memory) &&
         llvm::all_of(memory.getUsers(), [](Operation *user) {
           return isa<memref::LoadOp, affine::AffineLoadOp>(user);
         });
}

static TypedAttr absolute(TypedAttr value) {
  auto abs = [](const APFloat &v) { return llvm::abs(v); };
  if (auto number = dyn_cast<FloatAttr>(value))
    return FloatAttr::get(number.getType(), abs(number.getValue()));
  auto numbers = cast<DenseFPElementsAttr>(value);
  SmallVector<APFloat> values =
      llvm::map_to_vector(numbers.getValues<APFloat>(), abs);
  return DenseElementsAttr::get(numbers.getType(), values);
}

LogicalResult baco::target::makeMajorant(func::FuncOp kernel) {
  if (kernel
          .walk([](arith::DivFOp op) {
            return keepsSize(op.getRhs()) ? WalkResult::advance()
                                          : WalkResult::interrupt();
          })
          .wasInterrupted())
    return failure();
  IRRewriter rewriter(kernel.getContext());
  kernel.walk([&](Operation *op) {
    rewriter.setInsertionPoint(op);
    if (isa<arith::SubFOp>(op))
      rewriter.replaceOpWithNewOp<arith::AddFOp>(op, op->getOperand(0),
                                                 op->getOperand(1));
    else if (isa<arith::NegFOp>(op))
      rewriter.replaceOp(op, op->getOperand(0));
    else if (auto constant = dyn_cast<arith::ConstantOp>(op);
             constant && hasNegative(constant.getValue()))
      constant.setValueAttr(absolute(constant.getValue()));
    else if (auto address = dyn_cast<memref::GetGlobalOp>(op)) {
      memref::GlobalOp global = findGlobal(address);
      if (Attribute value = global.getInitialValueAttr(); hasNegative(value))
        global.setInitialValueAttr(absolute(cast<TypedAttr>(value)));
    }
  });
  return success();
}
