//===- Value.cpp - Values and configurations ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Value.h"

#include <cassert>
#include <charconv>

using namespace baco;

static std::string quote(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else
      out += c;
  }
  return out + '"';
}

static std::string print(double number) {
  char buffer[32];
  auto *end = std::to_chars(buffer, buffer + sizeof(buffer), number).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".en") == std::string::npos)
    text += ".0";
  return text;
}

static std::string print(const Permutation &p) {
  std::string text = "(";
  for (size_t i = 0; i < p.size(); ++i)
    text += (i ? ", " : "") + std::to_string(p[i]);
  return text + (p.size() == 1 ? ",)" : ")");
}

std::string baco::toString(const ParameterValue &value) {
  if (auto *flag = std::get_if<bool>(&value))
    return *flag ? "true" : "false";
  if (auto *integer = std::get_if<int64_t>(&value))
    return std::to_string(*integer);
  if (auto *real = std::get_if<double>(&value))
    return print(*real);
  if (auto *text = std::get_if<std::string>(&value))
    return quote(*text);
  return print(*std::get_if<Permutation>(&value));
}

bool baco::sameValue(const ParameterValue &a, const ParameterValue &b) {
  auto *integer = std::get_if<int64_t>(&a);
  auto *real = std::get_if<double>(&b);
  if (!integer && !real) {
    integer = std::get_if<int64_t>(&b);
    real = std::get_if<double>(&a);
  }
  if (!integer || !real)
    return a == b;
  // The range check keeps the conversion defined; 2^63 is no int64_t.
  return *real >= -0x1p63 && *real < 0x1p63 &&
         static_cast<int64_t>(*real) == *integer &&
         static_cast<double>(static_cast<int64_t>(*real)) == *real;
}

bool baco::isNumber(const ParameterValue &value) {
  return std::holds_alternative<int64_t>(value) ||
         std::holds_alternative<double>(value);
}

double baco::toDouble(const ParameterValue &number) {
  assert(isNumber(number) && "not a number");
  if (auto *integer = std::get_if<int64_t>(&number))
    return static_cast<double>(*integer);
  return *std::get_if<double>(&number);
}
