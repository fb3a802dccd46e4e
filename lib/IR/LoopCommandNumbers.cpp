//===- LoopCommandNumbers.cpp - Loops that commands name ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the loop numbers of commands before they run: a nest never has more
// loops than its depth, plus one for each loop that a command tiles.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/LoopCommands.h"
#include "baco/IR/RecipeState.h"
#include "baco/IR/Structured.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace baco;

/// The largest depth of `op`.
static int64_t countLoops(Operation *op) {
  if (isStructured(op))
    return countIterators(op);
  int64_t inner = 0;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      inner = std::max(inner, countLoops(&nested));
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return inner;
  // A parallel loop has several; affine.parallel doesn't tell its interface.
  int64_t variables = loop.getLoopRegions().front()->getNumArguments() -
                      loop.getRegionIterArgs().size();
  return inner + std::max<int64_t>(variables, 1);
}

/// The number of elements of a list, or of a knob that orders them; 0 for a
/// name.
static int64_t lengthOf(Attribute list) {
  if (auto knob = dyn_cast<KnobAttr>(list))
    return cast<PermutationAttr>(knob.getDomain()).getCount();
  if (auto array = dyn_cast<ArrayAttr>(list))
    return array.size();
  FailureOr<SmallVector<int64_t>> numbers = getIntegerList(list);
  return succeeded(numbers) ? numbers->size() : 0;
}

/// The least value of a field; 0 for a name.
static int64_t leastOf(Attribute number) {
  return isa<IntegerAttr, KnobAttr>(number) ? Quantity(number).smallest() : 0;
}

/// The least number of loops that `command` needs.
static int64_t neededLoops(Attribute command) {
  return llvm::TypeSwitch<Attribute, int64_t>(command)
      .Case([](LoopPermuteAttr c) { return lengthOf(c.getOrder()); })
      .Case([](LoopNonsingularAttr c) { return lengthOf(c.getMatrix()); })
      .Case([](LoopSkewAttr c) {
        return std::max(leastOf(c.getLoop()), lengthOf(c.getCoefficients()));
      })
      .Case<LoopTileAttr, LoopSplitAttr, LoopShiftAttr, LoopScaleAttr,
            LoopReverseAttr, LoopDistributeAttr, LoopFuseAttr, LoopAlignAttr,
            LoopUnrollAttr, LoopVectorizeAttr, LoopParallelizeAttr,
            LoopCopyAttr, LoopExpandAttr, LoopPrefetchAttr>(
          [](auto c) { return leastOf(c.getLoop()); })
      .Default([](Attribute) { return 0; });
}

LogicalResult baco::verifyLoopNumbers(Operation *first, Operation *last,
                                      ArrayAttr commands) {
  int64_t numLoops = 0;
  for (Operation *op = first, *end = last->getNextNode(); op != end;
       op = op->getNextNode())
    numLoops = std::max(numLoops, countLoops(op));
  for (auto [index, command] : llvm::enumerate(commands)) {
    if (int64_t needed = neededLoops(command); needed > numLoops)
      return first->emitOpError()
             << "command " << index + 1 << " of its recipe, " << command
             << ", needs " << needed << " loops, but there are " << numLoops;
    // These make any number of loops.
    if (isa<LoopCopyAttr, LoopExpandAttr, LoopAutoAttr>(command))
      return success();
    if (isa<LoopTileAttr, LoopUnrollAttr, LoopVectorizeAttr>(command))
      ++numLoops;
  }
  return success();
}
