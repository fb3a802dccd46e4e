//===- NpyTypes.h - NumPy's types and MLIR's --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SUPPORT_NPYTYPES_H
#define BACO_LIB_SUPPORT_NPYTYPES_H

#include <cstddef>
#include <string_view>

namespace baco {

/// The size of elements of NumPy's type `code`, which says nothing of their
/// order of bytes: `f4`, `b1`, ... 0 if MLIR has no such type.
size_t sizeOfNpyType(std::string_view code);

} // namespace baco

#endif // BACO_LIB_SUPPORT_NPYTYPES_H
