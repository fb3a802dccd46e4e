//===- ElementText.h - Elements of memrefs in words -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a differing element in messages.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_VERIFICATION_ELEMENTTEXT_H
#define BACO_LIB_VERIFICATION_ELEMENTTEXT_H

#include "Nearby.h"

#include "baco/Verification/Inputs.h"

#include <cstdio>
#include <string>
#include <type_traits>

namespace baco::runtime {

/// The subscripts of the element: `[3, 17]`, or `[]` for a rank-0 memref; and
/// which part of a complex number it is about.
inline std::string subscripts(const Argument &argument, int64_t part) {
  std::string text = "]";
  if (isComplex(argument.type))
    text += part % 2 ? " (imaginary part)" : " (real part)";
  int64_t index = part / partsOf(argument.type);
  for (size_t d = argument.shape.size(); d-- > 0;) {
    text = std::to_string(index % argument.shape[d]) + text;
    index /= argument.shape[d];
    if (d > 0)
      text = ", " + text;
  }
  return "[" + text;
}

/// A number with all digits that tell it from its neighbors.
template <typename T>
std::string toText(T value) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", formatOf<T>.decimals,
                  static_cast<double>(value));
    return text;
  }
}

} // namespace baco::runtime

#endif // BACO_LIB_VERIFICATION_ELEMENTTEXT_H
