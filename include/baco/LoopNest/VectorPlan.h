//===- VectorPlan.h - How each operation is vectorized ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decisions about a loop before the IR is changed.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_VECTORPLAN_H
#define BACO_LOOPNEST_VECTORPLAN_H

#include "baco/LoopNest/MemoryAccess.h"
#include "baco/LoopNest/ReductionKind.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace baco::loopnest {

/// With larger strides, single loads are as fast.
inline constexpr int64_t maxVectorStride = 4;

/// How the address of an access changes from one lane to the next.
enum class AccessKind {
  Uniform,    ///< not at all
  Contiguous, ///< to the next element
  Reversed,   ///< to the element before
  Strided,    ///< by a few elements of the row; loads only
  PerLane     ///< otherwise
};

/// X = (X op f) op g ...
struct Reduction {
  mlir::vector::CombiningKind kind;
  /// The load or carried value that starts the chain; its type is X's.
  mlir::Value start;
  /// The operations from where X is read to where it is written.
  llvm::SmallVector<ReductionUpdate> chain;
  /// The load and the store of X, if it is in memory.
  mlir::affine::AffineLoadOp load;
  mlir::affine::AffineStoreOp store;
  /// The position of X among the values that the loop carries, otherwise.
  unsigned position = 0;
};

/// The plan for a loop.
struct VectorPlan {
  mlir::affine::AffineForOp loop;
  /// The values of the body that are vectors; the others are the same for all
  /// lanes, and stay scalars. For lookups only.
  llvm::DenseSet<mlir::Value> vectors;
  /// For loads and stores: those of `affine`, and of `memref`.
  llvm::DenseMap<mlir::Operation *, AccessKind> accesses;
  /// Reductions in the body itself: X is a vector during the loop.
  llvm::SmallVector<Reduction> carried;
  /// Operations of reductions in inner loops, where X stays a scalar, and all
  /// lanes of f are combined at once.
  llvm::DenseMap<mlir::Operation *, ReductionUpdate> combined;
  /// Whether no access is PerLane: the lanes can then be masked.
  bool isMaskable = true;

  bool isVector(mlir::Value value) const { return vectors.contains(value); }
  /// The carried reduction that reads or writes X by `op`, or null.
  const Reduction *reductionOf(mlir::Operation *op) const;
};

/// `address` for the iteration `lane` after that of the induction variable of
/// `loop`.
Address laneOf(const Address &address, mlir::affine::AffineForOp loop,
               int64_t lane);

/// By how much each subscript grows from one lane to the next; nothing if one
/// isn't linear in the induction variable of `loop`.
std::optional<llvm::SmallVector<int64_t>>
findStrides(const Address &address, mlir::affine::AffineForOp loop);

/// Whether `op`, which accesses no memory, has a form on vectors.
bool hasVectorForm(mlir::Operation *op);

/// Whether `op` on vectors is a call of a mathematical library for each lane,
/// as all functions are that have neither an instruction nor, in f32, a
/// polynomial (Target/VectorMath.cpp).
bool callsLibrary(mlir::Operation *op);

/// Plans the vectorization of `loop`, or fails with an error at the operation
/// that can't be vectorized.
llvm::FailureOr<VectorPlan> planVectorization(mlir::affine::AffineForOp loop);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_VECTORPLAN_H
