//===- TensorFile.h - Files of sparse tensors -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix Market (.mtx): Boisvert, Pozo and Remington, "The Matrix Market
// Exchange Formats: Initial Design", NISTIR 5935 (1996).
// FROSTT (.tns): frostt.io/tensors/file-formats.html; and the extended form of
// MLIR and TACO, whose first comment is "# extended FROSTT format": then come a
// line with the rank and the number of entries, and one with the extents.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPARSE_TENSORFILE_H
#define BACO_SPARSE_TENSORFILE_H

#include "baco/Sparse/CoordinateTensor.h"

#include <string>

namespace baco::sparse {

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

} // namespace baco::sparse

#endif // BACO_SPARSE_TENSORFILE_H
