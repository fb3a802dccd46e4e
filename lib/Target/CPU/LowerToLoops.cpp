//===- LowerToLoops.cpp - From linalg and vector ops to loops -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the lowerings to CPUs and to GPUs share.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/LowerToLoops.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

void baco::target::addLoweringToLoops(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addNestedPass<func::FuncOp>(
      vector::createLowerVectorMultiReductionPass());
  VectorTransferToSCFOptions transfers;
  manager.addNestedPass<func::FuncOp>(
      createConvertVectorToSCFPass(transfers.enableFullUnroll()));
  manager.addNestedPass<func::FuncOp>(
      memref::createExpandStridedMetadataPass());
  // The pass before computes strides by affine.apply, which this one lowers.
  manager.addNestedPass<func::FuncOp>(createLowerAffinePass());
}

void baco::target::makeCopyLinalg(memref::CopyOp copy) {
  OpBuilder builder(copy);
  linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                           copy.getTarget());
  copy.erase();
}
