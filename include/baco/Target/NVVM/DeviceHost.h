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

#ifndef BACO_TARGET_NVVM_DEVICEHOST_H
#define BACO_TARGET_NVVM_DEVICEHOST_H

#include "baco/Target/KernelHost.h"
#include "baco/Target/NVVM/PtxText.h"

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

class DeviceFunction final : public KernelHost {
public:
  /// See KernelHost::compile. Kernels are PTX for `target`, or what `ptxas`,
  /// which may be null, makes of that; or they are in `known`, if it isn't
  /// null. `signature` must stay valid.
  static mlir::FailureOr<std::unique_ptr<DeviceFunction>>
  create(mlir::func::FuncOp function, mlir::NVVM::NVVMTargetAttr target,
         runtime::PtxAssembler *ptxas, const runtime::Signature &signature,
         const DeviceCode *known = nullptr);

  /// Records the launches of a call with these arguments. Their elements aren't
  /// accessed. Unsupported if it passes memory that isn't all of an argument or
  /// of an allocation.
  Result<runtime::DeviceProgram> record(void **arguments);

  /// Its kernels; without the configuration.
  const DeviceCode &code() const { return made; }

protected:
  llvm::Error addCode(llvm::StringRef bitcode) override;
  void run(const Launch &launch, const runtime::CudaLaunch &sizes,
           llvm::ArrayRef<Passed> passed) override;

private:
  DeviceFunction(mlir::NVVM::NVVMTargetAttr target,
                 runtime::PtxAssembler *ptxas,
                 const runtime::Signature &signature)
      : KernelHost("kernels for a GPU"), target(target), ptxas(ptxas),
        signature(signature) {}
  runtime::DeviceOperand place(const Operand &operand, const Passed &passed);

  mlir::NVVM::NVVMTargetAttr target;
  /// Only while the function is created.
  runtime::PtxAssembler *ptxas;
  const DeviceCode *known = nullptr;
  const runtime::Signature &signature;
  DeviceCode made;
  /// The arguments of the recorded call.
  void **arguments = nullptr;
  runtime::DeviceProgram program;
  std::vector<const std::byte *> temporaries;
};

} // namespace baco::target

#endif // BACO_TARGET_NVVM_DEVICEHOST_H
