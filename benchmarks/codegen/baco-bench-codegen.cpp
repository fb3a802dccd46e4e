//===- baco-bench-codegen.cpp - Our code against the experts' -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dense kernels and loop nests.
//
//===----------------------------------------------------------------------===//

#include "BenchmarkMain.h"

int main(int argc, char **argv) {
  return baco::benchmarks::runBenchmark(
      argc, argv,
      {"baco-bench-codegen",
       "compare tuned kernels with compilers and libraries",
       BACO_CODEGEN_KERNELS, baco::benchmarks::makeRows});
}
