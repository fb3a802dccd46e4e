//===- FpgaDevice.cpp - FPGAs and what operators cost there ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Support/FpgaDevice.h"

#include <algorithm>
#include <array>
#include <iterator>

using namespace baco;

static constexpr FpgaDevice devices[] = {
    // Its DSP blocks add and multiply floats. Two banks of DDR4.
    {.name = "arria10",
     .part = "Intel Arria 10 GX 1150",
     .memoryName = "M20K",
     .logicName = "ALMs",
     .capacity = {1518, 427200, 1708800, 2713},
     .memoryBits = 20480,
     .transferBytes = 64,
     .transfersPerCycle = 2,
     .offChipLatency = 120,
     .offChipUnit = {0, 600, 1600, 4},
     .add = {3, 1, 0},
     .multiply = {3, 1, 0},
     .divide = {14, 4, 500},
     .function = {20, 8, 800},
     .multiplierBits = 18},
    // Floats are made of logic. One bank of DDR3, 32 bits wide.
    {.name = "cyclone5",
     .part = "Intel Cyclone V SE A6",
     .memoryName = "M10K",
     .logicName = "ALMs",
     .capacity = {112, 41910, 166036, 553},
     .memoryBits = 10240,
     .transferBytes = 32,
     .transfersPerCycle = 1,
     .offChipLatency = 80,
     .offChipUnit = {0, 400, 900, 2},
     .add = {7, 0, 400},
     .multiply = {5, 1, 150},
     .divide = {14, 4, 900},
     .function = {20, 8, 1200},
     .multiplierBits = 18},
    // A hypothetical board with a 16 bits wide SDRAM.
    {.name = "ice40",
     .part = "Lattice iCE40 UP5K",
     .memoryName = "EBR",
     .logicName = "LUTs",
     .capacity = {8, 5280, 5280, 30},
     .memoryBits = 4096,
     .transferBytes = 4,
     .transfersPerCycle = 1,
     .offChipLatency = 12,
     .offChipUnit = {0, 60, 90, 0},
     .add = {8, 0, 700},
     .multiply = {6, 4, 350},
     .divide = {28, 0, 1500},
     .function = {40, 4, 2500},
     .multiplierBits = 16},
};

FpgaResources &FpgaResources::operator+=(const FpgaResources &other) {
  dsps += other.dsps;
  logic += other.logic;
  registers += other.registers;
  memories += other.memories;
  return *this;
}

namespace {
struct Limit {
  int64_t needed, usable;
  std::string_view unit;
};
} // namespace

static std::array<Limit, 4> listLimits(const FpgaDevice &device,
                                       const FpgaResources &needs) {
  auto lessRouting = [](int64_t all) { return all - all / 5; };
  const FpgaResources &capacity = device.capacity;
  return {{
      {needs.dsps, capacity.dsps, "DSPs"},
      {needs.logic, lessRouting(capacity.logic), device.logicName},
      {needs.registers, lessRouting(capacity.registers), "registers"},
      {needs.memories, capacity.memories, device.memoryName},
  }};
}

std::vector<double> FpgaDevice::usage(const FpgaResources &needs) const {
  std::vector<double> shares;
  for (const Limit &limit : listLimits(*this, needs))
    // A device may have none of something: a design that needs some of it has
    // more than its share.
    shares.push_back(limit.needed == 0 ? 0
                     : limit.usable > 0
                         ? static_cast<double>(limit.needed) /
                               static_cast<double>(limit.usable)
                         : static_cast<double>(limit.needed) + 1);
  return shares;
}

std::string FpgaDevice::whyNotFits(const FpgaResources &needs) const {
  for (const Limit &row : listLimits(*this, needs))
    if (row.needed > row.usable)
      return "doesn't fit " + std::string(part) + ": needs at least " +
             std::to_string(row.needed) + " " + std::string(row.unit) +
             ", but " + std::to_string(row.usable) + " is the most";
  return "";
}

const FpgaDevice *baco::findFpgaDevice(std::string_view name) {
  const auto *found = std::ranges::find(devices, name, &FpgaDevice::name);
  return found == std::end(devices) ? nullptr : found;
}

std::string baco::listFpgaDevices() {
  std::string list;
  for (const FpgaDevice &device : devices)
    list += (list.empty()                       ? ""
             : &device == std::end(devices) - 1 ? " or "
                                                : ", ") +
            std::string(device.name);
  return list;
}
