//===- Kept.h - Code kept for a kernel --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one enumeration of the results of tuning a kernel.
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_KEPT_H
#define BACO_SUPPORT_KEPT_H

#include <optional>
#include <string_view>

namespace baco {

/// The code of a kernel that the tuned module has.
enum class Kept {
  /// The original, which no schedule touches: the plain lowering is certainly
  /// faster than the best schedule.
  Plain,
  /// The default schedule.
  Default,
  /// Another schedule that the search found.
  Tuned
};

/// The name in files: `plain`, `default` or `tuned`.
constexpr std::string_view keptName(Kept kept) {
  return kept == Kept::Plain     ? "plain"
         : kept == Kept::Default ? "default"
                                 : "tuned";
}

/// The inverse of keptName.
constexpr std::optional<Kept> parseKept(std::string_view name) {
  for (Kept kept : {Kept::Plain, Kept::Default, Kept::Tuned})
    if (name == keptName(kept))
      return kept;
  return std::nullopt;
}

} // namespace baco

#endif // BACO_SUPPORT_KEPT_H
