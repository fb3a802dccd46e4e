//===- FailureJson.h - Counts of failures as JSON ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_REPORT_FAILUREJSON_H
#define BACO_LIB_REPORT_FAILUREJSON_H

#include "baco/Report/Progress.h"
#include "baco/Support/Json.h"

namespace baco::report {

/// The counts by kind, without those that are 0.
Json countFailures(const StatusCounts &counts);

} // namespace baco::report

#endif // BACO_LIB_REPORT_FAILUREJSON_H
