//===- Domain.cpp - Values of a parameter as scalars ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Domain.h"
#include "baco/Expression/Permutation.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::expression;

Domain::Domain(const Parameter &parameter) : source(&parameter) {
  switch (parameter.kind()) {
  case ParameterKind::Real:
    valueKinds = Real;
    return;
  case ParameterKind::Integer:
    valueKinds = Int;
    return;
  case ParameterKind::Permutation: {
    valueKinds = Order;
    int n = parameter.permutationSize();
    assert(n <= maxEnumeratedPermutation && "too many orders");
    Permutation p(n);
    std::iota(p.begin(), p.end(), 0);
    orders.reserve(parameter.size() * n);
    do
      orders.insert(orders.end(), p.begin(), p.end());
    while (std::next_permutation(p.begin(), p.end()));
    return;
  }
  default:
    for (uint64_t i = 0; i < parameter.size(); ++i)
      values.push_back(parameter.value(i));
    for (const ParameterValue &value : values)
      valueKinds |= viewOf(value).kind;
  }
}

Scalar Domain::operator[](uint64_t index) const {
  if (!values.empty())
    return viewOf(values[index]);
  if (valueKinds == Order) {
    size_t n = source->permutationSize();
    return Scalar::ofOrder(orders.data() + index * n, n);
  }
  return viewOf(source->value(index));
}

Scalar Domain::at(double coordinate) const {
  if (valueKinds == Real && values.empty())
    return Scalar::ofReal(coordinate);
  return (*this)[*source->index(coordinate)];
}
