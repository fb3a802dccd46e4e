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
#include <optional>

namespace baco::polyhedral {

/// Owns an isl_ctx. Create it first and let it die last: every isl object, so
/// also every Program and LoopSchedule, refers to it. Errors of isl are
/// reported, never printed and never fatal. For one thread.
class Context {
public:
  Context();
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  isl::ctx get() const { return isl::ctx(pointer); }

private:
  isl_ctx *pointer;
};

/// Nothing if `value` isn't an integer (also if it is null) or doesn't fit.
std::optional<int64_t> toInt64(const isl::val &value);

} // namespace baco::polyhedral

#endif // BACO_POLYHEDRAL_CONTEXT_H
