//===- Copies.h - Buffers and copies to them --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For data copies (DataCopy.cpp) and for elements that each iteration has of
// its own (ArrayExpansion.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_POLYHEDRAL_COPIES_H
#define BACO_LIB_POLYHEDRAL_COPIES_H

#include "baco/Polyhedral/ScheduleState.h"

namespace baco::polyhedral {

/// A box of constant size around the elements that each iteration of the outer
/// loops touches.
struct Box {
  /// { [outer] -> A[first] }.
  isl::map offset;
  std::vector<int64_t> size;
};

/// The elements that some references touch, { [outer] -> A[x] }; null if there
/// are none.
struct Touched {
  isl::map all, written;
};

/// A data copy.
struct Copy {
  std::string array;
  /// Subscripts of the array in the order of the buffer's dimensions, but for
  /// panels.
  std::vector<unsigned> order;
  unsigned numOuter = 0;
  /// Columns of a panel; 0: the buffer has none.
  int64_t panel = 0;
  /// { [[outer] -> A[x]] -> buffer[...] }.
  isl::map toBuffer;
  /// { E[y] -> A[x] } if that E takes the place of A in all else; else null.
  isl::map toArray;
};

/// { [[outer] -> A[x]] -> buffer[...] }, without panels.
isl::map subscriptsInBuffer(const isl::map &touched, const Box &box,
                            const std::vector<unsigned> &order,
                            const std::string &buffer);

/// Subscripts from 0 up to `shape`.
isl::set extents(isl::ctx ctx, const std::vector<int64_t> &shape,
                 const std::string &name);

} // namespace baco::polyhedral

#endif // BACO_LIB_POLYHEDRAL_COPIES_H
