//===- GeneratorErrors.h - Errors of generators -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_SPARSE_GENERATORERRORS_H
#define BACO_UNITTESTS_SPARSE_GENERATORERRORS_H

#include "baco/Sparse/TensorSource.h"

#include <string>
#include <string_view>

namespace baco::sparse {

inline std::string error(std::string_view text) {
  Result<CoordinateTensor> tensor = generateTensor(text);
  return tensor ? "no error" : tensor.error().message;
}

} // namespace baco::sparse

#endif // BACO_UNITTESTS_SPARSE_GENERATORERRORS_H
