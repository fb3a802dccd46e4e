//===- ParseNumber.h - Numbers in text --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_PARSENUMBER_H
#define BACO_SUPPORT_PARSENUMBER_H

#include <charconv>
#include <optional>
#include <string_view>

namespace baco {

/// All of `text` as a number, in whatever locale; a sign + is allowed.
template <typename Number>
std::optional<Number> parseNumber(std::string_view text) {
  // std::from_chars doesn't take it.
  if (text.starts_with('+') && !text.starts_with("+-"))
    text.remove_prefix(1);
  Number number;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

} // namespace baco

#endif // BACO_SUPPORT_PARSENUMBER_H
