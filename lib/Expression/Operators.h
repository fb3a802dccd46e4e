//===- Operators.h - How operators are written ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbols and functions of the language, for those who read and who write
// it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_EXPRESSION_OPERATORS_H
#define BACO_LIB_EXPRESSION_OPERATORS_H

#include "baco/Expression/Tree.h"

namespace baco::expression {

/// Precedence, loosest first.
enum class Level { Or, And, Comparison, Sum, Product, Unary, Primary };

struct Infix {
  std::string_view symbol;
  Op op;
  Level level;
};

inline constexpr Infix infixes[] = {
    {"||", Op::Or, Level::Or},
    {"&&", Op::And, Level::And},
    {"==", Op::Equal, Level::Comparison},
    {"!=", Op::Unequal, Level::Comparison},
    {"<", Op::Less, Level::Comparison},
    {"<=", Op::LessEqual, Level::Comparison},
    {">", Op::Greater, Level::Comparison},
    {">=", Op::GreaterEqual, Level::Comparison},
    {"+", Op::Sum, Level::Sum},
    {"-", Op::Sum, Level::Sum},
    {"*", Op::Product, Level::Product},
    {"/", Op::Divide, Level::Product},
    {"//", Op::FloorDivide, Level::Product},
    {"%", Op::Modulo, Level::Product},
};

struct Function {
  std::string_view name;
  Op op;
  size_t minOperands, maxOperands;
  /// f(a, b) is op(b, a).
  bool swapped = false;
};

inline constexpr size_t anyNumberOf = SIZE_MAX;
inline constexpr Function functions[] = {
    {"abs", Op::Abs, 1, 1},
    {"divides", Op::Divides, 2, 2},
    {"equal", Op::Equal, 2, 2},
    {"greater_than", Op::Greater, 2, 2},
    {"in", Op::In, 2, 2},
    {"is_multiple_of", Op::Divides, 2, 2, true},
    {"is_pow2", Op::IsPow2, 1, 1},
    {"less_than", Op::Less, 2, 2},
    {"log2", Op::Log2, 1, 1},
    {"max", Op::Max, 2, anyNumberOf},
    {"min", Op::Min, 2, anyNumberOf},
    {"pos", Op::Position, 2, 2},
    {"pow2", Op::Pow2, 1, 1},
    {"unequal", Op::Unequal, 2, 2},
};

} // namespace baco::expression

#endif // BACO_LIB_EXPRESSION_OPERATORS_H
