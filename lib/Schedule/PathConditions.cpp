//===- PathConditions.cpp - When ops of a schedule run --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathConditions.h"

#include "baco/Expression/Expression.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::NamedSequenceOp;
using transform::tune::AlternativesOp;

std::string schedule::conjunction(StringRef a, StringRef b) {
  if (a.empty() || b.empty() || a == b)
    return (a.empty() ? b : a).str();
  return (a + " && " + b).str();
}

/// `a || b || ...`; empty, that is always, if one of them is.
static std::string disjunction(ArrayRef<std::string> conditions) {
  llvm::SetVector<StringRef> different(conditions.begin(), conditions.end());
  if (different.empty() || different.contains(""))
    return "";
  if (different.size() == 1)
    return different[0].str();
  return "((" + llvm::join(different, ") || (") + "))";
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
      selectors[op] = variableText(own->parameter.name());
    } else if (mlir::Value param = op.getSelectedRegionParam();
               ParamExpressions::isKnown(param)) {
      FailureOr<std::string> text = params.ofParam(op, param);
      if (failed(text))
        return failure();
      selectors[op] = std::move(*text);
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
    SmallVector<std::string> uses;
    for (Operation *use : usesOf.lookup(sequence))
      uses.push_back(of(use));
    std::string condition = disjunction(uses);
    if (condition.size() > ParamExpressions::maxLength)
      return sequence.emitError(
          "this sequence runs under too many different conditions");
    sequences[sequence] = std::move(condition);
  }
  return success();
}

std::string PathConditions::of(Operation *op) const {
  std::string condition;
  Operation *child = op;
  for (Operation *parent = op->getParentOp(); parent;
       child = parent, parent = parent->getParentOp()) {
    if (isa<NamedSequenceOp>(parent))
      return conjunction(sequences.lookup(parent), condition);
    std::string selector = selectors.lookup(parent);
    if (!selector.empty())
      condition = conjunction(
          selector + " == " +
              std::to_string(child->getParentRegion()->getRegionNumber()),
          condition);
  }
  return condition;
}

std::string PathConditions::of(const Choice &choice) const {
  SmallVector<std::string> conditions;
  for (Operation *op : choice.ops)
    conditions.push_back(of(op));
  return disjunction(conditions);
}
