//===- LoopOrderConstraints.h - Which loop orders are legal -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule is a clause: if all premises hold, one of the conclusions does.
// Those that constants decide drop out.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_RECIPE_LOOPORDERCONSTRAINTS_H
#define BACO_LIB_RECIPE_LOOPORDERCONSTRAINTS_H

#include "SparsifyRules.h"

namespace baco {

class SparseRegions;

/// Conditions over knobs; `true` and `false` where constants decide.
using KnobConditions = llvm::SmallVector<Expression>;

/// The loops where each of those that index the sparse operand is split, or is
/// not because there is one tile.
struct LoopVariant {
  IterationGraph graph;
  KnobConditions premises;
};

class SparsifyRules {
public:
  SparsifyRules(SparsifyAttr step, const IterationGraph &unsplit,
                llvm::ArrayRef<TiledLoop> tiles, RecipeAnalysis &state);

  llvm::LogicalResult run();

private:
  llvm::LogicalResult stateFormat(llvm::StringRef name);
  llvm::LogicalResult stateOrder(llvm::StringRef name,
                                 const IterationGraph::Offer &offer);
  /// States the conditions if one of `loops` visits the outermost level of
  /// `format`.
  llvm::LogicalResult stateRepeats(llvm::StringRef name,
                                   const sparse::StorageFormat &format,
                                   llvm::ArrayRef<int64_t> loops);
  llvm::LogicalResult stateArranged(llvm::StringRef name,
                                    const LoopVariant &variant,
                                    const sparse::StorageFormat &format);
  /// States the needs of `format`, whose levels are in this order if `premises`
  /// hold.
  llvm::LogicalResult stateSizes(llvm::StringRef name,
                                 const KnobConditions &premises,
                                 const sparse::StorageFormat &format);
  llvm::LogicalResult stateCoordinates(llvm::StringRef name,
                                       const KnobConditions &premises,
                                       const sparse::StorageFormat &format);
  llvm::LogicalResult statePositions();
  llvm::LogicalResult stateParallel();
  llvm::LogicalResult stateTeam();
  llvm::LogicalResult stateTiles();
  llvm::LogicalResult stateNarrow();
  llvm::LogicalResult statePeel();
  llvm::LogicalResult stateVectors();
  /// States the needs of ops with regions in the body.
  llvm::LogicalResult stateRegions();
  llvm::LogicalResult stateReduce(const SparseRegions &regions);
  /// That `conclusions` hold, which say that loop `inner` is inside of another.
  llvm::LogicalResult stateInside(int64_t inner,
                                  const KnobConditions &conclusions,
                                  const std::string &reason);
  llvm::LogicalResult stateVisited(const SparseRegions &regions);

  llvm::LogicalResult implies(const KnobConditions &premises,
                              const KnobConditions &conclusions,
                              const std::string &reason);
  Expression isFormat(llvm::StringRef name) const;
  /// The position of `loop` in the order, if a knob says that.
  Expression place(int64_t loop) const;
  Expression isAround(int64_t outer, int64_t inner) const;
  Expression isJustAround(int64_t outer, int64_t inner) const;
  Expression isOutermost(llvm::ArrayRef<int64_t> loops) const;
  Expression isInnermost(llvm::ArrayRef<int64_t> loops) const;
  Expression isSequential() const;
  Quantity vectorLength() const;
  static Expression compare(Quantity quantity, llvm::StringRef relation,
                            int64_t number);
  /// Whether `field`, a string or a knob over strings, is `text`.
  static Expression isText(mlir::Attribute field, llvm::StringRef text);
  /// The tiles of the dimension that `level` is a part of.
  const TiledLoop *tilesOf(const sparse::Level &level) const;
  /// How many coordinates `level` has.
  Expression sizeOf(const sparse::Level &level) const;

  IterationGraph unsplit;
  /// With as many loops as possible.
  IterationGraph graph;
  llvm::SmallVector<LoopVariant, 4> variants;
  llvm::ArrayRef<TiledLoop> tiles;
  RecipeAnalysis &state;
  SparsifyAttr step;
  Quantity positions, coordinates;
  /// Its value, if it is constant.
  std::optional<llvm::SmallVector<int64_t>> order;
};

/// The end of the reason of a rule about what has no effect.
inline constexpr llvm::StringLiteral noEffect =
    ", so that the code would be the same";

/// `name` in quotes.
std::string quoted(llvm::StringRef name);

} // namespace baco

#endif // BACO_LIB_RECIPE_LOOPORDERCONSTRAINTS_H
