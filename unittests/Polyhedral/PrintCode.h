//===- PrintCode.h - Print generated code -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_POLYHEDRAL_PRINTCODE_H
#define BACO_UNITTESTS_POLYHEDRAL_PRINTCODE_H

#include "baco/Polyhedral/LoopSchedule.h"

#include <string>

namespace baco::polyhedral::test {

/// The code, indented, for FileCheck-like comparisons.
std::string print(const GeneratedCode &code);

} // namespace baco::polyhedral::test

#endif // BACO_UNITTESTS_POLYHEDRAL_PRINTCODE_H
