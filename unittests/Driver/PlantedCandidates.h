//===- PlantedCandidates.h - Kernels and wrong code for them ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates that are wrong for few of all inputs, as an error in a schedule,
// a pass or a rule of a back end makes them; and right ones, which differ from
// the kernel as schedules do. All are text, and all functions are named `f`.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_DRIVER_PLANTEDCANDIDATES_H
#define BACO_UNITTESTS_DRIVER_PLANTEDCANDIDATES_H

#include <string>
#include <vector>

namespace baco::test {

struct PlantedCandidate {
  std::string name, text;
};

struct PlantedKernel {
  std::string name, text;
  std::vector<PlantedCandidate> wrong, right;
};

/// Maxima and minima that lack terms.
std::vector<PlantedKernel> plantedReductions();
/// Quotients, shifts and products in types that are too narrow.
std::vector<PlantedKernel> plantedIntegers();
/// Saturation, clamps and thresholds at other places.
std::vector<PlantedKernel> plantedRanges();
/// Functions that are 0 on a decade.
std::vector<PlantedKernel> plantedFunctions();
/// Loops that are one iteration short for some of their lengths.
std::vector<PlantedKernel> plantedScalars();
/// Kernels with right candidates only.
std::vector<PlantedKernel> rightKernels();

} // namespace baco::test

#endif // BACO_UNITTESTS_DRIVER_PLANTEDCANDIDATES_H
