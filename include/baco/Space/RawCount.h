//===- RawCount.h - Configurations without constraints ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPACE_RAWCOUNT_H
#define BACO_SPACE_RAWCOUNT_H

#include "baco/Space/Space.h"

namespace baco {

/// The number of configurations of a space if nothing were forbidden, exact,
/// in decimal: the product of the numbers of values. Reals don't count.
std::string rawCount(const Space &space);

} // namespace baco

#endif // BACO_SPACE_RAWCOUNT_H
