//===- Context.cpp - Where isl keeps its objects --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/Context.h"

#include <isl/options.h>

#include <climits>
#include <cstdio>

/// What our copy of isl's archive reads instead of `stderr`; FindISL.cmake says
/// why.
extern "C" {
extern __attribute__((visibility("hidden"))) FILE *baco_isl_stderr;
FILE *baco_isl_stderr = stderr;
}

baco::polyhedral::Context::Context() : pointer(isl_ctx_alloc()) {
  isl_options_set_on_error(pointer, ISL_ON_ERROR_CONTINUE);
}

baco::polyhedral::Context::~Context() { isl_ctx_free(pointer); }

std::optional<int64_t> baco::polyhedral::toInt64(const isl::val &value) {
  static_assert(sizeof(long) == sizeof(int64_t));
  if (value.is_null() || isl_val_is_int(value.get()) != isl_bool_true ||
      isl_val_cmp_si(value.get(), LONG_MAX) > 0 ||
      isl_val_cmp_si(value.get(), LONG_MIN) < 0)
    return std::nullopt;
  return isl_val_get_num_si(value.get());
}
