//===- FpgaTarget.cpp - The FPGA that a module is tuned for ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/FpgaTarget.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

const baco::FpgaDevice *baco::findFpgaTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto name = op->getAttrOfType<StringAttr>(kFpgaTarget))
      return findFpgaDevice(name.getValue());
  return nullptr;
}

LogicalResult baco::verifyFpgaTarget(Operation *op, Attribute value) {
  auto name = dyn_cast<StringAttr>(value);
  if (isa<ModuleOp>(op) && name && findFpgaDevice(name.getValue()))
    return success();
  return op->emitOpError()
         << "'baco.fpga_target' must be the name of a device, of a module: "
         << listFpgaDevices();
}
