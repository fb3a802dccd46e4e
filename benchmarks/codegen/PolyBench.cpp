//===- PolyBench.cpp - The PolyBench row ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels by their names in PolyBench/C 4.2 (Pouchet and Yuki), in f64, with
// its sizes LARGE and, for tests, MINI. The sources under kernels/polybench are
// ours, with loops in the order of the original.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace baco::benchmarks;

namespace {
struct Extent {
  const char *name;
  int64_t large, mini;
};

struct Kernel {
  const char *name;
  std::vector<Extent> extents;
  /// Floating-point operations per point of the box of all extents, or of those
  /// that `box` names.
  double flopsPerPoint;
  std::vector<const char *> box = {};
  bool isInPlace = false;
};
} // namespace

static double flopsOf(const Kernel &kernel, const Case &sized) {
  double flops = kernel.flopsPerPoint;
  if (!kernel.box.empty()) {
    for (const char *name : kernel.box)
      flops *= sized.size(name);
    return flops;
  }
  for (const auto &[name, extent] : sized.sizes)
    flops *= extent;
  return flops;
}

/// The products of 2mm and 3mm have different shapes.
static double chainFlops(const Case &sized) {
  auto size = [&](const char *name) {
    return static_cast<double>(sized.size(name));
  };
  double first = size("NI") * size("NJ") * size("NK");
  double last = size("NI") * size("NJ") * size("NL");
  bool isLong = sized.name == "3mm";
  return 2 *
         (first + last + (isLong ? size("NJ") * size("NL") * size("NM") : 0));
}

static std::vector<Kernel> kernels() {
  return {
      {"gemm", {{"NI", 1000, 20}, {"NJ", 1100, 25}, {"NK", 1200, 30}}, 2},
      {"2mm",
       {{"NI", 800, 16}, {"NJ", 900, 18}, {"NK", 1100, 22}, {"NL", 1200, 24}},
       0},
      {"3mm",
       {{"NI", 800, 16},
        {"NJ", 900, 18},
        {"NK", 1000, 20},
        {"NL", 1100, 22},
        {"NM", 1200, 24}},
       0},
      {"atax", {{"M", 1900, 38}, {"N", 2100, 42}}, 4},
      {"bicg", {{"M", 1900, 38}, {"N", 2100, 42}}, 4},
      {"mvt", {{"N", 2000, 40}}, 4, {"N", "N"}},
      {"gemver", {{"N", 2000, 40}}, 10, {"N", "N"}},
      {"syrk", {{"M", 1000, 20}, {"N", 1200, 30}}, 1, {"M", "N", "N"}},
      {"syr2k", {{"M", 1000, 20}, {"N", 1200, 30}}, 2, {"M", "N", "N"}},
      {"trmm",
       {{"M", 1000, 20}, {"N", 1200, 30}},
       1,
       {"M", "M", "N"},
       /*isInPlace=*/true},
      {"jacobi-1d", {{"N", 2000, 30}, {"STEPS", 500, 20}}, 6},
      {"jacobi-2d",
       {{"N", 1300, 30}, {"STEPS", 500, 20}},
       10,
       {"N", "N", "STEPS"}},
      {"heat-3d",
       {{"N", 120, 10}, {"STEPS", 500, 20}},
       30,
       {"N", "N", "N", "STEPS"}},
      {"seidel-2d",
       {{"N", 2000, 40}, {"STEPS", 500, 20}},
       9,
       {"N", "N", "STEPS"}},
      {"fdtd-2d", {{"NX", 1000, 20}, {"NY", 1200, 30}, {"STEPS", 500, 20}}, 11},
      {"doitgen",
       {{"NQ", 140, 8}, {"NR", 150, 10}, {"NP", 160, 12}},
       2,
       {"NQ", "NR", "NP", "NP"},
       /*isInPlace=*/true},
  };
}

Row baco::benchmarks::makePolyBenchRow(bool isSmall) {
  Row row{"polybench",
          std::string("PolyBench, ") + (isSmall ? "MINI" : "LARGE") + ", f64",
          {}};
  for (const Kernel &kernel : kernels()) {
    Case added;
    added.name = kernel.name;
    added.payload = "polybench/" + added.name + ".mlir";
    std::string source = "polybench/" + added.name + ".c";
    for (const Extent &extent : kernel.extents)
      added.sizes.push_back(
          {extent.name, isSmall ? extent.mini : extent.large});
    added.isSingle = false;
    added.reference = {CSource::Strict, source};
    added.isInPlace = kernel.isInPlace;
    added.flops =
        kernel.flopsPerPoint > 0 ? flopsOf(kernel, added) : chainFlops(added);
    for (auto [label, compiler] : {std::pair{"clang", CSource::Clang},
                                   {"gcc", CSource::Gcc},
                                   {"polly", CSource::Polly}})
      added.baselines.push_back({.label = label,
                                 .group = "compilers",
                                 .code = CSource{compiler, source}});
    // Polly 22 drops the last product if it may reassociate.
    if (added.name == "gemver")
      added.baselines.push_back({.label = "polly, no fast-math",
                                 .group = "compilers",
                                 .code = CSource{.compiler = CSource::Polly,
                                                 .file = source,
                                                 .isFast = false}});
    row.cases.push_back(std::move(added));
  }
  return row;
}
