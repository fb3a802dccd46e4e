//===- GpuTarget.cpp - The GPU that a module is tuned for -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/GpuTarget.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

NVVM::NVVMTargetAttr baco::findGpuTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto target = op->getAttrOfType<NVVM::NVVMTargetAttr>(kGpuTarget))
      return target;
  return nullptr;
}

const baco::NvidiaGpu *baco::findTargetChip(Operation *op) {
  NVVM::NVVMTargetAttr target = findGpuTarget(op);
  return target ? findNvidiaGpu(target.getChip()) : nullptr;
}

LogicalResult baco::verifyGpuTarget(Operation *op, Attribute value) {
  auto target = dyn_cast<NVVM::NVVMTargetAttr>(value);
  if (!isa<ModuleOp>(op) || !target)
    return op->emitOpError()
           << "'baco.gpu_target' must be a #nvvm.target of a module";
  if (findNvidiaGpu(target.getChip()))
    return success();
  return op->emitOpError() << "'baco.gpu_target': chip '" << target.getChip()
                           << "' is unknown; it can be " << listNvidiaChips();
}
