//===- Choices.cpp - Unresolved choices of a schedule ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/Choices.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/TargetOptions.h"

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

std::optional<int64_t> schedule::selectedRegion(AlternativesOp op) {
  if (std::optional<APInt> attr = op.getSelectedRegionAttr())
    return attr->getSExtValue();
  mlir::Value param = op.getSelectedRegionParam();
  Operation *def = param ? param.getDefiningOp() : nullptr;
  Attribute value;
  if (auto constant = dyn_cast_or_null<transform::ParamConstantOp>(def))
    value = constant.getValue();
  else if (auto knob = dyn_cast_or_null<KnobOp>(def))
    value = knob.getSelected().value_or(nullptr);
  if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
    return integer.getValue().getSExtValue();
  return std::nullopt;
}

Attribute schedule::selectedKnob(NamedSequenceOp sequence, StringRef name) {
  Attribute selected;
  sequence.walk([&](KnobOp knob) {
    if (knob.getName() == name && knob.getSelected())
      selected = *knob.getSelected();
  });
  return selected;
}

bool schedule::isDead(Operation *op) {
  for (Operation *child = op, *parent = op->getParentOp(); parent;
       child = parent, parent = parent->getParentOp())
    if (auto alternatives = dyn_cast<AlternativesOp>(parent))
      if (std::optional<int64_t> selected = selectedRegion(alternatives))
        if (*selected != child->getParentRegion()->getRegionNumber())
          return true;
  return false;
}

/// The named sequences that `first` reaches through symbols, itself included.
static llvm::SetVector<Operation *> reachable(NamedSequenceOp first) {
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
        if (!isDead(use.getUser()))
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
  result.first = first;
  llvm::SetVector<Operation *> reached = reachable(first);
  for (auto candidate : schedule.getOps<NamedSequenceOp>())
    if (reached.contains(candidate))
      result.reached.push_back(candidate);

  result.countNames();
  for (NamedSequenceOp one : result.reached)
    if (failed(visitAll<Operation *, WalkOrder::PreOrder>(
            one, [&](Operation *op) { return result.add(op); })))
      return failure();
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
static FailureOr<KnobDomain> regionDomain(AlternativesOp op, std::string name) {
  std::vector<baco::ParameterValue> regions;
  for (int64_t i = 0, e = op.getAlternatives().size(); i < e; ++i)
    regions.emplace_back(i);
  FailureOr<Parameter> parameter = orEmitError(
      op, Parameter::categorical(std::move(name), std::move(regions)));
  if (failed(parameter))
    return failure();
  parameter->location = describe(op.getLoc());
  if (auto region = op->getAttrOfType<IntegerAttr>(BacoDialect::kDefault))
    parameter->defaultValue = region.getInt();
  return KnobDomain{*parameter, {}};
}

/// Upstream checks a selected value only against a list of options.
static LogicalResult checkSelected(KnobOp knob) {
  std::optional<Attribute> selected = knob.getSelected();
  if (!selected || isa<ArrayAttr>(knob.getOptions()))
    return success();
  FailureOr<KnobDomain> domain = readDomain(knob, knob.getName().str());
  if (failed(domain))
    return failure();
  if (!domain->parameter.contains(valueOf(*selected)))
    return knob.emitError()
           << "knob '" << knob.getName().getValue() << "': selected value "
           << *selected << " is not one of its options";
  return success();
}

/// Upstream checks a selected region only if it is an attribute.
static LogicalResult checkSelected(AlternativesOp op) {
  int64_t numRegions = op.getAlternatives().size();
  std::optional<int64_t> selected = selectedRegion(op);
  if (!selected || (*selected >= 0 && *selected < numRegions))
    return success();
  return op.emitError() << *selected << " selects none of the " << numRegions
                        << " regions";
}

/// Whether a knob called `llvm.NAME` is a target option with these values.
static LogicalResult checkTargetKnob(KnobOp knob, ArrayRef<Attribute> values) {
  StringRef name = knob.getName();
  if (!name.consume_front(targetKnobPrefix))
    return success();
  for (Attribute value : values)
    if (llvm::Error error = checkTargetOption(name, value))
      return knob.emitError() << "knob '" << knob.getName().getValue()
                              << "': " << llvm::toString(std::move(error));
  return success();
}

SmallVector<Attribute> schedule::sampleValues(const Choice &choice,
                                              uint64_t numEnds) {
  if (!choice.attributes.empty())
    return choice.attributes;
  const Parameter &parameter = choice.parameter;
  // Not a parameter with values that can be counted: one is enough to see that
  // it isn't an integer.
  SmallVector<Attribute> values = {
      attributeOf(choice, parameter.initialValue(), choice.type)};
  if (parameter.kind() == ParameterKind::Integer ||
      parameter.kind() == ParameterKind::Ordinal)
    for (uint64_t i = 0, e = std::min(parameter.size(), numEnds); i < e; ++i)
      for (uint64_t index : {i, parameter.size() - 1 - i})
        values.push_back(
            attributeOf(choice, parameter.value(index), choice.type));
  return values;
}

std::optional<SmallVector<int64_t>>
schedule::integersOf(const Parameter &parameter, uint64_t most) {
  if (parameter.kind() == ParameterKind::Real || parameter.size() > most)
    return std::nullopt;
  SmallVector<int64_t> values;
  for (uint64_t i = 0; i < parameter.size(); ++i) {
    baco::ParameterValue value = parameter.value(i);
    const auto *number = std::get_if<int64_t>(&value);
    if (!number)
      return std::nullopt;
    values.push_back(*number);
  }
  return values;
}

/// Whether two knobs of one name are the same choice.
static bool sameDomain(KnobOp a, KnobOp b) {
  return a.getOptions() == b.getOptions() &&
         a->getDiscardableAttrDictionary() == b->getDiscardableAttrDictionary();
}

LogicalResult Choices::add(Operation *op) {
  if (isDead(op))
    return success();
  auto knob = dyn_cast<KnobOp>(op);
  std::optional<StringRef> name = choiceName(op);
  if (!name && knob)
    return failure(failed(checkSelected(knob)) ||
                   failed(checkTargetKnob(knob, *knob.getSelected())));
  if (!name) {
    auto alternatives = dyn_cast<AlternativesOp>(op);
    return alternatives ? checkSelected(alternatives) : success();
  }
  auto sequence = op->getParentOfType<NamedSequenceOp>();
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
    if (!first || !knob || other.sequence != sequence || other.name != *name)
      return clash(other, "two choices are called '" + full + "'");
    if (!sameDomain(first, knob))
      return clash(other, "knob '" + *name + "' redeclared with other options");
    other.ops.push_back(op);
    choiceOf[op] = index;
    return success();
  }

  FailureOr<KnobDomain> domain =
      knob ? readDomain(knob, full)
           : regionDomain(cast<AlternativesOp>(op), full);
  if (failed(domain))
    return failure();
  choiceOf[op] = choices.size();
  choices.push_back(Choice{name->str(),
                           sequence,
                           domain->parameter,
                           {op},
                           std::move(domain->attributes),
                           knob ? knob.getResult().getType() : Type()});
  return knob ? checkTargetKnob(knob, sampleValues(choices.back(),
                                                   /*numEnds=*/1000))
              : success();
}

const Choice *Choices::find(Operation *op) const {
  auto it = choiceOf.find(op);
  return it == choiceOf.end() ? nullptr : &choices[it->second];
}

const Choice *Choices::find(NamedSequenceOp sequence, StringRef name) const {
  for (const Choice &choice : choices)
    if (choice.sequence == sequence && choice.name == name)
      return &choice;
  return nullptr;
}

std::string Choices::names(NamedSequenceOp sequence) const {
  SmallVector<std::string> names;
  for (const Choice &choice : choices)
    if (!sequence)
      names.push_back(choice.parameter.name());
    else if (choice.sequence == sequence)
      names.push_back(choice.name);
  return names.empty() ? "none" : "'" + llvm::join(names, "', '") + "'";
}

void schedule::reopenChoices(ModuleOp schedule) {
  schedule.walk([](Operation *op) {
    if (auto knob = dyn_cast<KnobOp>(op)) {
      if (std::optional<Attribute> selected = knob.getSelected()) {
        knob->setAttr(BacoDialect::kDefault, *selected);
        knob.removeSelectedAttr();
      }
    } else if (auto alternatives = dyn_cast<AlternativesOp>(op)) {
      // A region that a parameter selects is a choice of that.
      if (std::optional<APInt> region = alternatives.getSelectedRegionAttr()) {
        alternatives->setAttr(BacoDialect::kDefault,
                              Builder(op->getContext())
                                  .getI64IntegerAttr(region->getSExtValue()));
        alternatives.removeSelectedRegionAttrAttr();
      }
    }
  });
}
