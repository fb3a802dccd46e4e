//===- DeviceLink.h - Between candidates and the device ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Requests of a candidate's process to the process that has the device, over a
// socket, and data in memory that both have. Only the candidate that holds the
// timing lease asks.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_DEVICELINK_H
#define BACO_DEVICE_DEVICELINK_H

#include "baco/Device/CudaDriver.h"
#include "baco/Device/DeviceProgram.h"
#include "baco/Protocol/Candidate.h"

#include <optional>

namespace baco::runtime {

/// A request, as a packet. Requests with the number 0 get no answer.
struct DeviceRequest {
  enum Kind : uint32_t {
    /// The program in the block becomes the client's.
    Load,
    /// The arguments in the block go to the device: all, or the outputs only.
    Upload,
    /// A few bytes of an argument do.
    Poke,
    /// Runs the client's program `count` times, between two events.
    /// `isFlushed`: with an L2 cache that has no argument at first.
    Execute,
    /// The outputs come back; then the bytes around all arguments, and those
    /// that are only read, are compared with what they were.
    Download,
    /// The client is gone.
    Forget
  };
  Kind kind = Load;
  uint64_t client = 0, number = 0;
  /// For Load: the bytes of the program; for Execute: how often.
  uint64_t count = 0;
  /// For Upload and Download.
  bool outputsOnly = false;
  /// For Execute.
  bool isFlushed = false;
  /// For Poke: where, and up to eight bytes.
  uint32_t argument = 0, size = 0;
  uint64_t offset = 0, bits = 0;
};

/// An answer; the block says how it went.
struct DeviceAnswer {
  uint64_t client = 0, number = 0;
};

/// The beginning of the block.
struct DeviceState {
  /// How the last request went; the message is one line.
  uint32_t hasFailed;
  Status status;
  char message[1000];
  /// The device works no more in that process.
  uint32_t isBroken;
  /// Counts the processes that have had the device: programs are lost with
  /// each.
  uint32_t generation;
  /// After Load.
  KernelResources resources;
  /// After Execute: of all executions.
  double elapsedNs;
  /// After Download: 1 + the first argument around which something was written,
  /// and that was changed, but may only be read.
  int32_t damagedArgument, changedArgument;
  /// When the device has been opened.
  int32_t capabilityMajor, capabilityMinor;
  /// Name, UUID and driver, as one line.
  char device[400];
  char uuid[64];
};

/// Offsets in the shared block.
class DeviceLayout {
public:
  explicit DeviceLayout(const Signature &signature);

  /// Larger programs are refused.
  static constexpr size_t maxProgramBytes = 16 << 20;

  size_t byteSize() const { return bytes; }
  static size_t programOffset();
  /// The offset of the i-th argument, which is a memref.
  size_t argumentOffset(size_t i) const { return offsets[i]; }

private:
  std::vector<size_t> offsets;
  size_t bytes = 0;
};

/// A candidate's end.
class DeviceClient {
public:
  /// \param socket, block  of DeviceProcess
  DeviceClient(const Signature &signature, int socket, std::byte *block);

  /// Each returns what failed, or nothing. `pointers` are those of
  /// CompiledKernel::entry. A program that is loaded isn't loaded again.
  std::optional<DeviceFailure> load(const DeviceProgram &program);
  std::optional<DeviceFailure> upload(void **pointers, bool outputsOnly);
  /// Element `at` of an argument of `pointers` has changed here.
  std::optional<DeviceFailure> poke(void **pointers, std::span<std::byte> at);
  /// `elapsedNs`: of all `count` executions. `isFlushed`: the first one finds
  /// no argument in the L2 cache.
  std::optional<DeviceFailure> execute(uint64_t count, double &elapsedNs,
                                       bool isFlushed = false);
  std::optional<DeviceFailure> download(void **pointers);

  const DeviceState &state() const;

private:
  std::optional<DeviceFailure> ask(DeviceRequest request);

  const Signature &signature;
  DeviceLayout layout;
  int socket;
  std::byte *block;
  uint64_t client, number = 0;
  /// The program that was loaded last, and the generation of the process that
  /// loaded it.
  std::string loaded;
  uint32_t generation = 0;
};

} // namespace baco::runtime

#endif // BACO_DEVICE_DEVICELINK_H
