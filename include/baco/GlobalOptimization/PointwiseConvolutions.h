//===- PointwiseConvolutions.h - Convolutions of 1 x 1 ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_GLOBALOPTIMIZATION_POINTWISECONVOLUTIONS_H
#define BACO_GLOBALOPTIMIZATION_POINTWISECONVOLUTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace baco::globalopt {

/// Makes products of matrices of the convolutions in `function` whose windows
/// are one element, with steps of 1, and brings the elementwise ops that follow
/// (on memrefs: their epilogues) in the same form. Shapes are static, memrefs
/// have no gaps, and of several images channels are last. Convolutions whose
/// results are padded stay as they are, and with `takesIntegers=false` those of
/// integers.
///
/// \returns the number of convolutions that were changed
int64_t convertPointwise(mlir::RewriterBase &rewriter,
                         mlir::func::FuncOp function, bool takesIntegers);

/// The same for CPUs in the functions of `module` that may be rewritten; if
/// `entry` isn't empty, only in that one. Sums of integers stay: AMX's tiles of
/// rows are better in lines than in all places at once. 7x7x960 bytes to 160
/// channels took 24 us, and 47 us as a product.
int64_t convertPointwise(mlir::ModuleOp module, llvm::StringRef entry = {});

} // namespace baco::globalopt

#endif // BACO_GLOBALOPTIMIZATION_POINTWISECONVOLUTIONS_H
