//===- AliasVersions.cpp - Buffers that are passed twice ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeVersions.h"

#include "baco/Analysis/MemoryRoots.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/Walk.h"
#include "baco/KernelAnalysis/KernelSignature.h"
#include "baco/Schedule/Annotate.h"

using namespace mlir;
using namespace baco::frontend;

/// The use of `function` that may pass memory twice for two arguments, one of
/// which it writes.
static std::optional<baco::OverlappingUse>
findAliasedArguments(func::FuncOp function) {
  SmallVector<baco::ArgumentPair> pairs;
  SmallVector<unsigned> memories;
  for (BlockArgument argument : function.getArguments())
    if (isa<MemRefType>(argument.getType()))
      memories.push_back(argument.getArgNumber());
  for (auto [i, first] : llvm::enumerate(memories))
    for (unsigned second : ArrayRef(memories).drop_front(i + 1))
      if (baco::target::mayWrite(function.getArgument(first)) ||
          baco::target::mayWrite(function.getArgument(second)))
        pairs.emplace_back(first, second);
  return baco::findOverlappingUse(function, pairs);
}

void baco::frontend::separateBuffers(ModuleOp module) {
  SmallVector<std::pair<func::FuncOp, baco::OverlappingUse>> found;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && !isNoTune(function) &&
        !baco::hasRecipe(function) && baco::schedule::hasOpsToTune(function))
      if (auto shared = findAliasedArguments(function))
        found.emplace_back(function, *shared);
  for (auto [function, shared] : found) {
    if (auto version = makeKernel(function, extentsOf(function), function))
      dispatch(function, *version);
    else
      function.emitRemark()
          << "not tuned: a " << (shared.isCall ? "call" : "use of its address")
          << " in this module may pass one buffer for the arguments "
          << shared.arguments.first << " and " << shared.arguments.second
          << "; pass different buffers (" << llvm::toString(version.takeError())
          << ")";
    markNoTune(function);
  }
}
