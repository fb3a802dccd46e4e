//===- Context.cpp - Where isl keeps its objects --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/Context.h"

#include "baco/Support/StopScope.h"

#include <isl/options.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <limits>

// NOLINTBEGIN(readability-identifier-naming): isl and the linker name these.

/// Replaces `stderr` in our copy of isl's archive; FindISL.cmake says why.
extern "C" {
extern __attribute__((visibility("hidden"))) FILE *baco_isl_stderr;
FILE *baco_isl_stderr = stderr;
}
// NOLINTEND(readability-identifier-naming)

using baco::StopScope;
using baco::polyhedral::Context;
using baco::polyhedral::TooMuchWork;

/// The work between two checks for a stop, some 10 ms.
static constexpr int64_t sliceOfWork = 10'000'000;

/// The work that the thread's context has left in the current slice, and beyond
/// it. Signed: below 0, the slice is exhausted. The model spares a call where
/// this is part of a plugin.
static thread_local int64_t workLeft
    __attribute__((tls_model("initial-exec"))) =
        std::numeric_limits<int64_t>::max();
static thread_local int64_t reserve = 0;

/// Goes on to the next slice.
static void startSlice() {
  if (StopScope::isStopped())
    reserve = 0;
  int64_t slice = std::min(reserve, sliceOfWork);
  reserve -= slice;
  workLeft += slice;
  if (workLeft < 0)
    throw TooMuchWork();
}

/// Counts a step that goes over `length` coefficients.
static inline void spend(unsigned length) {
  // The fixed part of a step, as measured on rows of 10 to 400 coefficients.
  constexpr int64_t overhead = 50;
  workLeft -= length + overhead;
  if (workLeft < 0) [[unlikely]]
    startSlice();
}

// isl counts operations on sets and pivots of linear programs, however large
// these are. All of them go over rows of coefficients by the functions below,
// calls of which FindISL.cmake has the linker redirect.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
int __real_isl_seq_first_non_zero(void *p, unsigned length);
int __wrap_isl_seq_first_non_zero(void *p, unsigned length) {
  spend(length);
  return __real_isl_seq_first_non_zero(p, length);
}
int __real_isl_seq_eq(void *p, void *q, unsigned length);
int __wrap_isl_seq_eq(void *p, void *q, unsigned length) {
  spend(length);
  return __real_isl_seq_eq(p, q, length);
}
void __real_isl_seq_cpy(void *to, void *from, unsigned length);
void __wrap_isl_seq_cpy(void *to, void *from, unsigned length) {
  spend(length);
  __real_isl_seq_cpy(to, from, length);
}
void __real_isl_seq_normalize(void *context, void *p, unsigned length);
void __wrap_isl_seq_normalize(void *context, void *p, unsigned length) {
  spend(length);
  __real_isl_seq_normalize(context, p, length);
}
void __real_isl_seq_inner_product(void *p, void *q, unsigned length,
                                  void *product);
void __wrap_isl_seq_inner_product(void *p, void *q, unsigned length,
                                  void *product) {
  spend(length);
  __real_isl_seq_inner_product(p, q, length, product);
}
void __real_isl_seq_combine(void *to, void *m, void *p, void *n, void *q,
                            unsigned length);
void __wrap_isl_seq_combine(void *to, void *m, void *p, void *n, void *q,
                            unsigned length) {
  spend(length);
  __real_isl_seq_combine(to, m, p, n, q, length);
}
}
// NOLINTEND(readability-identifier-naming)

const char *TooMuchWork::what() const noexcept {
  return "the loop nest is too complex: finding or checking a schedule exceeds "
         "the limit on isl's operations; split the nest into smaller ones";
}

Context::Context(uint64_t maxWork)
    : pointer(isl_ctx_alloc()), maxWork(maxWork) {
  isl_options_set_on_error(pointer, ISL_ON_ERROR_CONTINUE);
  outerLeft = workLeft;
  outerReserve = reserve;
  // The first step starts the first slice.
  workLeft = 0;
  reserve = static_cast<int64_t>(maxWork);
}

Context::~Context() {
  workLeft = outerLeft;
  reserve = outerReserve;
  isl_ctx_free(pointer);
}

uint64_t Context::work() const { return maxWork - workLeft - reserve; }

std::optional<int64_t> baco::polyhedral::toInt64(const isl::val &value) {
  static_assert(sizeof(long) == sizeof(int64_t));
  if (value.is_null() || isl_val_is_int(value.get()) != isl_bool_true ||
      isl_val_cmp_si(value.get(), LONG_MAX) > 0 ||
      isl_val_cmp_si(value.get(), LONG_MIN) < 0)
    return std::nullopt;
  return isl_val_get_num_si(value.get());
}
