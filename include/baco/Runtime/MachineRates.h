//===- MachineRates.h - Rates that bound a kernel ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_MACHINERATES_H
#define BACO_RUNTIME_MACHINERATES_H

#include "baco/Protocol/Samples.h"

#include <cstddef>

namespace baco::runtime {

/// Measures the rates of this thread, or of the team (Team.h) if `usesTeam`, as
/// the best of a few tries, within a few milliseconds. Reads `bytes` bytes of
/// its own, but at most 256 MiB, and at least 16 KiB for each thread. A rate is
/// 0 if memory for it is missing.
MachineRates measureRates(size_t bytes, bool usesTeam);

} // namespace baco::runtime

#endif // BACO_RUNTIME_MACHINERATES_H
