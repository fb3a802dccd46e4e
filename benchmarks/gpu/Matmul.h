//===- Matmul.h - C += A B on a GPU -----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands on the device, and an exact check of results. Elements are small
// multiples of 1/8, so that every sum of products is a float whatever the order
// of its terms. A row of the result, times a vector of random integers, must
// then equal in double what A (B x) says, which takes n^2 operations: an
// element that is wrong changes it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_GPU_MATMUL_H
#define BACO_BENCHMARKS_GPU_MATMUL_H

#include "baco/Device/CudaDriver.h"

#include <map>
#include <vector>

namespace baco::bench {

class Matmul {
public:
  /// C is `size` times `size`, and so are A and B: at most 4096, a power of
  /// two.
  explicit Matmul(int size) : size(size) {}

  /// Allocates A, B and C.
  std::optional<runtime::DeviceFailure> allocate(runtime::CudaDevice &device);
  /// Writes the operands that `seed` says. Draws them, and what the check
  /// needs, in the first call with this seed.
  std::optional<runtime::DeviceFailure> fill(runtime::CudaDevice &device,
                                             unsigned seed);
  /// Reads C after one multiplication of the operands written last; `row` is a
  /// row that is wrong, or -1.
  std::optional<runtime::DeviceFailure> check(runtime::CudaDevice &device,
                                              int &row);

  /// A, B and C.
  const std::vector<runtime::DeviceAddress> &addresses() const {
    return operands;
  }
  double flops() const { return 2.0 * size * size * size; }

private:
  struct Input {
    /// A, B and C.
    std::vector<std::vector<float>> matrices;
    /// The vector, and what each row of the result times it must be.
    std::vector<double> vector, expected;
  };
  Input draw(unsigned seed) const;

  int size;
  std::vector<runtime::DeviceAddress> operands;
  /// By seeds.
  std::map<unsigned, Input> inputs;
  /// That of the operands written last.
  const Input *written = nullptr;
};

} // namespace baco::bench

#endif // BACO_BENCHMARKS_GPU_MATMUL_H
