//===- Extract.h - The static control part in a block -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads neighboring operations of a block, most of them loops, as statements
// with iteration domains, accesses and an order. This side knows MLIR and
// writes sets and maps as text in isl's notation; Restructure.cpp makes a
// polyhedral::Program of it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_EXTRACT_H
#define BACO_LOOPNEST_EXTRACT_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <vector>

namespace baco::loopnest {

/// A value that doesn't change while the nest runs; `p<index>` in text.
struct NestParameter {
  /// The index value, or, if `dimension` is given, the memref of that extent.
  mlir::Value value;
  std::optional<int64_t> dimension;
};

/// Memory that the nest reads or writes; `A<index>` in text.
struct NestArray {
  /// The memref, allocated or an argument, or the first view of it that was
  /// met. Distinct ones are assumed not to alias, as in upstream's affine
  /// analysis.
  mlir::Value memref;
  /// Whether the nest reaches the memory in several ways (two views, a view and
  /// its source). It is then one element, which all accesses touch.
  bool isOpaque = false;
};

/// One place of a statement that reads or writes memory.
struct NestAccess {
  /// The load or store; for an access inside of an operation with regions that
  /// is kept as it is, the inner one.
  mlir::Operation *op = nullptr;
  size_t array = 0;
  bool isWrite = false;
  /// Subscripts over the iterators (dimensions) and parameters (symbols) of the
  /// statement; nothing if they aren't affine: the access may be to any
  /// element.
  std::optional<llvm::SmallVector<mlir::AffineExpr>> subscripts;
  /// If others aren't affine: the last subscript; null if it isn't, either.
  mlir::AffineExpr lastSubscript;
  /// The innermost loop in which it touches neighbors one after another,
  /// because its last subscript counts that loop, and no other depends on it.
  std::optional<unsigned> contiguousLoop = std::nullopt;
};

/// Operations that run together; `S<index>` in text.
struct NestStatement {
  /// To be cloned in this order. They include ops of enclosing blocks that the
  /// statement needs.
  llvm::SmallVector<mlir::Operation *> ops;
  /// The iterators of the loops around the statement, outermost first.
  llvm::SmallVector<mlir::Value> iterators;
  /// Conditions on `i0`, `i1`, ... and parameters, of which all hold.
  llvm::SmallVector<std::string> conditions;
  /// Place among its neighbors: before, between and after its loops' places;
  /// one more than there are iterators.
  llvm::SmallVector<int64_t> places;
  /// Writes come first, then reads, each in the order of `ops`; so that
  /// reference 0 is the left-hand side of an assignment.
  llvm::SmallVector<NestAccess> accesses;
  /// Index in `accesses` of the write, if the statement updates an element by
  /// sums, products, minima or maxima whose terms commute.
  std::optional<size_t> reduction;
  mlir::Location location;
};

/// A static control part.
struct Nest {
  llvm::SmallVector<NestParameter> parameters;
  llvm::SmallVector<NestArray> arrays;
  std::vector<NestStatement> statements;

  /// `[p0, p1]`: what texts of sets begin with.
  std::string parameterList() const;
  /// The instances of a statement, as a set.
  std::string domain(size_t statement) const;
  /// When they run, as a map to 2 * `depth` + 1 dimensions.
  std::string schedule(size_t statement, size_t depth) const;
  /// The elements that an access touches, as a map.
  std::string relation(size_t statement, const NestAccess &access) const;
  /// The elements of an array, as a set.
  std::string elements(size_t array) const;
  /// The constraints on the parameters, as a set.
  std::string context() const;
  /// The values of parameters that `baco.extents` says, as a set.
  std::string measured() const;
  /// The number of loops around the deepest statement.
  size_t depth() const;
};

/// Reads `first` ... `last`, operations of one block, as a static control part;
/// loops must be affine.for without carried values (see PrepareNest.h). Fails
/// with an error at the operation that can't be part of one, and says why. The
/// IR isn't changed.
mlir::FailureOr<Nest> extractNest(mlir::Operation *first,
                                  mlir::Operation *last);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_EXTRACT_H
