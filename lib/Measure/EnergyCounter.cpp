//===- EnergyCounter.cpp - Energy of the processors -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/EnergyCounter.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace baco;
using namespace baco::measure;
using Clock = std::chrono::steady_clock;

/// The number in a file of sysfs.
static Result<uint64_t> readNumber(const std::string &file) {
  errno = 0;
  std::ifstream stream(file);
  uint64_t number = 0;
  if (stream >> number)
    return number;
  std::string why = errno != 0 ? std::strerror(errno) : "it has no number";
  std::string remedy =
      errno == EACCES ? "; run as root, or let this user read it (chmod a+r)"
                      : "";
  return Error{ErrorCode::IOError, "cannot read the energy counter '" + file +
                                       "': " + why + remedy};
}

EnergyCounter::EnergyCounter(const std::string &name, Reader read)
    : sources{{name, name, std::move(read), UINT64_MAX}} {}

std::vector<std::string> EnergyCounter::names() const {
  std::vector<std::string> list;
  for (const Source &source : sources)
    list.push_back(source.name);
  return list;
}

Result<EnergyCounter> EnergyCounter::open(const std::string &folder) {
  std::vector<std::string> zones;
  std::error_code failed;
  for (const auto &entry : std::filesystem::directory_iterator(folder, failed))
    zones.push_back(entry.path().string());
  // The system has them in any order.
  std::ranges::sort(zones);
  EnergyCounter counter;
  for (const std::string &zone : zones) {
    std::string name;
    std::ifstream(zone + "/name") >> name;
    if (!name.starts_with("package"))
      continue;
    Result<uint64_t> range = readNumber(zone + "/max_energy_range_uj");
    if (!range)
      return range.error();
    std::string file = zone + "/energy_uj";
    counter.sources.push_back(
        {name, file, [file] { return readNumber(file); }, *range});
  }
  if (counter.sources.empty())
    return Error{ErrorCode::NotFound,
                 "this machine has no energy counters of processors in '" +
                     folder + "' (RAPL by Linux's powercap)"};
  if (Result<Reading> first = counter.read(); !first)
    return first.error();
  return counter;
}

Result<EnergyCounter::Reading> EnergyCounter::read() const {
  Reading reading;
  for (const Source &source : sources) {
    Result<uint64_t> value = source.read();
    if (!value)
      return value.error();
    reading.push_back(*value);
  }
  return reading;
}

double EnergyCounter::joulesBetween(const Reading &first,
                                    const Reading &second) const {
  uint64_t sum = 0;
  for (size_t i = 0; i < sources.size(); ++i)
    sum += second[i] >= first[i] ? second[i] - first[i]
                                 : sources[i].range - first[i] + second[i];
  constexpr double joulesPerMicrojoule = 1e-6;
  return static_cast<double>(sum) * joulesPerMicrojoule;
}

Result<EnergyCounter::Resolution> EnergyCounter::findResolution() const {
  // Counters of processors change each ms, those of GPUs each 20 to 100 ms.
  constexpr std::chrono::seconds longest(1);
  constexpr int enough = 10;
  Result<Reading> last = read();
  if (!last)
    return last.error();
  Clock::time_point begin = Clock::now(), first = begin, latest = begin;
  double least = 0;
  int steps = 0;
  while (steps <= enough && Clock::now() - begin < longest) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    Result<Reading> now = read();
    if (!now)
      return now.error();
    double joules = joulesBetween(*last, *now);
    if (joules <= 0)
      continue;
    latest = Clock::now();
    last = std::move(now);
    // The first one may have begun before.
    if (steps++ == 0)
      first = latest;
    else
      least = least > 0 ? std::min(least, joules) : joules;
  }
  if (steps < 2)
    return Error{ErrorCode::IOError, "the energy counter '" +
                                         sources.front().place +
                                         "' doesn't change within a second"};
  return Resolution{least,
                    std::chrono::duration<double>(latest - first).count() /
                        (steps - 1)};
}
