//===- Lexer.cpp - Tokens of expressions ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Lexer.h"

#include <algorithm>
#include <span>

using namespace baco;
using namespace baco::expression;

// Unlike those of <cctype>, these are independent of the locale.
static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The part of an expression that a message quotes: all of a short one, the
/// surroundings of the column of a long one.
static std::string excerpt(std::string_view text, uint32_t column) {
  constexpr size_t longest = 160, around = 60;
  if (text.size() <= longest)
    return std::string(text);
  auto isInCharacter = [&](size_t at) {
    return at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80;
  };
  size_t first = column > around ? column - around : 0;
  while (isInCharacter(first))
    ++first;
  size_t last = std::min(text.size(), static_cast<size_t>(column) + around);
  while (isInCharacter(last))
    ++last;
  return (first > 0 ? "..." : "") +
         std::string(text.substr(first, last - first)) +
         (last < text.size() ? "..." : "");
}

Error expression::syntaxError(std::string_view text, uint32_t column,
                              const std::string &what) {
  std::string line = excerpt(text, column);
  // Messages are one line.
  for (char &c : line)
    if (static_cast<unsigned char>(c) < ' ')
      c = ' ';
  return {ErrorCode::InvalidArgument,
          "in '" + line + "', column " + std::to_string(column) + ": " + what};
}

namespace {

class Lexer {
public:
  Lexer(std::string_view text, Syntax syntax) : text(text), syntax(syntax) {}

  Result<std::vector<Token>> run();

private:
  char peek(size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }
  Error error(const std::string &what) const {
    return syntaxError(text, static_cast<uint32_t>(at + 1), what);
  }

  Token number();
  Result<Token> quoted();
  Result<Token> symbol();

  std::string_view text;
  Syntax syntax;
  size_t at = 0;
};

} // namespace

Result<std::vector<Token>> Lexer::run() {
  std::vector<Token> tokens;
  for (;;) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' ||
                                text[at] == '\n' || text[at] == '\r'))
      ++at;
    uint32_t column = static_cast<uint32_t>(at + 1);
    if (at == text.size()) {
      tokens.push_back({Token::Kind::End, column, ""});
      return tokens;
    }
    char c = peek();
    if (isDigit(c)) {
      tokens.push_back(number());
      if (isLetter(peek()))
        return error("a name can't start with a digit; write it between "
                     "backquotes");
    } else if (isLetter(c)) {
      size_t start = at;
      while (isLetter(peek()) || isDigit(peek()) ||
             (peek() == '.' && isLetter(peek(1))))
        ++at;
      tokens.push_back({Token::Kind::Name, column,
                        std::string(text.substr(start, at - start))});
    } else {
      Result<Token> token =
          c == '"' || c == '\'' || c == '`' ? quoted() : symbol();
      if (!token)
        return token.error();
      tokens.push_back(std::move(*token));
    }
    tokens.back().column = column;
  }
}

/// Digits, with a fraction or exponent if it is a real.
Token Lexer::number() {
  size_t start = at;
  Token::Kind kind = Token::Kind::Integer;
  while (isDigit(peek()))
    ++at;
  if (peek() == '.' && isDigit(peek(1))) {
    kind = Token::Kind::Real;
    for (++at; isDigit(peek());)
      ++at;
  }
  if (peek() == 'e' || peek() == 'E') {
    size_t digits = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    if (isDigit(peek(digits))) {
      kind = Token::Kind::Real;
      for (at += digits; isDigit(peek());)
        ++at;
    }
  }
  return {kind, 0, std::string(text.substr(start, at - start))};
}

/// A string between " or ', or a name between backquotes (no escapes there).
Result<Token> Lexer::quoted() {
  size_t start = at;
  char end = text[at++];
  std::string content;
  for (; at < text.size() && text[at] != end; ++at) {
    char c = text[at];
    if (c == '\\' && end != '`' && at + 1 < text.size()) {
      c = text[++at];
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    content += c;
  }
  if (at == text.size()) {
    at = start;
    return error("the quotation isn't closed");
  }
  ++at;
  Token::Kind kind = end == '`' ? Token::Kind::Name : Token::Kind::String;
  return Token{kind, 0, std::move(content), end == '`'};
}

Result<Token> Lexer::symbol() {
  using Symbols = std::span<const std::string_view>;
  static constexpr std::string_view ours[] = {
      "||", "&&", "==", "!=", "<=", ">=", "//", "<", ">", "+", "-",
      "*",  "/",  "%",  "!",  "(",  ")",  "[",  "]", "{", "}", ","};
  static constexpr std::string_view ofNumexpr[] = {
      "**", "==", "!=", "<=", ">=", "//", "<", ">", "+", "-",
      "*",  "/",  "%",  "&",  "|",  "~",  "(", ")", ","};
  static constexpr std::string_view ofPython[] = {
      "**", "==", "!=", "<=", ">=", "//", "<", ">", "+", "-", "*",
      "/",  "%",  "&",  "|",  "(",  ")",  "[", "]", "{", "}", ","};
  for (std::string_view symbol : syntax == Syntax::Baco ? Symbols(ours)
                                 : syntax == Syntax::Numexpr
                                     ? Symbols(ofNumexpr)
                                     : ofPython) {
    if (text.substr(at, symbol.size()) != symbol)
      continue;
    at += symbol.size();
    return Token{Token::Kind::Symbol, 0, std::string(symbol)};
  }
  switch (peek()) {
  case '=':
    return error("'=' isn't an operator; write '=='");
  case '&':
    return error("'&' isn't an operator; write '&&'");
  case '|':
    return error("'|' isn't an operator; write '||'");
  default:
    return error("unexpected character");
  }
}

Result<std::vector<Token>> expression::tokenize(std::string_view text,
                                                Syntax syntax) {
  return Lexer(text, syntax).run();
}
