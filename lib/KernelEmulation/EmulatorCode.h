//===- EmulatorCode.h - Kernels in LLVM IR for the emulator -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the module that goes to the back end for PTX, replaces operations that
// only a GPU has by calls of the emulator, and compiles it for this CPU.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_KERNELEMULATION_EMULATORCODE_H
#define BACO_LIB_KERNELEMULATION_EMULATORCODE_H

#include "baco/GpuEmulator/Emulator.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace baco::target {

/// The contents of a module for the emulator.
struct EmulatorContents {
  struct Kernel {
    std::string name;
    /// The function that calls the kernel with the values that the elements of
    /// an array point to.
    std::string entry;
    unsigned numArguments;
  };
  std::vector<Kernel> kernels;
  /// Names of variables in global and constant memory, and their sizes.
  std::vector<std::pair<std::string, size_t>> variables;
};

/// Makes `module`, whose triple is that of PTX, one that calls `emulator`,
/// which it describes to it. Fails with a line that names the kernel and the
/// operation that the emulator doesn't support.
llvm::Expected<EmulatorContents>
instrumentForEmulator(llvm::Module &module, runtime::Emulator &emulator);

/// Replaces `call`, of an intrinsic of NVPTX, by code that calls the emulator;
/// `place` is its place for messages. False if the emulator doesn't have the
/// intrinsic. `granule` becomes one that divides the accesses of the call.
bool replaceIntrinsic(llvm::CallInst &call, llvm::Constant *emulator,
                      unsigned place, size_t &granule);

/// Calls the emulator's operation `name`.
llvm::CallInst *callEmulator(llvm::IRBuilderBase &builder, llvm::StringRef name,
                             llvm::Type *result,
                             llvm::ArrayRef<llvm::Value *> arguments);

/// Kernels that can be launched.
class EmulatorCode {
public:
  /// `bitcode` is a module that gpu-module-to-binary has made.
  static llvm::Expected<std::unique_ptr<EmulatorCode>>
  create(llvm::StringRef bitcode);
  ~EmulatorCode();

  /// Launches a kernel: `arguments` points to each argument. Fails if there is
  /// no such kernel, or it has another number of arguments.
  llvm::Error launch(llvm::StringRef kernel, const runtime::LaunchSizes &launch,
                     llvm::ArrayRef<void *> arguments,
                     llvm::ArrayRef<runtime::EmulatedBuffer> buffers,
                     const runtime::EmulatedOrder &order);
  runtime::Emulator &emulator() { return machine; }

private:
  EmulatorCode();
  struct Linked;
  struct Entry {
    void (*address)(void **);
    unsigned numArguments;
  };
  runtime::Emulator machine;
  llvm::StringMap<Entry> entries;
  std::vector<runtime::EmulatedBuffer> variables;
  std::unique_ptr<Linked> linked;
};

} // namespace baco::target

#endif // BACO_LIB_KERNELEMULATION_EMULATORCODE_H
