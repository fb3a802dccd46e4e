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
#include "llvm/ADT/MapVector.h"

namespace baco {

/// The trip count of an iterator of the op, if `guard` is true.
struct Extent {
  /// A condition over knobs; empty: always.
  std::string guard;
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

class RecipeAnalysis {
public:
  /// A loop that a tile step made.
  struct Loop {
    /// The iterator that it runs over, as counted by its step.
    int64_t iterator;
    /// Whether the loop was made by splitting a reduction.
    bool isSplitReduction = false;
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
  /// Whether a step has made loops, for threads or others.
  bool hasLoops() const { return looped; }
  bool isParallel() const { return parallel; }
  /// How far the op is distributed over a GPU.
  enum class GpuLevel { None, Blocks, Threads };
  GpuLevel getGpuLevel() const { return gpuLevel; }
  /// Whether tiles of blocks may be partial.
  bool isMasked() const { return masked; }
  bool isShared() const { return shared; }
  /// The steps after the one that is being followed.
  llvm::ArrayRef<mlir::Attribute> getLaterSteps() const;
  bool isVectorized() const { return vectorized; }
  /// Whether a remainder has cut the op in parts.
  bool hasParts() const { return parts; }
  /// Whether tiles of `size` need no cut, because they divide in all cases.
  static bool dividesAlways(Quantity size, const Extents &extents);
  /// Whether the op is still a named one, such as `linalg.matmul`.
  bool isNamed() const { return named; }

  /// Whether the op is on tensors; else it is on memrefs.
  bool isOnTensors() const { return onTensors; }
  /// Which iterator of the op in the payload `iterator` was; nothing if a knob
  /// says.
  std::optional<int64_t> getOrigin(int64_t iterator) const;
  /// Whether that is a reduction.
  std::optional<bool> isReduction(int64_t iterator) const;

  /// Fails with an error if there is no longer one op to work on.
  mlir::LogicalResult needOp();
  /// Fails with an error if that is no longer on tensors, or never was.
  mlir::LogicalResult needTensors();
  /// Fails with an error unless `entries` has one entry for each iterator.
  mlir::LogicalResult needEntries(mlir::ArrayAttr entries);
  /// Fails with an error if iterations along `iterator` aren't known to be
  /// independent.
  mlir::LogicalResult needParallel(int64_t iterator);
  /// Fails with an error if the step has to wait for memrefs.
  mlir::LogicalResult needMemRefs();

  /// Requires that `divisor` divides `extents` in all cases; `what` names the
  /// divisor in messages ("tile 'MR' of iterator 0") and `why` who needs it.
  /// Fails with an error if it can't be.
  /// With `onlyWhere`, only where this condition holds.
  mlir::LogicalResult requireDivides(Quantity divisor, const Extents &extents,
                                     const std::string &what,
                                     llvm::StringRef why,
                                     const std::string &onlyWhere = "");
  /// States a condition.
  void require(const std::string &expression, const std::string &reason);

  /// Loops are made by `step`, given in the order of iterators. Fails with an
  /// error if tiles don't divide what must be divided.
  mlir::LogicalResult tile(TileAttr step);
  /// A loop takes `factor` iterations of a reduction, into as many results.
  /// Fails with an error if they don't divide what must be divided.
  mlir::LogicalResult splitReduction(int64_t iterator, Quantity factor);
  /// Tiles are distributed: of `sizes`, or as many as `threads` says. Fails
  /// with an error if tiles don't divide what must be divided.
  mlir::LogicalResult parallelize(llvm::ArrayRef<mlir::Attribute> sizes,
                                  llvm::ArrayRef<mlir::Attribute> threads);
  /// The same for the blocks of a GPU, or the threads of each block.
  mlir::LogicalResult distribute(llvm::ArrayRef<mlir::Attribute> sizes,
                                 GpuLevel level, bool isMasked = false);
  /// Tiles of operands are in the shared memory of a GPU.
  void setShared() { shared = true; }
  /// The op has become a linalg.generic.
  void generalize() { named = false; }
  /// The op is on memrefs now.
  void bufferize() { onTensors = false; }
  /// The iterators were permuted: `order` is a list or a knob.
  void interchange(mlir::Attribute order);
  /// Operands were copied to buffers.
  void promote(PromoteAttr step);
  llvm::ArrayRef<Buffer> getBuffers() const { return buffers; }
  void setVectorized() { vectorized = true; }

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
  llvm::SmallVector<ConstraintAttr> constraints;
  KnobExtents knobExtents;
  bool named = true;
  bool vectorized = false;
  bool parts = false;
  bool parallel = false;
  GpuLevel gpuLevel = GpuLevel::None;
  bool masked = false;
  bool shared = false;
  bool looped = false;
  bool onTensors;
};

} // namespace baco

#endif // BACO_RECIPE_RECIPEANALYSIS_H
