//===- PtxModule.h - Code for GPUs that a CPU can run -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX as LLVM's back end writes it (NVIDIA, "Parallel Thread Execution ISA"),
// instruction by instruction on baco's emulator. What a kernel computes so
// follows from the text that the driver gets, and from nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_FAKECUDA_PTXMODULE_H
#define BACO_UNITTESTS_FAKECUDA_PTXMODULE_H

#include "baco/GpuEmulator/Emulator.h"
#include "baco/Support/Result.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace baco::fake {

struct PtxType {
  enum Kind { Bits, Unsigned, Signed, Float, Brain, Tensor, Predicate };
  Kind kind = Bits;
  /// Of an element.
  unsigned bits = 32;
  /// Whether a register has two elements.
  bool isPair = false;
  unsigned registerBits() const { return isPair ? 2 * bits : bits; }
};

/// A register, what a thread reads of itself, local memory, or a constant.
struct PtxValue {
  enum Kind { Register, Special, Local, Constant };
  Kind kind = Constant;
  /// Of a predicate: whether it is to be false.
  bool isNegated = false;
  /// The register's number, a SpecialRegister, an offset in local memory or the
  /// constant.
  uint64_t bits = 0;
};

struct PtxOperand {
  /// Several in braces, and a second result behind `|`.
  std::vector<PtxValue> parts;
  /// Of an address: added to the only part.
  uint64_t offset = 0;
};

struct PtxThread;

struct PtxInstruction {
  unsigned line = 0;
  std::optional<PtxValue> guard;
  /// The opcode's parts; `types` are those that are types.
  std::vector<std::string> words;
  std::vector<PtxType> types;
  std::vector<PtxOperand> operands;
  /// The instruction that a branch goes to.
  size_t target = 0;
  enum Space { Other, Global, Parameter };
  /// Of the memory that it accesses.
  Space space = Other;
  /// Whether its result is limited: `sat` or `relu`.
  bool isLimited = false;
  void (*run)(PtxThread &, const PtxInstruction &) = nullptr;

  bool has(const char *word) const {
    return std::find(words.begin(), words.end(), word) != words.end();
  }
  PtxType type() const { return types.empty() ? PtxType{} : types.back(); }
};

/// Sees accesses to global memory that a kernel makes.
class PtxObserver {
public:
  virtual ~PtxObserver() = default;
  virtual void access(const std::byte *address, size_t bytes, bool isWrite) = 0;
};

struct PtxKernel {
  std::string name;
  /// Bytes of each parameter, and where it is in their block.
  std::vector<std::pair<size_t, size_t>> parameters;
  size_t parameterBytes = 0;
  std::vector<PtxInstruction> code;
  size_t numRegisters = 0;
  size_t localBytes = 0, sharedBytes = 0;
  /// Of a block, as the code says; 0: it doesn't say.
  unsigned maxThreads = 0;
  /// Has the kernel's shared memory.
  std::unique_ptr<runtime::Emulator> emulator;

  /// Runs all threads on memory `buffers`; races are not looked for. Launches
  /// with equal numbers run threads in the same order.
  std::optional<runtime::EmulatedFailure>
  launch(const runtime::LaunchSizes &launch, const std::byte *arguments,
         std::span<const runtime::EmulatedBuffer> buffers, uint64_t number,
         PtxObserver *observer) const;
};

struct PtxModule {
  std::map<std::string, PtxKernel> kernels;
  /// Variables in global and constant memory.
  std::vector<std::pair<std::string, std::vector<std::byte>>> variables;
};

/// A thread that runs.
struct PtxThread {
  const PtxKernel &kernel;
  runtime::Emulator &emulator;
  uint64_t *registers;
  const std::byte *arguments;
  std::byte *local;
  PtxObserver *observer;
  /// The next instruction.
  size_t next = 0;

  uint64_t read(const PtxValue &value) const;
  /// Part `part` of operand `operand`.
  uint64_t read(const PtxInstruction &instruction, size_t operand,
                size_t part = 0) const;
  void write(const PtxInstruction &instruction, uint64_t bits,
             size_t operand = 0, size_t part = 0);
  std::byte *address(const PtxInstruction &instruction, size_t operand) const;
  /// For messages of the emulator.
  unsigned placeOf(const PtxInstruction &instruction) const {
    return static_cast<unsigned>(&instruction - kernel.code.data());
  }
};

using PtxHandler = void (*)(PtxThread &, const PtxInstruction &);

/// Reads a module. An error says in one line what isn't PTX, or which
/// instruction isn't known, as ptxas does.
Result<std::unique_ptr<PtxModule>> parsePtx(const std::string &text);

/// What an instruction does, by its opcode; null if it isn't known.
PtxHandler findHandler(const PtxInstruction &instruction);
/// The same for what computes registers from registers, and for what the lanes
/// of a warp do together.
PtxHandler findArithmetic(const PtxInstruction &instruction);
PtxHandler findWarpHandler(const PtxInstruction &instruction);

} // namespace baco::fake

#endif // BACO_UNITTESTS_FAKECUDA_PTXMODULE_H
