//===- Complaint.h - Errors that end what is under way ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Readers of files and commands of tools go on with the value of a result, or
// end. The exception stays in the library or tool that throws it: a function
// that others call returns a Result, by attempt().
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_COMPLAINT_H
#define BACO_SUPPORT_COMPLAINT_H

#include "baco/Support/Result.h"

#include <type_traits>

namespace baco {

/// An error on its way to attempt(), or to `main`.
struct Complaint {
  Error error;
};

/// Ends what is under way.
[[noreturn]] inline void fail(Error error) {
  throw Complaint{std::move(error)};
}

/// The value of a result. Ends at an error.
template <typename T>
T need(Result<T> result) {
  if (!result)
    fail(result.error());
  return std::move(*result);
}

inline void need(const Result<void> &result) {
  if (!result)
    fail(result.error());
}

/// The same of what reads an input: any error is a mistake there.
template <typename T>
T needInput(Result<T> result) {
  if (!result)
    fail({ErrorCode::InvalidArgument, result.error().message});
  return std::move(*result);
}

/// What `body` returns, or the error at which it ends.
template <typename Body>
auto attempt(Body body) -> Result<decltype(body())> {
  try {
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return {};
    } else {
      return body();
    }
  } catch (Complaint &complaint) {
    return std::move(complaint.error);
  }
}

} // namespace baco

#endif // BACO_SUPPORT_COMPLAINT_H
