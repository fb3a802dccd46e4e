//===- Context.cpp - Where isl keeps its objects --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/Context.h"

#include <isl/options.h>

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
