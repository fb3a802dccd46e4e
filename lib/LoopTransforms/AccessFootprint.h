//===- AccessFootprint.h - Elements that an iteration reads -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Boxes around the elements that affine loads in a loop read in one of its
// iterations.
//
// Upstream's affine::MemRefRegion isn't used for it, as its boxes are too large
// here: in a loop with steps whose lower bound isn't constant, such as one over
// the points of a tile, it takes each value for an iteration (71 rows for 64 in
// a triangular solve with tiles of 64 rows by steps of 8), so that elements
// would be prefetched that aren't read. It doesn't count the lanes of vector
// loads, either.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPTRANSFORMS_ACCESSFOOTPRINT_H
#define BACO_LIB_LOOPTRANSFORMS_ACCESSFOOTPRINT_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace baco::loopnest {

/// A sum of loops' induction variables times coefficients, and a constant.
struct Linear {
  llvm::SmallMapVector<mlir::Value, int64_t, 4> coefficients;
  int64_t constant = 0;

  void add(const Linear &other, int64_t factor) {
    for (auto [value, coefficient] : other.coefficients)
      coefficients[value] += factor * coefficient;
    constant += factor * other.constant;
  }
  /// Whether this minus `other` is a constant.
  bool isParallelTo(const Linear &other) const {
    Linear difference = *this;
    difference.add(other, -1);
    return llvm::all_of(difference.coefficients,
                        [](auto &entry) { return entry.second == 0; });
  }
};

/// The elements that an iteration reads along a dimension: this many from
/// `first` on.
struct Interval {
  Linear first;
  int64_t count = 1;
};

/// An interval for each dimension of a memref.
using Box = llvm::SmallVector<Interval, 4>;

/// The elements that an iteration of `outer` reads of each memref that is
/// defined before it, by loads that `isCounted`, where known: loads whose
/// indices aren't sums are left out, and so are those without a constant
/// distance from the first.
llvm::MapVector<mlir::Value, Box>
findReadFootprints(mlir::affine::AffineForOp outer,
                   llvm::function_ref<bool(mlir::Operation *)> isCounted);

/// Whether the next iteration of `outer` reads other elements.
bool moves(const Box &box, mlir::affine::AffineForOp outer);

/// The number of elements of `box`, if they are contiguous.
std::optional<int64_t> countInOnePiece(const Box &box, mlir::MemRefType type);

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPTRANSFORMS_ACCESSFOOTPRINT_H
