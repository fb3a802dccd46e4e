//===- KernelParts.h - Hashes of the parts of a kernel ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_ANALYSIS_KERNELPARTS_H
#define BACO_LIB_ANALYSIS_KERNELPARTS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace baco {

/// Fingerprint::parts of the first function of `module`, which is canonical:
/// eight digits for each part of it, in an order that never changes, then for
/// each of the other symbols.
std::string hashParts(mlir::ModuleOp module);

} // namespace baco

#endif // BACO_LIB_ANALYSIS_KERNELPARTS_H
