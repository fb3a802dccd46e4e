//===- Doctor.cpp - Limits of measuring on a machine ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Doctor.h"

#include "baco/Report/Units.h"
#include "baco/Runtime/CpuPlan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sched.h>
#include <sstream>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace baco;
using namespace baco::tool;
using Level = Finding::Level;

std::string_view tool::levelName(Finding::Level level) {
  switch (level) {
  case Level::Good:
    return "ok";
  case Level::Note:
    return "note";
  case Level::Warning:
    return "warning";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// The system
//===----------------------------------------------------------------------===//

namespace {
/// Files of /proc and /sys, or of copies of them.
class SystemFiles {
public:
  explicit SystemFiles(std::string root) : root(std::move(root)) {}

  /// Nothing if the file can't be read.
  std::optional<std::string> line(const std::string &path) const {
    std::ifstream file(root + "/" + path);
    std::string text;
    return std::getline(file, text) ? std::optional(text) : std::nullopt;
  }

  /// What follows `key` and a colon in the first such line of a file.
  std::optional<std::string> field(const std::string &path,
                                   std::string_view key) const {
    std::ifstream file(root + "/" + path);
    for (std::string text; std::getline(file, text);) {
      size_t colon = text.find(':');
      if (!text.starts_with(key) || colon == std::string::npos)
        continue;
      size_t begin = text.find_first_not_of(" \t", colon + 1);
      return begin == std::string::npos ? std::string() : text.substr(begin);
    }
    return std::nullopt;
  }

private:
  std::string root;
};
} // namespace

static Finding examineMachine(const SystemFiles &files) {
  auto name = files.field("proc/cpuinfo", "model name");
  std::istringstream memory(
      files.field("proc/meminfo", "MemTotal").value_or(""));
  double kib = 0;
  memory >> kib;
  std::ostringstream text;
  text << name.value_or("unknown CPU");
  if (kib > 0)
    text << ", " << std::llround(kib / (1 << 20)) << " GiB of memory";
  return {name ? Level::Good : Level::Note, "machine", text.str()};
}

static Finding examineCores(const SystemFiles &files, int measured) {
  std::string cpu = "CPU " + std::to_string(measured);
  auto siblings =
      files.line("sys/devices/system/cpu/cpu" + std::to_string(measured) +
                 "/topology/thread_siblings_list");
  if (!siblings)
    return {Level::Note, "core",
            "who shares a core with " + cpu + " isn't known"};
  cpu_set_t core = runtime::parseCpuList(*siblings);
  if (CPU_COUNT(&core) > 1)
    return {Level::Warning, "core",
            cpu + ", which is measured, is one of the hardware threads " +
                *siblings + " of a core",
            "nothing else is run there by baco where it has other cores; keep "
            "other programs off them, or switch SMT off"};
  return {Level::Good, "core", cpu + " is measured, and has a core of its own"};
}

static Finding examineGovernor(const SystemFiles &files, int measured) {
  auto governor =
      files.line("sys/devices/system/cpu/cpu" + std::to_string(measured) +
                 "/cpufreq/scaling_governor");
  if (!governor)
    return {
        Level::Note, "governor",
        "isn't visible, as in most virtual machines; times are corrected by "
        "a clock that is measured beside them"};
  if (*governor == "performance")
    return {Level::Good, "governor", *governor};
  return {Level::Warning, "governor", *governor + " lets the clock change",
          "cpupower frequency-set -g performance"};
}

static Finding examineTurbo(const SystemFiles &files) {
  auto noTurbo = files.line("sys/devices/system/cpu/intel_pstate/no_turbo");
  auto boost = files.line("sys/devices/system/cpu/cpufreq/boost");
  if (!noTurbo && !boost)
    return {Level::Note, "turbo", "isn't visible"};
  bool isOn = noTurbo ? *noTurbo == "0" : *boost == "1";
  if (!isOn)
    return {Level::Good, "turbo", "off"};
  return {Level::Note, "turbo",
          "on: the clock depends on heat and on other cores",
          "for the steadiest times switch it off while tuning: write " +
              std::string(
                  noTurbo ? "1 to /sys/devices/system/cpu/intel_pstate/no_turbo"
                          : "0 to /sys/devices/system/cpu/cpufreq/boost")};
}

static Finding examineQuota(const SystemFiles &files) {
  auto quota = files.line("sys/fs/cgroup/cpu.max");
  if (!quota || quota->starts_with("max"))
    return {Level::Good, "CPU quota", "none"};
  return {
      Level::Warning, "CPU quota",
      "the container has " + *quota +
          " us of CPU time in each period, and stands still when they are over",
      "give whole CPUs instead (--cpuset-cpus of docker run)"};
}

static Finding examineLoad(const SystemFiles &files) {
  std::istringstream text(files.line("proc/loadavg").value_or(""));
  double load = 0;
  if (!(text >> load))
    return {Level::Note, "load", "isn't known"};
  std::ostringstream average;
  average << load << " programs ran in the last minute";
  constexpr double busy = 0.5;
  if (load < busy)
    return {Level::Good, "load", average.str()};
  return {Level::Warning, "load", average.str(),
          "stop them, or keep them off the measured CPU (--cpu, taskset)"};
}

static Finding examineClock(const SystemFiles &files) {
  auto source = files.line(
      "sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (!source)
    return {Level::Note, "clock", "isn't known"};
  // Others need a system call, or a trap, for each reading.
  if (*source == "tsc" || *source == "kvm-clock" ||
      *source == "arch_sys_counter")
    return {Level::Good, "clock", *source};
  return {Level::Warning, "clock", *source + " is slow to read",
          "short kernels have larger errors; see why the kernel doesn't trust "
          "tsc in its log"};
}

static Finding examineHugePages(const SystemFiles &files) {
  auto mode = files.line("sys/kernel/mm/transparent_hugepage/enabled");
  if (!mode)
    return {Level::Note, "huge pages", "aren't known"};
  if (mode->find("[never]") == std::string::npos)
    return {Level::Good, "huge pages", *mode};
  return {Level::Note, "huge pages",
          "never: large arrays miss the TLB more often than elsewhere",
          "write madvise to /sys/kernel/mm/transparent_hugepage/enabled"};
}

std::vector<Finding> tool::examineSystem(const std::string &root,
                                         int measured) {
  SystemFiles files(root);
  return {examineMachine(files),
          examineCores(files, measured),
          examineGovernor(files, measured),
          examineTurbo(files),
          examineQuota(files),
          examineLoad(files),
          examineClock(files),
          examineHugePages(files)};
}

//===----------------------------------------------------------------------===//
// Noise
//===----------------------------------------------------------------------===//

/// A chain of additions and multiplications, whose time doesn't depend on data.
static uint64_t workFor(uint64_t steps) {
  volatile uint64_t sink = 1;
  uint64_t value = sink;
  for (uint64_t i = 0; i < steps; ++i)
    value = value * 6364136223846793005 + 1442695040888963407;
  sink = value;
  return value;
}

static double secondsFor(uint64_t steps) {
  auto begin = std::chrono::steady_clock::now();
  (void)workFor(steps);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

static long countPreemptions() {
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

/// The times of equal work of about a millisecond each.
static std::vector<double> timeEqualWork(long &preemptions) {
  constexpr double sliceSeconds = 1e-3;
  constexpr int numSlices = 1000;
  uint64_t steps = 1000;
  while (secondsFor(steps) < sliceSeconds)
    steps *= 2;
  preemptions = -countPreemptions();
  std::vector<double> times;
  for (int i = 0; i < numSlices; ++i)
    times.push_back(secondsFor(steps));
  preemptions += countPreemptions();
  return times;
}

Finding tool::examineNoise(int measured) {
  std::vector<double> times;
  long preemptions = 0;
  bool isPinned = false;
  // The affinity of this thread stays as it is.
  std::thread([&] {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(measured, &cpus);
    isPinned = sched_setaffinity(0, sizeof cpus, &cpus) == 0;
    times = timeEqualWork(preemptions);
  }).join();
  std::ranges::sort(times);
  auto at = [&](double share) {
    return times[static_cast<size_t>(share *
                                     static_cast<double>(times.size() - 1))];
  };
  double median = at(0.5), spread = (at(0.75) - at(0.25)) / 2 / median;
  std::ostringstream text;
  text << "equal work takes " << report::formatTime(median * 1e9) << " +-"
       << report::formatNumber(100 * spread) << " %, the slowest of "
       << times.size() << " " << std::llround(100 * (times.back() / median - 1))
       << " % more; preempted " << preemptions << " times";
  // A tuner's differences are a few percent, and it takes medians.
  constexpr double steady = 0.01;
  constexpr long mostPreemptions = 20;
  if (isPinned && spread <= steady && preemptions <= mostPreemptions)
    return {Level::Good, "noise", text.str()};
  return {Level::Warning, "noise", text.str(),
          "stop other programs, or measure on another CPU (--cpu); small "
          "differences of schedules won't be distinguishable here"};
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// The file of a program in the PATH, or in one of `folders`; empty if there is
/// none.
static std::string findProgram(const std::string &name,
                               const std::vector<std::string> &folders) {
  const char *path = std::getenv("PATH");
  std::istringstream all(path ? path : "");
  std::vector<std::string> places;
  for (std::string folder; std::getline(all, folder, ':');)
    places.push_back(folder);
  places.insert(places.end(), folders.begin(), folders.end());
  for (const std::string &folder : places) {
    std::string file = folder + "/" + name;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0)
      return file;
  }
  return {};
}

std::vector<Finding> tool::examinePrograms() {
  const char *cuda = std::getenv("CUDA_HOME");
  struct Program {
    const char *name, *folder, *use, *remedy;
  };
  std::error_code unknown;
  const std::string own =
      std::filesystem::read_symlink("/proc/self/exe", unknown)
          .parent_path()
          .string();
  const std::string cudaFolder =
      std::string(cuda ? cuda : "/usr/local/cuda") + "/bin";
  std::vector<Finding> found;
  for (const Program &program :
       {Program{"baco-tune-driver", own.c_str(), "tunes MLIR",
                "put baco's folder of programs in the PATH"},
        Program{"mlir-translate-22", "/usr/lib/llvm-22/bin",
                "compiles tuned modules", "apt-get install mlir-22-tools"},
        Program{"clang-22", "/usr/lib/llvm-22/bin", "compiles tuned modules",
                "apt-get install clang-22"},
        Program{"ptxas", cudaFolder.c_str(),
                "gives static costs of GPU kernels their registers",
                "install CUDA's compiler, or do without --ptxas"}}) {
    std::string file = findProgram(program.name, {program.folder});
    if (!file.empty())
      found.push_back({Level::Good, program.name, file});
    else
      found.push_back({Level::Note, program.name,
                       std::string("isn't there; it ") + program.use,
                       program.remedy});
  }
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  found.push_back(driver ? Finding{Level::Good, "GPU driver", "libcuda.so.1"}
                         : Finding{Level::Note, "GPU driver",
                                   "none: kernels for GPUs are tuned by a "
                                   "model's cost (--target=nvvm:sm_90)"});
  if (driver)
    dlclose(driver);
  return found;
}
