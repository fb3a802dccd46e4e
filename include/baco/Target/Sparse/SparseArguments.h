//===- SparseArguments.h - Sparse arguments as buffers ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_SPARSE_SPARSEARGUMENTS_H
#define BACO_TARGET_SPARSE_SPARSEARGUMENTS_H

#include "baco/Sparse/Storage.h"
#include "baco/Target/Sparse/TunedFormats.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

namespace baco::target {

/// Whether something in `root` is a sparse tensor.
bool hasSparseTensors(mlir::Operation *root);

/// The formats of the sparse tensors that `function` takes, in their order. The
/// error, one line, says which argument has one that isn't supported, and why.
llvm::Expected<std::vector<sparse::StorageFormat>>
sparseFormats(mlir::func::FuncOp function);

/// Makes sparse tensors in `module` dense ones, without a change of what its
/// ops compute, for analyses: the tensors may not fit memory. Fails with a
/// diagnostic for ops that are only for sparse ones.
llvm::LogicalResult makeDense(mlir::ModuleOp module);

} // namespace baco::target

#endif // BACO_TARGET_SPARSE_SPARSEARGUMENTS_H
