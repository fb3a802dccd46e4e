//===- Rows.cpp - The rows of the table -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each row of the table in docs/Codegen.md measures.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include "baco/Support/Random.h"

#include <cassert>
#include <cmath>

using namespace baco::benchmarks;

int64_t Case::size(const std::string &wanted) const {
  for (const auto &[key, value] : sizes)
    if (key == wanted)
      return value;
  assert(false && "the case has no such size");
  return 0;
}

static std::string typeName(bool isSingle) { return isSingle ? "f32" : "f64"; }

/// So many operations take about a millisecond.
static constexpr double peakFlops = 1 << 27;

Baseline baco::benchmarks::peak() {
  return {.label = "FMA peak",
          .group = "FMA peak",
          .code = CSource{CSource::Strict, "peak.c"},
          .flops = peakFlops,
          .isRoofline = true};
}

Baseline baco::benchmarks::library(LibraryCall::Library library,
                                   LibraryCall::Routine routine) {
  return {.label = nameOf(library),
          .group = nameOf(library),
          .code = LibraryCall{library, routine}};
}

std::string baco::benchmarks::nameOf(LibraryCall::Library library) {
  static const char *names[] = {"OpenBLAS", "BLIS", "ATLAS", "oneDNN"};
  return names[library];
}

void baco::benchmarks::addOrders(Case &target, const std::string &file,
                                 std::initializer_list<const char *> orders) {
  for (std::string order : orders)
    target.baselines.push_back(
        {.label = "clang " + order,
         .group = "clang, best order",
         .code = CSource{CSource::Clang, file, "kernel_" + order}});
}

void baco::benchmarks::addDefault(Case &target) {
  target.baselines.push_back(
      {.label = "default", .group = "default", .code = FixedChoice{""}});
}

Case baco::benchmarks::matmulCase(int64_t m, int64_t n, int64_t k,
                                  bool isSingle) {
  Case result;
  std::string shape = std::to_string(m);
  if (m != n || m != k)
    shape += "x" + std::to_string(n) + "x" + std::to_string(k);
  result.name = shape + " " + typeName(isSingle);
  result.payload = "matmul.mlir";
  result.sizes = {{"M", m}, {"N", n}, {"K", k}};
  result.words = {{"KIND", ""}};
  result.isSingle = isSingle;
  result.reference = {CSource::Strict, "matmul.c", "kernel_ikj"};
  result.flops = 2.0 * m * n * k;
  return result;
}

static void addLibraries(Case &target) {
  for (auto which :
       {LibraryCall::OpenBlas, LibraryCall::Blis, LibraryCall::Atlas})
    target.baselines.push_back(library(which, LibraryCall::Gemm));
  if (target.isSingle)
    target.baselines.push_back(library(LibraryCall::OneDnn, LibraryCall::Gemm));
}

static Row makeMatmul(bool isSmall) {
  Row row{"matmul", "matmul against libraries", {}};
  struct Shape {
    int64_t m, n, k;
  };
  std::vector<Shape> shapes = {{512, 512, 512},
                               {1024, 1024, 1024},
                               {2048, 2048, 2048},
                               {1000, 1100, 900},
                               {1001, 1003, 997}};
  if (isSmall)
    shapes = {{32, 32, 32}, {40, 44, 36}, {41, 43, 37}};
  for (bool isSingle : {true, false})
    for (auto [m, n, k] : shapes) {
      row.cases.push_back(matmulCase(m, n, k, isSingle));
      Case &added = row.cases.back();
      // The scalar loop takes half a minute at 2048.
      added.hasPlain = m <= 512;
      addLibraries(added);
      added.baselines.push_back(peak());
    }
  return row;
}

/// Shapes of all kinds: each extent is 1 with a probability of an eighth, and
/// else distributed as its logarithm is, evenly, from 8 to 2048.
static Row makeShapes(bool isSmall) {
  Row row{"shapes", "matmul of 30 shapes against the best library, f32", {}};
  baco::Random random(2026);
  auto draw = [&]() -> int64_t {
    double exponent = random.uniform() * (isSmall ? 3 : 8);
    return random.below(8) == 0 ? 1 : std::lround(8 * std::exp2(exponent));
  };
  for (int i = 0; i < (isSmall ? 4 : 30); ++i) {
    int64_t m = draw(), n = draw(), k = draw();
    row.cases.push_back(matmulCase(m, n, k, /*isSingle=*/true));
    Case &added = row.cases.back();
    added.hasPlain = false;
    addLibraries(added);
    for (Baseline &baseline : added.baselines)
      baseline.group = "best library";
  }
  return row;
}

/// `order` is the loops' from the outermost to the innermost.
static Case loopsCase(const std::string &dialect, const std::string &order,
                      int64_t n, bool isSingle) {
  Case result = matmulCase(n, n, n, isSingle);
  result.name = dialect + " " + order + " " + result.name;
  result.payload = "matmul-" + dialect + ".mlir";
  for (int i = 0; i < 3; ++i) {
    std::string number = std::to_string(i + 1);
    result.words.emplace_back("LOOP" + number, std::string(1, order[i]));
    result.words.emplace_back("END" + number, std::to_string(n));
  }
  addOrders(result, "matmul.c", {"ijk", "ikj", "jik", "jki", "kij", "kji"});
  for (Baseline &baseline : result.baselines)
    if (baseline.label == "clang " + order) {
      Baseline asWritten = baseline;
      asWritten.label += " (as written)";
      asWritten.group = "clang, as written";
      result.baselines.push_back(asWritten);
      break;
    }
  result.baselines.push_back({.label = "ours from linalg",
                              .group = "ours from linalg",
                              .code = OtherPayload{"matmul.mlir"}});
  return result;
}

static Row makeLoops(bool isSmall) {
  Row row{"loops", "matmul as plain loops", {}};
  int64_t n = isSmall ? 32 : 1024;
  for (std::string order : {"ijk", "ikj", "jik", "jki", "kij", "kji"})
    row.cases.push_back(loopsCase("affine", order, n, true));
  row.cases.push_back(loopsCase("affine", "ijk", n, false));
  row.cases.push_back(loopsCase("scf", "ijk", n, true));
  if (isSmall)
    for (Case &added : row.cases)
      addDefault(added);
  return row;
}

static Case trsmCase(int64_t m, int64_t n, bool isSingle) {
  Case result;
  result.name = std::to_string(m) + " " + typeName(isSingle);
  result.payload = "trsm.mlir";
  result.sizes = {{"M", m}, {"N", n}};
  result.isSingle = isSingle;
  result.reference = {CSource::Strict, "trsm.c", "kernel_ikj"};
  result.flops = 1.0 * m * m * n;
  result.isInPlace = true;
  result.contents = Contents::Solvable;
  addOrders(result, "trsm.c", {"ijk", "ikj", "jik", "jki", "kij", "kji"});
  result.baselines.push_back(library(LibraryCall::OpenBlas, LibraryCall::Trsm));
  return result;
}

static Row makeTrsm(bool isSmall) {
  Row row{"trsm", "triangular solve as plain loops", {}};
  int64_t n = isSmall ? 32 : 1024;
  for (bool isSingle : {true, false})
    row.cases.push_back(trsmCase(n, n, isSingle));
  if (isSmall)
    for (Case &added : row.cases)
      addDefault(added);
  return row;
}

/// `steps` is even; 0 for one sweep.
static Case jacobiCase(int64_t n, int64_t steps) {
  Case result;
  result.name = std::to_string(n) +
                (steps ? ", " + std::to_string(steps) + " sweeps" : "");
  result.payload = steps ? "jacobi-steps.mlir" : "jacobi.mlir";
  result.sizes = {{"N", n}};
  if (steps)
    result.sizes.emplace_back("STEPS", steps);
  std::string function = steps ? "kernel_steps" : "kernel";
  result.reference = {CSource::Strict, "jacobi.c", function};
  double sweeps = steps ? steps : 1;
  double points = 1.0 * n * n * n;
  result.flops = sweeps * 7 * (n - 2) * (n - 2) * (n - 2);
  result.bytes = sweeps * 2 * points * sizeof(float);
  result.baselines.push_back(
      {.label = "clang",
       .group = "clang",
       .code = CSource{CSource::Clang, "jacobi.c", function}});
  if (!steps)
    for (std::string roofline : {"scale", "scale_streaming"})
      result.baselines.push_back(
          {.label = roofline == "scale" ? "one pass" : "one pass, streaming",
           .group = "memory",
           .code = CSource{CSource::Clang, "jacobi.c", roofline},
           .isRoofline = true});
  return result;
}

static Row makeJacobi(bool isSmall) {
  Row row{"jacobi", "7-point Jacobi in 3-D as plain loops, f32", {}};
  if (isSmall) {
    row.cases = {jacobiCase(12, 0), jacobiCase(12, 4)};
    return row;
  }
  for (int64_t n = 50; n <= 450; n += 50)
    row.cases.push_back(jacobiCase(n, 0));
  for (int64_t n : {100, 200, 300, 450})
    row.cases.push_back(jacobiCase(n, 20));
  return row;
}

static Case batchCase(int64_t count, int64_t n) {
  Case result;
  result.name = std::to_string(count) + " x " + std::to_string(n);
  result.payload = "batch-matmul.mlir";
  result.sizes = {{"COUNT", count}, {"N", n}};
  result.reference = {CSource::Strict, "batch-matmul.c", "kernel_ikj"};
  result.flops = 2.0 * count * n * n * n;
  addOrders(result, "batch-matmul.c", {"ijk", "ikj", "kij"});
  result.baselines.push_back(
      library(LibraryCall::OpenBlas, LibraryCall::GemmLoop));
  result.baselines.push_back(
      {.label = "libxsmm",
       .group = "libxsmm",
       .code = CSource{.file = "batch-matmul-libxsmm.c",
                       .libraries = {"-lxsmm", "-lxsmmnoblas"}}});
  return result;
}

static Row makeBatchMatmul(bool isSmall) {
  int64_t count = isSmall ? 4 : 512;
  return {"batch-matmul",
          "batched matmul, f32",
          {batchCase(count, 32), batchCase(count, 64)}};
}

/// A kernel on the rows of an N x N matrix.
static Row makeNormalization(const std::string &kernel,
                             const std::string &title, double flopsPerElement,
                             bool isSmall) {
  int64_t n = isSmall ? 32 : 1024;
  Case added;
  added.name = std::to_string(n);
  added.payload = kernel + ".mlir";
  added.sizes = {{"M", n}, {"N", n}};
  added.reference = {CSource::Strict, kernel + ".c"};
  added.flops = flopsPerElement * n * n;
  added.bytes = 2.0 * n * n * sizeof(float);
  added.baselines = {
      {.label = "clang, libmvec",
       .group = "clang",
       .code = CSource{CSource::Clang, kernel + ".c", "kernel", true}}};
  return {kernel, title, {added}};
}

/// The file has one size only.
static Row makeMmCpu() {
  constexpr int64_t n = 1024;
  Case added = matmulCase(n, n, n, true);
  added.payload = "mm-cpu.mlir";
  added.hasPlain = false;
  auto add = [&](const std::string &label, const std::string &configuration) {
    added.baselines.push_back(
        {.label = label, .group = label, .code = FixedChoice{configuration}});
  };
  add("expert", R"({"tile51": 8, "tile52": 128, "split100": 128, "vec101": 8,
                    "reorder": [0, 1, 4, 2, 5, 3]})");
  add("default", R"({"tile51": 32, "tile52": 32, "split100": 4, "vec101": 8,
                     "reorder": [0, 1, 4, 5, 2, 3]})");
  return {"mm-cpu", "MM_CPU of the BaCO paper, 100 evaluations", {added}};
}

static Row makeThreads(bool isSmall) {
  Row row{"threads", "matmul on 2 threads", {}};
  for (int64_t n : {1024, 2048}) {
    int64_t extent = isSmall ? n / 16 : n;
    row.cases.push_back(matmulCase(extent, extent, extent, true));
    Case &added = row.cases.back();
    added.threads = 2;
    added.hasPlain = false;
    added.baselines = {library(LibraryCall::OpenBlas, LibraryCall::Gemm)};
    if (isSmall)
      addDefault(added);
  }
  return row;
}

std::vector<Row> baco::benchmarks::makeRows(bool isSmall) {
  return {
      makeMatmul(isSmall),
      makeShapes(isSmall),
      makeLoops(isSmall),
      makeTrsm(isSmall),
      makeJacobi(isSmall),
      makeConvRow(isSmall),
      makeLayersRow(isSmall),
      makeBatchMatmul(isSmall),
      makeNormalization("softmax", "softmax of rows, f32", 5, isSmall),
      makeNormalization("layernorm", "layer normalization of rows, f32", 8,
                        isSmall),
      makeMlpRow(isSmall),
      makeAttentionRow(isSmall),
      makePolyBenchRow(isSmall),
      makeThreads(isSmall),
      makeMmCpu(),
  };
}

std::vector<Case> baco::benchmarks::makeSweep(const std::string &row,
                                              bool isSmall) {
  std::vector<Case> cases;
  if (row == "matmul" || row == "trsm") {
    // The first is tuned; few tiles divide the last ones.
    std::vector<int64_t> extents = {1024, 256,  512, 768,  1280, 1536,
                                    1792, 2048, 500, 1000, 1500};
    if (isSmall)
      extents = {64, 32, 96, 50};
    for (int64_t extent : extents) {
      cases.push_back(row == "matmul" ? matmulCase(extent, extent, extent, true)
                                      : trsmCase(extent, extent, true));
      Case &added = cases.back();
      added.hasPlain = false;
      added.baselines = {
          {.label = "clang ikj",
           .group = "clang",
           .code = CSource{CSource::Clang, row + ".c", "kernel_ikj"}},
          library(LibraryCall::OpenBlas,
                  row == "matmul" ? LibraryCall::Gemm : LibraryCall::Trsm)};
    }
  } else if (row == "jacobi") {
    cases.push_back(jacobiCase(isSmall ? 12 : 250, 0));
    for (int64_t n = 50; n <= 450; n += 50)
      cases.push_back(jacobiCase(isSmall ? n / 10 + 4 : n, 0));
    for (Case &added : cases)
      added.hasPlain = false;
  }
  return cases;
}
