//===- Domain.h - Values of a parameter as scalars --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of a parameter in the form that expressions compute with.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_DOMAIN_H
#define BACO_LIB_SPACE_DOMAIN_H

#include "baco/Expression/Scalar.h"
#include "baco/Space/Parameter.h"

namespace baco {

/// Permutations that constraints read are enumerated: 9! = 362880.
inline constexpr int maxEnumeratedPermutation = 9;

/// The values of a parameter that constraints read; not of a permutation of
/// more than maxEnumeratedPermutation elements. Points into the parameter.
class Domain {
public:
  explicit Domain(const Parameter &parameter);

  const Parameter &parameter() const { return *source; }
  /// The kinds that its values have.
  uint8_t kinds() const { return valueKinds; }
  uint64_t size() const { return source->size(); }
  /// The value at an index; for a real parameter see `at`.
  expression::Scalar operator[](uint64_t index) const;
  /// The value at a coordinate that is in the parameter's range.
  expression::Scalar at(double coordinate) const;

private:
  const Parameter *source;
  uint8_t valueKinds = 0;
  /// Ordinal, boolean, categorical.
  std::vector<ParameterValue> values;
  /// Permutation: all orders, one after another.
  std::vector<int> orders;
};

/// The domains of all parameters that constraints read, by parameter.
using Domains = std::vector<std::optional<Domain>>;

} // namespace baco

#endif // BACO_LIB_SPACE_DOMAIN_H
