//===- UniqueName.h - Names that nothing else has ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_UNIQUENAME_H
#define BACO_SUPPORT_UNIQUENAME_H

#include <random>
#include <string>

namespace baco {

/// 16 hexadecimal digits, another time others. For what tells runs apart, and
/// never for what decides something: a search is to be repeatable.
inline std::string drawUniqueName() {
  std::random_device device;
  std::string name;
  for (int i = 0; i < 16; ++i)
    name += "0123456789abcdef"[device() & 15];
  return name;
}

} // namespace baco

#endif // BACO_SUPPORT_UNIQUENAME_H
