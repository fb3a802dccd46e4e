//===- RowChain.cpp - A product and ops on its rows -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops before the product that it doesn't need, as those that set the maxima of
// rows, are done behind it, with those that do need it.
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/RowChain.h"

#include "baco/Analysis/MatrixProduct.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace baco;

static bool writesOneOf(linalg::LinalgOp op, ValueRange values) {
  return llvm::any_of(op.getDpsInits(), [&](Value result) {
    return llvm::is_contained(values, result);
  });
}

/// Splits `ops` into what the product of `chain` needs and what can follow it.
static llvm::Error splitOps(ArrayRef<linalg::LinalgOp> ops, RowChain &chain,
                            SmallVectorImpl<linalg::LinalgOp> &later) {
  SmallVector<linalg::LinalgOp> early = {chain.product};
  bool isBefore = false;
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    if (op == chain.product) {
      isBefore = true;
      continue;
    }
    bool isNeeded = isBefore && llvm::any_of(early, [&](linalg::LinalgOp user) {
                      return writesOneOf(op, user->getOperands());
                    });
    if (isNeeded) {
      early.push_back(op);
      continue;
    }
    // It moves behind those.
    if (isBefore && llvm::any_of(early, [&](linalg::LinalgOp other) {
          return writesOneOf(other, op->getOperands());
        }))
      return llvm::createStringError(
          "'" + op->getName().getStringRef() +
          "' before the product reads what the product, or an op that it "
          "needs, writes");
    later.push_back(op);
  }
  std::reverse(later.begin(), later.end());
  chain.elements.assign(early.rbegin(), std::prev(early.rend()));
  return llvm::Error::success();
}

/// Finds the iterators and inputs of the product.
static llvm::Error describeProduct(RowChain &chain) {
  linalg::LinalgOp op = chain.product;
  MatrixProduct product = *matchMatrixProduct(op);
  unsigned rank = op.getRank(op.getDpsInitOperand(0));
  unsigned result = op.getDpsInitOperand(0)->getOperandNumber();
  bool isSwapped = lastIteratorOf(op, result) == product.m;
  chain.m = isSwapped ? product.n : product.m;
  chain.n = isSwapped ? product.m : product.n;
  chain.rowInput = isSwapped ? 1 : 0;
  chain.columnInput = isSwapped ? 0 : 1;
  chain.k = product.k;
  if (!product.batch.empty())
    chain.batch = product.batch.front();
  if (lastIteratorOf(op, result) != chain.n ||
      iteratorOf(op, result, rank - 2) != chain.m)
    return llvm::createStringError(
        "the last dimensions of the product's result aren't its rows and "
        "columns");
  return llvm::Error::success();
}

/// Checks that rows of the group are those of memrefs with columns, and that a
/// lane never reads an element of a row's own that another one may have
/// written.
static llvm::Error checkRows(const RowChain &chain) {
  const RowGroup &group = chain.rows;
  unsigned rank = group.rows.size() + 1;
  linalg::LinalgOp product = chain.product;
  ArrayRef<int64_t> shape =
      cast<MemRefType>(product.getDpsInits()[0].getType()).getShape();
  if (shape.drop_back() != ArrayRef<int64_t>(group.rows) ||
      shape.back() != group.columns)
    return llvm::createStringError(
        "the ops behind the product aren't on its rows");
  llvm::SetVector<Value> set;
  for (const PlacedOp &placed : group.ops) {
    linalg::LinalgOp op = placed.op;
    for (OpOperand &operand : op->getOpOperands()) {
      ArrayRef<unsigned> dims = placed.dims[operand.getOperandNumber()];
      bool isWritten = llvm::any_of(group.ops, [&](const PlacedOp &other) {
        return writesOneOf(other.op, operand.get());
      });
      if ((isWritten || operand.get() == product.getDpsInits()[0]) &&
          dims.size() == rank && !llvm::is_sorted(dims))
        return llvm::createStringError(
            "the dimensions of a buffer have another order in '" +
            op->getName().getStringRef() + "'");
      if (isWritten && dims.size() < rank && !set.contains(operand.get()) &&
          op.payloadUsesValueFromOperand(&operand))
        return llvm::createStringError(
            "'" + op->getName().getStringRef() +
            "' reads an element for each row before an op behind the product "
            "sets it");
    }
    set.insert_range(op.getDpsInits());
  }
  return llvm::Error::success();
}

static void findRegisters(RowChain &chain) {
  for (const PlacedOp &placed : chain.rows.ops)
    for (Value buffer : linalg::LinalgOp(placed.op).getDpsInits())
      if (buffer.getDefiningOp<memref::AllocOp>() &&
          llvm::all_of(buffer.getUsers(), [&](Operation *user) {
            return isa<memref::DeallocOp>(user) ||
                   llvm::any_of(chain.rows.ops, [&](const PlacedOp &other) {
                     return other.op == user;
                   });
          }))
        chain.registers.insert(buffer);
}

llvm::Expected<RowChain> baco::findRowChain(ArrayRef<linalg::LinalgOp> ops) {
  RowChain chain;
  for (linalg::LinalgOp op : ops) {
    if (op.hasDynamicShape() || !matchMatrixProduct(op))
      continue;
    if (chain.product)
      return llvm::createStringError(
          "several products of matrices compute the op's inputs");
    chain.product = op;
  }
  if (!chain.product)
    return llvm::createStringError(
        "no product of matrices of static shape computes an input of the op");
  SmallVector<linalg::LinalgOp> later;
  if (llvm::Error error = describeProduct(chain))
    return error;
  if (llvm::Error error = splitOps(ops, chain, later))
    return error;
  llvm::Expected<RowGroup> rows = groupRows(later);
  if (!rows)
    return rows.takeError();
  chain.rows = std::move(*rows);
  if (llvm::Error error = checkRows(chain))
    return error;
  findRegisters(chain);
  return chain;
}

llvm::SetVector<Value> baco::listMatrices(const RowChain &chain) {
  llvm::SetVector<Value> buffers;
  buffers.insert(linalg::LinalgOp(chain.product).getDpsInits()[0]);
  for (const PlacedOp &placed : chain.rows.ops)
    for (Value buffer : linalg::LinalgOp(placed.op).getDpsInits())
      if (cast<MemRefType>(buffer.getType()).getRank() ==
              static_cast<int64_t>(chain.rows.rows.size()) + 1 &&
          !chain.registers.contains(buffer))
        buffers.insert(buffer);
  return buffers;
}
