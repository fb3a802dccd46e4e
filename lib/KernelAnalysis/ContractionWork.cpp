//===- ContractionWork.cpp - Lower bound on contraction work --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bound on work that no algebraic rewriting can save. For C[i, j] += A[i, k]
// * B[k, j] with arbitrary A and B, no known algorithm takes less than a
// quarter of the operations for extents below 2^15: the fewest are those of
// Strassen's algorithm in Winograd's form (Higham, "Accuracy and Stability of
// Numerical Algorithms", 2nd edition, section 23.1), and these add where a
// product of matrices adds and multiplies at once.
//
//===----------------------------------------------------------------------===//

#include "SignatureParts.h"

#include "LoopProducts.h"

#include "baco/Verification/Floats.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace baco::target;
namespace runtime = baco::runtime;
using baco::runtime::ElementType;
using baco::runtime::Signature;

/// Whether an op behind `op`, or in another block, uses `memory`, or a view of
/// it.
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

/// The multiply-adds of `op`; nothing if fewer may do.
static std::optional<Products> contractionOf(linalg::LinalgOp op,
                                             const Signature &signature) {
  if (op->getNumOperands() != 3 || !isProductInAllIterators(op))
    return std::nullopt;
  BlockArgument c = factorsAndResult(op->getOperand(0), op->getOperand(1),
                                     op->getOperand(2), signature);
  if (!c || isUsedBehind(op, c))
    return std::nullopt;
  Products products = {elementBytes(c), c.getArgNumber(), false};
  for (int64_t extent : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(extent) || extent > maxProductExtent)
      return std::nullopt;
    products.bytes *= static_cast<double>(extent);
  }
  // Each loop around it computes the same once more.
  for (Operation *parent = op->getParentOp(); !isa<func::FuncOp>(parent);
       parent = parent->getParentOp()) {
    if (!isDecidedByScalars(parent))
      return std::nullopt;
    products.isConditional = true;
  }
  return products;
}

/// Whether no timed inputs are zeros, whose products can be skipped: long sums,
/// or sums in short types, get some (InputKind::Grid).
static bool hasFullInputs(const Signature &signature) {
  constexpr int64_t maxTerms = 1 << 14;
  auto isWide = [](ElementType type) {
    return runtime::floatFormat(runtime::partType(type)).digits >=
           runtime::floatFormat(ElementType::F32).digits;
  };
  return signature.reductionLength <= maxTerms && isWide(signature.roundedTo) &&
         llvm::all_of(signature.arguments, [&](const auto &argument) {
           return !runtime::isFloat(argument.type) || isWide(argument.type);
         });
}

void baco::target::readContractions(func::FuncOp kernel, Signature &signature) {
  if (!kernel.getBody().hasOneBlock() || !hasFullInputs(signature))
    return;
  // Two that are the same may be computed once. One that is always computed
  // says more than one that may not be.
  Products most = {0, 0, true};
  kernel.walk([&](Operation *op) {
    std::optional<Products> products;
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      products = contractionOf(structured, signature);
    else if (auto product = dyn_cast<arith::MulFOp>(op))
      products = productsOf(product, signature);
    if (products && (products->isConditional == most.isConditional
                         ? products->bytes > most.bytes
                         : most.isConditional))
      most = *products;
  });
  signature.productBytes = most.bytes;
  signature.productOutput =
      most.isConditional && most.bytes > 0 ? int64_t(most.output) : -1;
}
