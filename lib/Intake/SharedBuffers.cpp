//===- SharedBuffers.cpp - Buffers that are passed twice ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedBuffers.h"
#include "Extents.h"
#include "ShapeVersions.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Annotate.h"
#include "baco/Target/KernelSignature.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace baco::intake;

/// The view that `memory` is, types apart.
static Value withoutCasts(Value memory) {
  while (auto cast = memory.getDefiningOp<memref::CastOp>())
    memory = cast.getSource();
  return memory;
}

/// The buffer that `memory` is all or a part of.
static Value bufferOf(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

static bool isSameBuffer(Value first, Value second) {
  auto firstGlobal = first.getDefiningOp<memref::GetGlobalOp>(),
       secondGlobal = second.getDefiningOp<memref::GetGlobalOp>();
  if (firstGlobal && secondGlobal)
    return firstGlobal.getName() == secondGlobal.getName();
  return first == second;
}

/// Whether two parts of a buffer are apart in some dimension.
static bool areApart(memref::SubViewOp first, memref::SubViewOp second) {
  if (!first || !second ||
      withoutCasts(first.getSource()) != withoutCasts(second.getSource()))
    return false;
  for (unsigned dim = 0; dim < first.getStaticOffsets().size(); ++dim) {
    if (first.isDynamicOffset(dim) || first.isDynamicSize(dim) ||
        first.isDynamicStride(dim) || second.isDynamicOffset(dim) ||
        second.isDynamicSize(dim) || second.isDynamicStride(dim))
      continue;
    auto last = [&](memref::SubViewOp view) {
      return view.getStaticOffset(dim) +
             (view.getStaticSize(dim) - 1) * view.getStaticStride(dim);
    };
    if (last(first) < second.getStaticOffset(dim) ||
        last(second) < first.getStaticOffset(dim))
      return true;
  }
  return false;
}

static bool mayOverlap(Value first, Value second) {
  return isSameBuffer(bufferOf(first), bufferOf(second)) &&
         !areApart(withoutCasts(first).getDefiningOp<memref::SubViewOp>(),
                   withoutCasts(second).getDefiningOp<memref::SubViewOp>());
}

/// Two arguments of `function`, one of which it writes, for which a call passes
/// memory that may be the same.
static std::optional<std::pair<unsigned, unsigned>>
findSharedBuffers(func::FuncOp function) {
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  SmallVector<unsigned> memories;
  for (BlockArgument argument : function.getArguments())
    if (isa<MemRefType>(argument.getType()))
      memories.push_back(argument.getArgNumber());
  for (auto [i, first] : llvm::enumerate(memories))
    for (unsigned second : ArrayRef(memories).drop_front(i + 1))
      if (baco::target::mayWrite(function.getArgument(first)) ||
          baco::target::mayWrite(function.getArgument(second)))
        pairs.emplace_back(first, second);
  auto module = function->getParentOfType<ModuleOp>();
  auto uses = SymbolTable::getSymbolUses(function, module);
  if (pairs.empty() || !uses)
    return std::nullopt;
  for (const SymbolTable::SymbolUse &use : *uses)
    if (auto call = dyn_cast<func::CallOp>(use.getUser()))
      for (auto [first, second] : pairs)
        if (mayOverlap(call.getOperand(first), call.getOperand(second)))
          return std::pair(first, second);
  return std::nullopt;
}

void baco::intake::separateBuffers(ModuleOp module) {
  SmallVector<std::pair<func::FuncOp, std::pair<unsigned, unsigned>>> found;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() &&
        !function->hasAttr(baco::BacoDialect::kKeep) &&
        !baco::hasRecipe(function) && baco::schedule::hasOpsToTune(function))
      if (auto shared = findSharedBuffers(function))
        found.emplace_back(function, *shared);
  for (auto [function, shared] : found) {
    std::string why;
    auto version = makeVersion(function, extentsOf(function), function);
    if (version)
      why = whyNoKernel(*version);
    else
      why = llvm::toString(version.takeError());
    if (why.empty()) {
      dispatch(function, *version);
    } else {
      if (version)
        version->erase();
      function.emitRemark()
          << "not tuned: a call in this module may pass one buffer for the "
             "arguments "
          << shared.first << " and " << shared.second
          << "; pass different buffers (" << why << ")";
    }
    function->setDiscardableAttr(baco::BacoDialect::kKeep,
                                 UnitAttr::get(module.getContext()));
  }
}
