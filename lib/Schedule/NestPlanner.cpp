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

#include "baco/LoopNest/PlanNest.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using polyhedral::LoopPlan;
using polyhedral::PlanCommand;
using polyhedral::PlanField;
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
  Attribute number(const PlanField &field);
  Attribute number(int64_t value) { return builder.getI64IntegerAttr(value); }
  template <typename T>
  Attribute list(const std::vector<T> &values) {
    return builder.getI64ArrayAttr(
        SmallVector<int64_t>(values.begin(), values.end()));
  }
  Attribute order(const PlanCommand &command);
  Attribute command(const PlanCommand &command);

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

Attribute LoopRecipeWriter::number(const PlanField &field) {
  return field.knob.empty() ? number(field.constant) : knob(field.knob);
}

Attribute LoopRecipeWriter::order(const PlanCommand &command) {
  return command.orderKnob.empty() ? list(command.order)
                                   : knob(command.orderKnob);
}

Attribute LoopRecipeWriter::command(const PlanCommand &command) {
  Attribute statement = number(int64_t(command.statement));
  Attribute loop = number(command.loop);
  switch (command.kind) {
  case PlanCommand::Kind::Permute:
    return LoopPermuteAttr::get(context, order(command), statement);
  case PlanCommand::Kind::Tile:
    return LoopTileAttr::get(context, statement, loop, number(command.size),
                             number(int64_t(command.outerLoop)));
  case PlanCommand::Kind::Split:
    return LoopSplitAttr::get(context, statement, loop,
                              builder.getStringAttr(command.condition));
  case PlanCommand::Kind::Skew:
    return LoopSkewAttr::get(context, statement, loop,
                             list(command.coefficients));
  case PlanCommand::Kind::Shift:
    return LoopShiftAttr::get(context, statement, loop, number(command.size));
  case PlanCommand::Kind::Reverse:
    return LoopReverseAttr::get(context, statement, loop);
  case PlanCommand::Kind::Distribute:
    return LoopDistributeAttr::get(context, list(command.statements), loop);
  case PlanCommand::Kind::Fuse:
    return LoopFuseAttr::get(context, list(command.statements), loop);
  case PlanCommand::Kind::Unroll:
    return LoopUnrollAttr::get(context, statement, loop, number(command.size));
  case PlanCommand::Kind::Vectorize:
    return LoopVectorizeAttr::get(context, statement, loop,
                                  number(command.size));
  case PlanCommand::Kind::Parallelize:
    return LoopParallelizeAttr::get(context, statement, loop);
  case PlanCommand::Kind::DataCopy:
    return LoopCopyAttr::get(
        context, statement, loop, number(int64_t(command.access)), Attribute(),
        command.order.empty() ? Attribute() : list(command.order),
        number(command.size),
        command.panel.knob.empty() && command.panel.constant == 0
            ? Attribute()
            : number(command.panel));
  case PlanCommand::Kind::Expand:
    return LoopExpandAttr::get(context, statement, loop,
                               number(int64_t(command.access)));
  case PlanCommand::Kind::Prefetch:
    return LoopPrefetchAttr::get(context, statement, loop,
                                 number(command.size));
  }
  llvm_unreachable("all kinds are handled");
}

RecipeAttr LoopRecipeWriter::write(int64_t nests) {
  SmallVector<Attribute> commands;
  for (const PlanCommand &planned : plan.commands)
    commands.push_back(command(planned));
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
