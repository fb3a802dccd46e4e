//===- EmulatorHost.h - Functions whose kernels are emulated ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of which each launch goes to the emulator.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_KERNELEMULATION_EMULATORHOST_H
#define BACO_LIB_KERNELEMULATION_EMULATORHOST_H

#include "EmulatorCode.h"

#include "baco/Target/KernelHost.h"

namespace baco::target {

class EmulatedFunction final : public KernelHost {
public:
  /// See KernelHost::compile.
  static mlir::FailureOr<std::unique_ptr<EmulatedFunction>>
  create(mlir::func::FuncOp function);

  /// Calls it, and must run no kernel at the same time. An error is the first
  /// that a launch had; later ones are left out then.
  llvm::Error run(void **arguments, const runtime::EmulatedOrder &order);

protected:
  llvm::Error addCode(llvm::StringRef bitcode) override;
  void run(const Launch &launch, const runtime::LaunchSizes &sizes,
           llvm::ArrayRef<Passed> passed) override;

private:
  EmulatedFunction() : KernelHost("baco-emulate-kernels") {}

  std::vector<std::unique_ptr<EmulatorCode>> code;
  runtime::EmulatedOrder order;
  std::string firstFailure;
};

} // namespace baco::target

#endif // BACO_LIB_KERNELEMULATION_EMULATORHOST_H
