//===- LowerSparse.h - Sparse tensors become loops --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_SPARSE_LOWERSPARSE_H
#define BACO_TARGET_SPARSE_LOWERSPARSE_H

#include "mlir/Pass/Pass.h"

namespace baco::target {

/// The pass `baco-lower-sparse`, which does nothing without sparse tensors.
std::unique_ptr<mlir::Pass> createLowerSparse(bool distinctArguments = true);

} // namespace baco::target

#endif // BACO_TARGET_SPARSE_LOWERSPARSE_H
