//===- Emulator.h - Kernels of GPUs on a CPU --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a kernel with one fiber per thread of a block, one block after another,
// to see whether it is right: accesses out of bounds, races, and barriers that
// not all threads reach are found in any order of threads. How long that takes
// says nothing about a GPU.
//
// Kernels reach memory, barriers and their warps by the operations below. See
// docs/Gpu.md for what is modeled.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_GPUEMULATOR_EMULATOR_H
#define BACO_GPUEMULATOR_EMULATOR_H

#include "baco/Device/CudaDriver.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace baco::runtime {

/// In which order blocks, and the threads of a block between two barriers, run.
struct EmulatedOrder {
  enum Kind { Forward, Reverse, Seeded };
  Kind kind = Forward;
  uint64_t seed = 0;
};

/// "forward", "reverse" or "seed 7".
std::string orderName(const EmulatedOrder &order);

/// Global memory that a kernel may access.
struct EmulatedBuffer {
  /// For messages: "argument 0".
  std::string name;
  std::byte *begin = nullptr;
  size_t bytes = 0;
};

/// A variable in the local memory of a function: its place within that.
struct EmulatedLocal {
  /// For messages: "local memory 'sums'".
  std::string name;
  size_t offset = 0, bytes = 0;
};

/// An error of a kernel or of its launch.
struct EmulatedFailure {
  /// LaunchFailed, DeviceFault, WrongResult (a race), TimedOut or OutOfMemory.
  Status status;
  /// One line.
  std::string message;
};

/// The kind of an access to one or more bytes. The order that atomic operations
/// impose isn't modeled.
enum class AccessKind { Read, Write, Atomic };

/// An access of a thread, which an observer gets.
struct EmulatedAccess {
  const std::byte *address;
  size_t bytes, alignment;
  AccessKind kind;
  /// The number of its instruction, as in Emulator::setPlaces.
  unsigned place;
  /// The numbers of the thread in its block, and of the block, x first.
  size_t thread;
  uint32_t block;
};

/// Operations of the threads of a warp on a value each.
enum class WarpOperation {
  /// Orders accesses to memory, and yields nothing.
  Synchronize,
  /// On values that are 0 or 1.
  All,
  Any,
  Uniform,
  Ballot,
  /// The lanes with the same value.
  MatchAny,
  Add,
  UnsignedMin,
  UnsignedMax,
  SignedMin,
  SignedMax,
  And,
  Or,
  Xor
};

enum class ShuffleMode { Up, Down, Butterfly, Index };

/// The reduction that a barrier computes over the threads of a block.
enum class BarrierReduction { None, Count, And, Or };

/// Elements of the operands of a product on tensor cores.
enum class MatrixElement { F16, BF16, TF32, F64, S8, U8 };

/// D = A B + C, where A is `rows` x `depth`, and B has 8 columns.
struct MatrixProduct {
  MatrixElement element = MatrixElement::TF32;
  unsigned rows = 16, depth = 8;
  /// Whether C and D are f16. Else they are f32, f64 for f64, or i32 for
  /// integers.
  bool isHalf = false;
  /// The elements of B if they aren't those of A: S8 or U8.
  std::optional<MatrixElement> right = std::nullopt;

  MatrixElement rightElement() const { return right.value_or(element); }
  /// Words of 32 bits that each lane has of A, B and C.
  std::array<unsigned, 3> words() const;
};

/// Registers of a thread that kernels read.
enum class SpecialRegister {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockX,
  BlockY,
  BlockZ,
  ThreadsX,
  ThreadsY,
  ThreadsZ,
  BlocksX,
  BlocksY,
  BlocksZ,
  Lane,
  Warp,
  Warps
};

/// Not thread safe.
class Emulator {
public:
  /// The most shared memory that a block of any GPU has.
  static constexpr size_t sharedLimit = 227 * 1024;

  Emulator();
  ~Emulator();
  Emulator(const Emulator &) = delete;

  // Properties of a kernel: set before it is launched.

  /// Removes all variables and places.
  void reset();
  /// A power of two that divides addresses and sizes of all accesses.
  void setGranule(size_t bytes);
  /// Adds a variable of the block in shared memory and returns its address,
  /// which stays valid until `reset`. `alignment` is a power of two up to 1024.
  /// Null if the variables have more than nvidia::maxStaticShared bytes.
  std::byte *addShared(const std::string &name, size_t bytes, size_t alignment);
  /// Adds the local memory of a function; the number that `enter` takes.
  /// Variables don't overlap.
  unsigned addFrame(std::vector<EmulatedLocal> variables);
  /// The beginning of dynamic shared memory; a launch gives its size.
  std::byte *dynamicShared() const;
  /// Sets the source locations that operations below refer to by index as
  /// `place`: "file.mlir:7:3", or empty if unknown.
  void setPlaces(std::vector<std::string> places);
  /// Stops kernels that end more than `steps` loop iterations.
  void setStepLimit(uint64_t steps);
  /// `observer` is called before each access is checked: of ldmatrix with the
  /// rows whose addresses lanes have, of cp.async with either side.
  void setObserver(std::function<void(const EmulatedAccess &)> observer);
  /// Whether races, and reads of memory that nobody has written, are errors, as
  /// they are at first. Else kernels get what they find, as on a GPU.
  void setFindsRaces(bool findsRaces);

  /// Runs `body` once for each thread. Memory other than `buffers` must not be
  /// accessed; buffers that overlap are the same memory. Nullopt if nothing is
  /// wrong.
  std::optional<EmulatedFailure> launch(const std::string &kernel,
                                        const std::function<void()> &body,
                                        const LaunchSizes &launch,
                                        std::span<const EmulatedBuffer> buffers,
                                        const EmulatedOrder &order);

  // Operations of a thread, called within `body` only. They don't return after
  // an error.

  unsigned specialRegister(SpecialRegister which) const;
  /// Checks and records an access of `bytes` at an address, a multiple of
  /// `alignment`; the caller performs it.
  void access(const void *address, size_t bytes, AccessKind kind,
              size_t alignment, unsigned place);
  /// Waits for all threads of the block at barrier `id`. `threads` is how many
  /// wait there, or 0 for all. Yields the reduction of all `value`s.
  unsigned barrier(unsigned id, unsigned threads, unsigned place,
                   BarrierReduction reduction = BarrierReduction::None,
                   bool value = false);
  /// Among the lanes of `mask`, of which the caller must be one.
  uint32_t warp(WarpOperation operation, uint32_t mask, uint32_t value,
                unsigned place);
  /// PTX's shfl.sync: the value, and whether it came from another lane's range.
  std::pair<uint32_t, bool> shuffle(ShuffleMode mode, uint32_t mask,
                                    uint32_t value, uint32_t lane,
                                    uint32_t clamp, unsigned place);
  /// PTX's mma.sync of all lanes: `operands` are the words of A, B and C, in
  /// the layout of PTX; `result` gets those of D.
  void multiply(const MatrixProduct &product, const uint32_t *operands,
                uint32_t *result, unsigned place);
  /// PTX's ldmatrix: 1, 2 or 4 matrices of 8 x 8 elements of 16 bits, of which
  /// lane 8 i + j has the address of row j of matrix i.
  void loadMatrices(const void *row, unsigned count, bool isTransposed,
                    uint32_t *result, unsigned place);
  /// PTX's cp.async: copies `bytes`, of which those from `sourceBytes` on are
  /// zeros, between now and the end of its group.
  void copyAsync(void *to, const void *from, size_t bytes, size_t sourceBytes,
                 unsigned place);
  void commitCopies();
  /// Waits until at most so many of the last groups are under way.
  void waitForCopies(unsigned groups);
  /// Waits for all copies, also those that no group has.
  void waitForAllCopies();
  /// Local memory for a call of the function whose frame it is, until `leave`:
  /// its beginning, a multiple of 64.
  std::byte *enter(unsigned frame);
  void leave();
  /// Ends a loop iteration.
  void step();
  /// Fails with a message that begins with a verb.
  [[noreturn]] void fail(Status status, const std::string &what,
                         unsigned place);

private:
  void observe(const void *address, size_t bytes, AccessKind kind,
               size_t alignment, unsigned place);
  void check(const void *address, size_t bytes, AccessKind kind,
             size_t alignment, unsigned place);

  struct State;
  std::unique_ptr<State> state;
};

/// The operations as C functions, by name, for code that is compiled at run
/// time: see lib/GpuEmulator/EmulatorCalls.cpp.
std::vector<std::pair<const char *, void *>> emulatorSymbols();

} // namespace baco::runtime

#endif // BACO_GPUEMULATOR_EMULATOR_H
