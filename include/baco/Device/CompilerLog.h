//===- CompilerLog.h - First error of a compiler ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_COMPILERLOG_H
#define BACO_DEVICE_COMPILERLOG_H

#include <string>
#include <string_view>

namespace baco::runtime {

/// The first line of a compiler's log that has an error, or else the first one
/// that isn't empty.
std::string firstError(std::string_view log);

} // namespace baco::runtime

#endif // BACO_DEVICE_COMPILERLOG_H
