//===- Complaint.h - Errors of the tuner ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_TUNEDRIVER_COMPLAINT_H
#define BACO_TOOLS_TUNEDRIVER_COMPLAINT_H

#include "baco/Driver/ModuleTuner.h"
#include "baco/Support/ExitCode.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using baco::ExitCode;
using enum baco::ExitCode;

/// Prints an error and returns `code`.
inline int complain(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "baco-tune-driver: error: " << message << "\n";
  return code;
}
inline int complain(const baco::Error &error) {
  return complain(baco::exitCodeOf(error), error.message);
}

inline ExitCode exitCodeOf(baco::driver::TuneFailure failure) {
  switch (failure) {
  case baco::driver::TuneFailure::Input:
    return badInput;
  case baco::driver::TuneFailure::Environment:
    return badEnvironment;
  case baco::driver::TuneFailure::NothingWorks:
    return nothingWorks;
  }
  llvm_unreachable("unknown failure");
}

#endif // BACO_TOOLS_TUNEDRIVER_COMPLAINT_H
