//===- FpgaDevice.h - FPGAs and what operators cost there -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of FPGAs that costs are estimated for (docs/FPGA.md). Capacities
// are those of the vendors' overviews of the families: Intel's A10-OVERVIEW
// (10AX115) and CV-51001 (5CSEBA6), Lattice's FPGA-DS-02008 (iCE40UP5K).
// Operators are rounded figures of the order of the vendors' floating-point
// generators (Intel UG-01058); none of them is measured.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_FPGADEVICE_H
#define BACO_SUPPORT_FPGADEVICE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace baco {

/// The parts that a design takes, or a device has. Logic is counted in the
/// units of the device: ALMs or LUTs of four inputs.
struct FpgaResources {
  int64_t dsps = 0, logic = 0, registers = 0, memories = 0;

  bool operator==(const FpgaResources &) const = default;
  FpgaResources &operator+=(const FpgaResources &other);
};

/// An operator in hardware; it takes new operands in each cycle.
struct FpgaOperator {
  /// Cycles from operands to result.
  int64_t latency = 0;
  int64_t dsps = 0, logic = 0;
};

struct FpgaDevice {
  /// As options say it, and as vendors do.
  std::string_view name, part;
  /// Names of blocks of memory, and of units of logic.
  std::string_view memoryName, logicName;
  FpgaResources capacity;
  /// Bits of a block of memory, which has two ports.
  int64_t memoryBits;
  /// Bytes that off-chip memory delivers or takes in a transfer, and transfers
  /// that start in a cycle.
  int64_t transferBytes, transfersPerCycle;
  /// Cycles until an off-chip load has its value.
  int64_t offChipLatency;
  /// The unit that a load from, or a store to, off-chip memory takes.
  FpgaResources offChipUnit;
  /// Floating-point operators of 32 bits.
  FpgaOperator add, multiply, divide, function;
  /// Bits of a factor that a multiplier takes; integers are multiplied in so
  /// wide parts.
  int64_t multiplierBits;

  /// The first resource of which `needs` has more than the device has, in one
  /// line; empty if the design fits. Of logic and registers, a fifth is left to
  /// routing.
  std::string whyNotFits(const FpgaResources &needs) const;

  /// The shares that `needs` are of what a design may take: of DSPs, logic,
  /// registers and memories.
  std::vector<double> usage(const FpgaResources &needs) const;
};

/// Null if there is none of this name.
const FpgaDevice *findFpgaDevice(std::string_view name);
/// The names: `a, b or c`.
std::string listFpgaDevices();

} // namespace baco

#endif // BACO_SUPPORT_FPGADEVICE_H
