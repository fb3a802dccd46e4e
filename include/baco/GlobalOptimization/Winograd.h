//===- Winograd.h - Convolutions with fewer products ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Winograd's minimal filtering (Lavin and Gray, "Fast Algorithms for
// Convolutional Neural Networks", CVPR 2016): a tile of results of a 3x3
// convolution follows from products of transformed tiles, which are a batch of
// matrix products over all tiles.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_GLOBALOPTIMIZATION_WINOGRAD_H
#define BACO_GLOBALOPTIMIZATION_WINOGRAD_H

#include "baco/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace baco::globalopt {

struct WinogradOptions {
  /// 2: F(2x2, 3x3), with 16 products for 4 results instead of 36; 4: also
  /// F(4x4, 3x3), with 36 for 16 instead of 144; 0: nothing is rewritten.
  int64_t maxTile = 0;
  /// Whether to rewrite convolutions for which that is estimated to be slower,
  /// too, all with the largest tile; without `tiles`.
  bool isForced = false;
  /// Whether the caller measures which convolutions to rewrite, and sets
  /// `tiles`.
  bool isMeasured = false;
  /// The tiles of those to rewrite, by WinogradCandidate::shape; empty: an
  /// estimate decides.
  std::map<std::string, int64_t> tiles = {};
  /// Only this function is rewritten; empty: all of them.
  std::string entry = {};
};

/// `off`, `2` or `4`, the largest extent of a tile of results; `measure`; or
/// `tiles`, as `1x56x56x64x64xf32:4,1x28x28x128x128xf32:2`. InvalidArgument
/// otherwise.
Result<WinogradOptions> parseWinograd(llvm::StringRef text);

/// The text that parseWinograd reads as `options`, without `isForced` and
/// `entry`.
std::string writeWinograd(const WinogradOptions &options);

/// Convolutions of one shape that Winograd's algorithm may make faster.
struct WinogradCandidate {
  /// Images, rows and columns of the result, channels, features, and the type
  /// of the elements: `1x56x56x64x64xf32`.
  std::string shape;
  mlir::Location location;
  struct Tile {
    /// Extent of a tile of results; 0: the convolution itself.
    int64_t size;
    /// The largest error of a result, in parts of the largest result.
    double error;
  };
  /// The convolution itself, and the tiles that are not estimated to be much
  /// slower.
  std::vector<Tile> tiles;
  /// A function with one of them, on an image that it takes.
  mlir::OwningOpRef<mlir::ModuleOp> probe;
};

/// The convolutions that applyWinograd could rewrite, in their order, the first
/// one of each shape, without tiles whose results aren't finite. Errors are
/// those of samples of results for an image of elements in [-1, 1), against a
/// higher precision.
std::vector<WinogradCandidate>
findWinogradCandidates(mlir::ModuleOp module, const WinogradOptions &options);

/// Computes channels-last 3x3 convolutions on tensors with steps of 1 (a named
/// op, or a `linalg.generic` that does the same) by Winograd's algorithm, where
/// that is estimated to take at most 0.8 of the time, with the faster one of
/// the permitted tiles, or as `tiles` says. Shapes are static, elements f32 or
/// f64, and the filter is a constant, which is transformed here, in double
/// precision.
///
/// Results have other roundings: the errors of F(2x2, 3x3) are about those of
/// the convolution, and those of F(4x4, 3x3), which adds multiples of elements,
/// several times as large.
///
/// Functions with recipes, and those with `baco.no_tune`, stay as they are.
/// A remark at each function says how many have changed.
/// \returns the number of convolutions that were rewritten
int64_t applyWinograd(mlir::ModuleOp module, const WinogradOptions &options);

} // namespace baco::globalopt

#endif // BACO_GLOBALOPTIMIZATION_WINOGRAD_H
