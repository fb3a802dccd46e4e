//===- TensorCommand.h - baco tensor ----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_TENSORCOMMAND_H
#define BACO_TOOLS_BACO_TENSORCOMMAND_H

#include "Arguments.h"

namespace baco::tool {

/// `baco tensor WORDS...`; returns the exit code.
int runTensorCommand(std::span<const std::string_view> words);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_TENSORCOMMAND_H
