//===- Trace.h - Trace output for developers --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counterpart of LLVM_DEBUG below the MLIR line, in every kind of build:
// the environment variable BACO_TRACE lists topics, separated by commas, and
// messages on these topics are written to standard error.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_TRACE_H
#define BACO_SUPPORT_TRACE_H

#include <string_view>

namespace baco {

enum class TraceTopic {
  /// `plan`: which plans for loops are tried, and why they are refused.
  Plan
};

/// Whether BACO_TRACE has the topic: ask before a text is made. The variable is
/// read once; a name in it that is no topic is reported then, on standard
/// error.
bool isTraced(TraceTopic topic);

/// Writes a line with the topic and `text`, which has no line feed, to standard
/// error.
void trace(TraceTopic topic, std::string_view text);

} // namespace baco

#endif // BACO_SUPPORT_TRACE_H
