//===- ContractionWork.cpp - What a contraction can't do without ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bound on work that no algebraic rewriting can save. Of C[i, j] += A[i, k] *
// B[k, j] with A and B that can be anything, no way of computing is known that
// takes less than a quarter of the operations for extents below 2^15: the least
// are those of Strassen's algorithm in Winograd's form (Higham, "Accuracy and
// Stability of Numerical Algorithms", 2nd edition, section 23.1), and these add
// where a product of matrices adds and multiplies at once.
//
//===----------------------------------------------------------------------===//

#include "ContractionWork.h"

#include "baco/Runtime/Floats.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
namespace runtime = baco::runtime;
using baco::runtime::ElementType;
using baco::runtime::Signature;

/// The argument that is operand `i` of `op`, itself and not a view of it, if
/// its elements are as wide as a unit for floats takes them.
static BlockArgument argumentOf(linalg::LinalgOp op, unsigned i) {
  auto argument = dyn_cast<BlockArgument>(op->getOperand(i));
  bool isWide = argument && isa<MemRefType>(argument.getType()) &&
                isa<Float32Type, Float64Type>(
                    cast<MemRefType>(argument.getType()).getElementType());
  return isWide && argument.getOwner() == op->getBlock() ? argument
                                                         : BlockArgument();
}

/// Whether an op behind `op` uses `memory`, or a view of it.
static bool isUsedBehind(linalg::LinalgOp op, Value memory) {
  return llvm::any_of(memory.getUsers(), [&](Operation *user) {
    if (isa<ViewLikeOpInterface>(user) &&
        llvm::any_of(user->getResults(),
                     [&](Value view) { return isUsedBehind(op, view); }))
      return true;
    Operation *top = op->getBlock()->findAncestorOpInBlock(*user);
    return !top || op->isBeforeInBlock(top);
  });
}

/// Whether each iterator is one of a product of matrices. One that is in a
/// single operand could be summed, or copied, apart from the products.
static bool isProductInAllIterators(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  return succeeded(dims) && dims->batch.size() + dims->m.size() +
                                    dims->n.size() + dims->k.size() ==
                                op.getNumLoops();
}

/// The multiply-adds of `op` times the size of their type; 0 if fewer may do.
static double productBytes(linalg::LinalgOp op, const Signature &signature) {
  constexpr int64_t mostExtent = 1 << 15;
  if (op->getNumOperands() != 3 || !isProductInAllIterators(op))
    return 0;
  BlockArgument a = argumentOf(op, 0), b = argumentOf(op, 1),
                c = argumentOf(op, 2);
  if (!a || !b || !c || a == b || isUsedBehind(op, c) ||
      signature.arguments[a.getArgNumber()].isOutput ||
      signature.arguments[b.getArgNumber()].isOutput)
    return 0;
  Type type = cast<MemRefType>(c.getType()).getElementType();
  if (type != cast<MemRefType>(a.getType()).getElementType() ||
      type != cast<MemRefType>(b.getType()).getElementType())
    return 0;
  double bytes = type.getIntOrFloatBitWidth() / 8;
  for (int64_t extent : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(extent) || extent > mostExtent)
      return 0;
    bytes *= static_cast<double>(extent);
  }
  return bytes;
}

/// Whether no timed inputs are zeros, whose products can be skipped: long sums,
/// or sums in short types, get some (InputKind::Grid).
static bool hasFullInputs(const Signature &signature) {
  constexpr int64_t mostTerms = 1 << 14;
  auto isWide = [](ElementType type) {
    return runtime::floatFormat(runtime::partType(type)).digits >=
           runtime::floatFormat(ElementType::F32).digits;
  };
  return signature.reductionLength <= mostTerms &&
         isWide(signature.roundedTo) &&
         llvm::all_of(signature.arguments, [&](const auto &argument) {
           return !runtime::isFloat(argument.type) || isWide(argument.type);
         });
}

void baco::target::readContractions(func::FuncOp kernel, Signature &signature) {
  if (!kernel.getBody().hasOneBlock() || !hasFullInputs(signature))
    return;
  // Two that are the same may be computed once.
  for (auto op : kernel.getBody().front().getOps<linalg::LinalgOp>())
    signature.productBytes =
        std::max(signature.productBytes, productBytes(op, signature));
}
