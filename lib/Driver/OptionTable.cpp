//===- OptionTable.cpp - Options of driver and pass -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/OptionTable.h"

using namespace baco;
using namespace baco::driver;

#define GET_TuneOptionTable_IMPL
#include "baco/Driver/TuneOptionTable.inc"

llvm::ArrayRef<TuneOption> driver::tuneOptions() { return TuneOptionTable; }

Result<void> OptionValues::complete(bool isBudgetGiven) {
  std::optional<runtime::Caches> parsed = runtime::parseCaches(caches);
  if (!parsed)
    return {ErrorCode::InvalidArgument,
            "caches must be hot or flushed, but is '" + caches + "'"};
  tuning.measure.timing.caches = *parsed;
  tuning.isBudgetPerKernel = !isBudgetGiven;
  if (!isBudgetGiven && !tuning.stop.empty())
    tuning.budget = UINT64_MAX;
  return {};
}
