//===- RecipeAnalysis.h - Follows the steps of a recipe ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An abstract interpretation of a recipe's steps, which doesn't change the op:
// it tracks the extents of iterators, the loops around the op, and its buffers.
// Steps use it for their checks and constraints.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RECIPE_RECIPEANALYSIS_H
#define BACO_RECIPE_RECIPEANALYSIS_H

#include "baco/IR/RecipeFields.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/BitmaskEnum.h"
#include "llvm/ADT/MapVector.h"

namespace baco {

/// The trip count of an iterator of the op, if all of `guard` is true.
struct Extent {
  /// Conditions over knobs.
  llvm::SmallVector<Expression, 1> guard;
  /// Nothing: not known before running.
  std::optional<Quantity> count;
  /// The op is in parts whose extents are static, but differ; none is larger
  /// than `count`.
  bool isPartial = false;
  /// If `count` is nothing, a number of threads that share `shared` iterations
  /// equally, if that is known.
  std::optional<Quantity> threads = std::nullopt, shared = std::nullopt;

  /// Whether it is static.
  bool isStatic() const { return count || threads; }
};

/// The possible extents of an iterator: one, unless a knob permuted the
/// iterators.
using Extents = llvm::SmallVector<Extent, 1>;

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

/// Facts about the op after some steps. The table in Steps.cpp says what
/// each step needs of it, leaves and ends.
enum class OpFact {
  None = 0,
  /// It is a named one, such as `linalg.matmul`.
  Named = 1 << 0,
  /// It is on tensors; else it is on memrefs.
  OnTensors = 1 << 1,
  /// A step has put its tensors into memory.
  Bufferized = 1 << 2,
  /// A step has made loops, for threads or others.
  Looped = 1 << 3,
  /// Some of them run over tiles in order.
  Tiled = 1 << 4,
  /// A remainder has cut it in parts.
  InParts = 1 << 5,
  Vectorized = 1 << 6,
  /// Its iterations are distributed over threads or blocks.
  Distributed = 1 << 7,
  /// On a GPU: over blocks, but not yet over the threads of each.
  InBlocks = 1 << 8,
  InThreads = 1 << 9,
  /// Tiles of operands are in the shared memory of a GPU.
  Shared = 1 << 10,
  /// Rows that the op reads are computed there.
  Chained = 1 << 11,
  /// Threads have parts of its sum.
  Sliced = 1 << 12,
  LLVM_MARK_AS_BITMASK_ENUM(Sliced)
};

class RecipeAnalysis {
public:
  /// A loop that a tile step made.
  struct Loop {
    /// The iterator that it runs over, as counted by its step.
    int64_t iterator;
  };

  /// A copy of a part of an operand.
  struct Buffer {
    int64_t operand;
    int64_t rank;
    /// The extents of the last dimension.
    Extents row;
    /// How many loops are around the copy: buffers of equal numbers are filled
    /// at the same place.
    size_t depth;
  };

  /// Tiles of operands in the shared memory of a GPU.
  struct SharedTiles {
    /// Their bytes, as a number if no knob decides.
    Expression expression;
    std::optional<int64_t> bytes;
    /// The conditions that they are there.
    llvm::SmallVector<Expression, 1> on;
    /// The bytes that a block has.
    int64_t limit;
  };

  RecipeAnalysis(mlir::Operation *op, RecipeAttr recipe);

  /// Follows all steps. Fails, with a diagnostic at the op that names the
  /// step, if the op or the recipe isn't suitable.
  mlir::LogicalResult run();
  /// Checks the op for the rules of all recipes; to be called before `advance`.
  mlir::LogicalResult checkOp();
  /// Follows the next step.
  mlir::LogicalResult advance();

  /// `where`, and what the steps stated so far, each once.
  llvm::ArrayRef<ConstraintAttr> getConstraints() const { return constraints; }

  /// The static trip counts of the loops that the steps so far tile by knobs
  /// alone; nothing where it isn't one number. Tiles in tiles of a knob's size
  /// have none.
  using KnobExtents = llvm::MapVector<KnobAttr, std::optional<int64_t>>;
  const KnobExtents &getKnobExtents() const { return knobExtents; }

  //===--- For steps ------------------------------------------------------===//

  /// An error at the op that starts with the number and name of the step.
  mlir::InFlightDiagnostic emitError();

  mlir::Operation *getOp() const { return op; }
  /// Whether the recipe consists of loop commands: no step is to be advanced.
  bool isOnLoops() const;
  /// The last of the loops or linalg ops that loop commands are for; null if
  /// there aren't as many in the block of the op.
  mlir::Operation *lastNest() const;
  size_t getNumIterators() const { return extents.size(); }
  llvm::ArrayRef<Extents> getExtents() const { return extents; }
  llvm::ArrayRef<Loop> getLoops() const { return loops; }
  /// Whether `fact` holds; in `advance`, that of the step itself does already.
  bool has(OpFact fact) const { return (facts & fact) == fact; }
  /// For what a step leaves only with some of its fields.
  void add(OpFact fact) { facts |= fact; }
  /// The steps after the one that is being followed.
  llvm::ArrayRef<mlir::Attribute> getLaterSteps() const;
  /// The steps before the one that is being followed.
  llvm::ArrayRef<mlir::Attribute> getEarlierSteps() const;
  /// Whether tiles of `size` need no cut, because they divide in all cases.
  static bool dividesAlways(Quantity size, const Extents &extents);

  /// Which iterator of the op in the payload `iterator` was; nothing if a knob
  /// says.
  std::optional<int64_t> getOrigin(int64_t iterator) const;
  /// Whether that is a reduction.
  std::optional<bool> isReduction(int64_t iterator) const;

  /// Fails with an error unless `entries` has one entry for each iterator.
  mlir::LogicalResult needEntries(mlir::ArrayAttr entries);
  /// Fails with an error if iterations along `iterator` aren't known to be
  /// independent.
  mlir::LogicalResult needParallel(int64_t iterator);

  /// Requires that `divisor` divides `extents` in all cases; `what` names the
  /// divisor in messages ("tile 'MR' of iterator 0") and `why` who needs it.
  /// Fails with an error if it can't be.
  /// Only where the conditions `onlyWhere` hold.
  mlir::LogicalResult requireDivides(Quantity divisor, const Extents &extents,
                                     const std::string &what,
                                     llvm::StringRef why,
                                     llvm::ArrayRef<Expression> onlyWhere = {});
  /// States a condition.
  void require(const Expression &condition, const std::string &reason);

  /// Loops are made by `step`, given in the order of iterators. Fails with an
  /// error if tiles don't divide what must be divided.
  mlir::LogicalResult tile(TileAttr step);
  /// Tiles are distributed: of `sizes`, or as many as `threads` says. Fails
  /// with an error if tiles don't divide what must be divided.
  mlir::LogicalResult parallelize(llvm::ArrayRef<mlir::Attribute> sizes,
                                  llvm::ArrayRef<mlir::Attribute> threads);
  /// The iterators were permuted: `order` is a list or a knob.
  void interchange(mlir::Attribute order);
  /// Iterator `iterator` has `extent` from now on.
  void resize(int64_t iterator, int64_t extent);
  /// Operands were copied to buffers.
  void promote(PromoteAttr step);
  llvm::ArrayRef<Buffer> getBuffers() const { return buffers; }
  /// Tiles were copied to shared memory.
  void share(SharedTiles tiles) { sharedTiles = std::move(tiles); }
  const std::optional<SharedTiles> &getSharedTiles() const {
    return sharedTiles;
  }

private:
  /// Requires that tiles are full, if a later step needs them.
  mlir::LogicalResult requireFullTiles(size_t iterator, Quantity size);
  /// Whether some later step needs full tiles, whatever knobs are.
  bool needsFullTilesLater() const;
  /// Notes that tiles of `size` are parts of the loop over `iterator`.
  void noteExtent(Quantity size, size_t iterator);
  /// Checks that a size may be 0.
  mlir::LogicalResult leaveUntiled(size_t iterator, Remainder remainder);
  /// Checks that the iterator can be cut, and requires that a tile fits in.
  mlir::LogicalResult cut(size_t iterator, Quantity size, Remainder remainder);

  mlir::Operation *op;
  RecipeAttr recipe;
  /// Index of the step that is next, or is being followed.
  size_t position = 0;
  /// The extents of each iterator of the op as it now is.
  llvm::SmallVector<Extents> extents;
  /// The iterator of the op in the payload that each iterator was; empty if a
  /// knob says.
  llvm::SmallVector<int64_t> origins;
  llvm::SmallVector<Loop> loops;
  llvm::SmallVector<Buffer> buffers;
  std::optional<SharedTiles> sharedTiles;
  llvm::SmallVector<ConstraintAttr> constraints;
  KnobExtents knobExtents;
  OpFact facts;
};

} // namespace baco

#endif // BACO_RECIPE_RECIPEANALYSIS_H
