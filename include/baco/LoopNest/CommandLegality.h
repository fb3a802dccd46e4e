//===- CommandLegality.h - Which commands are legal -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the values of knobs in commands that the dependences of the nest, and
// the commands themselves, allow: before the search, by applying the commands
// with all values.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_COMMANDLEGALITY_H
#define BACO_LOOPNEST_COMMANDLEGALITY_H

#include "baco/LoopNest/PrepareNest.h"
#include "baco/LoopNest/Restructure.h"
#include "baco/LoopNest/TiledNest.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace baco::loopnest {

/// A knob that commands may name, and its values, at least one.
struct CommandKnob {
  std::string name;
  llvm::SmallVector<mlir::Attribute> values;
};

/// A reason why values are forbidden.
struct CommandRefusal {
  /// `the order of loops breaks a dependence: S0 writes A1 and S2 reads it`.
  std::string reason;
  /// The meaning of such names: statements, and memrefs.
  std::vector<std::pair<std::string, mlir::Location>> names;
};

/// A decision diagram over the values of knobs. Equal nodes are one.
struct CommandLegality {
  struct Node {
    /// Index of the knob that decides; nullopt for a leaf.
    std::optional<size_t> knob;
    /// The node for each value of the knob.
    llvm::SmallVector<size_t> children;
    /// For a leaf: an index into `refusals`; nullopt if the values are allowed.
    std::optional<size_t> refusal;
    /// For an allowed leaf: an index into `tilings`; nullopt if the loops
    /// weren't asked for, or aren't known.
    std::optional<size_t> tiling;
  };
  /// Children come before their parents; the root is the last.
  std::vector<Node> nodes;
  std::vector<CommandRefusal> refusals;
  /// The loops after the commands, with indices of knobs. Values of sizes that
  /// make the same loops share one tiling.
  std::vector<TiledNest> tilings;
  /// For each statement, if there are tilings.
  std::vector<StatementReferences> references;
  /// Not all values were checked: the others count as allowed.
  bool isPartial = false;
};

struct JudgeOptions {
  RestructureOptions restructure;
  /// Whether other constraints exclude these values of knobs, by index; those
  /// without value, and sizes of tiles, are nullopt. Excluded values aren't
  /// checked.
  std::function<bool(llvm::ArrayRef<std::optional<size_t>>)> isExcluded;
  /// The largest number of commands that are applied, orders that are checked
  /// and values that are excluded. The time of each depends on the nest: about
  /// a millisecond for a product.
  unsigned maxSteps = 2000;
  /// Steps of isl that each of them may take, about 20 ms; what takes more is
  /// allowed, and counts as 50 of `maxSteps`.
  unsigned long maxOperations = 200'000;
  /// The limit on isl's work for all of them; see polyhedral::Context. Once it
  /// is spent, unchecked values count as allowed. Less than for a plan, which
  /// runs in a process that can be killed.
  uint64_t maxWork = maxNestWork / 4;
  /// Whether to find the tilings, too; none if that means to look at the loops
  /// for more than `maxTilings` values.
  bool findTilings = false;
  unsigned maxTilings = 256;
};

/// Follows `commands` on the nest `first` ... `last` (see restructure) with all
/// values of `knobs`. Values that only differ in the sizes of tiles and steps
/// are judged together where the order is legal for any size. Fails, after an
/// error, if the nest can't be read or scheduled at all: no values would help.
/// The IR isn't changed.
mlir::FailureOr<CommandLegality>
checkCommands(mlir::Operation *first, mlir::Operation *last,
              llvm::ArrayRef<mlir::Attribute> commands,
              llvm::ArrayRef<CommandKnob> knobs,
              const JudgeOptions &options = {});

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_COMMANDLEGALITY_H
