//===- PtxText.h - PTX of kernels in LLVM IR -------------------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One lowering gives the LLVM IR for the static cost and for the emulator; its
// PTX is made here, and is the same as that of `baco-lower-to-nvvm`.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_NVVM_PTXTEXT_H
#define BACO_TARGET_NVVM_PTXTEXT_H

#include "baco/Device/Ptxas.h"
#include "baco/Target/DeviceHost.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace baco::target {

/// The text for `module`, which is optimized and isn't changed.
llvm::Expected<std::string> writePtx(const llvm::Module &module,
                                     mlir::NVVM::NVVMTargetAttr target);

/// An assembler, and what it assembles for.
struct KernelAssembler {
  runtime::PtxAssembler &ptxas;
  mlir::NVVM::NVVMTargetAttr target;

  /// The kernels of `module`. The error, of one line, is ptxas' own.
  llvm::Expected<runtime::Assembly> assemble(const llvm::Module &module) const;
};

/// Makes PTX for `target` of LLVM IR, or what `ptxas`, which may be null and
/// must outlive it, makes of that.
DeviceImageMaker ptxImages(mlir::NVVM::NVVMTargetAttr target,
                           runtime::PtxAssembler *ptxas);

} // namespace baco::target

#endif // BACO_TARGET_NVVM_PTXTEXT_H
