//===- RawCount.cpp - Configurations without constraints ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Space/RawCount.h"

#include "BigCount.h"

using namespace baco;

std::string baco::rawCount(const Space &space) {
  BigCount count;
  for (const Parameter &parameter : space.parameters())
    if (parameter.kind() != ParameterKind::Real)
      count.multiply(parameter.size());
  return count.toDecimal();
}
