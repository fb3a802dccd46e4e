//===- NpyTypes.cpp - NumPy's types and MLIR's ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NpyTypes.h"

#include "baco/Support/NpyFile.h"

#include <algorithm>
#include <charconv>
#include <iterator>

using namespace baco;

namespace {
struct TypeName {
  std::string_view element;
  /// NumPy's code and its name, and another code.
  std::string_view code, numpy, unsignedCode = {};

  bool hasCode(std::string_view other) const {
    return other == code || other == unsignedCode;
  }
};
} // namespace

/// By MLIR's names.
static constexpr TypeName typeNames[] = {
    {"f16", "f2", "numpy.float16"},
    {"bf16", "V2", "ml_dtypes.bfloat16"},
    {"f32", "f4", "numpy.float32"},
    {"f64", "f8", "numpy.float64"},
    {"i1", "b1", "numpy.bool_"},
    {"i8", "i1", "numpy.int8", "u1"},
    {"i16", "i2", "numpy.int16", "u2"},
    {"i32", "i4", "numpy.int32", "u4"},
    {"i64", "i8", "numpy.int64", "u8"},
    {"index", "i8", "numpy.int64", "u8"},
    {"complex<f32>", "c8", "numpy.complex64"},
    {"complex<f64>", "c16", "numpy.complex128"}};

static const TypeName *findType(std::string_view element) {
  const auto *found = std::ranges::find(typeNames, element, &TypeName::element);
  return found == std::end(typeNames) ? nullptr : found;
}

bool baco::isNpyType(const NpyHeader &header, std::string_view element) {
  const TypeName *type = findType(element);
  return type && type->hasCode(std::string_view(header.type).substr(1));
}

std::optional<std::string_view> baco::npyTypeFor(std::string_view element) {
  const TypeName *type = findType(element);
  return type ? std::optional(type->numpy) : std::nullopt;
}

size_t baco::sizeOfNpyType(std::string_view code) {
  size_t size = 0;
  if (std::ranges::any_of(typeNames, [&](const TypeName &name) {
        return !code.empty() && name.hasCode(code);
      }))
    std::from_chars(code.data() + 1, code.data() + code.size(), size);
  return size;
}
