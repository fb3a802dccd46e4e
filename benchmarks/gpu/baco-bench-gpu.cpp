//===- baco-bench-gpu.cpp - Measure kernels on an NVIDIA GPU --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the kernels of a list, each checked on several inputs and then timed.
// A child process has the device. It is replaced after a kernel that the
// context doesn't survive, or that takes too long: the others are measured all
// the same.
//
//===----------------------------------------------------------------------===//

#include "KernelList.h"
#include "Limits.h"
#include "Matmul.h"

#include "baco/Support/ExitCode.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <poll.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::bench;
using baco::runtime::CudaDevice;
using baco::runtime::DeviceFailure;

namespace {
struct Options {
  std::string list, driver = "libcuda.so.1";
  bool writesLimits = false;
  LimitOptions limits;
  int device = 0, size = 1024, inputs = 3, repeats = 21, timeoutSeconds = 30;
};

const char *const usage =
    R"(usage: baco-bench-gpu LIST [--size=N] [--inputs=N] [--repeats=N]
                      [--timeout=SECONDS] [--device=N] [--driver=FILE]
       baco-bench-gpu --limits [--size=N] [--tensor-size=N] [--repeats=N]
                      [--cublas=FILE] [--device=N] [--driver=FILE]

Measures the kernels of LIST (see KernelList.h), which compute C += A B for
N x N matrices of f32 (1024, at most 4096), on an NVIDIA GPU.
Prints a line of CSV for each: the median of --repeats times (21), least and
largest, in milliseconds; what the driver's compiler says of the kernel; and the
status. A time is that between two events around a graph of as many launches as
take about 2 ms, at most 100, divided by their number. Each result is checked exactly on
--inputs inputs (3) before. A and B are in the L2 cache as the launch before has
left them. A kernel that takes more than --timeout seconds (30) has failed.

With --limits, prints what kernels are compared with: peak rates of the chip at
its largest clock, the bandwidth of a copy of 256 MiB by the driver (bytes that
are read and written), and how long cuBLAS takes for C += A B in f32 (--size),
tf32 and f16 (--tensor-size, 4096), if there is its library.

Exit codes: 0 done, 1 the input is wrong, 2 there is no driver or no GPU.
)";
} // namespace

/// The value of `--name=` in `text`, from 1 (0 for a device) to `most`.
static bool readNumber(const std::string &text, const std::string &name,
                       int least, int most, int &value) {
  if (text.rfind("--" + name + "=", 0) != 0)
    return false;
  const char *begin = text.c_str() + name.size() + 3;
  char *end = nullptr;
  long number = std::strtol(begin, &end, 10);
  if (end == begin || *end || number < least || number > most) {
    std::cerr << "baco-bench-gpu: '--" << name << "' must be a number from "
              << least << " to " << most << ", but it is '" << begin << "'\n";
    std::exit(badInput);
  }
  value = static_cast<int>(number);
  return true;
}

static Options readOptions(int argc, char **argv) {
  Options options;
  auto fail = [](const std::string &message) {
    std::cerr << "baco-bench-gpu: " << message << "; see --help\n";
    std::exit(badInput);
  };
  for (int i = 1; i < argc; ++i) {
    std::string text = argv[i];
    if (text == "--help") {
      std::cout << usage;
      std::exit(allDone);
    }
    if (readNumber(text, "size", 1, 4096, options.size) ||
        readNumber(text, "tensor-size", 1, 16384, options.limits.tensorSize) ||
        readNumber(text, "inputs", 1, 100, options.inputs) ||
        readNumber(text, "repeats", 1, 10000, options.repeats) ||
        readNumber(text, "timeout", 1, 3600, options.timeoutSeconds) ||
        readNumber(text, "device", 0, 1000, options.device))
      continue;
    if (text.rfind("--driver=", 0) == 0)
      options.driver = text.substr(std::strlen("--driver="));
    else if (text.rfind("--cublas=", 0) == 0)
      options.limits.cublas = text.substr(std::strlen("--cublas="));
    else if (text == "--limits")
      options.writesLimits = true;
    else if (text.rfind("--", 0) == 0)
      fail("there is no option '" + text + "'");
    else if (options.list.empty())
      options.list = text;
    else
      fail("there are two lists, '" + options.list + "' and '" + text + "'");
  }
  if (options.writesLimits && !options.list.empty())
    fail("--limits takes no list, but there is '" + options.list + "'");
  if (options.list.empty() && !options.writesLimits)
    fail("no list is given");
  options.limits.size = options.size;
  options.limits.repeats = options.repeats;
  return options;
}

namespace {
/// What became of one kernel.
struct Measured {
  Status status = Status::Lost;
  std::vector<float> milliseconds;
  runtime::DeviceKernelFacts facts;
  std::string message;
  bool isSticky = false;
};
} // namespace

/// Sets `measured` to what `failure` says; whether there is one.
static bool hasFailed(const std::optional<DeviceFailure> &failure,
                      Measured &measured) {
  if (!failure)
    return false;
  measured.status = failure->status;
  measured.message = failure->message;
  measured.isSticky = failure->isSticky;
  return true;
}

static std::string pathOf(const ListedKernel &kernel, const Options &options) {
  return options.list.substr(0, options.list.rfind('/') + 1) + kernel.file;
}

/// How many launches of a kernel that takes `milliseconds` are timed at once:
/// the GPU waits for the first one after the event before it, some
/// microseconds.
static int countLaunches(float milliseconds) {
  constexpr float batchMilliseconds = 2, maxLaunches = 100;
  return static_cast<int>(
      std::clamp(batchMilliseconds / milliseconds, 1.0F, maxLaunches));
}

/// Verifies and times a kernel that is loaded.
static void measure(CudaDevice &device, Matmul &matmul,
                    const ListedKernel &kernel,
                    const runtime::DeviceKernel &loaded, const Options &options,
                    Measured &measured) {
  std::vector<runtime::LaunchOperand> arguments;
  for (int argument : kernel.arguments)
    arguments.push_back({true, matmul.addresses()[argument]});
  auto launch = [&] {
    return device.enqueue(loaded, kernel.launch, arguments);
  };
  for (int input = 0; input < options.inputs; ++input) {
    int wrongRow = -1;
    if (hasFailed(matmul.fill(device, /*seed=*/input + 1), measured) ||
        hasFailed(launch(), measured) ||
        hasFailed(device.synchronize(), measured) ||
        hasFailed(matmul.check(device, wrongRow), measured))
      return;
    if (wrongRow >= 0) {
      measured.status = Status::WrongResult;
      measured.message = "row " + std::to_string(wrongRow) + " of input " +
                         std::to_string(input + 1) + " is wrong";
      return;
    }
  }
  // The time of what `enqueue` enqueues; false if that fails.
  auto time = [&](auto enqueue, float &milliseconds) {
    return !hasFailed(device.startTiming(), measured) &&
           !hasFailed(enqueue(), measured) &&
           !hasFailed(device.stopTiming(milliseconds), measured);
  };
  float milliseconds = 0;
  if (!time(launch, milliseconds))
    return;
  const int count = countLaunches(milliseconds);
  // The host would take longer to launch short kernels than they run.
  runtime::DeviceGraph graph;
  auto launchAll = [&]() -> std::optional<DeviceFailure> {
    for (int i = 0; i < count; ++i)
      if (auto failure = launch())
        return failure;
    return std::nullopt;
  };
  if (hasFailed(device.capture(launchAll, graph), measured))
    return;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    if (!time([&] { return device.enqueue(graph); }, milliseconds))
      return;
    measured.milliseconds.push_back(milliseconds / static_cast<float>(count));
  }
  device.destroy(graph);
  std::sort(measured.milliseconds.begin(), measured.milliseconds.end());
  measured.status = Status::Ok;
}

static Measured measure(CudaDevice &device, Matmul &matmul,
                        const ListedKernel &kernel, const Options &options) {
  Measured measured;
  std::ifstream file(pathOf(kernel, options));
  std::stringstream ptx;
  ptx << file.rdbuf();
  void *module = nullptr;
  if (hasFailed(device.load(ptx.str(), module), measured))
    return measured;
  runtime::DeviceKernel loaded;
  bool isFound =
      !hasFailed(device.find(module, kernel.name,
                             kernel.launch.dynamicSharedBytes, loaded),
                 measured);
  measured.facts = loaded.facts;
  if (isFound)
    measure(device, matmul, kernel, loaded, options, measured);
  device.unload(module);
  return measured;
}

static std::string toRow(const std::string &id, const Measured &measured) {
  std::ostringstream row;
  row << id << ',' << statusName(measured.status) << ',';
  if (const auto &times = measured.milliseconds; !times.empty())
    row << times[times.size() / 2] << ',' << times.front() << ','
        << times.back();
  else
    row << ",,";
  row << ',' << measured.facts.registers << ',' << measured.facts.localBytes
      << ',' << measured.facts.sharedBytes << ',';
  for (char c : measured.message)
    row << (c == ',' || c == '\n' ? ';' : c);
  return row.str();
}

/// The last line of a child that ends by itself.
static constexpr const char *ending = "$";

/// The device, as a comment.
static std::string describe(const runtime::CudaDeviceFacts &facts) {
  std::ostringstream about;
  about << "# " << facts.name << ", sm_" << facts.capabilityMajor
        << facts.capabilityMinor << ", " << facts.multiprocessors
        << " multiprocessors, " << facts.l2Bytes << " bytes of L2, CUDA "
        << facts.driverVersion / 1000 << '.' << facts.driverVersion % 1000 / 10
        << ", clocks at most " << facts.clockKHz / 1000 << " and "
        << facts.memoryClockKHz / 1000 << " MHz";
  return about.str();
}

/// The child: opens the device, and writes a line per kernel to `out`, from
/// kernel `first` on. The first child says what the device is.
[[noreturn]] static void runChild(const Options &options,
                                  const std::vector<ListedKernel> &kernels,
                                  size_t first, FILE *out) {
  auto say = [&](const std::string &line) {
    std::fprintf(out, "%s\n", line.c_str());
    std::fflush(out);
  };
  auto device = CudaDevice::open(options.device, options.driver);
  if (!device) {
    say("!" + device.error().message);
    std::_Exit(badEnvironment);
  }
  Matmul matmul(options.size);
  if (auto failure = matmul.allocate(**device)) {
    say("!" + failure->message);
    std::_Exit(badEnvironment);
  }
  say(describe((*device)->facts()));
  for (size_t i = first; i < kernels.size(); ++i) {
    Measured measured = measure(**device, matmul, kernels[i], options);
    say(toRow(kernels[i].id, measured));
    if (measured.isSticky)
      break;
  }
  say(ending);
  // Without what would use a broken context.
  std::_Exit(allDone);
}

namespace {
/// A child and its lines.
class Child {
public:
  Child(const Options &options, const std::vector<ListedKernel> &kernels,
        size_t first) {
    int ends[2];
    if (pipe(ends) != 0 || (process = fork()) < 0) {
      std::cerr << "baco-bench-gpu: can't start a process: "
                << std::strerror(errno) << '\n';
      std::exit(badEnvironment);
    }
    if (process == 0) {
      close(ends[0]);
      runChild(options, kernels, first, fdopen(ends[1], "w"));
    }
    close(ends[1]);
    descriptor = ends[0];
  }
  ~Child() {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    close(descriptor);
  }

  enum class Next { Line, End, TimeOut };
  Next readLine(std::string &line, int timeoutSeconds) {
    for (;;) {
      if (size_t end = text.find('\n'); end != std::string::npos) {
        line = text.substr(0, end);
        text.erase(0, end + 1);
        return Next::Line;
      }
      pollfd wait = {descriptor, POLLIN, 0};
      if (poll(&wait, 1, timeoutSeconds * 1000) == 0)
        return Next::TimeOut;
      char buffer[4096];
      ssize_t count = read(descriptor, buffer, sizeof(buffer));
      if (count <= 0)
        return Next::End;
      text.append(buffer, count);
    }
  }

private:
  pid_t process = -1;
  int descriptor = -1;
  std::string text;
};
} // namespace

/// Prints what a child says of the kernels from `next` on, which it moves
/// behind the last one that is done. False if there is no device.
static bool follow(const Options &options,
                   const std::vector<ListedKernel> &kernels, size_t &next,
                   bool &hasHeader) {
  Child child(options, kernels, next);
  bool isOpen = false;
  for (;;) {
    std::string line;
    Child::Next got = child.readLine(line, options.timeoutSeconds);
    if (got == Child::Next::Line && line == ending)
      return true;
    if (got == Child::Next::Line && line[0] == '!') {
      std::cerr << "baco-bench-gpu: " << line.substr(1) << '\n';
      return false;
    }
    if (got == Child::Next::Line && line[0] == '#') {
      isOpen = true;
      if (!hasHeader)
        std::cout << line << "\nid,status,milliseconds,least,largest,"
                  << "registers,local_bytes,shared_bytes,message\n";
      hasHeader = true;
      continue;
    }
    if (got == Child::Next::Line) {
      std::cout << line << '\n' << std::flush;
      ++next;
      continue;
    }
    bool isLate = got == Child::Next::TimeOut;
    if (!isOpen) {
      std::cerr << "baco-bench-gpu: the NVIDIA driver "
                << (isLate ? "doesn't answer" : "ends the process")
                << " while it opens the GPU\n";
      return false;
    }
    Measured measured;
    measured.status = isLate ? Status::TimedOut : Status::Crashed;
    measured.message =
        isLate ? "more than " + std::to_string(options.timeoutSeconds) + " s"
               : "the process ended";
    std::cout << toRow(kernels[next++].id, measured) << '\n' << std::flush;
    return true;
  }
}

/// Writes the limits of the device; the exit code.
static int printLimits(const Options &options) {
  auto device = CudaDevice::open(options.device, options.driver);
  if (!device) {
    std::cerr << "baco-bench-gpu: " << device.error().message << '\n';
    return badEnvironment;
  }
  std::cout << describe((*device)->facts()) << '\n';
  if (auto written = writeLimits(**device, options.limits, std::cout);
      !written) {
    std::cerr << "baco-bench-gpu: limits: " << written.error().message << '\n';
    return badEnvironment;
  }
  return allDone;
}

int main(int argc, char **argv) {
  Options options = readOptions(argc, argv);
  if (options.writesLimits)
    return printLimits(options);
  std::ifstream file(options.list);
  auto fail = [](const std::string &message) {
    std::cerr << "baco-bench-gpu: " << message << '\n';
    return badInput;
  };
  if (!file)
    return fail("can't read '" + options.list + "'");
  auto kernels = readKernelList(file, /*numArguments=*/3);
  if (!kernels)
    return fail(options.list + ": " + kernels.error().message);
  for (const ListedKernel &kernel : *kernels)
    if (!std::ifstream(pathOf(kernel, options)))
      return fail("can't read '" + pathOf(kernel, options) + "'");
  bool hasHeader = false;
  for (size_t next = 0; next < kernels->size();)
    if (!follow(options, *kernels, next, hasHeader))
      return badEnvironment;
  return allDone;
}
