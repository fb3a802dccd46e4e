//===- GeneratedSpaces.h - Spaces with computed times -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spaces that need no recording: their times are formulas in the manner of real
// kernels. They let anybody run the benchmark, but no quality is claimed from
// them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_GENERATEDSPACES_H
#define BACO_BENCHMARKS_SEARCH_GENERATEDSPACES_H

#include "BenchmarkSpace.h"

namespace baco::bench {

/// Three spaces, each with another difficulty: a tiled matmul whose tile sizes
/// must divide each other (known constraints); the order of five loops of a
/// tensor contraction and two tile sizes; a stencil on a device with choices
/// without order, of which a quarter fails (hidden constraints).
std::vector<BenchmarkSpace> generatedSpaces();

/// The same three kernels, each for three machines and extents.
std::vector<std::vector<BenchmarkSpace>> generatedFamilies();

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_GENERATEDSPACES_H
