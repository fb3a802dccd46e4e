//===- ExitCode.h - How our programs end ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The exit codes of all tools. The exit code of several errors is that of the
// first.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_EXITCODE_H
#define BACO_SUPPORT_EXITCODE_H

#include "baco/Support/Result.h"

namespace baco {

enum ExitCode {
  /// Everything requested is done; each kernel has a best schedule, or is best
  /// as it was.
  allDone = 0,
  /// Options, names, payload, schedule or constraints are wrong.
  badInput = 1,
  /// Worker, database, files or output fail; or a limit is too low for the
  /// plain lowering.
  badEnvironment = 2,
  /// A kernel has no candidate that works; --explain: that is forbidden.
  nothingWorks = 3,
  /// The results until then are written.
  interrupted = 130
};

/// The exit code for an error: badInput for InvalidArgument, else
/// badEnvironment.
inline ExitCode exitCodeOf(const Error &error) {
  return error.code == ErrorCode::InvalidArgument ? badInput : badEnvironment;
}

} // namespace baco

#endif // BACO_SUPPORT_EXITCODE_H
