//===- Scalar.h - Values without allocation ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of expression evaluation: a ParameterValue that owns no memory, so
// that building diagrams (millions of evaluations) never allocates. Strings and
// permutations point to storage of the expression or of the parameter.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_EXPRESSION_SCALAR_H
#define BACO_EXPRESSION_SCALAR_H

#include "baco/Expression/Value.h"

namespace baco::expression {

/// The kinds of scalars; as a bit set, the kinds that an expression may have.
enum Kind : uint8_t {
  Bool = 1,
  Int = 2,
  Real = 4,
  String = 8,
  Order = 16,
  /// Evaluation failed.
  Failed = 32,
};
inline constexpr uint8_t anyNumber = Int | Real;
inline constexpr uint8_t anyKind = Bool | Int | Real | String | Order;

enum class Failure : uint8_t {
  DivisionByZero,
  Overflow,
  LogOfNonPositive,
  WrongType,
  OutOfRange,
  NoValue
};

/// 16 bytes, trivially copyable.
struct Scalar {
  Kind kind;
  Failure failure;
  /// Order: the number of elements. Failed: the node that failed.
  uint32_t extra;
  union {
    bool flag;
    int64_t integer;
    double real;
    const std::string *text;
    const int *order;
  };

  static Scalar ofBool(bool flag) {
    Scalar s = make(Bool);
    s.flag = flag;
    return s;
  }
  static Scalar ofInt(int64_t integer) {
    Scalar s = make(Int);
    s.integer = integer;
    return s;
  }
  static Scalar ofReal(double real) {
    Scalar s = make(Real);
    s.real = real;
    return s;
  }
  static Scalar ofText(const std::string &text) {
    Scalar s = make(String);
    s.text = &text;
    return s;
  }
  static Scalar ofOrder(const int *order, size_t size) {
    Scalar s = make(Order);
    s.order = order;
    s.extra = static_cast<uint32_t>(size);
    return s;
  }
  static Scalar failed(Failure failure, uint32_t node) {
    Scalar s = make(Failed);
    s.failure = failure;
    s.extra = node;
    return s;
  }

  bool isFailed() const { return kind == Failed; }
  bool isNumber() const { return kind & anyNumber; }
  /// Whether it is the truth value `flag`; false for anything else.
  bool is(bool value) const { return kind == Bool && flag == value; }
  /// A number as a double, rounded if it is a large integer.
  double asReal() const {
    return kind == Int ? static_cast<double>(integer) : real;
  }

private:
  static Scalar make(Kind kind) {
    Scalar s;
    s.kind = kind;
    s.failure = Failure::NoValue;
    s.extra = 0;
    s.integer = 0;
    return s;
  }
};

/// A view of `value`, which must outlive the result.
Scalar viewOf(const ParameterValue &value);
/// A copy; `scalar` hasn't failed.
ParameterValue valueOf(const Scalar &scalar);

/// -1, 0 or 1: exact, also between integers and doubles. Both are numbers.
int compareNumbers(const Scalar &a, const Scalar &b);
/// Equal values: numbers by value; other kinds equal only to their own.
bool equal(const Scalar &a, const Scalar &b);
/// Whether b is a whole multiple of a: 0 divides 0 only. Both are numbers.
bool divides(const Scalar &a, const Scalar &b);

/// The words for a failure: "division by zero".
std::string_view failureText(Failure failure);

} // namespace baco::expression

#endif // BACO_EXPRESSION_SCALAR_H
