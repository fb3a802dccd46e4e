//===- InstructionCost.h - Instruction costs of a thread --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_COSTMODEL_INSTRUCTIONCOST_H
#define BACO_LIB_COSTMODEL_INSTRUCTIONCOST_H

#include "baco/CostModel/GpuCost.h"

#include "llvm/IR/Instruction.h"

#include <optional>

namespace baco::target {

/// Latencies in cycles, rounded from published microbenchmarks (Z. Jia et al.,
/// "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018;
/// H. Abdelkhalik et al., "Demystifying the Nvidia Ampere Architecture through
/// Microbenchmarking and Instruction-level Analysis", 2022).
inline constexpr double arithmeticLatency = 4, specialLatency = 20,
                        sharedLatency = 25, globalLatency = 400,
                        barrierLatency = 20, matrixLatency = 32;

/// The cost of an instruction for a thread.
struct ThreadCost {
  /// Instructions that are issued.
  double issued = 0;
  std::optional<GpuUnit> unit;
  /// Operations of `unit`.
  double operations = 0;
  double latency = 0;
};

/// The cost of an instruction of LLVM IR for the PTX back end that isn't an
/// access to memory; nullopt if it isn't known.
std::optional<ThreadCost> costOf(const llvm::Instruction &instruction);

} // namespace baco::target

#endif // BACO_LIB_COSTMODEL_INSTRUCTIONCOST_H
