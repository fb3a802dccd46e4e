//===- Context.h - Where isl keeps its objects ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_POLYHEDRAL_CONTEXT_H
#define BACO_POLYHEDRAL_CONTEXT_H

#include <isl/cpp.h>

#include <cstdint>
#include <exception>
#include <optional>

namespace baco::polyhedral {

/// Thrown where isl has taken more steps than its Context grants, or where its
/// thread is to stop (StopScope), also out of functions of isl's C interface,
/// whose temporaries then stay allocated. Every later use of isl in that
/// Context throws it again.
class TooMuchWork final : public std::exception {
public:
  const char *what() const noexcept override;
};

/// Owns an isl_ctx. Create it first and let it die last: every isl object, so
/// also every Program and LoopSchedule, refers to it. Errors of isl are
/// reported, never printed and never fatal. For one thread, on which it limits
/// what isl does while it lives; of several, the last one made does.
class Context {
public:
  /// About half a minute. See also loopnest::maxNestWork.
  static constexpr uint64_t defaultMaxWork = 20'000'000'000;

  /// \param maxWork  Coefficients of constraints that isl may read or write,
  ///                 those of linear programs included. The same calls take
  ///                 the same on every machine.
  explicit Context(uint64_t maxWork = defaultMaxWork);
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  isl::ctx get() const { return isl::ctx(pointer); }
  /// The work that isl has done so far.
  uint64_t work() const;

private:
  isl_ctx *pointer;
  uint64_t maxWork;
  /// The remaining work of the previous context: in its slice, and beyond that.
  int64_t outerLeft, outerReserve;
};

/// Nothing if `value` isn't an integer (also if it is null) or doesn't fit.
std::optional<int64_t> toInt64(const isl::val &value);

} // namespace baco::polyhedral

#endif // BACO_POLYHEDRAL_CONTEXT_H
