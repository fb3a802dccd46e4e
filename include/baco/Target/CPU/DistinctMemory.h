//===- DistinctMemory.h - Values that are different memory ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_DISTINCTMEMORY_H
#define BACO_TARGET_CPU_DISTINCTMEMORY_H

#include "mlir/IR/Value.h"

namespace baco::target {

/// Whether `a` and `b`, memrefs, are certainly different memory: arguments of a
/// function that nothing calls, allocations and globals are.
bool areApart(mlir::Value a, mlir::Value b);

} // namespace baco::target

#endif // BACO_TARGET_CPU_DISTINCTMEMORY_H
