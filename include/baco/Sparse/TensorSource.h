//===- TensorSource.h - Where entries come from -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor is named by a file or by the text of a generator, and told from
// others by a hash.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPARSE_TENSORSOURCE_H
#define BACO_SPARSE_TENSORSOURCE_H

#include "baco/Sparse/CoordinateTensor.h"

#include <span>
#include <string>
#include <string_view>

namespace baco::sparse {

/// The tensor that `source` says: what a generator makes, if it is the text of
/// one (Generators.h), else a file (TensorFile.h). numbered(SOURCE) is that of
/// SOURCE with one more dimension, the last one, where the coordinate of an
/// entry is its number; so a dense array can have a place for each entry.
/// Errors are those of generators and files.
Result<CoordinateTensor> readTensor(const std::string &source);

/// A generator of a tensor of these extents, each at least 1, for those of
/// which nobody has said what they hold: about eight entries in a row, and at
/// most half of the places.
std::string makeUpSource(std::span<const int64_t> extents);

/// The name of the file in `source`; empty if it is made by a generator.
std::string_view fileOfSource(std::string_view source);

/// A ContentHash of extents, coordinates and values.
std::string hashTensor(const CoordinateTensor &tensor);

} // namespace baco::sparse

#endif // BACO_SPARSE_TENSORSOURCE_H
