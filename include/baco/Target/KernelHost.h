//===- KernelHost.h - Functions that launch kernels -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's side: a function, compiled for this CPU, in which each launch is a
// call of KernelHost. The emulator runs kernels there; for a device, launches
// are recorded.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_KERNELHOST_H
#define BACO_TARGET_KERNELHOST_H

#include "baco/Device/CudaDriver.h"
#include "baco/Protocol/Candidate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/Error.h"

namespace baco::target {

/// A copy of `module` without what schedules it.
mlir::OwningOpRef<mlir::ModuleOp> cloneWithoutSchedules(mlir::ModuleOp module);

/// A function with kernels of which a lowering has kept the LLVM IR, or a text.
/// Its address must not change. Not thread safe.
class KernelHost {
public:
  virtual ~KernelHost();
  KernelHost(const KernelHost &) = delete;
  KernelHost &operator=(const KernelHost &) = delete;

protected:
  /// `who` begins messages. `format`: of the objects that are taken.
  explicit KernelHost(std::string who,
                      mlir::gpu::CompilationTarget format =
                          mlir::gpu::CompilationTarget::Offload)
      : who(std::move(who)), format(format) {}

  /// An operand of a launch, as far as its types tell.
  struct Operand {
    /// For messages.
    std::string name;
    /// Bytes of the whole buffer; 0 for a scalar.
    size_t bytes;
  };
  struct Launch {
    /// Index in the order of the calls of addCode.
    size_t binary;
    std::string kernel;
    std::vector<Operand> operands;
  };
  /// The value of an operand at run time: an address, and the address of the
  /// buffer around it; or a scalar's bits, and null.
  struct Passed {
    int64_t word;
    std::byte *buffer;
  };

  /// Compiles `function`, which isn't changed. Failures are diagnostics.
  llvm::LogicalResult compile(mlir::func::FuncOp function);
  /// Calls it, see runtime::CompiledKernel::entry.
  void call(void **arguments) { host.entry(arguments); }

  /// Takes the object of a binary.
  virtual llvm::Error addCode(llvm::StringRef object) = 0;
  /// Is called for each launch, in the order of the calls.
  virtual void run(const Launch &launch, const runtime::LaunchSizes &sizes,
                   llvm::ArrayRef<Passed> passed) = 0;

private:
  llvm::LogicalResult takeBinary(mlir::gpu::BinaryOp binary);
  llvm::LogicalResult replaceLaunch(mlir::gpu::LaunchFuncOp launch,
                                    mlir::func::FuncOp function);
  /// Called by compiled code. `words`: grid, block and dynamic shared memory,
  /// then the members of Passed for each operand.
  static void onLaunch(KernelHost *self, int64_t number, const int64_t *words);

  std::string who;
  mlir::gpu::CompilationTarget format;
  std::vector<std::string> binaries;
  std::vector<Launch> launches;
  runtime::CompiledKernel host;
};

} // namespace baco::target

#endif // BACO_TARGET_KERNELHOST_H
