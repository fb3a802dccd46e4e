//===- SmallMatrix.h - A matrix of three entries ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_SPARSE_SMALLMATRIX_H
#define BACO_UNITTESTS_SPARSE_SMALLMATRIX_H

#include "baco/Sparse/Storage.h"

#include <utility>
#include <vector>

namespace baco::sparse {

/// Three entries of a matrix of 3 x 4.
inline CoordinateTensor makeMatrix() {
  Result<TensorBuilder> builder = TensorBuilder::create({3, 4});
  builder->add(std::vector<int64_t>{2, 3}, 5);
  builder->add(std::vector<int64_t>{0, 1}, 2);
  builder->add(std::vector<int64_t>{0, 0}, 1);
  return std::move(*builder).finish();
}

} // namespace baco::sparse

#endif // BACO_UNITTESTS_SPARSE_SMALLMATRIX_H
