//===- Parser.h - Parser of expressions -------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text to tree.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_EXPRESSION_PARSER_H
#define BACO_LIB_EXPRESSION_PARSER_H

#include "baco/Expression/Tree.h"

namespace baco::expression {

/// Fills an empty tree from the text of an expression (docs/Expressions.md has
/// the grammar). Errors name the text, the column and what was expected.
Result<void> parseTree(std::string_view text, Tree &tree);

} // namespace baco::expression

#endif // BACO_LIB_EXPRESSION_PARSER_H
