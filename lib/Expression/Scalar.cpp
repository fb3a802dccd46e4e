//===- Scalar.cpp - Values without allocation -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Scalar.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace baco;
using namespace baco::expression;

Scalar expression::viewOf(const ParameterValue &value) {
  if (auto *flag = std::get_if<bool>(&value))
    return Scalar::ofBool(*flag);
  if (auto *integer = std::get_if<int64_t>(&value))
    return Scalar::ofInt(*integer);
  if (auto *real = std::get_if<double>(&value))
    return Scalar::ofReal(*real);
  if (auto *text = std::get_if<std::string>(&value))
    return Scalar::ofText(*text);
  const Permutation &order = *std::get_if<Permutation>(&value);
  return Scalar::ofOrder(order.data(), order.size());
}

ParameterValue expression::valueOf(const Scalar &scalar) {
  switch (scalar.kind) {
  case Bool:
    return scalar.flag;
  case Int:
    return scalar.integer;
  case Real:
    return scalar.real;
  case String:
    return *scalar.text;
  case Order:
    return Permutation(scalar.order, scalar.order + scalar.extra);
  case Failed:
    break;
  }
  assert(false && "a failure has no value");
  return false;
}

static int sign(bool less, bool greater) { return int(greater) - int(less); }

/// Compares an integer with a finite double without rounding the integer.
static int compare(int64_t a, double b) {
  if (b >= 0x1p63)
    return -1;
  if (b < -0x1p63)
    return 1;
  double whole = std::floor(b);
  int64_t floor = static_cast<int64_t>(whole);
  if (a != floor)
    return sign(a<floor, a> floor);
  return b > whole ? -1 : 0;
}

int expression::compareNumbers(const Scalar &a, const Scalar &b) {
  if (a.kind == Int && b.kind == Int)
    return sign(a.integer<b.integer, a.integer> b.integer);
  if (a.kind == Int)
    return compare(a.integer, b.real);
  if (b.kind == Int)
    return -compare(b.integer, a.real);
  return sign(a.real<b.real, a.real> b.real);
}

bool expression::equal(const Scalar &a, const Scalar &b) {
  if (a.isNumber() && b.isNumber())
    return compareNumbers(a, b) == 0;
  if (a.kind != b.kind)
    return false;
  switch (a.kind) {
  case Bool:
    return a.flag == b.flag;
  case String:
    return a.text == b.text || *a.text == *b.text;
  case Order:
    return std::equal(a.order, a.order + a.extra, b.order, b.order + b.extra);
  default:
    return false;
  }
}

bool expression::divides(const Scalar &a, const Scalar &b) {
  if (a.kind == Int && b.kind == Int) {
    if (a.integer == 0)
      return b.integer == 0;
    return a.integer == -1 || b.integer % a.integer == 0;
  }
  double divisor = a.asReal(), dividend = b.asReal();
  if (divisor == 0)
    return dividend == 0;
  return std::fmod(dividend, divisor) == 0;
}

std::string_view expression::failureText(Failure failure) {
  switch (failure) {
  case Failure::DivisionByZero:
    return "division by zero";
  case Failure::Overflow:
    return "the result is out of range";
  case Failure::LogOfNonPositive:
    return "logarithm of a number that isn't positive";
  case Failure::WrongType:
    return "an operand has the wrong type";
  case Failure::OutOfRange:
    return "no such position or element in the permutation";
  case Failure::NoValue:
    return "a variable has no value";
  }
  return "";
}
