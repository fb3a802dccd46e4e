//===- BigCount.h - Exact products of counts --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number of configurations of a space has any number of digits.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_BIGCOUNT_H
#define BACO_LIB_SPACE_BIGCOUNT_H

#include "Diagram.h"

#include <vector>

namespace baco {

/// A product, multiplied up factor by factor.
class BigCount {
public:
  void multiply(Count factor);
  std::string toDecimal() const;
  /// If it fits 64 bits.
  std::optional<uint64_t> toInteger() const;

private:
  /// Digits to the base 10^9, lowest first.
  std::vector<uint32_t> digits = {1};
};

} // namespace baco

#endif // BACO_LIB_SPACE_BIGCOUNT_H
