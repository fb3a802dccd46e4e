//===- Program.h - Statements, domains, accesses ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A static control part: what loops around which statements run, which elements
// of which arrays each instance reads and writes, and in which order. Sets and
// maps are isl's. Independent of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_POLYHEDRAL_PROGRAM_H
#define BACO_POLYHEDRAL_PROGRAM_H

#include <isl/cpp.h>

#include <optional>
#include <string>
#include <vector>

namespace baco::polyhedral {

/// A reference of a statement: which elements its instances touch.
struct Access {
  /// `S0[i, j] -> A1[i + j]`; the tuple name of the range is the array's.
  isl::map relation;
  bool isWrite = false;
  /// If the relation isn't a function: the loop in which it touches neighbors
  /// one after another nevertheless.
  std::optional<unsigned> contiguousLoop = std::nullopt;
};

/// A group of operations that always run together.
struct Statement {
  /// The instances: `{ S0[i, j] : 0 <= i < 8 and 0 <= j <= i }`, with one
  /// dimension for each loop around the statement, outermost first. Strides are
  /// exact. The tuple name is unique in the program.
  isl::set domain;
  /// When they run: `S0[i, j] -> [0, i, 0, j, 1]`. Constants and loops
  /// alternate, and both the first and the last are constants: 2d + 1
  /// dimensions for d loops. Statements of one program have equally many; what
  /// a shallow statement lacks is 0.
  isl::map schedule;
  std::vector<Access> accesses;
  /// Index of the write in `accesses` if the statement updates what it writes
  /// by an associative and commutative operation (`C[i] += ...`) whose terms
  /// may be combined in any order.
  std::optional<size_t> reduction;
  /// Its operations have no form on vectors.
  bool isScalar = false;
  /// It calls a library for each element, also of vectors.
  bool callsLibrary = false;
  /// It reads and writes only integers.
  bool isInteger = false;
  /// It writes one element that it reads, and does nothing else.
  bool isCopy = false;
};

/// An array that statements refer to by its name.
struct Array {
  std::string name;
  /// `{ A1[x, y] : 0 <= x < 64 and 0 <= y < 64 }`: the elements that exist.
  isl::set elements;
  int64_t elementBytes = 0;
  /// The stride of the last dimension in elements; 0 if unknown.
  int64_t elementStride = 1;
  /// Nothing but the program reads it.
  bool isTemporary = false;
  /// It has the same elements in each execution, so that copies of them needn't
  /// be made again.
  bool isConstant = false;
  /// The number of its elements whose products some machines add to a sum of 32
  /// bits in one instruction; 1 if there is none.
  int64_t dotTerms = 1;
};

/// A static control part.
struct Program {
  /// Constraints on the parameters (extents that are not constants).
  isl::set context;
  std::vector<Statement> statements;
  std::vector<Array> arrays;
  /// The values that parameters have while the program is measured, as far as
  /// they are known: `{ : p0 = 64 }`. Costs refer to them, but legality
  /// doesn't.
  std::optional<isl::set> measured;
};

} // namespace baco::polyhedral

#endif // BACO_POLYHEDRAL_PROGRAM_H
