//===- LoopLegality.cpp - What dependences forbid to commands -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopLegality.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/LoopCommands.h"
#include "baco/LoopNest/JudgeCommands.h"
#include "baco/Schedule/Concretize.h"
#include "baco/TransformOps/RestructureProbe.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using loopnest::CommandKnob;
using loopnest::CommandVerdict;
using transform::NamedSequenceOp;
using transform::RestructureOp;
using transform::smt::ConstrainParamsOp;
using transform::tune::AlternativesOp;
using transform::tune::KnobOp;

/// Finds an op of the schedule again in a copy whose choices are resolved.
static constexpr StringLiteral probeNumber = "probe_number";

//===----------------------------------------------------------------------===//
// Which ops
//===----------------------------------------------------------------------===//

/// Whether what `op` does to the payload depends on choices.
static bool readsChoices(Operation *op) {
  if (op->hasAttr(BacoDialect::kBind))
    return true;
  if (auto alternatives = dyn_cast<AlternativesOp>(op))
    return !selectedRegion(alternatives);
  return llvm::any_of(op->getOperands(), [](mlir::Value operand) {
    Operation *source = operand.getDefiningOp();
    if (auto knob = dyn_cast_or_null<KnobOp>(source))
      return !knob.getSelected();
    return isa_and_nonnull<ConstrainParamsOp>(source);
  });
}

/// Whether the nest that `op` means may be another one for other choices: they
/// decide about the ops that its handle comes from, or about what ran before
/// these have looked for it. Other restructure ops are left out: the probe
/// watches what they write.
static bool hasOpenNest(RestructureOp op, const Choices &choices) {
  llvm::SetVector<Operation *> origins;
  BackwardSliceOptions slice;
  slice.omitBlockArguments = true;
  (void)getBackwardSlice(op.getTarget(), &origins, slice);
  auto own = op->getParentOfType<NamedSequenceOp>();
  bool isOpen = false;
  for (NamedSequenceOp sequence : choices.sequences()) {
    bool choiceCame = false;
    sequence.walk<WalkOrder::PreOrder>([&](Operation *other) {
      if (other == op || isDead(other))
        return other == op ? WalkResult::interrupt() : WalkResult::advance();
      bool isOrigin = origins.contains(other);
      if (isOrigin && choiceCame)
        isOpen = true;
      if (isa<KnobOp, ConstrainParamsOp, RestructureOp>(other) ||
          !readsChoices(other) || other->isAncestor(op))
        return WalkResult::advance();
      choiceCame = true;
      isOpen |= isOrigin || sequence != own;
      return WalkResult::advance();
    });
  }
  return isOpen;
}

/// The knobs that the commands of `op` name; nothing if there are none, or one
/// has too many values to list them.
static std::vector<CommandKnob> knobsOf(RestructureOp op,
                                        const Choices &choices) {
  constexpr uint64_t mostValues = 4096;
  llvm::SetVector<StringRef> names;
  for (Attribute command : op.getCommands())
    (void)resolveKnobNames(command, [&](StringRef name) {
      names.insert(name);
      return Attribute();
    });
  std::vector<CommandKnob> knobs;
  for (StringRef name : names) {
    const Choice *choice =
        choices.find(op->getParentOfType<NamedSequenceOp>(), name);
    if (!choice || !choice->type)
      continue;
    const Parameter &parameter = choice->parameter;
    if (parameter.kind() == ParameterKind::Real ||
        parameter.size() > mostValues)
      return {};
    CommandKnob knob{name.str(), {}};
    for (uint64_t i = 0; i < parameter.size(); ++i)
      knob.values.push_back(
          attributeOf(*choice, parameter.value(i), choice->type));
    knobs.push_back(std::move(knob));
  }
  return knobs;
}

//===----------------------------------------------------------------------===//
// Verdicts as expressions
//===----------------------------------------------------------------------===//

namespace {
/// Writes what a diagram says of one refusal.
class VerdictWriter {
public:
  VerdictWriter(const CommandVerdict &verdict,
                ArrayRef<const Parameter *> parameters, size_t refusal)
      : verdict(verdict), parameters(parameters), refusal(refusal) {}

  /// An expression that is false where the refusal applies.
  std::string write();

private:
  /// Whether a knob is one of the values with these indices.
  std::string member(size_t knob, ArrayRef<uint64_t> values) const;
  std::string writeInner(const CommandVerdict::Node &node) const;

  const CommandVerdict &verdict;
  ArrayRef<const Parameter *> parameters;
  size_t refusal;
  std::vector<std::string> texts;
};
} // namespace

std::string VerdictWriter::member(size_t knob,
                                  ArrayRef<uint64_t> values) const {
  const Parameter &parameter = *parameters[knob];
  std::string name = variableText(parameter.name());
  if (values.size() == 1)
    return name + " == " + toString(parameter.value(values.front()));
  SmallVector<std::string> list;
  for (uint64_t value : values)
    list.push_back(toString(parameter.value(value)));
  return "in(" + name + ", {" + llvm::join(list, ", ") + "})";
}

std::string VerdictWriter::writeInner(const CommandVerdict::Node &node) const {
  // The values of each text, in the order in which these come.
  llvm::MapVector<StringRef, SmallVector<uint64_t>> groups;
  for (auto [value, child] : llvm::enumerate(node.children))
    groups[texts[child]].push_back(value);
  if (groups.size() == 1)
    return groups.front().first.str();
  auto none = groups.find("false");
  size_t numForbidden = none == groups.end() ? 0 : none->second.size();
  if (groups.size() == 2 && groups.contains("true") && numForbidden > 0 &&
      numForbidden < node.children.size() - numForbidden)
    return "!(" + member(*node.knob, none->second) + ")";
  SmallVector<std::string> parts;
  for (const auto &[text, values] : groups) {
    if (text == "false")
      continue;
    std::string part = member(*node.knob, values);
    if (text != "true")
      part += " && " + (text.contains(" || ") ? "(" + text + ")" : text).str();
    parts.push_back(std::move(part));
  }
  return llvm::join(parts, " || ");
}

std::string VerdictWriter::write() {
  for (const CommandVerdict::Node &node : verdict.nodes)
    texts.push_back(node.knob                 ? writeInner(node)
                    : node.refusal == refusal ? "false"
                                              : "true");
  return texts.back();
}

/// The reason with what its names stand for.
static std::string describe(const loopnest::CommandRefusal &refusal) {
  std::string text = refusal.reason;
  SmallVector<std::string> places;
  for (const auto &[name, location] : refusal.names)
    if (std::string place = schedule::describe(location); !place.empty())
      places.push_back(name + " is at " + place);
  if (!places.empty())
    text += " (" + llvm::join(places, ", ") + ")";
  return text;
}

//===----------------------------------------------------------------------===//
// Probing
//===----------------------------------------------------------------------===//

namespace {
class LegalityProbe {
public:
  LegalityProbe(const ProbedSchedule &probed,
                const std::vector<Constraint> &constraints, AddCommandRule add)
      : probed(probed), constraints(constraints), add(add) {}

  LogicalResult run();

private:
  /// A configuration in which `op` runs; nullopt if there is none.
  std::optional<Assignment> choose(RestructureOp op) const;
  /// Runs the schedule as far as it goes.
  void apply(const Assignment &assignment);
  void judge(RestructureOp op, Operation *first, Operation *last);
  /// Whether a constraint that reads nothing else is violated by the values of
  /// these parameters.
  bool isExcluded(ArrayRef<const Parameter *> parameters,
                  ArrayRef<std::optional<size_t>> values) const;

  ProbedSchedule probed;
  const std::vector<Constraint> &constraints;
  AddCommandRule add;
  SmallVector<RestructureOp> ops;
  llvm::DenseSet<Operation *> pending;
  bool hasFailed = false;
};
} // namespace

std::optional<Assignment> LegalityProbe::choose(RestructureOp op) const {
  std::vector<Parameter> parameters;
  for (const Choice &choice : probed.choices.all())
    parameters.push_back(choice.parameter);
  std::vector<Constraint> all = constraints;
  if (std::string condition = probed.conditions.of(op); !condition.empty()) {
    Result<Expression> runs = Expression::parse(condition);
    if (!runs)
      return std::nullopt;
    all.push_back({*runs, "", "", false});
  }
  Result<Space> space =
      Space::create(std::move(parameters), std::move(all), probed.active);
  if (!space)
    return std::nullopt;
  Assignment assignment;
  for (auto [parameter, value] : llvm::zip_equal(
           space->parameters(), space->toConfiguration(space->defaultPoint())))
    assignment.emplace_back(parameter.name(), value);
  return assignment;
}

void LegalityProbe::apply(const Assignment &assignment) {
  // What goes wrong goes wrong in a trial, too, and is reported then.
  ScopedDiagnosticHandler silence(probed.payload.getContext(),
                                  [](Diagnostic &) { return success(); });
  NamedSequenceOp entry = probed.choices.entry();
  StringRef name = entry.getSymName();
  for (auto [number, op] : llvm::enumerate(ops))
    op->setAttr(probeNumber, OpBuilder(op).getIndexAttr(number));
  OwningOpRef<ModuleOp> schedule = probed.schedule.clone();
  for (RestructureOp op : ops)
    op->removeAttr(probeNumber);
  OwningOpRef<ModuleOp> payload = probed.payload.clone();
  if (failed(concretize(*schedule, name, assignment)))
    return;
  auto sequence = dyn_cast_or_null<NamedSequenceOp>(
      SymbolTable::lookupSymbolIn(*schedule, name));
  if (!sequence)
    return;
  auto visit = [&](RestructureOp op, Operation *first, Operation *last) {
    if (auto number = op->getAttrOfType<IntegerAttr>(probeNumber))
      judge(ops[number.getInt()], first, last);
  };
  (void)transform::applyTransforms(
      *payload, cast<transform::TransformOpInterface>(*sequence), {},
      transform::TransformOptions(), /*enforceToplevelTransformOp=*/false,
      [&](transform::TransformState &state) {
        state.addExtension<RestructureProbe>(visit);
      });
}

bool LegalityProbe::isExcluded(ArrayRef<const Parameter *> parameters,
                               ArrayRef<std::optional<size_t>> values) const {
  std::map<std::string, baco::Value, std::less<>> chosen;
  for (auto [parameter, value] : llvm::zip_equal(parameters, values))
    if (value)
      chosen.emplace(parameter->name(), parameter->value(*value));
  auto lookup = [&](std::string_view name) -> const baco::Value * {
    auto found = chosen.find(name);
    return found == chosen.end() ? nullptr : &found->second;
  };
  for (const Constraint &constraint : constraints) {
    const Expression &expression = constraint.expression;
    if (!llvm::all_of(expression.variables(), lookup))
      continue;
    Result<baco::Value> holds = expression.evaluate(lookup);
    if (!holds || *holds == baco::Value(false))
      return true;
  }
  return false;
}

void LegalityProbe::judge(RestructureOp op, Operation *first, Operation *last) {
  if (!pending.contains(op))
    return;
  pending.erase(op);
  std::vector<CommandKnob> knobs = knobsOf(op, probed.choices);
  auto sequence = op->getParentOfType<NamedSequenceOp>();
  SmallVector<const Parameter *> parameters;
  for (const CommandKnob &knob : knobs)
    parameters.push_back(&probed.choices.find(sequence, knob.name)->parameter);
  loopnest::JudgeOptions options;
  options.isExcluded = [&](ArrayRef<std::optional<size_t>> values) {
    return isExcluded(parameters, values);
  };
  options.restructure.reassociate = !op.getStrict();
  FailureOr<CommandVerdict> verdict = loopnest::judgeCommands(
      first, last, op.getCommands().getValue(), knobs, options);
  if (failed(verdict))
    return;
  if (verdict->isPartial)
    op->emitRemark() << "the loop commands have too many values to follow them "
                        "all before the search: some that the dependences "
                        "forbid are found out by trials";
  for (auto [index, refusal] : llvm::enumerate(verdict->refusals))
    hasFailed |=
        failed(add(op, VerdictWriter(*verdict, parameters, index).write(),
                   ::describe(refusal)));
}

LogicalResult LegalityProbe::run() {
  for (NamedSequenceOp sequence : probed.choices.sequences())
    sequence.walk([&](RestructureOp op) {
      if (!isDead(op) && !knobsOf(op, probed.choices).empty() &&
          !hasOpenNest(op, probed.choices))
        ops.push_back(op);
    });
  pending.insert(ops.begin(), ops.end());
  for (RestructureOp op : ops) {
    if (!pending.contains(op))
      continue;
    if (std::optional<Assignment> assignment = choose(op))
      apply(*assignment);
    if (hasFailed)
      return failure();
  }
  return success();
}

LogicalResult
schedule::addLoopLegality(const ProbedSchedule &probed,
                          const std::vector<Constraint> &constraints,
                          AddCommandRule add) {
  return LegalityProbe(probed, constraints, add).run();
}
