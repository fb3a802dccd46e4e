//===- BufferizeTensors.h - From tensors to memrefs -----------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_BUFFERIZETENSORS_H
#define BACO_TARGET_CPU_BUFFERIZETENSORS_H

#include "mlir/Pass/Pass.h"

namespace baco::target {

/// Bufferizes a module in which an op yields a tensor, function boundaries
/// included, and frees what it allocates; leaves all others as they are.
std::unique_ptr<mlir::Pass> createBufferizeTensorsPass();

} // namespace baco::target

#endif // BACO_TARGET_CPU_BUFFERIZETENSORS_H
