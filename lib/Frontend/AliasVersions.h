//===- AliasVersions.h - Buffers that are passed twice ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_ALIASVERSIONS_H
#define BACO_LIB_FRONTEND_ALIASVERSIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace baco::frontend {

/// Gives functions to tune for which a use in `module` may pass memory twice
/// that they write (findOverlappingUse) a version for other calls, as schedules
/// assume that arguments are different memory. Functions with recipes stay: who
/// wrote them knows what they assume. A remark says why one can't have a
/// version; it isn't tuned.
void separateBuffers(mlir::ModuleOp module);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_ALIASVERSIONS_H
