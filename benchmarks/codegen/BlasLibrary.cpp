//===- BlasLibrary.cpp - Libraries that we compare with -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each library wants to be told by the environment before it is loaded,
// and how to ask which kernels it then picked.
//
//===----------------------------------------------------------------------===//

#include "BlasLibrary.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

#include <cstdlib>
#include <dlfcn.h>

using baco::benchmarks::BlasLibrary;

/// Values of CBLAS's enumerations.
static constexpr int rowMajor = 101, noTranspose = 111, lower = 122,
                     nonUnit = 131, left = 141;

namespace {
struct Facts {
  const char *name, *file, *package;
};
} // namespace

/// In the order of BlasLibrary::Kind.
static constexpr Facts facts[] = {
    {"OpenBLAS", "openblas-pthread/libopenblas.so.0", "libopenblas0-pthread"},
    {"BLIS", "blis-openmp/libblis.so.4", "libblis4-openmp"},
    {"ATLAS", "atlas/libblas.so.3", "libatlas3-base"},
    {"oneDNN", "libdnnl.so.2", "libdnnl2"}};

static void set(const char *variable, const char *value) {
  setenv(variable, value, /*overwrite=*/1);
}

/// OpenBLAS looks for models that it knows, and takes those of 2004 (Prescott)
/// for one that came after it; the environment may ask for old ones too.
static void prepareOpenBlas() {
  auto features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("avx512bf16"))
    set("OPENBLAS_CORETYPE", "Cooperlake");
  else if (features.lookup("avx512dq"))
    set("OPENBLAS_CORETYPE", "SkylakeX");
  else if (features.lookup("avx2") && features.lookup("fma"))
    set("OPENBLAS_CORETYPE", "Haswell");
  else
    unsetenv("OPENBLAS_CORETYPE");
  unsetenv("OPENBLAS_L2_SIZE");
  set("OPENBLAS_NUM_THREADS", "1");
}

/// BLIS takes AVX-512 only for models of which it knows that they have two
/// units for it. Version 0.9 reads a number here, and any word as 0, which
/// happens to be skx; later ones read the name. What a version doesn't know
/// aborts the program.
static void prepareBlis() {
  if (llvm::sys::getHostCPUFeatures().lookup("avx512dq"))
    set("BLIS_ARCH_TYPE", "skx");
  else
    unsetenv("BLIS_ARCH_TYPE");
  set("BLIS_NUM_THREADS", "1");
}

static std::string blisCore(void *library) {
  auto init = reinterpret_cast<void (*)()>(dlsym(library, "bli_init"));
  auto query = reinterpret_cast<int (*)()>(dlsym(library, "bli_arch_query_id"));
  auto text =
      reinterpret_cast<const char *(*)(int)>(dlsym(library, "bli_arch_string"));
  if (!init || !query || !text)
    return "";
  // Without it, the query aborts.
  init();
  return text(query());
}

static std::string openBlasCore(void *library) {
  auto text =
      reinterpret_cast<char *(*)()>(dlsym(library, "openblas_get_corename"));
  return text ? text() : "";
}

template <typename Function>
static bool find(Function &function, void *library, const char *symbol) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  return function != nullptr;
}

llvm::Expected<BlasLibrary> BlasLibrary::load(Kind kind,
                                              const std::string &path) {
  if (kind == OpenBlas)
    prepareOpenBlas();
  else if (kind == Blis)
    prepareBlis();
  std::string file = path;
  if (file.empty())
    file = std::string("/usr/lib/x86_64-linux-gnu/") + facts[kind].file;
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!library)
    return llvm::createStringError(std::string(facts[kind].name) +
                                   " can't be loaded (apt install " +
                                   facts[kind].package + "): " + dlerror());
  BlasLibrary blas;
  if (llvm::Error error = blas.findSymbols(kind, library, file))
    return error;
  return blas;
}

llvm::Error BlasLibrary::findSymbols(Kind kind, void *library,
                                     const std::string &file) {
  if (kind == OneDnn) {
    // OpenMP may be there already, so that the environment is too late.
    void (*setOpenMpThreads)(int) = nullptr;
    if (find(setOpenMpThreads, library, "omp_set_num_threads"))
      setOpenMpThreads(1);
    if (find(oneDnnSgemm, library, "dnnl_sgemm"))
      return llvm::Error::success();
    return llvm::createStringError("'" + file + "' has no dnnl_sgemm");
  }
  if (!find(sgemm, library, "cblas_sgemm") ||
      !find(dgemm, library, "cblas_dgemm") ||
      !find(strsm, library, "cblas_strsm") ||
      !find(dtrsm, library, "cblas_dtrsm"))
    return llvm::createStringError("'" + file + "' has no CBLAS interface");
  if (kind == OpenBlas) {
    find(setNumThreads, library, "openblas_set_num_threads");
    core = openBlasCore(library);
  } else if (kind == Blis) {
    core = blisCore(library);
  }
  return llvm::Error::success();
}

void BlasLibrary::setThreads(int count) const {
  if (setNumThreads)
    setNumThreads(count);
}

void BlasLibrary::multiply(int64_t m, int64_t n, int64_t k, const float *a,
                           const float *b, float *c) const {
  if (oneDnnSgemm)
    oneDnnSgemm('N', 'N', m, n, k, 1, a, k, b, n, 1, c, n);
  else
    sgemm(rowMajor, noTranspose, noTranspose, m, n, k, 1, a, k, b, n, 1, c, n);
}

void BlasLibrary::multiply(int64_t m, int64_t n, int64_t k, const double *a,
                           const double *b, double *c) const {
  dgemm(rowMajor, noTranspose, noTranspose, m, n, k, 1, a, k, b, n, 1, c, n);
}

void BlasLibrary::solve(int64_t m, int64_t n, const float *l, float *b) const {
  strsm(rowMajor, left, lower, noTranspose, nonUnit, m, n, 1, l, m, b, n);
}

void BlasLibrary::solve(int64_t m, int64_t n, const double *l,
                        double *b) const {
  dtrsm(rowMajor, left, lower, noTranspose, nonUnit, m, n, 1, l, m, b, n);
}
