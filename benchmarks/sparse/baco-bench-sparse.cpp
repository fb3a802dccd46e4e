//===- baco-bench-sparse.cpp - Sparse kernels against the experts' --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BenchmarkMain.h"
#include "SparseRows.h"

using namespace baco::benchmarks;

static llvm::cl::opt<std::string>
    data("data", llvm::cl::cat(benchmarkOptions()),
         llvm::cl::value_desc("folder"),
         llvm::cl::desc("Also measure on the tensors in this folder, files "
                        "*.mtx, *.tns, *.mtx.gz and *.tns.gz"));

int main(int argc, char **argv) {
  return runBenchmark(
      argc, argv,
      {"baco-bench-sparse", "compare tuned sparse kernels with compilers",
       BACO_SPARSE_KERNELS,
       [](bool isSmall) { return makeSparseRows(isSmall, data); }});
}
