//===- OpenBlas.cpp - The library that we compare with --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface is CBLAS; the library stays loaded until the program ends.
//
//===----------------------------------------------------------------------===//

#include "OpenBlas.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

#include <cstdlib>
#include <dlfcn.h>

using baco::benchmarks::OpenBlas;

/// Values of CBLAS's enumerations.
static constexpr int rowMajor = 101;
static constexpr int noTranspose = 111;

/// The best kernels that the CPU can run. OpenBLAS looks for models that it
/// knows, and takes those of 2004 (Prescott) for one that came after it; the
/// environment may ask for old ones too.
static void chooseKernels() {
  auto features = llvm::sys::getHostCPUFeatures();
  auto setCore = [](const char *name) {
    setenv("OPENBLAS_CORETYPE", name, /*overwrite=*/1);
  };
  if (features.lookup("avx512bf16"))
    setCore("Cooperlake");
  else if (features.lookup("avx512dq"))
    setCore("SkylakeX");
  else if (features.lookup("avx2") && features.lookup("fma"))
    setCore("Haswell");
  else
    unsetenv("OPENBLAS_CORETYPE");
}

llvm::Expected<OpenBlas> OpenBlas::load(const std::string &path) {
  chooseKernels();
  unsetenv("OPENBLAS_L2_SIZE");
  setenv("OPENBLAS_NUM_THREADS", "1", /*overwrite=*/1);
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return llvm::createStringError(
        std::string("OpenBLAS can't be loaded (apt install "
                    "libopenblas0-pthread, or pass --openblas=FILE): ") +
        dlerror());
  OpenBlas blas;
  auto coreName =
      reinterpret_cast<char *(*)()>(dlsym(library, "openblas_get_corename"));
  blas.sgemm = reinterpret_cast<Gemm<float>>(dlsym(library, "cblas_sgemm"));
  blas.dgemm = reinterpret_cast<Gemm<double>>(dlsym(library, "cblas_dgemm"));
  if (!coreName || !blas.sgemm || !blas.dgemm)
    return llvm::createStringError("'" + path + "' is not OpenBLAS");
  blas.core = coreName();
  return blas;
}

void OpenBlas::multiply(int64_t m, int64_t n, int64_t k, const float *a,
                        const float *b, float *c) const {
  sgemm(rowMajor, noTranspose, noTranspose, m, n, k, 1, a, k, b, n, 1, c, n);
}

void OpenBlas::multiply(int64_t m, int64_t n, int64_t k, const double *a,
                        const double *b, double *c) const {
  dgemm(rowMajor, noTranspose, noTranspose, m, n, k, 1, a, k, b, n, 1, c, n);
}
