//===- MachineRates.cpp - Rates that bound a kernel -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two roofs of the roofline model (Williams, Waterman and Patterson,
// "Roofline: an insightful visual performance model", CACM 52, 2009). The loops
// exist twice, because the worker is built for CPUs without AVX-512, too.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/MachineRates.h"

#include "baco/Protocol/Clock.h"
#include "baco/Runtime/Team.h"
#include "baco/Support/CpuPermission.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace baco;
using namespace baco::runtime;

namespace {
template <typename T, int Bytes>
using Vector [[gnu::vector_size(Bytes)]] = T;

/// More independent chains than latency times units of any CPU, and fewer than
/// the vectors that it holds.
constexpr int numChains = 12;

struct Work {
  /// The memory of all members, in equal parts; null for arithmetic.
  const std::byte *memory = nullptr;
  size_t bytesPerMember = 0;
  /// How often each member repeats the loop.
  int64_t repetitions = 0;
};

/// Returns the operations, or bytes, of a repetition. What it computes is
/// stored, so that no compiler leaves it out.
using Loop = int64_t (*)(const Work &work, int member);

template <int Bytes>
[[gnu::always_inline]] inline int64_t multiplyAndAdd(const Work &work) {
  using Floats = Vector<float, Bytes>;
  // Chains that stay at normal numbers.
  volatile float one = 1, none = 0;
  Floats factor = Floats{} + one, term = Floats{} + none;
  Floats chains[numChains];
  for (int c = 0; c < numChains; ++c)
    chains[c] = factor * static_cast<float>(c + 1);
  for (int64_t i = 0; i < work.repetitions; ++i)
#pragma GCC unroll 12
    for (Floats &chain : chains)
      chain = __builtin_elementwise_fma(chain, factor, term);
  Floats sum{};
  for (const Floats &chain : chains)
    sum += chain;
  volatile float sink = sum[0];
  (void)sink;
  constexpr int64_t perElement = 2;
  return perElement * numChains * (Bytes / static_cast<int64_t>(sizeof(float)));
}

template <int Bytes>
[[gnu::always_inline]] inline int64_t read(const Work &work, int member) {
  using Integers = Vector<int64_t, Bytes>;
  const auto *begin = reinterpret_cast<const Integers *>(
      work.memory + work.bytesPerMember * member);
  int64_t count = work.bytesPerMember / Bytes / numChains * numChains;
  Integers chains[numChains] = {};
  for (int64_t i = 0; i < work.repetitions; ++i) {
    for (int64_t at = 0; at < count; at += numChains)
#pragma GCC unroll 12
      for (int c = 0; c < numChains; ++c)
        chains[c] ^= begin[at + c];
    // Each repetition reads again.
    asm volatile("" ::: "memory");
  }
  Integers sum{};
  for (const Integers &chain : chains)
    sum ^= chain;
  volatile int64_t sink = sum[0];
  (void)sink;
  return count * Bytes;
}

struct Loops {
  Loop multiplyAndAdd, read;
  /// Null: see MachineRates::byteOpsPerS.
  Loop addProductsOfBytes = nullptr;
};

/// Adds products of bytes to chains of i32. `add` is the instruction for it,
/// which this function, without a target of its own, sees by reference.
template <typename Integers, typename Add>
[[gnu::always_inline]] inline int64_t addProductsOfBytes(const Work &work,
                                                         Add add) {
  volatile int32_t ones = 0x01010101;
  Integers factor = Integers{} + ones;
  Integers chains[numChains] = {};
  for (int64_t i = 0; i < work.repetitions; ++i)
#pragma GCC unroll 12
    for (Integers &chain : chains)
      add(chain, factor);
  Integers sum{};
  for (const Integers &chain : chains)
    sum += chain;
  volatile int32_t sink = sum[0];
  (void)sink;
  constexpr int64_t perByte = 2;
  return perByte * numChains * static_cast<int64_t>(sizeof(Integers));
}
} // namespace

#if defined(__x86_64__)
[[gnu::target("avx512f")]] static int64_t multiply512(const Work &work, int) {
  return multiplyAndAdd<64>(work);
}
[[gnu::target("avx512f")]] static int64_t read512(const Work &work,
                                                  int member) {
  return read<64>(work, member);
}
[[gnu::target("avx512f,avx512vnni")]] static int64_t
addBytes512(const Work &work, int) {
  using Integers = Vector<int32_t, 64>;
  return addProductsOfBytes<Integers>(
      work, [](Integers &sum, const Integers &factor)
                __attribute__((target("avx512f,avx512vnni"))) {
                  sum = Integers(_mm512_dpbusd_epi32(
                      __m512i(sum), __m512i(factor), __m512i(factor)));
                });
}
[[gnu::target("avx2,avxvnni")]] static int64_t addBytes256(const Work &work,
                                                           int) {
  using Integers = Vector<int32_t, 32>;
  return addProductsOfBytes<Integers>(
      work, [](Integers &sum, const Integers &factor)
                __attribute__((target("avx2,avxvnni"))) {
                  sum = Integers(_mm256_dpbusd_avx_epi32(
                      __m256i(sum), __m256i(factor), __m256i(factor)));
                });
}

namespace {
/// What `ldtilecfg` reads.
struct alignas(64) TileShapes {
  uint8_t palette = 1, startRow = 0, reserved[14] = {};
  uint16_t rowBytes[16] = {};
  uint8_t rows[16] = {};
};
} // namespace

/// Two tiles times two others are four chains, which is as many as a unit needs
/// to be busy.
[[gnu::target("amx-tile,amx-int8")]] static int64_t
addBytesInTiles(const Work &work, int) {
  constexpr int maxRows = 16, rowBytes = 64, numTiles = 8;
  TileShapes shapes;
  std::fill_n(shapes.rowBytes, numTiles, rowBytes);
  std::fill_n(shapes.rows, numTiles, maxRows);
  _tile_loadconfig(&shapes);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  alignas(rowBytes) int8_t ones[maxRows * rowBytes];
  std::fill(std::begin(ones), std::end(ones), int8_t{1});
  _tile_loadd(4, ones, rowBytes);
  _tile_loadd(5, ones, rowBytes);
  _tile_loadd(6, ones, rowBytes);
  _tile_loadd(7, ones, rowBytes);
  for (int64_t i = 0; i < work.repetitions; ++i) {
    _tile_dpbssd(0, 4, 6);
    _tile_dpbssd(1, 4, 7);
    _tile_dpbssd(2, 5, 6);
    _tile_dpbssd(3, 5, 7);
  }
  _tile_stored(0, ones, rowBytes);
  volatile int8_t sink = ones[0];
  (void)sink;
  _tile_release();
  constexpr int64_t perByte = 2, numProducts = 4, numColumns = 16;
  return perByte * numProducts * maxRows * numColumns * rowBytes;
}

static Loop findByteLoop() {
  if (__builtin_cpu_supports("amx-int8") && requestTiles())
    return addBytesInTiles;
  if (__builtin_cpu_supports("avx512vnni"))
    return addBytes512;
  return __builtin_cpu_supports("avxvnni") ? addBytes256 : nullptr;
}
#endif

#if defined(__AVX2__)
static constexpr int usualBytes = 32;
#else
static constexpr int usualBytes = 16;
#endif
static int64_t multiplyUsual(const Work &work, int) {
  return multiplyAndAdd<usualBytes>(work);
}
static int64_t readUsual(const Work &work, int member) {
  return read<usualBytes>(work, member);
}

/// The loops with the widest vectors of this CPU.
static Loops findLoops() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return {multiply512, read512, findByteLoop()};
  return {multiplyUsual, readUsual, findByteLoop()};
#endif
  return {multiplyUsual, readUsual};
}

namespace {
struct MeasuredRegion {
  Loop loop;
  const Work &work;
  std::atomic<int> nextMember = 0;
  /// The same for all.
  std::atomic<int64_t> operations = 0;
};
} // namespace

static void runMember(void *shared) {
  auto &region = *static_cast<MeasuredRegion *>(shared);
  int member = region.nextMember++;
  region.operations = region.loop(region.work, member);
}

/// The operations per second of all members.
static double findRate(Loop loop, Work work, int members) {
  constexpr double tryNs = 3e5;
  constexpr int numTries = 5;
  double best = 0;
  work.repetitions = 1;
  for (int i = 0; i < numTries;) {
    MeasuredRegion region{loop, work};
    int64_t start = nowNs();
    if (members > 1)
      runOnTeam(runMember, &region);
    else
      runMember(&region);
    double ns = std::max<double>(1, nowNs() - start);
    double operations = static_cast<double>(region.operations) * members *
                        static_cast<double>(work.repetitions);
    // The first ones warm up.
    if (ns < tryNs && work.repetitions < int64_t(1) << 40) {
      work.repetitions *= ns < tryNs / 4 ? 4 : 2;
      continue;
    }
    best = std::max(best, 1e9 * operations / ns);
    ++i;
  }
  return best;
}

MachineRates runtime::measureRates(size_t bytes, bool usesTeam) {
  constexpr size_t minBytes = 16 << 10, maxBytes = 256 << 20, alignment = 64;
  int members = usesTeam ? teamSize() : 1;
  Loops loops = findLoops();
  MachineRates rates;
  rates.threads = members;
  rates.flopsPerS = findRate(loops.multiplyAndAdd, {}, members);
  if (loops.addProductsOfBytes)
    rates.byteOpsPerS = findRate(loops.addProductsOfBytes, {}, members);
  Work work;
  work.bytesPerMember =
      std::max(std::min(bytes, maxBytes) / members, minBytes) / alignment *
      alignment;
  size_t total = work.bytesPerMember * members;
  auto *memory = static_cast<std::byte *>(std::aligned_alloc(alignment, total));
  if (!memory)
    return rates;
  std::unique_ptr<std::byte, decltype(&std::free)> owner(memory, std::free);
  std::fill_n(memory, total, std::byte{1});
  work.memory = memory;
  rates.bytesPerS = findRate(loops.read, work, members);
  return rates;
}
