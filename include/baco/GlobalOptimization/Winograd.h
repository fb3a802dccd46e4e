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
#include "llvm/ADT/StringRef.h"

#include <string>

namespace baco::globalopt {

/// `off`, `2` or `4`: the largest extent of a tile of results, 0 for `off`.
/// InvalidArgument otherwise.
Result<int64_t> parseWinograd(llvm::StringRef text);

struct WinogradOptions {
  /// 2: F(2x2, 3x3), with 16 products for 4 results instead of 36; 4: also
  /// F(4x4, 3x3), with 36 for 16 instead of 144; 0: nothing is rewritten.
  int64_t maxTile = 0;
  /// Whether to rewrite convolutions for which that is estimated to be slower,
  /// too, all with the largest tile.
  bool isForced = false;
  /// Only this function is rewritten; empty: all of them.
  std::string entry;
};

/// Computes channels-last 3x3 convolutions on tensors with steps of 1 (a named
/// op, or a `linalg.generic` that does the same) by Winograd's algorithm, where
/// that is estimated to take at most 0.8 of the time, with the faster one of
/// the permitted tiles. Shapes are static, elements f32 or f64, and the filter
/// is a constant, which is transformed here, in double precision.
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
