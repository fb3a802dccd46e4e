//===- Similar.h - Names that were meant ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Suggestions for misspelt names.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_EXPRESSION_SIMILAR_H
#define BACO_EXPRESSION_SIMILAR_H

#include <string>
#include <string_view>
#include <vector>

namespace baco {

/// "; did you mean 'tile_m'?" with the nearest of `known` by edit distance
/// (the first of several), or "" if none is near: more than a third of the
/// letters differ.
std::string suggestion(std::string_view name,
                       const std::vector<std::string_view> &known);

} // namespace baco

#endif // BACO_EXPRESSION_SIMILAR_H
