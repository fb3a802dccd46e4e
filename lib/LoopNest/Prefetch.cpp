//===- Prefetch.cpp - Ask for data some iterations ahead ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/Prefetch.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::affine;
using namespace baco::loopnest;

static constexpr StringLiteral markName = "baco.prefetch";
/// Of x86 and most others; where lines are longer some prefetches are for
/// nothing.
static constexpr int64_t cacheLineBytes = 64;
/// The hint for level 2, as memref.prefetch counts: level 1 is full of what is
/// used now.
static constexpr unsigned levelTwo = 2;

void baco::loopnest::markForPrefetch(AffineForOp loop, int64_t ahead) {
  loop->setDiscardableAttr(markName,
                           Builder(loop.getContext()).getI64IntegerAttr(ahead));
}

/// Whether `loop` has no loops in it.
static bool isInnermost(AffineForOp loop) {
  return !loop.getBody()
              ->walk([](AffineForOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

/// Adds prefetches of what `load`, which is in `outer`, reads `ahead`
/// iterations of that loop later.
static void prefetchLike(AffineVectorLoadOp load, AffineForOp outer,
                         int64_t ahead) {
  auto inner = dyn_cast<AffineForOp>(load->getParentOp());
  if (!inner || inner == outer || !isInnermost(inner))
    return;
  AffineMap map = load.getAffineMap();
  SmallVector<Value> operands(load.getMapOperands());
  fullyComposeAffineMapAndOperands(&map, &operands);
  canonicalizeMapAndOperands(&map, &operands);
  unsigned place =
      llvm::find(operands, outer.getInductionVar()) - operands.begin();
  if (place >= map.getNumDims() ||
      !llvm::is_contained(operands, inner.getInductionVar()))
    return;
  OpBuilder builder(load);
  AffineExpr iterator = builder.getAffineDimExpr(place);
  map = map.replace(iterator, iterator + ahead * outer.getStepAsInt(),
                    map.getNumDims(), map.getNumSymbols());
  VectorType type = load.getVectorType();
  DataLayout layout = DataLayout::closest(load);
  int64_t bytes = layout.getTypeSize(type.getElementType());
  for (int64_t lane = 0; lane < type.getNumElements();
       lane += std::max<int64_t>(1, cacheLineBytes / bytes)) {
    SmallVector<AffineExpr> indices(map.getResults());
    indices.back() = indices.back() + lane;
    AffinePrefetchOp::create(builder, load.getLoc(), load.getMemref(),
                             AffineMap::get(map.getNumDims(),
                                            map.getNumSymbols(), indices,
                                            map.getContext()),
                             operands, /*isWrite=*/false,
                             /*localityHint=*/levelTwo, /*isDataCache=*/true);
  }
}

void baco::loopnest::prefetchMarked(Operation *root) {
  root->walk([](AffineForOp outer) {
    auto ahead = outer->getAttrOfType<IntegerAttr>(markName);
    if (!ahead)
      return;
    outer->removeDiscardableAttr(markName);
    SmallVector<AffineVectorLoadOp> loads;
    outer.getBody()->walk(
        [&](AffineVectorLoadOp load) { loads.push_back(load); });
    for (AffineVectorLoadOp load : loads)
      prefetchLike(load, outer, ahead.getInt());
  });
}
