//===- EnergyCounter.h - Energy of the processors ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RAPL's counters of the packages, which Linux has as powercap: all that the
// processors of the machine take, whoever uses them. A counter wraps around
// after some minutes or hours, so that two readings must not lie further apart.
// Devices have counters of their own.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_MEASURE_ENERGYCOUNTER_H
#define BACO_MEASURE_ENERGYCOUNTER_H

#include "baco/Support/Result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace baco::measure {

class EnergyCounter {
public:
  /// The counter of each package, in microjoules.
  using Reading = std::vector<uint64_t>;

  /// Finds the counters. NotFound if there are none, IOError if they can't be
  /// read: as a rule only root may.
  static Result<EnergyCounter>
  open(const std::string &folder = "/sys/class/powercap");

  /// Reads a counter, in microjoules. IOError if it can't be read.
  using Reader = std::function<Result<uint64_t>()>;
  /// The counter of a device, which doesn't wrap around.
  EnergyCounter(const std::string &name, Reader read);

  /// IOError if a counter can't be read any more.
  Result<Reading> read() const;
  /// The energy of all packages between two readings, in joules. A counter that
  /// is lower in the second one has wrapped around once.
  double joulesBetween(const Reading &first, const Reading &second) const;

  /// How fine a counter is: the least step that is seen within some ms, in
  /// joules, and the time between two steps, in seconds.
  struct Resolution {
    double joules = 0, seconds = 0;
  };
  /// IOError if the counters don't change within a second.
  Result<Resolution> findResolution() const;

  /// The names of the counters: `package-0`.
  std::vector<std::string> names() const;

private:
  struct Source {
    std::string name;
    /// For messages.
    std::string place;
    Reader read;
    /// The value after which it begins at 0.
    uint64_t range;
  };
  EnergyCounter() = default;

  std::vector<Source> sources;
};

} // namespace baco::measure

#endif // BACO_MEASURE_ENERGYCOUNTER_H
