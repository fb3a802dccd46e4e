//===- AnnotateTensors.cpp - Recipes for ops on tensors -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferizes a copy, and takes the recipes over from there. Ops are told apart
// by numbers, which last as long as they do; those of a softmax are set again,
// for upstream's bufferization drops its attributes.
//
//===----------------------------------------------------------------------===//

#include "AnnotateParts.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Schedule/ExpandRecipes.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-annotate-tensors"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

void baco::schedule::emitNoRecipe(Operation *op, StringRef why) {
  op->emitRemark() << "no automatic recipe: " << why;
}

bool baco::schedule::worksOnTensors(func::FuncOp function) {
  return contains(function, isOnTensors);
}

/// The ops that may get a recipe.
static SmallVector<Operation *> findCandidates(func::FuncOp function) {
  SmallVector<Operation *> candidates;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isStructured(op) || isa<LoopLikeOpInterface>(op))
      candidates.push_back(op);
  });
  return candidates;
}

/// The softmaxes among `ops`.
static SmallVector<Operation *> softmaxesOf(ArrayRef<Operation *> ops) {
  return llvm::filter_to_vector(ops, llvm::IsaPred<linalg::SoftmaxOp>);
}

/// A copy of the module of `function` in memory, whose `candidates` are
/// numbered; or why there is none.
static llvm::Expected<OwningOpRef<ModuleOp>>
bufferizeCopy(func::FuncOp function, ArrayRef<Operation *> candidates) {
  std::string reason;
  ScopedDiagnosticHandler handler(
      function.getContext(), [&](Diagnostic &diagnostic) {
        if (reason.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          reason = diagnostic.str();
        return success();
      });
  Builder builder(function.getContext());
  for (auto [index, op] : llvm::enumerate(candidates))
    op->setDiscardableAttr(BacoDialect::kMark, builder.getIndexAttr(index));
  FailureOr<OwningOpRef<ModuleOp>> copy =
      isolate(function->getParentOfType<ModuleOp>(), function.getName());
  SmallVector<Operation *> softmaxes = softmaxesOf(candidates);
  SmallVector<Attribute> numbers =
      llvm::map_to_vector(softmaxes, [](Operation *op) {
        return op->getDiscardableAttr(BacoDialect::kMark);
      });
  for (Operation *op : candidates)
    op->removeDiscardableAttr(BacoDialect::kMark);
  if (failed(copy) || failed(bufferize(**copy)))
    return llvm::createStringError("its function can't be bufferized: " +
                                   reason);
  auto inMemory = (*copy)->lookupSymbol<func::FuncOp>(function.getName());
  SmallVector<Operation *> found = softmaxesOf(findCandidates(inMemory));
  if (found.size() != softmaxes.size())
    return llvm::createStringError("bufferization has removed a softmax");
  for (auto [op, value] : llvm::zip_equal(found, numbers))
    op->setDiscardableAttr(BacoDialect::kMark, value);
  return std::move(*copy);
}

/// `recipe`, which is for memrefs, behind a `bufferize`.
static RecipeAttr bufferizeBefore(RecipeAttr recipe) {
  SmallVector<Attribute> steps = {BufferizeAttr::get(recipe.getContext())};
  llvm::append_range(steps, recipe.getSteps());
  return RecipeAttr::get(recipe.getContext(),
                         ArrayAttr::get(recipe.getContext(), steps),
                         recipe.getWhere(), recipe.getNests());
}

/// Sets the recipes that `copy` has on the `candidates` of that number.
static int64_t takeRecipes(func::FuncOp copy,
                           ArrayRef<Operation *> candidates) {
  int64_t count = 0;
  copy->walk([&](Operation *op) {
    auto recipe = op->getAttrOfType<RecipeAttr>(BacoDialect::kRecipe);
    auto index = op->getAttrOfType<IntegerAttr>(BacoDialect::kMark);
    if (!recipe || !index)
      return;
    Operation *original = candidates[index.getInt()];
    LDBG() << "recipe of " << op->getName() << " in memory goes to "
           << original->getLoc();
    if (original->hasAttr(BacoDialect::kRecipe))
      return;
    bool wasOnTensors = isOnTensors(original);
    if (!wasOnTensors && recipe.getNests() > 1)
      return emitNoRecipe(
          original,
          "it is on memrefs, but the op to fuse it with is on tensors");
    original->setAttr(BacoDialect::kRecipe,
                      wasOnTensors ? bufferizeBefore(recipe) : recipe);
    ++count;
  });
  return count;
}

/// Whether `op` reads or writes something that has no elements.
static bool isEmpty(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && shaped.hasRank() &&
           llvm::is_contained(shaped.getShape(), 0);
  });
}

/// Emits remarks on the `candidates` that bufferization has removed.
static void refuseRemoved(func::FuncOp copy, ArrayRef<Operation *> candidates) {
  SmallVector<Operation *> left(candidates);
  copy->walk([&](Operation *op) {
    if (auto index = op->getAttrOfType<IntegerAttr>(BacoDialect::kMark))
      left[index.getInt()] = nullptr;
  });
  for (Operation *op : left)
    if (op && isStructured(op) && isOnTensors(op) &&
        !op->hasAttr(BacoDialect::kRecipe) && !isTrivial(op))
      emitNoRecipe(op,
                   isEmpty(op) ? "it is empty" : "bufferization removes it");
}

/// The first memref in `function` that becomes a tensor without the promise
/// that nothing else accesses it; null if there is none.
static bufferization::ToTensorOp findUnrestricted(func::FuncOp function) {
  bufferization::ToTensorOp found;
  function->walk([&](bufferization::ToTensorOp op) {
    if (!op.getRestrict())
      found = op;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

int64_t baco::schedule::annotateTensors(
    func::FuncOp function, NestPlanner &planner,
    function_ref<int64_t(func::FuncOp, NestPlanner &)> annotateMemRefs) {
  SmallVector<Operation *> candidates = findCandidates(function);
  auto refuse = [&](StringRef why) {
    for (Operation *op : candidates)
      if (isStructured(op) && isOnTensors(op) &&
          !op->hasAttr(BacoDialect::kRecipe) && !isTrivial(op))
        emitNoRecipe(op, why);
    return 0;
  };
  // Existing recipes would be applied on tensors, automatic ones on memrefs.
  for (Operation *op : candidates)
    if (auto recipe = op->getAttrOfType<RecipeAttr>(BacoDialect::kRecipe);
        recipe && isOnTensors(op) && !recipe.startsOnMemRefs())
      return refuse("the recipe of another op of its function does not begin "
                    "with 'bufferize'");
  if (auto unrestricted = findUnrestricted(function)) {
    emitNoRecipe(unrestricted,
                 "its function can't be bufferized without 'restrict' on it, "
                 "which promises that nothing else reads or writes the memref; "
                 "add that if it is so");
    return 0;
  }
  auto copy = bufferizeCopy(function, candidates);
  if (!copy)
    return refuse(llvm::toString(copy.takeError()));
  auto inMemory = (*copy)->lookupSymbol<func::FuncOp>(function.getName());
  refuseRemoved(inMemory, candidates);
  annotateMemRefs(inMemory, planner);
  return takeRecipes(inMemory, candidates);
}
