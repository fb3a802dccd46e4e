//===- GeneratedSpaces.cpp - Spaces with computed times -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas follow what makes kernels fast or slow (reuse in registers and
// caches, contiguous access, occupancy, limits of the device) without claiming
// to predict any machine. Times have no unit.
//
//===----------------------------------------------------------------------===//

#include "GeneratedSpaces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

using namespace baco;
using namespace baco::bench;

/// The value of a result that can't be an error: its input is written here.
template <typename T>
static T known(Result<T> result) {
  assert(result && "generated spaces are right");
  return std::move(*result);
}

static Constraint constraint(std::string_view text) {
  return {known(Expression::parse(text)), "", "", false};
}

static Parameter powersOfTwo(const char *name, int64_t first, int64_t last) {
  std::vector<ParameterValue> values;
  for (int64_t value = first; value <= last; value *= 2)
    values.push_back(value);
  return known(Parameter::ordinal(name, std::move(values), /*log=*/true));
}

static double number(const ParameterValue &value) {
  return double(std::get<int64_t>(value));
}

/// The factor by which something gets slower that needs `need` and has `have`.
static double slowdown(double need, double have, double strength) {
  return need <= have ? 1 : 1 + strength * std::log2(need / have);
}

//===----------------------------------------------------------------------===//
// Tiled matmul
//===----------------------------------------------------------------------===//

namespace {

/// A machine and what it multiplies.
struct Matmul {
  double lanes = 8, registers = 16;
  double l1 = 32 << 10, l2 = 256 << 10, l3 = 2 << 20;
  /// Rows and columns; 0: so many that incomplete tiles don't count.
  double extent = 0;
};

} // namespace

/// How much more is computed than is needed where the last tile isn't full.
static double waste(double extent, double tile) {
  return extent > 0 ? std::ceil(extent / tile) * tile / extent : 1;
}

/// Goto's loops around a micro-kernel of MR rows and NR columns.
static double matmulTime(const Matmul &matmul, const Configuration &c) {
  double mc = number(c[0]), nc = number(c[1]), kc = number(c[2]);
  double mr = number(c[3]), nr = number(c[4]), unroll = number(c[5]);
  double columns = std::ceil(nr / matmul.lanes), accumulators = mr * columns;
  // Chains of additions hide their latency only if there are enough of them.
  double arithmetic = std::max(1.0, 8 / accumulators);
  double loads = (mr + columns) / accumulators;
  double registers =
      slowdown(accumulators + columns + 1, matmul.registers, 0.8);
  double code = slowdown(accumulators * unroll, 64, 0.1);
  double kernel = (arithmetic + 0.4 * loads + 0.3 / unroll) * registers * code;
  double caches = slowdown(4 * kc * (mr + nr), matmul.l1, 0.3) *
                  slowdown(4 * mc * kc, matmul.l2, 0.4) *
                  slowdown(4 * kc * nc, matmul.l3, 0.5);
  // Rows of whole pages fall into the same sets.
  double conflicts = std::fmod(4 * kc, 2048) == 0 ? 1.12 : 1;
  double packing = 20 / nc + 8 / mc, storing = 24 / kc;
  return kernel * caches * conflicts * waste(matmul.extent, mc) *
             waste(matmul.extent, nc) +
         packing + storing;
}

static BenchmarkSpace tiledMatmul(const char *name, const Matmul &matmul) {
  bool isBound = matmul.extent > 0;
  double most = isBound ? matmul.extent : 1024;
  double maxRows = isBound ? matmul.extent : 384;
  std::vector<ParameterValue> rows;
  for (int64_t value = 12; double(value) <= maxRows; value *= 2)
    rows.push_back(value);
  std::vector<Parameter> parameters = {
      known(Parameter::ordinal("MC", std::move(rows), true)),
      powersOfTwo("NC", 16, int64_t(most)),
      powersOfTwo("KC", 16, int64_t(most)),
      known(Parameter::ordinal("MR", {1, 2, 3, 4, 6, 8, 12}, true)),
      powersOfTwo("NR", 4, 64),
      powersOfTwo("unroll", 1, 16)};
  for (Parameter &parameter : std::span(parameters).first(3))
    if (isBound)
      parameter.extent = matmul.extent;
  Space space = known(Space::create(
      std::move(parameters),
      {constraint("MC % MR == 0"), constraint("NC % NR == 0"),
       constraint("MR * NR <= 192"), constraint("KC >= 4 * unroll")}));
  return known(BenchmarkSpace::compute(
      name, std::move(space),
      [&](const Configuration &c) { return matmulTime(matmul, c); }));
}

//===----------------------------------------------------------------------===//
// Loop order
//===----------------------------------------------------------------------===//

namespace {

/// An array of a nest of loops: the loops that index it, slowest first.
struct Access {
  std::vector<int> loops;
};

} // namespace

static constexpr int numLoops = 5;

/// How many lines of 16 elements an array has within the inner loops.
static double linesOf(const Access &access,
                      const std::array<double, numLoops> &extents) {
  double lines = 1;
  for (int loop : access.loops)
    lines *= extents[size_t(loop)];
  double contiguous = extents[size_t(access.loops.back())];
  return lines / contiguous * std::ceil(contiguous / 16);
}

/// The lines that are fetched per innermost iteration into a cache that holds
/// some lines: the innermost loops whose arrays fit keep what they fetched.
static double fetches(const Permutation &order,
                      const std::array<double, numLoops> &trips,
                      const std::vector<Access> &accesses, double capacity) {
  std::array<double, numLoops> inner;
  inner.fill(1);
  double iterations = 1, lines = double(accesses.size());
  for (size_t level = order.size(); level-- > 0;) {
    size_t loop = size_t(order[level]);
    inner[loop] = trips[loop];
    double needed = 0;
    for (const Access &access : accesses)
      needed += linesOf(access, inner);
    if (needed > capacity)
      break;
    iterations *= trips[loop];
    lines = needed;
  }
  return lines / iterations;
}

namespace {

/// The extent of all loops, and how many lines two caches hold.
struct Contraction {
  double extent = 64, nearLines = 512, farLines = 8192;
};

} // namespace

/// out[a, b, c] += x[a, c, d, e] * y[b, e, d]: the order of the loops a to e,
/// and how much of d and e is done at a time.
static double contractionTime(const Contraction &contraction,
                              const Configuration &c) {
  static const std::vector<Access> accesses = {
      {{0, 1, 2}}, {{0, 2, 3, 4}}, {{1, 4, 3}}};
  const Permutation &order = std::get<Permutation>(c[0]);
  double tileD = number(c[1]), tileE = number(c[2]);
  double extent = contraction.extent;
  std::array<double, numLoops> trips = {extent, extent, extent, tileD, tileE};
  double memory = 3 * fetches(order, trips, accesses, contraction.nearLines) +
                  12 * fetches(order, trips, accesses, contraction.farLines);
  // Vectors want the elements of two arrays next to each other.
  static constexpr std::array<double, numLoops> scalarCost = {1.0, 1.0, 0.6,
                                                              0.3, 0.25};
  double vectors = scalarCost[size_t(order.back())];
  double control =
      1.5 / trips[size_t(order.back())] + 0.5 / (trips[3] * trips[4]) * extent;
  return 0.2 + memory + vectors + control;
}

static Parameter tileOf(const char *name, double extent) {
  Parameter tile = powersOfTwo(name, 1, int64_t(extent));
  tile.extent = extent;
  return tile;
}

static BenchmarkSpace loopOrder(const char *name,
                                const Contraction &contraction) {
  Space space =
      known(Space::create({known(Parameter::permutation("order", numLoops)),
                           tileOf("tile_d", contraction.extent),
                           tileOf("tile_e", contraction.extent)}));
  return known(BenchmarkSpace::compute(
      name, std::move(space),
      [&](const Configuration &c) { return contractionTime(contraction, c); }));
}

//===----------------------------------------------------------------------===//
// Stencil on a device
//===----------------------------------------------------------------------===//

namespace {

/// What a multiprocessor has.
struct Device {
  double threads = 2048, registers = 65536;
  /// Of a block, and of all.
  double sharedBytes = 48 << 10, allSharedBytes = 98304;
  /// Threads whose accesses are one.
  double lanes = 32;
  /// Bytes that a texture's cache saves.
  double textureReads = 2.2;
};

} // namespace

/// A block of x times y threads computes `points` values with each.
static std::optional<double> stencilTime(const Device &device,
                                         const Configuration &c) {
  double x = number(c[0]), y = number(c[1]), points = number(c[2]);
  double vector = number(c[3]);
  const std::string &memory = std::get<std::string>(c[4]);
  const std::string &layout = std::get<std::string>(c[5]);
  bool isShared = memory == "shared", isBlocked = layout == "blocked";
  double threads = x * y, halo = (x * vector + 4) * (y * points + 4);
  double sharedBytes = isShared ? 4 * halo : 0;
  double registers = 16 + 6 * points * vector + (isShared ? 0 : 10);
  // What the device refuses only when the kernel is started.
  if (sharedBytes > device.sharedBytes ||
      registers * threads > device.registers ||
      (memory == "texture" && vector == 4))
    return std::nullopt;
  double resident = std::floor(std::min(
      {device.threads / threads, device.registers / (registers * threads),
       isShared ? device.allSharedBytes / sharedBytes : 32.0, 32.0}));
  double occupancy = resident * threads / device.threads;
  double hidden = std::min(1.0, occupancy * (0.6 + 0.4 * points * vector));
  double reads = isShared              ? halo / (threads * points * vector)
                 : memory == "texture" ? device.textureReads
                                       : 3.4;
  double lanes = std::min(1.0, x / device.lanes);
  double coalescing = isBlocked ? 0.8 : lanes;
  double arithmetic = 0.3 + 0.5 / (points * vector) + (isBlocked ? 0.15 : 0);
  return arithmetic / std::max(0.1, hidden) +
         reads / (coalescing * std::sqrt(std::max(0.1, hidden)));
}

static BenchmarkSpace deviceStencil(const char *name, const Device &device) {
  std::vector<ParameterValue> widths;
  for (int64_t width = 16; width <= 512; width += 16)
    widths.push_back(width);
  std::vector<Parameter> parameters = {
      known(Parameter::ordinal("block_x", std::move(widths))),
      powersOfTwo("block_y", 1, 16),
      known(Parameter::integer("points", 1, 8)),
      powersOfTwo("vector", 1, 4),
      known(Parameter::categorical("memory", {std::string("global"),
                                              std::string("shared"),
                                              std::string("texture")})),
      known(Parameter::categorical(
          "layout", {std::string("rows"), std::string("blocked")}))};
  Space space = known(Space::create(std::move(parameters),
                                    {constraint("block_x * block_y <= 1024")}));
  return known(BenchmarkSpace::compute(
      name, std::move(space),
      [&](const Configuration &c) { return stencilTime(device, c); }));
}

std::vector<BenchmarkSpace> bench::generatedSpaces() {
  return {tiledMatmul("tiled_matmul", {}), loopOrder("loop_order", {}),
          deviceStencil("device_stencil", {})};
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

std::vector<std::vector<BenchmarkSpace>> bench::generatedFamilies() {
  Matmul small{.extent = 384}, odd{.extent = 1000}, large{.extent = 1536};
  odd.lanes = 16;
  odd.registers = 32;
  odd.l2 = 1 << 20;
  large.l1 = 48 << 10;
  large.l2 = 512 << 10;
  large.l3 = 8 << 20;
  Device little{.threads = 1024, .registers = 32768};
  little.allSharedBytes = 48 << 10;
  little.textureReads = 1.5;
  Device wide{.threads = 2560, .lanes = 64};
  wide.sharedBytes = 64 << 10;
  return {{tiledMatmul("matmul_384", small), tiledMatmul("matmul_1000", odd),
           tiledMatmul("matmul_1536", large)},
          {loopOrder("contraction_32", Contraction{32, 1024, 16384}),
           loopOrder("contraction_64", Contraction{}),
           loopOrder("contraction_128", Contraction{128, 512, 32768})},
          {deviceStencil("stencil_2048", Device{}),
           deviceStencil("stencil_1024", little),
           deviceStencil("stencil_2560", wide)}};
}
