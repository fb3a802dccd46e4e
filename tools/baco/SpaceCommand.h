//===- SpaceCommand.h - baco space ------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_SPACECOMMAND_H
#define BACO_TOOLS_BACO_SPACECOMMAND_H

#include "Arguments.h"

namespace baco::tool {

/// `baco space WORDS...`; returns the exit code.
int runSpaceCommand(std::span<const std::string_view> words);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_SPACECOMMAND_H
