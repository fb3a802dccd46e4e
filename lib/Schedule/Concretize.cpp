//===- Concretize.cpp - Resolve the choices of a schedule -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/ExpandRecipes.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/Bindings.h"
#include "baco/IR/LoopCommands.h"
#include "baco/IR/TargetOptions.h"
#include "baco/Schedule/ConstrainParams.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-concretize"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::NamedSequenceOp;
using transform::smt::ConstrainParamsOp;
using transform::tune::AlternativesOp;
using transform::tune::KnobOp;

namespace {
/// Resolves one schedule. The order of the steps matters: regions that aren't
/// selected are neither evaluated nor bound.
class Concretizer {
public:
  Concretizer(ModuleOp schedule, const Choices &choices,
              const Assignment &assignment)
      : schedule(schedule), choices(choices), assignment(assignment),
        params(choices) {}

  LogicalResult run() {
    if (failed(checkAssignment()) || failed(selectAlternatives()) ||
        failed(evaluateConstrainParams()) || failed(bindAttributes()) ||
        failed(collectTargetOptions()))
      return failure();
    resolveLoopCommands();
    resolveKnobs();
    eraseUnreached();
    eraseBacoAttributes();
    if (!targetOptions.empty())
      choices.entry()->setDiscardableAttr(
          BacoDialect::kTargetOptions,
          targetOptions.getDictionary(schedule.getContext()));
    return success();
  }

private:
  LogicalResult checkAssignment();
  LogicalResult selectAlternatives();
  LogicalResult select(AlternativesOp op);
  LogicalResult evaluateConstrainParams();
  LogicalResult bindAttributes();
  LogicalResult bind(Operation *op, StringRef attribute, Attribute binding);
  LogicalResult collectTargetOptions();
  LogicalResult setTargetOption(Operation *op, StringRef name, Attribute value);
  Attribute selectedValue(KnobOp knob) const;
  void resolveLoopCommands();
  void resolveKnobs();
  void eraseUnreached();
  void eraseBacoAttributes();

  /// The ops of this type that the schedule reaches.
  template <typename OpT>
  SmallVector<OpT> collect() const {
    SmallVector<OpT> ops;
    for (NamedSequenceOp sequence : choices.sequences())
      sequence.walk([&](OpT op) { ops.push_back(op); });
    return ops;
  }
  /// The value of a parameter; null if it has none.
  const baco::ParameterValue *lookup(std::string_view name) const {
    return findValue(assignment, name);
  }
  /// The value of `choice` as an attribute.
  Attribute valueOf(const Choice &choice) const {
    return attributeOf(choice, *lookup(choice.parameter.name()), choice.type);
  }
  /// The value of a param that is known before the schedule runs.
  FailureOr<baco::ParameterValue> evaluate(Operation *user, mlir::Value param);

  ModuleOp schedule;
  const Choices &choices;
  const Assignment &assignment;
  ParamExpressions params;
  NamedAttrList targetOptions;
};
} // namespace

const baco::ParameterValue *schedule::findValue(const Assignment &assignment,
                                                std::string_view name) {
  for (const auto &[known, value] : assignment)
    if (known == name)
      return &value;
  return nullptr;
}

bool schedule::isTrue(const Expression &expression,
                      const Assignment &assignment) {
  Result<baco::ParameterValue> value = expression.evaluate(
      [&](std::string_view name) { return findValue(assignment, name); });
  return value && *value == baco::ParameterValue(true);
}

LogicalResult Concretizer::checkAssignment() {
  for (const auto &[name, value] : assignment)
    if (llvm::none_of(choices.all(), [&, &name = name](const Choice &choice) {
          return choice.parameter.name() == name;
        }))
      return schedule.emitError() << "the schedule has no knob '" << name
                                  << "'; it has " << choices.names();
  for (const Choice &choice : choices.all()) {
    Operation *op = choice.ops.front();
    const baco::ParameterValue *value = lookup(choice.parameter.name());
    if (!value)
      return op->emitError()
             << "no value given for '" << choice.parameter.name() << "'";
    if (!choice.parameter.contains(*value))
      return op->emitError() << toString(*value) << " is not one of the values "
                             << "of '" << choice.parameter.name() << "'";
  }
  return success();
}

FailureOr<baco::ParameterValue> Concretizer::evaluate(Operation *user,
                                                      mlir::Value param) {
  FailureOr<Expression> expression = params.ofParam(user, param);
  if (failed(expression))
    return failure();
  return orEmitError(user, expression->evaluate([&](std::string_view name) {
    return lookup(name);
  }));
}

LogicalResult Concretizer::selectAlternatives() {
  // Outermost first: regions that are not selected are erased.
  for (NamedSequenceOp sequence : choices.sequences())
    while (true) {
      AlternativesOp next;
      sequence.walk<WalkOrder::PreOrder>([&](AlternativesOp op) {
        next = op;
        return WalkResult::interrupt();
      });
      if (!next)
        break;
      if (failed(select(next)))
        return failure();
    }
  return success();
}

/// Replaces `op` by the region that is selected.
LogicalResult Concretizer::select(AlternativesOp op) {
  int64_t index;
  if (const Choice *choice = choices.find(op)) {
    index = std::get<int64_t>(*lookup(choice->parameter.name()));
  } else if (std::optional<int64_t> selected = selectedRegion(op)) {
    index = *selected;
  } else {
    FailureOr<baco::ParameterValue> value =
        evaluate(op, op.getSelectedRegionParam());
    if (failed(value))
      return failure();
    const auto *integer = std::get_if<int64_t>(&*value);
    if (!integer || *integer < 0 ||
        *integer >= static_cast<int64_t>(op.getAlternatives().size()))
      return op.emitError() << toString(*value) << " selects none of the "
                            << op.getAlternatives().size() << " regions";
    index = *integer;
  }
  Block &block = op.getAlternatives()[index].front();
  Operation *yield = block.getTerminator();
  op.replaceAllUsesWith(yield->getOperands());
  yield->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         block.getOperations());
  op.erase();
  return success();
}

LogicalResult Concretizer::evaluateConstrainParams() {
  auto ops = collect<ConstrainParamsOp>();
  // Evaluate all before replacing any: one may read another's result.
  SmallVector<SmallVector<baco::ParameterValue>> results;
  for (ConstrainParamsOp op : ops) {
    results.emplace_back();
    for (OpResult result : op->getResults()) {
      FailureOr<baco::ParameterValue> value = evaluate(op, result);
      if (failed(value))
        return failure();
      const auto *integer = std::get_if<int64_t>(&*value);
      if (!integer)
        return op.emitError() << "yields " << toString(*value)
                              << ", but only integers can become params";
      results.back().push_back(*value);
    }
  }
  for (auto [op, values] : llvm::zip_equal(ops, results)) {
    OpBuilder builder(op);
    for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
      auto type = dyn_cast<transform::ParamType>(result.getType());
      auto attribute =
          builder.getIntegerAttr(type ? type.getType() : builder.getI64Type(),
                                 std::get<int64_t>(value));
      result.replaceAllUsesWith(transform::ParamConstantOp::create(
          builder, op.getLoc(), result.getType(), attribute));
    }
  }
  for (ConstrainParamsOp op : llvm::reverse(ops))
    op.erase();
  return success();
}

LogicalResult Concretizer::bindAttributes() {
  return choices.visit<Operation *>([&](Operation *op) -> LogicalResult {
    if (auto binding = op->getAttrOfType<DictionaryAttr>(BacoDialect::kBind))
      for (NamedAttribute entry : binding)
        if (failed(bind(op, entry.getName(), entry.getValue())))
          return failure();
    return success();
  });
}

/// Sets `attribute` of `op` to the value of `binding`.
LogicalResult Concretizer::bind(Operation *op, StringRef attribute,
                                Attribute binding) {
  if (!llvm::is_contained(op->getName().getAttributeNames(), attribute))
    return op->emitError() << "baco.bind: the op has no attribute '"
                           << attribute << "'";
  auto valueOf = [&](StringRef name) -> Attribute {
    const Choice *choice =
        choices.find(op->getParentOfType<NamedSequenceOp>(), name);
    if (choice && choice->type)
      return this->valueOf(*choice);
    op->emitError() << "baco.bind: no knob '" << name
                    << "' in this named sequence";
    return nullptr;
  };
  FailureOr<Attribute> resolved = resolveBinding(
      binding, valueOf, op->getInherentAttr(attribute).value_or(nullptr));
  if (failed(resolved))
    return failure();
  if (!*resolved)
    return op->emitError() << "baco.bind: the value of " << binding
                           << " does not fit attribute '" << attribute << "'";
  op->setAttr(attribute, *resolved);
  return success();
}

/// The replacement of the knob's result.
Attribute Concretizer::selectedValue(KnobOp knob) const {
  const Choice *choice = choices.find(knob);
  return choice ? attributeOf(*choice, *lookup(choice->parameter.name()),
                              knob.getResult().getType())
                : *knob.getSelected();
}

LogicalResult Concretizer::setTargetOption(Operation *op, StringRef name,
                                           Attribute value) {
  Attribute known = targetOptions.get(name);
  if (known && known != value)
    return op->emitError() << "target option '" << name << "' is both " << known
                           << " and " << value
                           << ": set it in one place of the schedule";
  targetOptions.set(name, value);
  return success();
}

/// Collects them from the sequences and the knobs of the schedule.
LogicalResult Concretizer::collectTargetOptions() {
  for (NamedSequenceOp sequence : choices.sequences()) {
    if (auto own = sequence->getAttrOfType<DictionaryAttr>(
            BacoDialect::kTargetOptions))
      for (NamedAttribute option : own)
        if (failed(
                setTargetOption(sequence, option.getName(), option.getValue())))
          return failure();
    if (failed(visitAll<KnobOp>(sequence, [&](KnobOp knob) {
          StringRef name = knob.getName();
          return name.consume_front(targetKnobPrefix)
                     ? setTargetOption(knob, name, selectedValue(knob))
                     : success();
        })))
      return failure();
  }
  return success();
}

/// Puts the values of knobs where commands on loop nests name them.
void Concretizer::resolveLoopCommands() {
  for (NamedSequenceOp sequence : choices.sequences()) {
    auto valueOfKnob = [&](StringRef name) -> Attribute {
      if (const Choice *choice = choices.find(sequence, name))
        return choice->type ? valueOf(*choice) : Attribute();
      return selectedKnob(sequence, name);
    };
    sequence.walk([&](Operation *op) {
      for (NamedAttribute attribute : llvm::to_vector(op->getAttrs())) {
        if (!isCommandList(attribute.getValue()))
          continue;
        SmallVector<Attribute> resolved = llvm::map_to_vector(
            cast<ArrayAttr>(attribute.getValue()), [&](Attribute command) {
              return resolveKnobNames(command, valueOfKnob);
            });
        op->setAttr(attribute.getName(),
                    ArrayAttr::get(op->getContext(), resolved));
      }
    });
  }
}

void Concretizer::resolveKnobs() {
  for (KnobOp knob : collect<KnobOp>()) {
    OpBuilder builder(knob);
    if (!knob.getResult().use_empty())
      knob.getResult().replaceAllUsesWith(transform::ParamConstantOp::create(
          builder, knob.getLoc(), knob.getResult().getType(),
          selectedValue(knob)));
    knob.erase();
  }
}

/// A sequence that is not reached would keep its choices open.
void Concretizer::eraseUnreached() {
  for (auto sequence :
       llvm::make_early_inc_range(schedule.getOps<NamedSequenceOp>()))
    if (!llvm::is_contained(choices.sequences(), sequence))
      sequence.erase();
}

void Concretizer::eraseBacoAttributes() {
  schedule->walk([](Operation *op) {
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
      // The schedule may need the permission that a payload's op gives. Who
      // has marked ops searches them in the result.
      if (attribute.getName() != BacoDialect::kTF32 &&
          attribute.getName() != BacoDialect::kMark &&
          attribute.getNameDialect() &&
          attribute.getNameDialect()->getNamespace() ==
              BacoDialect::getDialectNamespace())
        op->removeDiscardableAttr(attribute.getName());
  });
}

LogicalResult schedule::concretize(ModuleOp module, StringRef sequence,
                                   const Assignment &assignment) {
  FailureOr<Choices> choices = Choices::collect(module, sequence);
  if (failed(choices))
    return failure();
  LDBG() << "resolves " << choices->all().size() << " choices of '@" << sequence
         << "'";
  return Concretizer(module, *choices, assignment).run();
}
