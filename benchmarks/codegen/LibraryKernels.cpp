//===- LibraryKernels.cpp - Kernels by way of a library -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each routine.
//
//===----------------------------------------------------------------------===//

#include "LibraryKernels.h"

#include <algorithm>
#include <memory>

using namespace baco::benchmarks;

template <typename T>
static PointerKernel makeGemm(const BlasLibrary &blas, const Case &target) {
  return [&blas, m = target.size("M"), n = target.size("N"),
          k = target.size("K")](void **operands) {
    blas.multiply(m, n, k, static_cast<const T *>(operands[0]),
                  static_cast<const T *>(operands[1]),
                  static_cast<T *>(operands[2]));
  };
}

template <typename T>
static PointerKernel makeTrsm(const BlasLibrary &blas, const Case &target) {
  return [&blas, m = target.size("M"), n = target.size("N")](void **operands) {
    blas.solve(m, n, static_cast<const T *>(operands[0]),
               static_cast<T *>(operands[1]));
  };
}

template <typename T>
static PointerKernel makeGemmLoop(const BlasLibrary &blas, const Case &target) {
  return [&blas, count = target.size("COUNT"),
          n = target.size("N")](void **operands) {
    for (int64_t i = 0; i < count; ++i)
      blas.multiply(n, n, n, static_cast<const T *>(operands[0]) + i * n * n,
                    static_cast<const T *>(operands[1]) + i * n * n,
                    static_cast<T *>(operands[2]) + i * n * n);
  };
}

/// Copies the 3 x 3 patch of each pixel into a row of a matrix, then multiplies
/// it by the filters'.
template <typename T>
static PointerKernel makeConvolution(const BlasLibrary &blas,
                                     const Case &target) {
  int64_t height = target.size("H"), width = target.size("W");
  int64_t channels = target.size("C"), filters = target.size("F");
  int64_t rowLength = 3 * channels;
  auto patches =
      std::make_shared<std::vector<T>>(height * width * 3 * rowLength);
  return [=, &blas](void **operands) {
    auto *image = static_cast<const T *>(operands[0]);
    T *out = patches->data();
    for (int64_t h = 0; h < height; ++h)
      for (int64_t w = 0; w < width; ++w)
        for (int64_t y = 0; y < 3; ++y, out += rowLength)
          std::copy_n(image + ((h + y) * (width + 2) + w) * channels, rowLength,
                      out);
    const T *matrix = patches->data();
    blas.multiply(height * width, filters, 3 * rowLength, matrix,
                  static_cast<const T *>(operands[1]),
                  static_cast<T *>(operands[2]));
  };
}

template <typename T>
static PointerKernel make(const BlasLibrary &blas, LibraryCall::Routine routine,
                          const Case &target) {
  switch (routine) {
  case LibraryCall::Gemm:
    return makeGemm<T>(blas, target);
  case LibraryCall::Trsm:
    return makeTrsm<T>(blas, target);
  case LibraryCall::GemmLoop:
    return makeGemmLoop<T>(blas, target);
  case LibraryCall::ConvolutionByGemm:
    return makeConvolution<T>(blas, target);
  }
  return {};
}

PointerKernel baco::benchmarks::makeLibraryKernel(const BlasLibrary &blas,
                                                  LibraryCall::Routine routine,
                                                  const Case &target) {
  return target.isSingle ? make<float>(blas, routine, target)
                         : make<double>(blas, routine, target);
}
