//===- NestPlanner.cpp - Plans nests in this process ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes plans (Polyhedral/LoopPlan.h) as attributes.
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/NestPlanner.h"

#include "baco/IR/LoopCommands.h"
#include "baco/LoopNest/PlanNest.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using polyhedral::LoopPlan;
using polyhedral::PlanKnob;

// Anchors the vtable.
NestPlanner::~NestPlanner() = default;

/// The knob of `plan` with this name.
static Attribute makeKnob(MLIRContext *context, const LoopPlan &plan,
                          StringRef name) {
  const PlanKnob &knob = *llvm::find_if(
      plan.knobs, [&](const PlanKnob &other) { return other.name == name; });
  Builder builder(context);
  if (!knob.isOrder())
    return KnobAttr::get(
        context, name,
        OrdinalAttr::get(context, knob.values, knob.isLogarithmic),
        builder.getI64IntegerAttr(knob.best), DenseF64ArrayAttr(),
        knob.extent ? builder.getI64IntegerAttr(*knob.extent) : IntegerAttr());
  SmallVector<int64_t> best(knob.bestOrder.begin(), knob.bestOrder.end());
  return KnobAttr::get(
      context, name,
      PermutationAttr::get(context, best.size(), PermutationMetric::Spearman),
      builder.getI64ArrayAttr(best), DenseF64ArrayAttr());
}

static polyhedral::MachineSizes sizesOf(const HostInfo &host) {
  return {host.vectorBytes,     host.vectorRegisters, host.l1Bytes,
          host.l2Bytes,         host.threads,         host.dotProducts >= 1,
          host.dotProducts == 2};
}

/// The recipe of `plan` for so many nests. All plans of a machine have the same
/// instructions for products, because kernels of one function have one option.
static llvm::Expected<RecipeAttr> writeRecipe(const Result<LoopPlan> &plan,
                                              MLIRContext *context,
                                              int64_t nests,
                                              int64_t dotProducts) {
  if (!plan)
    return llvm::createStringError(plan.error().message);
  Builder builder(context);
  SmallVector<Attribute> commands;
  for (const polyhedral::LoopCommand &planned : plan->commands)
    commands.push_back(LoopCommandAttr::get(
        context, planned.kind, toFields(context, planned, [&](StringRef name) {
          return makeKnob(context, *plan, name);
        })));
  NamedAttrList options;
  if (plan->optLevel)
    options.set("opt_level", builder.getI64IntegerAttr(*plan->optLevel));
  if (plan->usesDotProducts)
    options.set("dot_products", builder.getI64IntegerAttr(dotProducts));
  if (!options.empty())
    commands.push_back(LLVMAttr::get(context, options.getDictionary(context)));
  SmallVector<ConstraintAttr> where;
  for (const polyhedral::PlanConstraint &constraint : plan->constraints)
    where.push_back(ConstraintAttr::get(context, constraint.expression.text(),
                                        constraint.reason,
                                        constraint.isAdvisory));
  return RecipeAttr::get(context, builder.getArrayAttr(commands), where, nests);
}

void NestPlanner::remarkSimple(Operation *outermost, StringRef why) {
  outermost->emitRemark() << "only vectors in innermost loops, or their "
                             "unrolling, are tuned: "
                          << why;
}

llvm::Expected<RecipeAttr> LocalPlanner::planNest(Operation *outermost) {
  Result<LoopPlan> plan = loopnest::planNest(outermost, sizesOf(host()));
  if (!plan && plan.error().code == ErrorCode::TimedOut) {
    auto simple = planInnermostLoops(outermost);
    if (simple) {
      remarkSimple(outermost, plan.error().message);
      return simple;
    }
    llvm::consumeError(simple.takeError());
  }
  return writeRecipe(plan, outermost->getContext(), /*nests=*/1,
                     host().dotProducts);
}

llvm::Expected<RecipeAttr>
LocalPlanner::planInnermostLoops(Operation *outermost) {
  return writeRecipe(loopnest::planNestSimply(outermost, sizesOf(host())),
                     outermost->getContext(), /*nests=*/1, host().dotProducts);
}

size_t LocalPlanner::countRowFusionGroup(ArrayRef<Operation *> nests) {
  return loopnest::countRowFusionGroup(nests, sizesOf(host()));
}

llvm::Expected<RecipeAttr>
LocalPlanner::planRowFusion(ArrayRef<Operation *> nests) {
  return writeRecipe(loopnest::planRowFusion(nests, sizesOf(host())),
                     nests.front()->getContext(), nests.size(),
                     host().dotProducts);
}

llvm::Expected<RecipeAttr>
baco::schedule::planDesign(ArrayRef<Operation *> nests) {
  return writeRecipe(loopnest::planDesign(nests), nests.front()->getContext(),
                     nests.size(), /*dotProducts=*/0);
}
