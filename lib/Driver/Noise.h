//===- Noise.h - Whether a machine is fit to measure on ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warnings for people: what a measurement met that makes its numbers worth
// less, and what to do about it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_NOISE_H
#define BACO_LIB_DRIVER_NOISE_H

#include "baco/Report/KernelSummary.h"
#include "baco/Runtime/Samples.h"

#include "llvm/ADT/ArrayRef.h"

namespace baco::driver {

/// One line for each thing that is out of order: the CPU's clock changed during
/// the search, others ran on the measured CPU, or the final ratios are known so
/// badly that differences which matter don't show.
///
/// \param trials    conditions of the trials, in their order
/// \param finals    what the last measurement gave
/// \param summary   with its speed-up
std::vector<std::string>
describeNoise(int cpu, llvm::ArrayRef<runtime::Conditions> trials,
              llvm::ArrayRef<runtime::Samples> finals,
              const report::KernelSummary &summary);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_NOISE_H
