//===- SparseRegions.cpp - Ops with regions on sparse tensors -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/SparseRegions.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace baco;

Share baco::storedZeros(const sparse::StorageFormat &format) {
  auto isDense = [](const sparse::Level &level) {
    return level.kind == sparse::LevelKind::Dense;
  };
  if (llvm::all_of(format.levels, isDense))
    return Share::All;
  return isDense(format.levels.back()) ? Share::Some : Share::None;
}

SparseRegions::SparseRegions(linalg::LinalgOp op)
    : op(op), resultLoops(op.getNumLoops()) {
  for (Operation &each : *op.getBlock()) {
    if (!isa<sparse_tensor::UnaryOp, sparse_tensor::BinaryOp,
             sparse_tensor::ReduceOp>(each))
      continue;
    if (name.empty())
      name = each.getName().getStringRef();
    if (auto found = dyn_cast<sparse_tensor::ReduceOp>(each))
      reduce = found;
  }
  AffineMap map = op.getMatchingIndexingMap(&op.getDpsInitsMutable()[0]);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (map.isFunctionOfDim(loop))
      resultLoops.set(loop);
}

bool SparseRegions::hasSelect() const {
  linalg::LinalgOp structured = op;
  return llvm::any_of(*structured.getBlock(),
                      llvm::IsaPred<sparse_tensor::SelectOp>);
}

bool SparseRegions::isFilledWithIdentity() const {
  linalg::LinalgOp structured = op;
  sparse_tensor::ReduceOp reduction = reduce;
  auto fill = structured.getDpsInits().front().getDefiningOp<linalg::FillOp>();
  if (!fill || !reduction)
    return false;
  Value value = fill.getInputs().front(), identity = reduction.getIdentity();
  Attribute constant, other;
  return value == identity ||
         (matchPattern(value, m_Constant(&constant)) &&
          matchPattern(identity, m_Constant(&other)) && constant == other);
}

ReduceStart SparseRegions::startIn(ArrayRef<int64_t> order) const {
  if (resultLoops.none())
    return ReduceStart::Once;
  if (isResultLoop(order.back()))
    return ReduceStart::Never;
  auto isResult = [&](int64_t loop) { return isResultLoop(loop); };
  return std::is_partitioned(order.begin(), order.end(), isResult)
             ? ReduceStart::Once
             : ReduceStart::Repeatedly;
}
