//===- Generators.h - Sparse tensors made from a few numbers ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPARSE_GENERATORS_H
#define BACO_SPARSE_GENERATORS_H

#include "baco/Sparse/CoordinateTensor.h"

#include <string_view>

namespace baco::sparse {

/// Makes the tensor that `text` describes, as "rmat(scale=12, degree=8)":
///
///   rmat(scale=16, degree=16)           a graph of 2^scale vertices, about
///                                       degree edges for each; few vertices
///                                       have most of them
///   banded(rows=N, width=W, fill=1)     a diagonal, and each place at most W
///                                       beside it with the probability fill
///   stencil(points=7, side=N)           points of a grid, and their neighbors:
///                                       5 or 9 in N^2, 7 or 27 in N^3
///   blocks(side=N, size=3)              dense blocks of size^2, for each point
///                                       of a grid of N^2 and its 8 neighbors
///   uniform(extents=AxBx.., entries=E)  places drawn uniformly
///   skewed(extents=AxBx.., entries=E)   the same, more of them at small
///                                       coordinates: extent u^2, u uniform
///
/// All take seed=1. Values are uniform in [-1, 1). One of several entries drawn
/// at one place is kept, so that there are fewer than drawn. R-MAT:
/// Chakrabarti, Zhan and Faloutsos (SDM 2004), with the probabilities 0.57,
/// 0.19, 0.19, 0.05 of Graph500. The same text gives the same tensor on every
/// machine.
///
/// Fails if the text isn't of that form, a number is out of range, or the
/// tensor may have more than 2^28 entries.
Result<CoordinateTensor> generateTensor(std::string_view text);

} // namespace baco::sparse

#endif // BACO_SPARSE_GENERATORS_H
