//===- BigCount.cpp - Exact products of counts ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BigCount.h"

#include <charconv>

using namespace baco;

static constexpr uint64_t base = 1'000'000'000;

void BigCount::multiply(Count factor) {
  std::vector<uint32_t> other;
  for (; factor > 0; factor /= base)
    other.push_back(static_cast<uint32_t>(factor % base));
  std::vector<uint32_t> product(digits.size() + other.size(), 0);
  for (size_t i = 0; i < digits.size(); ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < other.size() || carry; ++j) {
      uint64_t term = j < other.size() ? uint64_t(digits[i]) * other[j] : 0;
      term += product[i + j] + carry;
      product[i + j] = static_cast<uint32_t>(term % base);
      carry = term / base;
    }
  }
  while (product.size() > 1 && product.back() == 0)
    product.pop_back();
  digits = std::move(product);
}

std::string BigCount::toDecimal() const {
  std::string text = std::to_string(digits.back());
  for (size_t i = digits.size() - 1; i > 0; --i) {
    std::string digit = std::to_string(digits[i - 1]);
    text += std::string(9 - digit.size(), '0') + digit;
  }
  return text;
}

std::optional<uint64_t> BigCount::toInteger() const {
  std::string text = toDecimal();
  uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec !=
      std::errc())
    return std::nullopt;
  return value;
}
