//===- TensorSource.h - Where sparse tensors come from ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files and generators give sparse tensors.
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
/// one, else a file. numbered(SOURCE) is that of
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

/// The formats of files whose last or last but one suffix is `.mtx` or `.tns`.
enum class FileFormat { MatrixMarket, Frostt };

/// Fails if the name has neither suffix, before an optional `.gz`.
Result<FileFormat> formatOfFile(const std::string &name);

/// Reads a file, compressed by gzip or not. Matrices that are symmetric or
/// skew-symmetric get both halves, and those with a pattern the value 1.
///
/// Errors have the form "NAME:LINE: why": lines that aren't in the format,
/// coordinates beyond the extents, values that aren't finite, two entries at
/// one place, more or fewer entries than announced. Complex matrices and dense
/// ones (`array`) are not supported.
Result<CoordinateTensor> readTensorFile(const std::string &name);

/// Writes `tensor`, compressed if the name ends in `.gz`, with values that read
/// back as the same; `.mtx` as general and real, `.tns` in the extended form. A
/// file that is there is replaced only when all is written.
Result<void> writeTensorFile(const CoordinateTensor &tensor,
                             const std::string &name);

/// Makes the tensor that `text` describes, as "rmat(scale=12, degree=8)":
///
///   rmat(scale=16, degree=16)           a graph of 2^scale vertices, about
///                                       degree edges for each; few vertices
///                                       have most of them
///   banded(rows=N, width=W, fill=1)     a diagonal, and each place at most W
///                                       beside it with the probability fill
///   stencil(points=7, side=N)           points of a grid, and their neighbors:
///                                       5 or 9 in N^2, 7 or 27 in N^3
///   blocks(side=N, size=3)              dense blocks of size^2, for each point
///                                       of a grid of N^2 and its 8 neighbors
///   uniform(extents=AxBx.., entries=E)  places drawn uniformly
///   skewed(extents=AxBx.., entries=E)   the same, more of them at small
///                                       coordinates: extent u^2, u uniform
///
/// All take seed=1. Values are uniform in [-1, 1). One of several entries drawn
/// at one place is kept, so that there are fewer than drawn. R-MAT:
/// Chakrabarti, Zhan and Faloutsos (SDM 2004), with the probabilities 0.57,
/// 0.19, 0.19, 0.05 of Graph500. The same text gives the same tensor on every
/// machine.
///
/// Fails if the text isn't of that form, a number is out of range, or the
/// tensor may have more than 2^28 entries.
Result<CoordinateTensor> generateTensor(std::string_view text);

} // namespace baco::sparse

#endif // BACO_SPARSE_TENSORSOURCE_H
