//===- EvaluateCopies.h - Copies that the compiler makes --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interpreter for functions that copy elements from some memrefs to another
// one. Code that runs here could not be made for another machine, and what
// crashes would take the compiler with it: here each access is checked.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_CONSTANTS_EVALUATECOPIES_H
#define BACO_LIB_TARGET_CONSTANTS_EVALUATECOPIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Error.h"

namespace baco::target {

/// What `fill` leaves in its last argument, a `memref<Nxi8>` that holds zeros
/// before, if the others have the contents of `sources`, whose types have
/// static shape and identity layout. It consists of loops and branches of scf,
/// of index arithmetic, and of loads, stores and shuffles. An error names the
/// op that isn't known here, or that leaves the memory of an argument.
llvm::Expected<mlir::DenseResourceElementsAttr>
evaluateCopies(mlir::func::FuncOp fill,
               llvm::ArrayRef<mlir::ElementsAttr> sources);

} // namespace baco::target

#endif // BACO_LIB_TARGET_CONSTANTS_EVALUATECOPIES_H
