//===- Limits.cpp - How fast a GPU can be ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "Matmul.h"

#include "baco/Support/NvidiaGpu.h"

#include <algorithm>
#include <dlfcn.h>
#include <functional>
#include <random>

using namespace baco;
using namespace baco::bench;
using namespace baco::runtime;

namespace {
/// cuBLAS' functions and numbers, whose ABI doesn't change from 11 on.
class Cublas {
public:
  enum Kind { F32, TF32, F16 };

  /// Nullopt if there is no library, with the reason.
  static std::optional<Cublas> open(const CudaDevice &device,
                                    const std::string &file, std::string &why) {
    std::vector<std::string> names = {file};
    if (file.empty())
      names = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"};
    Cublas cublas;
    void *library = nullptr;
    for (const std::string &name : names)
      if (!library)
        library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      why = dlerror();
      return std::nullopt;
    }
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          dlsym(library, name));
      if (!function)
        why = std::string("it has no ") + name;
      return function != nullptr;
    };
    int (*create)(void **) = nullptr, (*setStream)(void *, void *) = nullptr;
    if (!find(create, "cublasCreate_v2") ||
        !find(setStream, "cublasSetStream_v2") ||
        !find(cublas.multiply, "cublasGemmEx"))
      return std::nullopt;
    int code = create(&cublas.handle);
    if (code == 0)
      code = setStream(cublas.handle, device.queue());
    if (code == 0)
      return cublas;
    why = "it fails with status " + std::to_string(code);
    return std::nullopt;
  }

  /// Queues C += A B for matrices of `size` x `size`, whose rows are
  /// contiguous.
  std::optional<DeviceFailure> enqueue(Kind kind, int size, DeviceAddress a,
                                       DeviceAddress b, DeviceAddress c) const {
    constexpr int asTheyAre = 0, f32 = 0, f16 = 2, computeF32 = 68,
                  computeTF32 = 77, anyAlgorithm = -1;
    const float one = 1;
    int type = kind == F16 ? f16 : f32;
    auto pointer = [](DeviceAddress address) {
      return reinterpret_cast<void *>(address);
    };
    // Its matrices have contiguous columns: C^T += B^T A^T.
    int code = multiply(handle, asTheyAre, asTheyAre, size, size, size, &one,
                        pointer(b), type, size, pointer(a), type, size, &one,
                        pointer(c), f32, size,
                        kind == TF32 ? computeTF32 : computeF32, anyAlgorithm);
    if (code == 0)
      return std::nullopt;
    return DeviceFailure{Status::LaunchFailed,
                         "cublasGemmEx: status " + std::to_string(code)};
  }

private:
  void *handle = nullptr;
  int (*multiply)(void *, int, int, int, int, int, const void *, const void *,
                  int, int, const void *, int, int, const void *, void *, int,
                  int, int, int) = nullptr;
};

/// Measures one device.
class Limits {
public:
  Limits(CudaDevice &device, const LimitOptions &options, std::ostream &out)
      : device(device), options(options), out(out) {}

  std::optional<DeviceFailure> write() {
    out << "limit,value,unit\n";
    writePeaks();
    if (auto failure = writeCopy())
      return failure;
    std::string why;
    std::optional<Cublas> cublas = Cublas::open(device, options.cublas, why);
    if (!cublas) {
      out << "# no cuBLAS: " << why << '\n';
      return std::nullopt;
    }
    if (auto failure = writeProduct(*cublas, Cublas::F32, options.size, "f32"))
      return failure;
    if (auto failure =
            writeProduct(*cublas, Cublas::TF32, options.tensorSize, "tf32"))
      return failure;
    return writeProduct(*cublas, Cublas::F16, options.tensorSize, "f16");
  }

private:
  using Failure = std::optional<DeviceFailure>;

  void row(const std::string &limit, double value, const char *unit) {
    out << limit << ',' << value << ',' << unit << '\n';
  }

  /// From the chip, and the device's multiprocessors and its largest clock.
  void writePeaks() {
    const CudaDeviceFacts &facts = device.facts();
    const NvidiaGpu *chip =
        findNvidiaGpu("sm_" + std::to_string(facts.capabilityMajor) +
                      std::to_string(facts.capabilityMinor));
    if (!chip) {
      out << "# the rates of this chip aren't known\n";
      return;
    }
    // Multiply-adds in a cycle of all multiprocessors.
    auto peak = [&](int64_t perCycle) {
      return 2e-9 * static_cast<double>(perCycle) * facts.multiprocessors *
             facts.clockKHz;
    };
    row("peak-f32", peak(chip->f32PerCycle), "TFLOP/s");
    // Operands of tf32 have twice as many bits as those of f16.
    row("peak-tf32", peak(chip->matrixPerCycle) / 2, "TFLOP/s");
    row("peak-f16", peak(chip->matrixPerCycle), "TFLOP/s");
  }

  /// The median time of `call` in batches of about 2 ms.
  Failure time(const std::function<Failure()> &call, double &milliseconds) {
    auto elapsed = [&](int count, float &total) -> Failure {
      if (auto failure = device.startTiming())
        return failure;
      for (int i = 0; i < count; ++i)
        if (auto failure = call())
          return failure;
      return device.stopTiming(total);
    };
    float once = 0;
    for (int i = 0; i < 3; ++i)
      if (auto failure = elapsed(1, once))
        return failure;
    constexpr float batchMilliseconds = 2, maxCalls = 100;
    auto count =
        static_cast<int>(std::clamp(batchMilliseconds / once, 1.0F, maxCalls));
    std::vector<double> times;
    for (int i = 0; i < options.repeats; ++i) {
      float total = 0;
      if (auto failure = elapsed(count, total))
        return failure;
      times.push_back(total / count);
    }
    std::sort(times.begin(), times.end());
    milliseconds = times[times.size() / 2];
    return std::nullopt;
  }

  /// Copies more than any L2 cache has.
  Failure writeCopy() {
    constexpr size_t bytes = 256 << 20;
    DeviceAddress from = 0, to = 0;
    for (DeviceAddress *address : {&from, &to})
      if (auto failure = device.allocate(bytes, *address))
        return failure;
    if (auto failure = device.fill(from, 1, bytes))
      return failure;
    double milliseconds = 0;
    if (auto failure =
            time([&] { return device.copy(to, from, bytes); }, milliseconds))
      return failure;
    row("copy", 2e-6 * static_cast<double>(bytes) / milliseconds, "GB/s");
    device.free(from);
    device.free(to);
    return std::nullopt;
  }

  /// Small numbers of f16 or f32 with drawn digits.
  Failure draw(DeviceAddress to, size_t count, bool isHalf) {
    std::mt19937 random(1);
    std::vector<uint16_t> halves;
    std::vector<float> floats;
    for (size_t i = 0; i < count; ++i) {
      auto word = static_cast<uint16_t>(random());
      // From 1/8 to 1/4, and their negatives.
      if (isHalf)
        halves.push_back((word & 0x83ff) | 0x3000);
      else
        floats.push_back(static_cast<float>(word) / 65536 - 0.5F);
    }
    return isHalf ? device.write(to, halves.data(), 2 * count)
                  : device.write(to, floats.data(), 4 * count);
  }

  Failure writeProduct(const Cublas &cublas, Cublas::Kind kind, int size,
                       const std::string &name) {
    auto count = static_cast<size_t>(size) * size;
    bool isHalf = kind == Cublas::F16;
    DeviceAddress operands[3] = {};
    for (int i = 0; i < 3; ++i) {
      if (auto failure = device.allocate(4 * count, operands[i]))
        return failure;
      if (auto failure = draw(operands[i], count, isHalf && i < 2))
        return failure;
    }
    if (kind == Cublas::F32) {
      Matmul matmul(size);
      int wrongRow = -1;
      if (auto failure = matmul.allocate(device))
        return failure;
      if (auto failure = matmul.fill(device, /*seed=*/1))
        return failure;
      const std::vector<DeviceAddress> &at = matmul.addresses();
      if (auto failure = cublas.enqueue(kind, size, at[0], at[1], at[2]))
        return failure;
      if (auto failure = device.synchronize())
        return failure;
      if (auto failure = matmul.check(device, wrongRow))
        return failure;
      if (wrongRow >= 0)
        return DeviceFailure{Status::WrongResult,
                             "cuBLAS' product is wrong in row " +
                                 std::to_string(wrongRow)};
    }
    double milliseconds = 0;
    auto call = [&] {
      return cublas.enqueue(kind, size, operands[0], operands[1], operands[2]);
    };
    if (auto failure = time(call, milliseconds))
      return failure;
    row("cublas-" + name, milliseconds, "ms");
    for (DeviceAddress operand : operands)
      device.free(operand);
    return std::nullopt;
  }

  CudaDevice &device;
  const LimitOptions &options;
  std::ostream &out;
};
} // namespace

Result<void> bench::writeLimits(CudaDevice &device, const LimitOptions &options,
                                std::ostream &out) {
  if (auto failure = Limits(device, options, out).write())
    return {ErrorCode::IOError, failure->message};
  return {};
}
