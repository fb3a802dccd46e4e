//===- DeviceHost.h - Functions whose kernels run on a device --*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of which each launch is noted, as a program for a device.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_DEVICEHOST_H
#define BACO_TARGET_DEVICEHOST_H

#include "baco/Target/KernelHost.h"

#include "baco/Device/DeviceProgram.h"

namespace baco::target {

/// The device code of a candidate's kernels, which takes long to make: PTX, or
/// machine code. With it, another process compiles the candidate without the
/// back end and the assembler.
struct DeviceCode {
  /// See CandidateCompiler::compile.
  std::string configuration;
  /// Code in the order in which the host function refers to it.
  std::vector<std::string> images;
  /// The kernels' resources, as the assembler reports them.
  std::optional<KernelResources> resources;

  /// As CompiledKernel::object.
  std::string encode() const;
  /// The inverse; nothing if `object` is something else, such as the code of a
  /// function for the CPU.
  static std::optional<DeviceCode> decode(llvm::StringRef object);
};

/// A program for the device, and what it takes, as far as that is known.
struct DeviceImage {
  std::string code;
  std::optional<KernelResources> resources;
};

/// Makes it of an object of a `gpu.binary`.
using DeviceImageMaker =
    std::function<llvm::Expected<DeviceImage>(llvm::StringRef object)>;

class DeviceFunction final : public KernelHost {
public:
  /// See KernelHost::compile. `make` makes kernels of objects of `format`,
  /// unless they are in `known`, if it isn't null. `signature` must stay valid.
  static mlir::FailureOr<std::unique_ptr<DeviceFunction>>
  create(mlir::func::FuncOp function, mlir::gpu::CompilationTarget format,
         const DeviceImageMaker &make, const runtime::Signature &signature,
         const DeviceCode *known = nullptr);

  /// Records the launches of a call with these arguments. Their elements aren't
  /// accessed. Unsupported if it passes memory that isn't all of an argument or
  /// of an allocation.
  Result<runtime::DeviceProgram> record(void **arguments);

  /// Its kernels; without the configuration.
  const DeviceCode &code() const { return made; }

protected:
  llvm::Error addCode(llvm::StringRef object) override;
  void run(const Launch &launch, const runtime::LaunchSizes &sizes,
           llvm::ArrayRef<Passed> passed) override;

private:
  DeviceFunction(mlir::gpu::CompilationTarget format,
                 const runtime::Signature &signature)
      : KernelHost("kernels for a GPU", format), signature(signature) {}
  runtime::DeviceOperand place(const Operand &operand, const Passed &passed);

  /// Only while the function is created.
  const DeviceImageMaker *make = nullptr;
  const DeviceCode *known = nullptr;
  const runtime::Signature &signature;
  DeviceCode made;
  /// The arguments of the recorded call.
  void **arguments = nullptr;
  runtime::DeviceProgram program;
  std::vector<const std::byte *> temporaries;
};

} // namespace baco::target

#endif // BACO_TARGET_DEVICEHOST_H
