//===- Noise.h - Whether a machine is fit to measure on ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warnings about disturbances of a measurement, and what to do about them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_MEASURE_NOISE_H
#define BACO_MEASURE_NOISE_H

#include "baco/Measure/Statistics.h"

#include <optional>
#include <span>
#include <string>

namespace baco::measure {

/// One line for each disturbance: the CPU's clock changed during the search,
/// and the trials' times could not be corrected for that; other processes ran
/// on the measured CPU; or the interval of the final ratio is too wide to show
/// relevant differences. Options are those of baco-tune-driver.
///
/// \param trials  conditions of the trials, in their order
/// \param finals  what the last measurement gave
/// \param ratio   what was decided by, if it has an interval
std::vector<std::string>
describeNoise(int cpu, std::span<const runtime::Conditions> trials,
              std::span<const runtime::Samples> finals,
              const std::optional<Ratio> &ratio);

} // namespace baco::measure

#endif // BACO_MEASURE_NOISE_H
