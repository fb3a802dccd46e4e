//===- Matmul.cpp - C += A B on a GPU -------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matmul.h"

#include <random>

using namespace baco;
using namespace baco::bench;
using baco::runtime::CudaDevice;
using baco::runtime::DeviceFailure;

/// Each row of `matrix` times `vector`.
static std::vector<double> multiply(const std::vector<float> &matrix,
                                    const std::vector<double> &vector) {
  const size_t size = vector.size();
  std::vector<double> result(size);
  for (size_t i = 0; i < size; ++i)
    for (size_t j = 0; j < size; ++j)
      result[i] += matrix[i * size + j] * vector[j];
  return result;
}

std::optional<DeviceFailure> Matmul::allocate(CudaDevice &device) {
  operands.assign(3, 0);
  for (auto &address : operands)
    if (auto failure = device.allocate(sizeof(float) * size * size, address))
      return failure;
  return std::nullopt;
}

Matmul::Input Matmul::draw(unsigned seed) const {
  std::mt19937 random(seed);
  // Not std::uniform_int_distribution, which is not the same everywhere.
  auto draw = [&](unsigned count) {
    return static_cast<int>(random() % count);
  };
  Input input;
  auto &matrices = input.matrices;
  matrices.assign(3, std::vector<float>(size_t(size) * size));
  for (std::vector<float> &matrix : matrices)
    for (float &element : matrix)
      element = static_cast<float>(draw(17) - 8) / 8;
  input.vector.resize(size);
  for (double &element : input.vector)
    element = draw(1001) - 500;
  input.expected = multiply(matrices[0], multiply(matrices[1], input.vector));
  std::vector<double> before = multiply(matrices[2], input.vector);
  for (int i = 0; i < size; ++i)
    input.expected[i] += before[i];
  return input;
}

std::optional<DeviceFailure> Matmul::fill(CudaDevice &device, unsigned seed) {
  auto found = inputs.find(seed);
  if (found == inputs.end())
    found = inputs.emplace(seed, draw(seed)).first;
  written = &found->second;
  for (int i = 0; i < 3; ++i)
    if (auto failure = device.write(operands[i], written->matrices[i].data(),
                                    sizeof(float) * size * size))
      return failure;
  return std::nullopt;
}

std::optional<DeviceFailure> Matmul::check(CudaDevice &device, int &row) {
  row = -1;
  std::vector<float> result(size_t(size) * size);
  if (auto failure = device.read(result.data(), operands[2],
                                 sizeof(float) * result.size()))
    return failure;
  std::vector<double> got = multiply(result, written->vector);
  // NaN is never equal.
  for (int i = 0; i < size && row < 0; ++i)
    if (!(got[i] == written->expected[i]))
      row = i;
  return std::nullopt;
}
