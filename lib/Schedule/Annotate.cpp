//===- Annotate.cpp - Recipes for ops that have none ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which ops can be scheduled, and writes their recipes.
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/Annotate.h"
#include "AccessBounds.h"
#include "AnnotateParts.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"
#include "baco/LoopNest/GeneratedDialects.h"
#include "baco/Recipe/RecipeAnalysis.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-annotate"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// Whether `op` is the outermost loop of a nest without linalg ops.
static bool isPlainLoopNest(Operation *op) {
  // A loop in the body of a linalg op is a part of that.
  if (!isa<LoopLikeOpInterface>(op) ||
      op->getParentOfType<LoopLikeOpInterface>() ||
      op->getParentOfType<linalg::LinalgOp>())
    return false;
  return !contains(op, isStructured);
}

/// The reason why recipes don't support `op`, which computes on tensors or
/// memrefs; empty if they do, or if it computes nothing.
static StringRef whyUnknown(Operation *op) {
  auto isShaped = llvm::IsaPred<ShapedType>;
  if (isStructured(op) || op->hasTrait<OpTrait::ConstantLike>() ||
      !llvm::any_of(op->getOperandTypes(), isShaped))
    return "";
  StringRef dialect = op->getName().getDialectNamespace();
  bool isElementwise = OpTrait::hasElementwiseMappableTraits(op) &&
                       isa<TensorType>(op->getResultTypes().front());
  if ((dialect == "tosa" && op->getNumResults() > 0) || isElementwise)
    return "it is not a linalg op; baco-opt --baco-lower-front-ends makes it "
           "one, or says why not";
  if (isa<linalg::PackOp, linalg::UnPackOp>(op))
    return "it can't be lowered to loops; baco-opt --baco-lower-front-ends "
           "makes it a transposition, or says why not";
  if (dialect == linalg::LinalgDialect::getDialectNamespace() &&
      !op->hasTrait<OpTrait::IsTerminator>())
    return "it can't be lowered to loops; decompose it first";
  return "";
}

/// The most recipes that a function gets. Each candidate compiles all of them,
/// in up to 60 ms each, and should be far from its time limit. (256 products
/// that are cut in parts exceed it on a busy machine.)
static constexpr int64_t maxRecipes = 100;

/// The ops in `root` that recipes are for already: those that have one, and the
/// nests after them.
static llvm::DenseSet<Operation *> findAnnotated(Operation *root) {
  llvm::DenseSet<Operation *> annotated;
  root->walk([&](Operation *op) {
    auto recipe = op->getAttrOfType<RecipeAttr>(BacoDialect::kRecipe);
    if (!recipe)
      return;
    Operation *last = RecipeAnalysis(op, recipe).lastNest();
    for (Operation *nest = op; nest; nest = nest->getNextNode()) {
      annotated.insert(nest);
      if (nest == last)
        break;
    }
  });
  return annotated;
}

/// Writes recipes on the ops of `root` on memrefs; returns their number.
static int64_t annotateMemRefs(func::FuncOp root, NestPlanner &planner) {
  int64_t count = 0;
  planner.begin(root);
  llvm::DenseSet<Operation *> annotated = findAnnotated(root);
  annotateRowFusion(root, planner, annotated, count);
  root->walk([&](Operation *op) {
    if (annotated.contains(op))
      return;
    if (isStructured(op) ? isTrivial(op) : !isPlainLoopNest(op))
      return;
    if (isMapped(op))
      return emitNoRecipe(op, "the 'mapping' of a loop, which assigns it "
                              "to processors, has no effect on a CPU; "
                              "remove it");
    if (count >= maxRecipes)
      return emitNoRecipe(
          op, "its function has " + std::to_string(maxRecipes) +
                  " recipes already; move some of its ops to other functions");
    if (isStructured(op))
      if (llvm::Error error = checkLoops(op))
        return emitNoRecipe(op, llvm::toString(std::move(error)));
    auto recipe = planner.planNest(op);
    if (!recipe)
      return emitNoRecipe(op, llvm::toString(recipe.takeError()));
    if (auto bad = findBadAccess(op))
      return emitNoRecipe(bad->op, bad->why);
    remarkOneThread(op, planner.host());
    LDBG() << op->getName() << " at " << op->getLoc() << ": " << *recipe;
    op->setAttr(BacoDialect::kRecipe, *recipe);
    ++count;
  });
  return count;
}

/// Emits remarks on the ops in `root`, which is no function of the outermost
/// module, that schedules can't find them.
static void refuseNested(Operation *root) {
  root->walk([](Operation *op) {
    if (isStructured(op) ? !isTrivial(op) : isPlainLoopNest(op))
      emitNoRecipe(op, "it is not in a func.func of the outermost module, so "
                       "that a schedule can't find it; put the inner module "
                       "into a file of its own");
  });
}

bool baco::schedule::hasOpsToTune(func::FuncOp function) {
  return contains(function, [](Operation *op) {
    return isStructured(op) ? !isTrivial(op) : isPlainLoopNest(op);
  });
}

/// The functions on tensors that differ from one before them at most in their
/// names, and that one. Functions on memrefs may also differ in the arguments
/// that their callers pass.
static llvm::DenseMap<func::FuncOp, func::FuncOp> findTwins(ModuleOp module) {
  auto areEqual = [](func::FuncOp a, func::FuncOp b) {
    return a.getFunctionType() == b.getFunctionType() &&
           a.getArgAttrsAttr() == b.getArgAttrsAttr() &&
           OperationEquivalence::isRegionEquivalentTo(
               &a.getBody(), &b.getBody(),
               OperationEquivalence::IgnoreLocations);
  };
  llvm::DenseMap<func::FuncOp, func::FuncOp> twins;
  SmallVector<func::FuncOp> different;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (isNoTune(function) || !worksOnTensors(function))
      continue;
    auto *same = llvm::find_if(different, [&](func::FuncOp other) {
      return areEqual(other, function);
    });
    if (same == different.end())
      different.push_back(function);
    else
      twins[function] = *same;
  }
  return twins;
}

/// Gives the ops of `function`, which was equal to `twin` before that had
/// recipes, the same recipes. Returns their number.
static int64_t copyRecipes(func::FuncOp twin, func::FuncOp function) {
  SmallVector<Attribute> recipes;
  twin->walk([&](Operation *op) {
    recipes.push_back(op->getAttr(BacoDialect::kRecipe));
  });
  int64_t count = 0;
  const Attribute *next = recipes.begin();
  function->walk([&](Operation *op) {
    Attribute recipe = *next++;
    if (!recipe || op->hasAttr(BacoDialect::kRecipe))
      return;
    op->setAttr(BacoDialect::kRecipe, recipe);
    ++count;
  });
  return count;
}

int64_t baco::schedule::annotate(ModuleOp module, NestPlanner &planner) {
  module.getContext()->getOrLoadDialect<BacoDialect>();
  loopnest::loadGeneratedDialects(module.getContext());
  int64_t count = 0;
  module->walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isNoTune(op))
      return WalkResult::skip();
    if (StringRef why = whyUnknown(op); !why.empty())
      emitNoRecipe(op, why);
    return WalkResult::advance();
  });
  llvm::DenseMap<func::FuncOp, func::FuncOp> twins = findTwins(module);
  for (Operation &op : *module.getBody()) {
    if (isNoTune(&op))
      continue;
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      refuseNested(&op);
    else if (func::FuncOp twin = twins.lookup(function))
      count += copyRecipes(twin, function);
    else if (worksOnSparseTensors(function))
      count += annotateSparse(function, planner.host());
    else
      count += worksOnTensors(function)
                   ? annotateTensors(function, planner, annotateMemRefs)
                   : annotateMemRefs(function, planner);
  }
  return count;
}

bool baco::schedule::remarkNothingToGain(Operation *root) {
  Operation *first = nullptr;
  bool isOther = contains(root, [&](Operation *op) {
    bool isTrivialOp =
        isShort(op) ||
        (isStructured(op) ? isTrivial(op) : isa<memref::CopyOp>(op));
    if (isTrivialOp)
      // Name a copy or fill rather than a short op.
      first = !first || (nameCopy(first).empty() && !nameCopy(op).empty())
                  ? op
                  : first;
    return !isTrivialOp && (isStructured(op) || isa<LoopLikeOpInterface>(op) ||
                            !whyUnknown(op).empty());
  });
  if (isOther || !first)
    return false;
  StringRef copy = nameCopy(first);
  InFlightDiagnostic remark = first->emitRemark() << "nothing to gain: ";
  if (copy.empty())
    remark << "it has fewer than 1024 iterations, which take about a "
              "microsecond";
  else
    remark << "a " << copy << " at memory speed";
  return true;
}
