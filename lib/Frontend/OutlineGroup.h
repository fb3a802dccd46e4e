//===- OutlineGroup.h - A function for a group of ops -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_OUTLINEGROUP_H
#define BACO_LIB_FRONTEND_OUTLINEGROUP_H

#include "KernelGroups.h"

#include "mlir/IR/SymbolTable.h"

namespace baco::frontend {

/// Moves `group` to a private function behind `before` and calls that. Its
/// arguments are what the group uses: a view of memory is made again in the
/// function, so that the argument is the whole memory; so are constants and
/// empty tensors. It returns tensors that are used behind the group. Null,
/// after a remark, if it can't; the group is unchanged then.
mlir::func::FuncOp outlineGroup(const Group &group, mlir::func::FuncOp before,
                                mlir::SymbolTable &symbols);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_OUTLINEGROUP_H
