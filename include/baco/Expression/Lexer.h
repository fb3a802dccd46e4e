//===- Lexer.h - Tokens of expressions --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits the text of an expression into tokens, all at once.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_EXPRESSION_LEXER_H
#define BACO_EXPRESSION_LEXER_H

#include "baco/Support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace baco::expression {

struct Token {
  enum class Kind { End, Integer, Real, String, Name, Symbol };
  Kind kind;
  /// From 1.
  uint32_t column;
  /// The number, name or symbol as it is written; a string's or quoted name's
  /// content.
  std::string text;
  /// The name stood between backquotes, and is no word of the language.
  bool quoted = false;
};

/// Numexpr has the operators `&`, `|`, `~` and `**`, and Python brackets too
/// (Numexpr.h).
enum class Syntax { Baco, Numexpr, Python };

/// Ends with an End token. Errors name the column.
Result<std::vector<Token>> tokenize(std::string_view text,
                                    Syntax syntax = Syntax::Baco);

/// The error of an expression: names its text and the column.
Error syntaxError(std::string_view text, uint32_t column,
                  const std::string &what);

} // namespace baco::expression

#endif // BACO_EXPRESSION_LEXER_H
