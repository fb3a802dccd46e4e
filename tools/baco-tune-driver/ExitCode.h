//===- ExitCode.h - How the tuner ends --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of several errors, the first counts.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_TUNEDRIVER_EXITCODE_H
#define BACO_TOOLS_TUNEDRIVER_EXITCODE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

enum ExitCode {
  /// Every kernel has a best schedule, or is best as it was.
  tunedAll = 0,
  /// Options, file, schedule or constraints are wrong.
  badInput = 1,
  /// Worker, database or output directory fail; or a limit is too low for the
  /// plain lowering.
  badEnvironment = 2,
  /// A kernel has no candidate that works; --explain: that is forbidden.
  nothingWorks = 3,
  /// What was found until then is written.
  interrupted = 130
};

/// Prints an error and returns `code`.
inline int complain(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "baco-tune-driver: error: " << message << "\n";
  return code;
}

#endif // BACO_TOOLS_TUNEDRIVER_EXITCODE_H
