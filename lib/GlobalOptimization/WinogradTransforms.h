//===- WinogradTransforms.h - Matrices of the algorithm ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They become ops, and data of filters.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GLOBALOPTIMIZATION_WINOGRADTRANSFORMS_H
#define BACO_LIB_GLOBALOPTIMIZATION_WINOGRADTRANSFORMS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"

#include <array>

namespace baco::globalopt {

/// The algorithm for tiles of `size` x `size` results; 2 or 4.
struct WinogradTile {
  int64_t size;
  /// Extent of what a tile reads of the image, and of its products.
  int64_t extent() const { return size + 2; }
  int64_t numProducts() const { return extent() * extent(); }
};

/// The constant filter of a 3x3 convolution of f32 or f64.
struct ConvolutionFilter {
  /// All elements, or one that is equal to all.
  mlir::ElementsAttr data;
  /// The dimensions that ky, kx, channels and features walk along.
  std::array<unsigned, 4> dims;

  int64_t channels() const { return extent(2); }
  int64_t features() const { return extent(3); }
  mlir::Type elementType() const;
  /// Those [ky][kx] of a channel for a feature.
  std::array<double, 9> weights(int64_t channel, int64_t feature) const;

private:
  int64_t extent(unsigned which) const;
};

/// B^T d B: the factors [y][x] of a tile [y][x] of the image, in its order.
llvm::SmallVector<mlir::Value> transformImage(mlir::OpBuilder &builder,
                                              mlir::Location location,
                                              mlir::ValueRange elements,
                                              WinogradTile tile);

/// A^T m A: the results [y][x] of the products [y][x] of a tile.
llvm::SmallVector<mlir::Value> transformProducts(mlir::OpBuilder &builder,
                                                 mlir::Location location,
                                                 mlir::ValueRange products,
                                                 WinogradTile tile);

/// G g G^T of the weights g [ky][kx]: a weight for each product.
void transformWeights(const std::array<double, 9> &weights, WinogradTile tile,
                      llvm::MutableArrayRef<double> results);

/// G g G^T for each channel and feature: [products, channels, features].
mlir::ElementsAttr transformFilter(const ConvolutionFilter &filter,
                                   WinogradTile tile);

} // namespace baco::globalopt

#endif // BACO_LIB_GLOBALOPTIMIZATION_WINOGRADTRANSFORMS_H
