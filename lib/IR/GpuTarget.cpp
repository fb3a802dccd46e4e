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

template <typename Target>
static Target findTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto target = op->getAttrOfType<Target>(baco::kGpuTarget))
      return target;
  return nullptr;
}

NVVM::NVVMTargetAttr baco::findGpuTarget(Operation *op) {
  return findTarget<NVVM::NVVMTargetAttr>(op);
}

baco::OpenClTargetAttr baco::findOpenClTarget(Operation *op) {
  return findTarget<OpenClTargetAttr>(op);
}

baco::GpuLimits baco::limitsOf(OpenClTargetAttr device) {
  GpuLimits limits;
  limits.name = device.getName();
  // Schedules are applied without a target, and then have NVIDIA's limit.
  limits.maxThreads = std::min(device.getThreads(), nvidia::maxThreads);
  limits.maxResidentThreads = limits.maxThreads;
  llvm::copy(device.getItems(), limits.maxBlockExtents.begin());
  // OpenCL has no limit but that of its numbers; ours are of 32 bits.
  limits.maxGridExtents.fill(nvidia::maxGridExtents[0]);
  limits.maxShared = device.getLocalBytes();
  limits.multiprocessors = device.getUnits();
  limits.hasAsyncCopies = limits.hasMmaSync = limits.hasWideAtomics =
      limits.hasShuffles = limits.hasBF16 = false;
  limits.hasHalf = device.getHalf();
  limits.hasDoubles = device.getDoubles();
  return limits;
}

std::optional<baco::GpuLimits> baco::findGpuLimits(Operation *op) {
  if (OpenClTargetAttr device = findOpenClTarget(op))
    return limitsOf(device);
  NVVM::NVVMTargetAttr target = findGpuTarget(op);
  const NvidiaGpu *gpu = target ? findNvidiaGpu(target.getChip()) : nullptr;
  return gpu ? std::optional(GpuLimits::of(*gpu)) : std::nullopt;
}

baco::GpuLimits baco::launchLimits(Operation *op) {
  return findGpuLimits(op).value_or(GpuLimits());
}

LogicalResult baco::verifyGpuTarget(Operation *op, Attribute value) {
  auto target = dyn_cast<NVVM::NVVMTargetAttr>(value);
  if (!isa<ModuleOp>(op) || (!target && !isa<OpenClTargetAttr>(value)))
    return op->emitOpError()
           << "'baco.gpu_target' must be a #nvvm.target or an #opencl.target "
              "of a module";
  if (!target || findNvidiaGpu(target.getChip()))
    return success();
  return op->emitOpError() << "'baco.gpu_target': chip '" << target.getChip()
                           << "' is unknown; it can be " << listNvidiaChips();
}
