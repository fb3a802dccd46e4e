//===- TargetIntrinsicCheck.h - Operations of other machines ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM can't make code of is an error that names the operation: its back
// ends abort where they meet intrinsics of others.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_TARGETINTRINSICCHECK_H
#define BACO_TARGET_CPU_TARGETINTRINSICCHECK_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/TargetParser/Triple.h"

namespace llvm {
class Module;
} // namespace llvm

namespace baco::target {

/// An op of a dialect that has no translation to LLVM IR, which the lowering
/// left; null if all can be translated.
mlir::Operation *findUntranslatable(mlir::ModuleOp module);

/// Reports the first op in `root` that calls an intrinsic by its name which is
/// for machines of another kind than `triple`.
llvm::LogicalResult checkCalledIntrinsics(mlir::Operation *root,
                                          const llvm::Triple &triple);

/// Reports the op of `module` that became such an intrinsic in `code`.
llvm::LogicalResult checkIntrinsics(mlir::ModuleOp module,
                                    const llvm::Module &code,
                                    const llvm::Triple &triple);

} // namespace baco::target

#endif // BACO_TARGET_CPU_TARGETINTRINSICCHECK_H
