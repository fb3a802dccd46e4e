//===- AnnotateFpga.h - Recipes for FPGAs -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_ANNOTATEFPGA_H
#define BACO_SCHEDULE_ANNOTATEFPGA_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::schedule {

/// Writes recipes on the outermost affine loops of `function` that have none:
/// one for each run of neighbors, which may then share loops. Returns their
/// number; a remark says why a run has none.
int64_t annotateForFpga(mlir::func::FuncOp function);

} // namespace baco::schedule

#endif // BACO_SCHEDULE_ANNOTATEFPGA_H
