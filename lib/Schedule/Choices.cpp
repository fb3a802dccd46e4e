//===- Choices.cpp - Unresolved choices of a schedule ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/Choices.h"
#include "baco/Space/Expression.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::NamedSequenceOp;
using transform::tune::AlternativesOp;
using transform::tune::KnobOp;

std::string schedule::describe(Location location) {
  std::string text;
  location->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
               .str();
    return WalkResult::interrupt();
  });
  return text;
}

/// The named sequences that `first` reaches through symbols, itself included.
static llvm::SetVector<Operation *> reachable(ModuleOp schedule,
                                              NamedSequenceOp first) {
  llvm::SetVector<Operation *> reached;
  SymbolTableCollection tables;
  reached.insert(first);
  for (size_t i = 0; i < reached.size(); ++i) {
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(reached[i]);
    if (!uses)
      continue;
    for (const SymbolTable::SymbolUse &use : *uses)
      if (auto target = tables.lookupNearestSymbolFrom<NamedSequenceOp>(
              use.getUser(), use.getSymbolRef()))
        reached.insert(target);
  }
  return reached;
}

FailureOr<Choices> Choices::collect(ModuleOp schedule, StringRef sequence) {
  auto first = dyn_cast_or_null<NamedSequenceOp>(
      SymbolTable::lookupSymbolIn(schedule, sequence));
  if (!first)
    return schedule.emitError() << "no transform.named_sequence '@" << sequence
                                << "' to start the schedule with";
  Choices result;
  result.entry = first;
  llvm::SetVector<Operation *> reached = reachable(schedule, first);
  for (auto candidate : schedule.getOps<NamedSequenceOp>())
    if (reached.contains(candidate))
      result.reached.push_back(candidate);

  result.countNames();
  for (NamedSequenceOp one : result.reached) {
    WalkResult walk = one.walk<WalkOrder::PreOrder>([&](Operation *op) {
      return failed(result.add(op)) ? WalkResult::interrupt()
                                    : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  result.setConditions();
  return result;
}

/// The name of a knob or of an alternatives op that is unresolved, else
/// nullopt.
static std::optional<StringRef> choiceName(Operation *op) {
  if (auto knob = dyn_cast<KnobOp>(op))
    if (!knob.getSelected())
      return knob.getName();
  if (auto alternatives = dyn_cast<AlternativesOp>(op))
    if (!alternatives.getSelectedRegionAttr() &&
        !alternatives.getSelectedRegionParam())
      return alternatives.getName();
  return std::nullopt;
}

void Choices::countNames() {
  for (NamedSequenceOp sequence : reached) {
    llvm::StringSet<> names;
    sequence.walk([&](Operation *op) {
      if (std::optional<StringRef> name = choiceName(op))
        if (names.insert(*name).second)
          ++numSequences[*name];
    });
  }
}

/// Names are scoped to their sequence: one that several sequences use is
/// qualified by theirs.
std::string Choices::parameterName(Operation *op) const {
  StringRef name = *choiceName(op);
  if (numSequences.lookup(name) < 2)
    return name.str();
  auto sequence = op->getParentOfType<NamedSequenceOp>();
  return (sequence.getSymName() + "." + name).str();
}

/// A choice among the regions of `op`.
static FailureOr<Choice> regionChoice(AlternativesOp op, std::string name) {
  std::vector<baco::Value> regions;
  for (int64_t i = 0, e = op.getAlternatives().size(); i < e; ++i)
    regions.emplace_back(i);
  Result<Parameter> parameter =
      Parameter::categorical(std::move(name), std::move(regions));
  if (!parameter)
    return op.emitError(parameter.error().message);
  parameter->location = describe(op.getLoc());
  return Choice{*parameter, {op}, {}, {}};
}

/// Whether two knobs of one name are the same choice.
static bool sameDomain(KnobOp a, KnobOp b) {
  return a.getOptions() == b.getOptions() &&
         a->getDiscardableAttrDictionary() == b->getDiscardableAttrDictionary();
}

LogicalResult Choices::add(Operation *op) {
  std::optional<StringRef> name = choiceName(op);
  if (!name)
    return success();
  auto clash = [&](const Choice &other, const Twine &message) {
    InFlightDiagnostic diagnostic = op->emitError(message);
    diagnostic.attachNote(other.ops.front()->getLoc()) << "first declared here";
    return diagnostic;
  };
  std::string full = parameterName(op);
  for (auto [index, other] : llvm::enumerate(choices)) {
    if (other.parameter.name() != full)
      continue;
    auto first = dyn_cast<KnobOp>(other.ops.front());
    auto knob = dyn_cast<KnobOp>(op);
    if (!first || !knob)
      return clash(other, "two choices are called '" + *name + "'");
    if (!sameDomain(first, knob))
      return clash(other, "knob '" + *name + "' redeclared with other options");
    other.ops.push_back(op);
    choiceOf[op] = index;
    return success();
  }

  FailureOr<Choice> choice = failure();
  if (auto knob = dyn_cast<KnobOp>(op)) {
    FailureOr<KnobDomain> domain = readDomain(knob, full);
    if (succeeded(domain))
      choice =
          Choice{domain->parameter, {op}, std::move(domain->attributes), {}};
  } else {
    choice = regionChoice(cast<AlternativesOp>(op), full);
  }
  if (failed(choice))
    return failure();
  choiceOf[op] = choices.size();
  choices.push_back(std::move(*choice));
  return success();
}

const Choice *Choices::find(Operation *op) const {
  auto it = choiceOf.find(op);
  return it == choiceOf.end() ? nullptr : &choices[it->second];
}

const Choice *Choices::findKnob(Operation *user, StringRef name) const {
  auto sequence = dyn_cast<NamedSequenceOp>(user);
  if (!sequence)
    sequence = user->getParentOfType<NamedSequenceOp>();
  for (const Choice &choice : choices)
    if (auto knob = dyn_cast<KnobOp>(choice.ops.front()))
      if (knob.getName() == name &&
          knob->getParentOfType<NamedSequenceOp>() == sequence)
        return &choice;
  return nullptr;
}

std::string Choices::names() const {
  return llvm::join(llvm::map_range(choices,
                                    [](const Choice &choice) {
                                      return "'" + choice.parameter.name() +
                                             "'";
                                    }),
                    ", ");
}

/// Which region of `op` is selected, as an expression without `== index`.
static std::string selector(const Choices &choices, AlternativesOp op) {
  if (const Choice *own = choices.find(op))
    return variableText(own->parameter.name());
  if (op.getSelectedRegionParam())
    if (const Choice *knob =
            choices.find(op.getSelectedRegionParam().getDefiningOp()))
      return variableText(knob->parameter.name());
  return "";
}

static std::string conjunction(StringRef a, StringRef b) {
  if (a.empty() || b.empty())
    return (a + b).str();
  return (a + " && " + b).str();
}

/// Empty, that is always, if one of `conditions` is.
static std::string disjunction(ArrayRef<std::string> conditions) {
  if (conditions.empty() ||
      llvm::any_of(conditions, [](StringRef one) { return one.empty(); }))
    return "";
  if (conditions.size() == 1)
    return conditions.front();
  return "((" + llvm::join(conditions, ") || (") + "))";
}

std::string Choices::conditionOf(Operation *op) const {
  std::string condition;
  Operation *child = op;
  for (Operation *parent = op->getParentOp(); parent;
       child = parent, parent = parent->getParentOp()) {
    if (auto alternatives = dyn_cast<AlternativesOp>(parent)) {
      unsigned region = child->getParentRegion()->getRegionNumber();
      std::string choice = selector(*this, alternatives);
      if (!choice.empty())
        condition =
            conjunction(choice + " == " + std::to_string(region), condition);
    }
    auto sequence = dyn_cast<NamedSequenceOp>(parent);
    if (!sequence || sequence == entry)
      continue;
    // The sequence runs where one of its uses does. Sequences that call each
    // other are refused by the interpreter.
    SmallVector<std::string> uses;
    for (NamedSequenceOp user : reached) {
      std::optional<SymbolTable::UseRange> all =
          user == sequence ? std::nullopt
                           : SymbolTable::getSymbolUses(sequence, user);
      if (!all)
        continue;
      for (const SymbolTable::SymbolUse &use : *all)
        uses.push_back(conditionOf(use.getUser()));
    }
    condition = conjunction(disjunction(uses), condition);
  }
  return condition;
}

void Choices::setConditions() {
  for (Choice &choice : choices) {
    SmallVector<std::string> conditions;
    for (Operation *op : choice.ops)
      conditions.push_back(conditionOf(op));
    choice.condition = disjunction(conditions);
  }
}
