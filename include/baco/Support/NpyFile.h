//===- NpyFile.h - Arrays in NumPy's file format ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads files that `numpy.save` writes, versions 1.0 to 3.0 of their format
// (NumPy Enhancement Proposal 1, and `numpy.lib.format`). A file may come from
// anybody: nothing in it is believed before it is checked.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_NPYFILE_H
#define BACO_SUPPORT_NPYFILE_H

#include "baco/Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baco {

/// The description of the array in a file.
struct NpyHeader {
  /// NumPy's code for the type of the elements: `<f4`, `|b1`, ...
  std::string type;
  /// Extents, outermost first; empty for a single element.
  std::vector<int64_t> shape;
  /// Whether the first index is the fastest in the file, and not the last one.
  bool isFortranOrder = false;
  /// The size of an element in bytes, and the offset of the first one in the
  /// file.
  size_t elementSize = 0;
  uint64_t offset = 0;

  int64_t numElements() const;
  bool operator==(const NpyHeader &) const = default;
};

/// Reads the header of `file`, and checks that the file has as many elements as
/// the header says. Errors name the file, the problem and its remedy: IOError
/// if the file can't be read or is no regular file, Corrupt if it isn't in this
/// format, Unsupported if it holds other things than little-endian numbers.
Result<NpyHeader> readNpyHeader(const std::string &file);

/// Whether elements of `header` are those of a memref of `element`, MLIR's name
/// of a type (`f32`, `index`, `complex<f64>`, ...): signed and unsigned
/// integers both suit integers of their width, `V2` (two bytes without a
/// meaning) suits bf16, which NumPy doesn't know.
bool isNpyType(const NpyHeader &header, std::string_view element);
/// NumPy's name of the type for `element`, such as `numpy.float32`; nullopt if
/// no file can have such elements.
std::optional<std::string_view> npyTypeFor(std::string_view element);

/// The elements of `file`, whose header is `header`, in row-major order.
/// IOError if the file can't be read or is shorter by now.
Result<std::vector<std::byte>> readNpyElements(const std::string &file,
                                               const NpyHeader &header);

/// A ContentHash of the elements of `file` in its order, of their type and of
/// the array's shape. Takes no memory to speak of. Errors as readNpyElements.
Result<std::string> hashNpyFile(const std::string &file,
                                const NpyHeader &header);

/// `2x3`; `()` for a single element.
std::string describeShape(const std::vector<int64_t> &shape);

} // namespace baco

#endif // BACO_SUPPORT_NPYFILE_H
