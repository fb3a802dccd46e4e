//===- PathConditions.cpp - When ops of a schedule run --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathConditions.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::NamedSequenceOp;
using transform::tune::AlternativesOp;

void schedule::conjoin(SmallVectorImpl<Expression> &conditions,
                       ArrayRef<Expression> more) {
  for (const Expression &one : more)
    if (llvm::none_of(conditions, [&](const Expression &known) {
          return known.isLike(one);
        }))
      conditions.push_back(one);
}

/// The condition that those of a case hold; none if a case has none.
static SmallVector<Expression>
disjunction(ArrayRef<SmallVector<Expression>> cases) {
  SmallVector<Expression> different;
  for (const SmallVector<Expression> &one : cases) {
    if (one.empty())
      return {};
    conjoin(different, Expression::chain("&&", one));
  }
  if (different.size() <= 1)
    return different.empty() ? different : cases.front();
  for (Expression &one : different)
    one = one.enclosed();
  return {Expression::chain("||", different).enclosed()};
}

FailureOr<PathConditions> PathConditions::compute(const Choices &choices,
                                                  ParamExpressions &params) {
  PathConditions result;
  result.collectUses(choices);
  if (failed(result.setSelectors(choices, params)) ||
      failed(result.sortCallersFirst(choices.entry(), nullptr)) ||
      failed(result.setSequences(choices)))
    return failure();
  return result;
}

LogicalResult PathConditions::setSelectors(const Choices &choices,
                                           ParamExpressions &params) {
  return choices.visit<AlternativesOp>([&](AlternativesOp op) -> LogicalResult {
    if (selectedRegion(op))
      return success();
    if (const Choice *own = choices.find(op)) {
      selectors.try_emplace(op, Expression::variable(own->parameter.name()));
    } else if (mlir::Value param = op.getSelectedRegionParam();
               ParamExpressions::isKnown(param)) {
      FailureOr<Expression> expression = params.ofParam(op, param);
      if (failed(expression))
        return failure();
      selectors.try_emplace(op, std::move(*expression));
    }
    return success();
  });
}

void PathConditions::collectUses(const Choices &choices) {
  SymbolTableCollection tables;
  for (NamedSequenceOp user : choices.sequences()) {
    std::optional<SymbolTable::UseRange> all = SymbolTable::getSymbolUses(user);
    if (!all)
      continue;
    for (const SymbolTable::SymbolUse &use : *all) {
      Operation *op = use.getUser();
      auto used = tables.lookupNearestSymbolFrom<NamedSequenceOp>(
          op, use.getSymbolRef());
      if (!used || op == user || isDead(op))
        continue;
      usedIn[user].push_back({used, op});
      usesOf[used].push_back(op);
    }
  }
}

/// Depth first, so that `sorted` has each sequence after all that it uses.
LogicalResult PathConditions::sortCallersFirst(NamedSequenceOp sequence,
                                               Operation *user) {
  if (active.contains(sequence))
    return user->emitError()
           << "named sequence '@" << sequence.getSymName() << "' uses itself";
  if (!visited.insert(sequence).second)
    return success();
  active.insert(sequence);
  for (const auto &[used, op] : usedIn.lookup(sequence))
    if (failed(sortCallersFirst(used, op)))
      return failure();
  active.erase(sequence);
  sorted.push_back(sequence);
  return success();
}

LogicalResult PathConditions::setSequences(const Choices &choices) {
  for (NamedSequenceOp sequence : llvm::reverse(sorted)) {
    if (sequence == choices.entry())
      continue;
    SmallVector<SmallVector<Expression>> uses;
    for (Operation *use : usesOf.lookup(sequence))
      uses.push_back(of(use));
    SmallVector<Expression> conditions = disjunction(uses);
    size_t length = 0;
    for (const Expression &one : conditions)
      length += one.text().size();
    if (length > ParamExpressions::maxLength)
      return sequence.emitError(
          "this sequence runs under too many different conditions");
    sequences[sequence] = std::move(conditions);
  }
  return success();
}

SmallVector<Expression> PathConditions::of(Operation *op) const {
  Operation *parent = op->getParentOp();
  if (!parent || isa<NamedSequenceOp>(op))
    return {};
  SmallVector<Expression> conditions =
      isa<NamedSequenceOp>(parent) ? sequences.lookup(parent) : of(parent);
  if (std::optional<Expression> selected = selector(parent))
    conjoin(conditions, *selected == op->getParentRegion()->getRegionNumber());
  return conditions;
}

SmallVector<Expression> PathConditions::of(const Choice &choice) const {
  return disjunction(
      llvm::map_to_vector(choice.ops, [&](Operation *op) { return of(op); }));
}
