//===- Choices.h - Unresolved choices of a schedule -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects what a schedule leaves open: `transform.tune.knob` without a
// selected value and `transform.tune.alternatives` without a selected region.
// Extraction turns them into a space; concretization resolves them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_CHOICES_H
#define BACO_SCHEDULE_CHOICES_H

#include "baco/Space/Parameter.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace baco::schedule {

/// One parameter of the space: all knobs of one name in one named sequence, or
/// one `alternatives` op.
struct Choice {
  Parameter parameter;
  /// The knobs or the alternatives op; at least one. The first declares.
  llvm::SmallVector<mlir::Operation *, 1> ops;
  /// The attribute that stands for each value of the parameter, by index;
  /// empty if the value says it all (numbers and permutations of a range).
  llvm::SmallVector<mlir::Attribute> attributes;
  /// When the choice matters, as an expression over other parameters; empty:
  /// always.
  std::string condition;
};

/// The choices of a schedule, in the order of their ops.
class Choices {
public:
  /// Collects the choices that `sequence` of `schedule` can reach. Fails with
  /// a diagnostic if there is no such sequence, if the options of a knob are
  /// not understood, or if two knobs of one name and sequence differ.
  static mlir::FailureOr<Choices> collect(mlir::ModuleOp schedule,
                                          llvm::StringRef sequence);

  llvm::ArrayRef<Choice> all() const { return choices; }
  llvm::MutableArrayRef<Choice> all() { return choices; }

  /// The choice that an op belongs to; null if it has none (a knob whose value
  /// is selected).
  const Choice *find(mlir::Operation *op) const;
  /// The knob called `name` in the named sequence that `user` is or is in; null
  /// if there is none.
  const Choice *findKnob(mlir::Operation *user, llvm::StringRef name) const;

  /// The names of all parameters, for messages.
  std::string names() const;

  /// The named sequences that the schedule reaches, in the order of the module.
  llvm::ArrayRef<mlir::transform::NamedSequenceOp> sequences() const {
    return reached;
  }

  /// When `op` runs, as an expression over parameters; empty: always.
  std::string conditionOf(mlir::Operation *op) const;

private:
  void countNames();
  std::string parameterName(mlir::Operation *op) const;
  mlir::LogicalResult add(mlir::Operation *op);
  void setConditions();

  std::vector<Choice> choices;
  llvm::MapVector<mlir::Operation *, size_t> choiceOf;
  llvm::SmallVector<mlir::transform::NamedSequenceOp> reached;
  /// In how many sequences a name is declared.
  llvm::StringMap<unsigned> numSequences;
  /// Sequence that `conditionOf` starts from: it always runs.
  mlir::transform::NamedSequenceOp entry;
};

/// A knob's domain as a parameter, and the attribute of each value.
struct KnobDomain {
  Parameter parameter;
  llvm::SmallVector<mlir::Attribute> attributes;
};

/// Reads the options of a knob as a parameter called `name`: an array
/// attribute, a dictionary (`{lb, ub, step}` or `{options, lower_bound,
/// upper_bound, divisible_by, divides}`), or a domain of ours; and
/// `baco.default` and `baco.weights`. Fails with a diagnostic at the knob.
mlir::FailureOr<KnobDomain> readDomain(mlir::transform::tune::KnobOp knob,
                                       std::string name);

/// The attribute that stands for `value` of a choice whose result has type
/// `type` (an integer of the type of a `!transform.param<...>`).
mlir::Attribute attributeOf(const Choice &choice, const Value &value,
                            mlir::Type type);

/// "file:line:column" of a location; empty if it has none.
std::string describe(mlir::Location location);

} // namespace baco::schedule

#endif // BACO_SCHEDULE_CHOICES_H
