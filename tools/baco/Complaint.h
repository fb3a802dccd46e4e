//===- Complaint.h - Errors that end a command ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As LLVM's ExitOnError, but what a command has opened is closed.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_COMPLAINT_H
#define BACO_TOOLS_BACO_COMPLAINT_H

#include "baco/Support/Result.h"

namespace baco::tool {

/// An error on its way to `main`, which prints it and ends with its exit code.
struct Complaint {
  Error error;
};

/// Ends the command.
[[noreturn]] inline void fail(Error error) {
  throw Complaint{std::move(error)};
}

/// The value of a result; an error ends the command.
template <typename T>
T need(Result<T> result) {
  if (!result)
    fail(result.error());
  return std::move(*result);
}

/// The same of what reads an input: any error is a mistake there.
template <typename T>
T needInput(Result<T> result) {
  if (!result)
    fail({ErrorCode::InvalidArgument, result.error().message});
  return std::move(*result);
}

inline void need(const Result<void> &result) {
  if (!result)
    fail(result.error());
}

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_COMPLAINT_H
