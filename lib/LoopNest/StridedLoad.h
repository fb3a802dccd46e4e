//===- StridedLoad.h - Every second element as a vector ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_STRIDEDLOAD_H
#define BACO_LIB_LOOPNEST_STRIDEDLOAD_H

#include "mlir/IR/Builders.h"

namespace baco::loopnest {

/// With larger strides, single loads are as fast.
inline constexpr int64_t maxVectorStride = 4;

/// The elements 0, stride, 2 * stride, ... as a vector of `type`, which has at
/// least `stride` elements: as many contiguous vectors, and shuffles that pick
/// from them. `loadAt` loads the vector of `type` that begins at an element;
/// nothing behind the last element that is wanted is touched.
mlir::Value loadStrided(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::VectorType type, int64_t stride,
                        llvm::function_ref<mlir::Value(int64_t)> loadAt);

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_STRIDEDLOAD_H
