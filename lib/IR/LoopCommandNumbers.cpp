//===- LoopCommandNumbers.cpp - Loops that commands name ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be said of a command's loops before any command has run: a nest
// never has more loops than it nests, and one for each loop that a command
// cuts.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/LoopCommands.h"
#include "baco/IR/RecipeFields.h"
#include "baco/IR/StepLocations.h"
#include "baco/IR/Structured.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace baco;
using polyhedral::LoopArgument;

/// How many loops `op` nests at the most.
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

/// The least of the numbers that a field may be; 0 for a name.
static int64_t leastOf(Attribute number) {
  return isa<IntegerAttr, KnobAttr>(number) ? Quantity(number).smallest() : 0;
}

/// How many loops `command` asks for at the least.
static int64_t neededLoops(LoopCommandAttr command) {
  int64_t needed = 0;
  for (auto [argument, field] :
       llvm::zip_equal(command.getInfo().arguments(), command.getArguments())) {
    if (argument.kind == LoopArgument::Kind::Loop)
      needed = std::max(needed, leastOf(field));
    else if (llvm::is_contained({LoopArgument::Kind::LoopOrder,
                                 LoopArgument::Kind::Matrix,
                                 LoopArgument::Kind::Coefficients},
                                argument.kind))
      needed = std::max(needed, lengthOf(field));
  }
  return needed;
}

LogicalResult baco::verifyLoopNumbers(Operation *first, Operation *last,
                                      RecipeAttr recipe) {
  int64_t numLoops = 0;
  for (Operation *op = first, *end = last->getNextNode(); op != end;
       op = op->getNextNode())
    numLoops = std::max(numLoops, countLoops(op));
  size_t number = 0;
  for (auto [index, step] : llvm::enumerate(recipe.getSteps())) {
    auto command = dyn_cast<LoopCommandAttr>(step);
    if (!command)
      continue;
    ++number;
    if (int64_t needed = neededLoops(command); needed > numLoops)
      return mlir::emitError(locationOfStep(first, recipe.getSteps(), index))
             << "'" << first->getName() << "' op command " << number
             << " of its recipe, " << command << ", needs " << needed
             << " loops, but there are " << numLoops;
    if (command.getInfo().makesAnyLoops)
      return success();
    numLoops += llvm::count_if(
        command.getInfo().arguments(), [](const LoopArgument &argument) {
          return argument.kind == LoopArgument::Kind::Size;
        });
  }
  return success();
}
