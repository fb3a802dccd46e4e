//===- TilePermission.h - Permission to use AMX -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linux lets a process use AMX once it has asked.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_CPU_TILEPERMISSION_H
#define BACO_LIB_TARGET_CPU_TILEPERMISSION_H

#include "mlir/IR/BuiltinOps.h"

namespace baco::target {

/// Lets the program of which `module` becomes a part ask, before its main
/// function, whether it may use tiles.
void permitTiles(mlir::ModuleOp module);

} // namespace baco::target

#endif // BACO_LIB_TARGET_CPU_TILEPERMISSION_H
