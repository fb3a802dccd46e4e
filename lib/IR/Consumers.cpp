//===- Consumers.cpp - What can be computed behind a tile -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's fusion of consumers checks neither reductions nor what happens
// between the loops and the consumer: that is done here.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/Consumers.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace baco;
using linalg::LinalgOp;

/// For each tensor that the loops compute, its tiled dimensions.
using TiledValues = llvm::DenseMap<Value, TiledDims>;

std::optional<TiledDims> baco::getTiledDims(AffineMap map,
                                            ArrayRef<int64_t> iterators) {
  if (!map.isProjectedPermutation())
    return std::nullopt;
  TiledDims dims;
  for (AffineExpr index : map.getResults())
    dims.push_back(iterators[cast<AffineDimExpr>(index).getPosition()]);
  return dims;
}

/// Adds the results of `op` to `tiled`; why they can't be is the result, empty
/// if they can.
static std::string addConsumer(Operation *user, TiledValues &tiled) {
  auto op = dyn_cast<LinalgOp>(user);
  if (!op || !op.hasPureTensorSemantics())
    return "it is not a linalg op on tensors";
  if (op->hasAttr(BacoDialect::kRecipe))
    return "it has a recipe of its own";
  SmallVector<int64_t> iterators(op.getNumLoops(), kWhole);
  SmallVector<bool> isKnown(op.getNumLoops(), false);
  for (OpOperand &operand : op->getOpOperands()) {
    auto read = tiled.find(operand.get());
    if (read == tiled.end())
      continue;
    std::string name = "operand " + std::to_string(operand.getOperandNumber());
    if (op.isDpsInit(&operand))
      return "it writes to " + name + ", which the loops compute";
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation())
      return name + " has an index that is not a single iterator";
    for (auto [index, loop] : llvm::zip(map.getResults(), read->second)) {
      unsigned iterator = cast<AffineDimExpr>(index).getPosition();
      // One loop for two iterators would reach tiles on a diagonal only.
      bool isElsewhere = loop != kWhole && iterators[iterator] != loop &&
                         llvm::is_contained(iterators, loop);
      if (isElsewhere || (isKnown[iterator] && iterators[iterator] != loop))
        return "its operands need tiles of different loops along iterator " +
               std::to_string(iterator);
      isKnown[iterator] = true;
      iterators[iterator] = loop;
    }
  }
  for (auto [iterator, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterators[iterator] != kWhole && kind != utils::IteratorType::parallel)
      return "it reduces over iterator " + std::to_string(iterator) +
             ", and each tile has only part of its iterations";
  for (OpOperand &init : op.getDpsInitsMutable()) {
    std::optional<TiledDims> dims =
        getTiledDims(op.getMatchingIndexingMap(&init), iterators);
    if (!dims)
      return "its results have an index that is not a single iterator";
    for (int64_t loop : iterators)
      if (loop != kWhole && !llvm::is_contained(*dims, loop))
        return "its results don't have the dimensions that are tiled";
    tiled[op.getTiedOpResult(&init)] = *dims;
  }
  return "";
}

Consumers baco::findConsumers(Operation *producer,
                              ArrayRef<TiledDims> results) {
  Consumers consumers;
  TiledValues tiled;
  for (auto [value, dims] : llvm::zip(producer->getResults(), results))
    tiled[value] = dims;
  auto isTiled = [&](Value value) { return tiled.contains(value); };
  bool mayWrite = false;
  for (Operation *op = producer->getNextNode(); op; op = op->getNextNode()) {
    bool reads = false;
    op->walk([&](Operation *inner) {
      reads |= llvm::any_of(inner->getOperands(), isTiled);
    });
    if (!reads) {
      // The loops move to their consumer, across all ops between them.
      mayWrite |= !isMemoryEffectFree(op);
      continue;
    }
    consumers.reason =
        mayWrite ? "an op between it and the loops may write to memory"
                 : addConsumer(op, tiled);
    if (!consumers.reason.empty()) {
      consumers.obstacle = op;
      break;
    }
    consumers.ops.push_back(cast<LinalgOp>(op));
  }
  return consumers;
}
