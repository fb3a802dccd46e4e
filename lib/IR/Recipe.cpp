//===- Recipe.cpp - The recipe attribute ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for recipes that don't depend on the op. lib/Recipe has those that do.
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Expression.h"
#include "baco/IR/LoopCommands.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

/// Checks that knobs of one name are equal, and collects them by name.
static LogicalResult verifyKnobs(EmitError emitError, ArrayRef<KnobAttr> all,
                                 llvm::StringMap<KnobAttr> &byName) {
  for (KnobAttr knob : all) {
    auto [it, isNew] = byName.try_emplace(knob.getName(), knob);
    if (isNew || it->second == knob)
      continue;
    bool sameDomain = it->second.getDomain() == knob.getDomain();
    InFlightDiagnostic diag =
        emitError() << "knob '" << knob.getName() << "' redeclared with "
                    << (sameDomain ? "another default or other weights"
                                   : "another domain");
    diag.attachNote() << "first declared as " << it->second;
    return diag;
  }
  return success();
}

/// Checks that `constraint` reads only known knobs.
static LogicalResult verifyReads(EmitError emitError, ConstraintAttr constraint,
                                 ArrayRef<StringRef> known) {
  Result<Expression> expression =
      Expression::parse(constraint.getExpression().str());
  if (!expression)
    return emitError() << expression.error().message;
  for (const std::string &name : expression->variables()) {
    if (llvm::is_contained(known, name))
      continue;
    InFlightDiagnostic diag = emitError()
                              << "condition \"" << constraint.getExpression()
                              << "\" reads '" << name
                              << "', which is not a knob of the recipe";
    if (StringRef near = nearestName(name, known); !near.empty())
      diag << "; did you mean '" << near << "'?";
    return diag;
  }
  return success();
}

/// The knobs in the fields of steps or loop commands, in order of appearance.
static SmallVector<KnobAttr> findKnobs(ArrayAttr steps) {
  llvm::SetVector<KnobAttr, SmallVector<KnobAttr>> knobs;
  steps.walk<WalkOrder::PreOrder>([&](KnobAttr knob) { knobs.insert(knob); });
  return knobs.takeVector();
}

/// Whether loop commands follow, behind a `bufferize` or at once.
static bool isOnLoops(ArrayRef<Attribute> steps) {
  if (isa<BufferizeAttr>(steps[0]))
    steps = steps.drop_front();
  return !steps.empty() && isa<LoopCommandAttr>(steps[0]);
}

LogicalResult RecipeAttr::verify(EmitError emitError, ArrayAttr steps,
                                 ArrayRef<ConstraintAttr> where,
                                 int64_t nests) {
  if (steps.empty())
    return emitError() << "a recipe needs at least one step";
  bool isOnLoops = ::isOnLoops(steps.getValue());
  if (nests < 1 || (nests > 1 && !isOnLoops))
    return emitError() << "a recipe "
                       << (isOnLoops
                               ? "of loop commands must be for 1 nest or more"
                               : "of steps must be for 1 op")
                       << ", but is for " << nests;
  for (auto [index, element] : llvm::enumerate(steps)) {
    if (isOnLoops && index == 0 && isa<BufferizeAttr>(element))
      continue;
    // Both may say how LLVM compiles the function.
    bool isOption = isOnLoops && isa<LLVMAttr>(element);
    if (!isOption && isOnLoops != isa<LoopCommandAttr>(element))
      return emitError() << "element " << index + 1 << " of the recipe is "
                         << element << ", but follows "
                         << (isOnLoops ? "a loop command" : "a step")
                         << "; a recipe can't mix steps and loop commands";
    if (!isOnLoops && !isa<RecipeStepInterface>(element))
      return emitError() << "element " << index + 1 << " of the recipe is "
                         << element << ", which is not a step";
  }
  SmallVector<KnobAttr> all = findKnobs(steps);
  llvm::StringMap<KnobAttr> byName;
  if (failed(verifyKnobs(emitError, all, byName)))
    return failure();
  SmallVector<StringRef> names;
  for (KnobAttr knob : all)
    names.push_back(knob.getName());
  if (isOnLoops)
    for (Attribute command : steps)
      if (isa<LoopCommandAttr>(command) &&
          failed(verifyKnobNames(emitError, command, names, "the recipe")))
        return failure();
  for (ConstraintAttr constraint : where)
    if (failed(verifyReads(emitError, constraint, names)))
      return failure();
  return success();
}

SmallVector<KnobAttr> RecipeAttr::getKnobs() const {
  return findKnobs(getSteps());
}

bool RecipeAttr::startsOnMemRefs() const {
  return isa<BufferizeAttr>(getSteps()[0]);
}

ArrayAttr RecipeAttr::getCommands() const {
  if (!isOnLoops(getSteps().getValue()))
    return ArrayAttr::get(getContext(), {});
  return ArrayAttr::get(
      getContext(),
      llvm::filter_to_vector(getSteps(), llvm::IsaPred<LoopCommandAttr>));
}
