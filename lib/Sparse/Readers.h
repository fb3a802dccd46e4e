//===- Readers.h - The readers of each file format --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPARSE_READERS_H
#define BACO_LIB_SPARSE_READERS_H

#include "LineReader.h"

#include "baco/Sparse/CoordinateTensor.h"

namespace baco::sparse {

Result<CoordinateTensor> readMatrixMarket(LineReader &reader);
Result<CoordinateTensor> readFrostt(LineReader &reader);

/// Puts entries in order. `lines` has the line of each entry: an error, at the
/// reader's line, names those of two entries at one place.
Result<CoordinateTensor> finishEntries(TensorBuilder builder,
                                       const std::vector<uint64_t> &lines,
                                       const LineReader &reader);

/// "(2, 1)": coordinates as files count them, from 1.
std::string describePlace(std::span<const int64_t> coordinates);

/// Parses `words` as coordinates from 1 within `extents`, into `coordinates`,
/// which count from 0. The result says what is wrong, if anything.
std::string parseCoordinates(std::span<const std::string_view> words,
                             const std::vector<int64_t> &extents,
                             std::vector<int64_t> &coordinates);

} // namespace baco::sparse

#endif // BACO_LIB_SPARSE_READERS_H
