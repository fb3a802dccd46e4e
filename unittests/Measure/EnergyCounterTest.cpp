//===- EnergyCounterTest.cpp ----------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/EnergyCounter.h"

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace baco;
using namespace baco::measure;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
/// Has a tree as Linux shows it in /sys/class/powercap on a machine with two
/// sockets.
class EnergyCounterTest : public testing::Test {
protected:
  EnergyCounterTest() {
    std::string name = std::filesystem::temp_directory_path() / "baco-XXXXXX";
    folder = mkdtemp(name.data());
    // For another user, in this one's group.
    std::filesystem::permissions(folder, std::filesystem::perms(0755));
    write("intel-rapl", "enabled", "1");
    for (const auto &[zone, kind] : {std::pair("intel-rapl:0", "package-0"),
                                     {"intel-rapl:0:0", "core"},
                                     {"intel-rapl:1", "package-1"},
                                     {"intel-rapl:2", "psys"}}) {
      write(zone, "name", kind);
      write(zone, "energy_uj", "1000000");
      write(zone, "max_energy_range_uj", "262143328850");
    }
  }
  ~EnergyCounterTest() override { std::filesystem::remove_all(folder); }

  void write(const std::string &zone, const std::string &file,
             const std::string &text) const {
    std::filesystem::create_directories(folder + "/" + zone);
    // In one step, as the system does.
    std::ofstream(folder + "/next") << text << "\n";
    std::filesystem::rename(folder + "/next", folder + "/" + zone + "/" + file);
  }
  std::string mistake() const {
    Result<EnergyCounter> counter = EnergyCounter::open(folder);
    return counter ? "" : counter.error().message;
  }

  std::string folder;
};
} // namespace

TEST_F(EnergyCounterTest, AddsUpPackages) {
  Result<EnergyCounter> counter = EnergyCounter::open(folder);
  ASSERT_TRUE(counter) << counter.error().message;
  EXPECT_THAT(counter->names(), ElementsAre("package-0", "package-1"));
  auto first = counter->read();
  write("intel-rapl:0", "energy_uj", "3500000");
  write("intel-rapl:0:0", "energy_uj", "9000000");
  write("intel-rapl:1", "energy_uj", "1250000");
  auto second = counter->read();
  ASSERT_TRUE(first && second);
  EXPECT_DOUBLE_EQ(counter->joulesBetween(*first, *second), 2.75);
}

TEST_F(EnergyCounterTest, CountersWrapAround) {
  write("intel-rapl:0", "energy_uj", "262143000000");
  Result<EnergyCounter> counter = EnergyCounter::open(folder);
  ASSERT_TRUE(counter) << counter.error().message;
  auto first = counter->read();
  write("intel-rapl:0", "energy_uj", "171150");
  auto second = counter->read();
  ASSERT_TRUE(first && second);
  EXPECT_DOUBLE_EQ(counter->joulesBetween(*first, *second), 0.5);
}

TEST_F(EnergyCounterTest, ThereAreNoCounters) {
  std::filesystem::remove_all(folder + "/intel-rapl:0");
  std::filesystem::remove_all(folder + "/intel-rapl:1");
  EXPECT_EQ(mistake(),
            "this machine has no energy counters of processors in '" + folder +
                "' (RAPL by Linux's powercap)");
  Result<EnergyCounter> counter = EnergyCounter::open("/nonexistent");
  ASSERT_FALSE(counter);
  EXPECT_EQ(counter.error().code, ErrorCode::NotFound);
}

TEST_F(EnergyCounterTest, CountersCannotBeRead) {
  write("intel-rapl:1", "energy_uj", "none");
  EXPECT_THAT(mistake(),
              HasSubstr("intel-rapl:1/energy_uj': it has no number"));
  std::string file = folder + "/intel-rapl:0/energy_uj";
  std::filesystem::permissions(file, std::filesystem::perms::owner_write);
  // Root may read everything.
  pid_t child = fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    // The folders above may be root's alone.
    if (chdir(folder.c_str()) != 0)
      _exit(2);
    if (getuid() == 0 && (chown(".", nobody, nobody) != 0 || setuid(nobody)))
      _exit(3);
    folder = ".";
    file = "./intel-rapl:0/energy_uj";
    std::string expected = "cannot read the energy counter '" + file +
                           "': Permission denied; run as root, or let this "
                           "user read it (chmod a+r)";
    std::string got = mistake();
    if (got != expected)
      std::cerr << got << "\n";
    _exit(got == expected ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(EnergyCounterTest, StepsAreSeen) {
  Result<EnergyCounter> counter = EnergyCounter::open(folder);
  ASSERT_TRUE(counter) << counter.error().message;
  Result<EnergyCounter::Resolution> still = counter->findResolution();
  ASSERT_FALSE(still);
  EXPECT_THAT(still.error().message,
              HasSubstr("doesn't change within a second"));

  std::atomic<bool> stops = false;
  std::thread ticking([&] {
    for (uint64_t value = 1000000; !stops; value += 61) {
      write("intel-rapl:0", "energy_uj", std::to_string(value));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  Result<EnergyCounter::Resolution> seen = counter->findResolution();
  stops = true;
  ticking.join();
  ASSERT_TRUE(seen) << seen.error().message;
  // Whole steps, one as a rule.
  double steps = seen->joules / 61e-6;
  EXPECT_NEAR(steps, std::round(steps), 1e-9);
  EXPECT_GE(steps, 0.5);
  EXPECT_GE(seen->seconds, 0.002);
}

TEST(DeviceEnergyTest, CountersOfDevicesAreReadByThem) {
  uint64_t microjoules = 5000000;
  EnergyCounter counter("gpu", [&]() -> Result<uint64_t> {
    if (microjoules == 0)
      return Error{ErrorCode::IOError, "gone"};
    return microjoules;
  });
  EXPECT_THAT(counter.names(), ElementsAre("gpu"));
  auto first = counter.read();
  microjoules += 1500000;
  auto second = counter.read();
  ASSERT_TRUE(first && second);
  EXPECT_DOUBLE_EQ(counter.joulesBetween(*first, *second), 1.5);
  microjoules = 0;
  auto third = counter.read();
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().message, "gone");
}
