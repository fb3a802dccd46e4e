//===- Choices.h - Unresolved choices of a schedule -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the open choices of a schedule: `transform.tune.knob` without a
// selected value and `transform.tune.alternatives` without a selected region.
// Extraction turns them into a space; concretization resolves them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_CHOICES_H
#define BACO_SCHEDULE_CHOICES_H

#include "baco/IR/Walk.h"
#include "baco/Space/Parameter.h"
#include "baco/Support/Result.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace baco::schedule {

/// One parameter of the space: all knobs of one name in one named sequence, or
/// one `alternatives` op.
struct Choice {
  /// The name in the schedule: unique in its sequence.
  std::string name;
  mlir::transform::NamedSequenceOp sequence;
  /// Its parameter, named `name`, qualified by the sequence's name if several
  /// sequences use it.
  Parameter parameter;
  /// The knobs or the alternatives op; at least one. The first declares.
  llvm::SmallVector<mlir::Operation *, 1> ops;
  /// The attribute that stands for each value of the parameter, by index;
  /// empty if the value says it all (numbers and permutations of a range).
  llvm::SmallVector<mlir::Attribute> attributes;
  /// The type of the first knob's result; null for alternatives.
  mlir::Type type;
};

/// The region of `op` that the schedule itself selects, by an attribute or by a
/// constant param; nullopt if that is open.
std::optional<int64_t> selectedRegion(mlir::transform::tune::AlternativesOp op);

/// Whether `op` is in a region of alternatives that the schedule itself doesn't
/// select.
bool isDead(mlir::Operation *op);

/// The value of `result`, or failure after its error was emitted at `op`.
template <typename T>
mlir::FailureOr<T> orEmitError(mlir::Operation *op, Result<T> result) {
  if (!result)
    return op->emitError(result.error().message);
  return std::move(*result);
}

/// The choices of a schedule, in the order of their ops. They stay valid when
/// ops are erased.
class Choices {
public:
  /// Collects the choices that `sequence` of `schedule` can reach. Regions of
  /// alternatives that the schedule itself doesn't select are left out. Fails
  /// with a diagnostic if there is no such sequence, if the options of a knob
  /// are not understood or don't hold its selected value, or if two choices
  /// have one name.
  static mlir::FailureOr<Choices> collect(mlir::ModuleOp schedule,
                                          llvm::StringRef sequence);

  llvm::ArrayRef<Choice> all() const { return choices; }

  /// The choice that an op belongs to; null if it has none (a knob whose value
  /// is selected).
  const Choice *find(mlir::Operation *op) const;
  /// The choice called `name` in a sequence; null if there is none.
  const Choice *find(mlir::transform::NamedSequenceOp sequence,
                     llvm::StringRef name) const;

  /// The names of all parameters, or of the choices of a sequence, for
  /// messages.
  std::string names(mlir::transform::NamedSequenceOp sequence = {}) const;

  /// The named sequences that the schedule reaches, in the order of the module.
  llvm::ArrayRef<mlir::transform::NamedSequenceOp> sequences() const {
    return reached;
  }
  /// Calls `visit` for each op of type OpT in these that may run, until that
  /// fails.
  template <typename OpT, typename Visit>
  mlir::LogicalResult visit(Visit visit) const {
    for (mlir::transform::NamedSequenceOp sequence : reached)
      if (failed(visitAll<OpT>(sequence, [&](OpT op) -> mlir::LogicalResult {
            return isDead(op) ? mlir::success() : visit(op);
          })))
        return mlir::failure();
    return mlir::success();
  }
  /// The sequence in which the schedule starts.
  mlir::transform::NamedSequenceOp entry() const { return first; }

private:
  void countNames();
  std::string parameterName(mlir::Operation *op) const;
  mlir::LogicalResult add(mlir::Operation *op);

  std::vector<Choice> choices;
  llvm::DenseMap<mlir::Operation *, size_t> choiceOf;
  llvm::SmallVector<mlir::transform::NamedSequenceOp> reached;
  mlir::transform::NamedSequenceOp first;
  /// In how many sequences a name is declared.
  llvm::StringMap<unsigned> numSequences;
};

/// The value that a sequence itself selects for its knob called `name`; null if
/// there is none.
mlir::Attribute selectedKnob(mlir::transform::NamedSequenceOp sequence,
                             llvm::StringRef name);

/// A knob's domain as a parameter, and the attribute of each value.
struct KnobDomain {
  Parameter parameter;
  llvm::SmallVector<mlir::Attribute> attributes;
};

/// Reads the options of a knob as a parameter called `name`: an array
/// attribute, a dictionary (`{lb, ub, step}` or `{options, lower_bound,
/// upper_bound, divisible_by, divides}`), or a domain of ours; and
/// `baco.default`, `baco.weights` and `baco.extent`. Fails with a diagnostic at
/// the knob.
mlir::FailureOr<KnobDomain> readDomain(mlir::transform::tune::KnobOp knob,
                                       std::string name);

/// The value of a selected attribute or an option. An attribute that is neither
/// a number, a bool nor a string is represented by its text.
ParameterValue valueOf(mlir::Attribute attribute);

/// The attribute that stands for `value` of a choice in a result of type `type`
/// (an integer of the type of a `!transform.param<...>`).
mlir::Attribute attributeOf(const Choice &choice, const ParameterValue &value,
                            mlir::Type type);

/// Attributes that stand for values of a knob: all options, the first and last
/// `numEnds` numbers of a domain, one value of any other domain.
llvm::SmallVector<mlir::Attribute> sampleValues(const Choice &choice,
                                                uint64_t numEnds);

/// The values of `parameter`, if all are integers and there are no more than
/// `most`.
std::optional<llvm::SmallVector<int64_t>> integersOf(const Parameter &parameter,
                                                     uint64_t most);

/// "file:line:column" of a location; empty if it has none.
std::string describe(mlir::Location location);

/// Makes the choices of `schedule` that are made (a knob's selected value, a
/// selected region) open again, with what was chosen as their default.
void reopenChoices(mlir::ModuleOp schedule);

} // namespace baco::schedule

#endif // BACO_SCHEDULE_CHOICES_H
