//===- WinogradError.h - Rounding of its results ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GLOBALOPTIMIZATION_WINOGRADERROR_H
#define BACO_LIB_GLOBALOPTIMIZATION_WINOGRADERROR_H

#include "WinogradTransforms.h"

#include <optional>

namespace baco::globalopt {

/// The largest error of samples of results, in parts of the largest one; of the
/// convolution itself without a tile. Infinite where a result isn't a number,
/// as with weights that aren't. Images have elements in [-1, 1), and sums run
/// over the channels one after the other.
double sampleError(const ConvolutionFilter &filter,
                   std::optional<WinogradTile> tile);

} // namespace baco::globalopt

#endif // BACO_LIB_GLOBALOPTIMIZATION_WINOGRADERROR_H
