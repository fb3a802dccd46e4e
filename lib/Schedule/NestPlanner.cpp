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

namespace {
/// Makes the attributes of a plan.
class LoopRecipeWriter {
public:
  LoopRecipeWriter(MLIRContext *context, const LoopPlan &plan)
      : builder(context), context(context), plan(plan) {}

  /// For so many nests.
  RecipeAttr write(int64_t nests);

private:
  Attribute knob(StringRef name);
  Attribute number(int64_t value) { return builder.getI64IntegerAttr(value); }
  template <typename T>
  Attribute list(const std::vector<T> &values) {
    return builder.getI64ArrayAttr(
        SmallVector<int64_t>(values.begin(), values.end()));
  }

  Builder builder;
  MLIRContext *context;
  const LoopPlan &plan;
};
} // namespace

Attribute LoopRecipeWriter::knob(StringRef name) {
  const PlanKnob &knob = *llvm::find_if(
      plan.knobs, [&](const PlanKnob &other) { return other.name == name; });
  DomainAttrInterface domain;
  Attribute best;
  if (knob.isOrder()) {
    domain = PermutationAttr::get(context, knob.bestOrder.size(),
                                  PermutationMetric::Spearman);
    best = list(knob.bestOrder);
  } else {
    domain = OrdinalAttr::get(context, knob.values, knob.isLogarithmic);
    best = number(knob.best);
  }
  return KnobAttr::get(context, name, domain, best, DenseF64ArrayAttr());
}

RecipeAttr LoopRecipeWriter::write(int64_t nests) {
  SmallVector<Attribute> commands;
  for (const polyhedral::PlanCommand &planned : plan.commands)
    commands.push_back(LoopCommandAttr::get(
        context, planned.kind,
        toFields(context, polyhedral::toLoopCommand(planned),
                 [&](StringRef name) { return knob(name); })));
  if (plan.optLevel)
    commands.push_back(
        LLVMAttr::get(context, builder.getDictionaryAttr(builder.getNamedAttr(
                                   "opt_level", number(*plan.optLevel)))));
  SmallVector<ConstraintAttr> where;
  for (const polyhedral::PlanConstraint &constraint : plan.constraints)
    where.push_back(ConstraintAttr::get(context, constraint.expression,
                                        constraint.reason,
                                        constraint.isAdvisory));
  return RecipeAttr::get(context, builder.getArrayAttr(commands), where, nests);
}

static polyhedral::MachineSizes sizesOf(const HostInfo &host) {
  return {host.vectorBytes, host.vectorRegisters, host.l1Bytes, host.l2Bytes,
          host.threads};
}

/// The recipe of `plan` for so many nests.
static llvm::Expected<RecipeAttr>
writeRecipe(const Result<LoopPlan> &plan, MLIRContext *context, int64_t nests) {
  if (!plan)
    return llvm::createStringError(plan.error().message);
  return LoopRecipeWriter(context, *plan).write(nests);
}

void NestPlanner::remarkSimple(Operation *outermost, StringRef why) {
  outermost->emitRemark() << "only vectors in innermost loops, or their "
                             "unrolling, are tuned: "
                          << why;
}

llvm::Expected<RecipeAttr> LocalPlanner::planNest(Operation *outermost) {
  Result<LoopPlan> plan = loopnest::planNest(outermost, sizesOf(host()));
  if (!plan && plan.error().code == ErrorCode::TimedOut) {
    auto simple = planSimply(outermost);
    if (simple) {
      remarkSimple(outermost, plan.error().message);
      return simple;
    }
    llvm::consumeError(simple.takeError());
  }
  return writeRecipe(plan, outermost->getContext(), /*nests=*/1);
}

llvm::Expected<RecipeAttr> LocalPlanner::planSimply(Operation *outermost) {
  return writeRecipe(loopnest::planNestSimply(outermost, sizesOf(host())),
                     outermost->getContext(), /*nests=*/1);
}

size_t LocalPlanner::countChain(ArrayRef<Operation *> nests) {
  return loopnest::countChain(nests);
}

llvm::Expected<RecipeAttr>
LocalPlanner::planChain(ArrayRef<Operation *> nests) {
  return writeRecipe(loopnest::planChain(nests, sizesOf(host())),
                     nests.front()->getContext(), nests.size());
}
