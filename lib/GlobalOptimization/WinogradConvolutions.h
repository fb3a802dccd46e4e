//===- WinogradConvolutions.h - Convolutions to rewrite ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GLOBALOPTIMIZATION_WINOGRADCONVOLUTIONS_H
#define BACO_LIB_GLOBALOPTIMIZATION_WINOGRADCONVOLUTIONS_H

#include "WinogradTransforms.h"
#include "baco/GlobalOptimization/Winograd.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

namespace baco::globalopt {

/// A convolution that can be rewritten: image [n, y, x, channels], result
/// [n, y, x, features].
struct WinogradConvolution {
  mlir::linalg::LinalgOp op;
  int64_t batch, rows, columns;
  ConvolutionFilter filter;

  int64_t countTiles(WinogradTile tile) const {
    return batch * llvm::divideCeil(rows, tile.size) *
           llvm::divideCeil(columns, tile.size);
  }
  /// See WinogradCandidate::shape.
  std::string shape() const;
  /// The estimated cost, in multiplications with additions; of the convolution
  /// itself without a tile.
  double cost(std::optional<WinogradTile> tile) const;
};

/// `op` with a constant filter, if it is a convolution of 3x3 elements with
/// steps of 1 on channels-last images.
std::optional<WinogradConvolution> matchWinograd(mlir::linalg::LinalgOp op);

/// A padding with a value from outside of its region, by extents that are
/// known; null if `image` is none.
mlir::tensor::PadOp findPadding(mlir::Value image);

/// Whether the convolution adds to a tensor of zeros.
bool startsAtZero(mlir::linalg::LinalgOp op);

} // namespace baco::globalopt

#endif // BACO_LIB_GLOBALOPTIMIZATION_WINOGRADCONVOLUTIONS_H
