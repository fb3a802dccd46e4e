//===- AnnotateMatmul.cpp - The space of blockings of a matmul ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication",
// ACM Trans. Math. Software 34 (2008), with the roles of A and B as row-major
// matrices ask for: vectors run along the rows of B and C. Where an extent has
// enough divisors, tiles are among these, which makes one loop nest; otherwise
// they are round numbers, and the op is cut in parts.
//
//===----------------------------------------------------------------------===//

#include "AnnotateMatmul.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>
#include <tuple>

using namespace llvm;
using namespace baco::schedule;

/// More rows fill the register file of no machine that we know.
static constexpr int64_t maxRows = 16;
/// Widest register tile, in vectors.
static constexpr int64_t maxVectors = 8;
/// Smaller blocks are dominated by packing, larger ones by cache misses.
static constexpr int64_t minBlock = 32;
static constexpr int64_t maxBlock = 2048;
/// Two multiply-add units with a latency of 4 need this many independent sums;
/// with twice as many nothing stalls.
static constexpr int64_t minSums = 8;
static constexpr double enoughSums = 16;

/// The divisors of `value` from `lower` to `upper` that are multiples of
/// `unit`.
static SmallVector<int64_t> divisors(int64_t value, int64_t lower,
                                     int64_t upper, int64_t unit = 1) {
  SmallVector<int64_t> result;
  for (int64_t d = unit; d <= std::min(value, upper); d += unit)
    if (d >= lower && value % d == 0)
      result.push_back(d);
  return result;
}

/// The largest power of two that divides `value`.
static int64_t powerOfTwoIn(int64_t value) { return value & -value; }

/// Those of `candidates` (increasing) that are less than `extent`, and `extent`
/// itself if it is at most `limit` or there is no other.
static SmallVector<int64_t> upTo(ArrayRef<int64_t> candidates, int64_t extent,
                                 int64_t limit) {
  SmallVector<int64_t> result;
  llvm::copy_if(candidates, std::back_inserter(result),
                [&](int64_t size) { return size < extent; });
  if (extent <= limit || result.empty())
    result.push_back(extent);
  return result;
}

/// Sizes of blocks where divisors give no choice.
static constexpr int64_t blocks[] = {64, 128, 256, 512, 1024};

/// Heights of the register tile.
static void findRows(int64_t m, MatmulBlockings &result) {
  result.mr = divisors(m, m == 1 ? 1 : 2, maxRows);
  auto numHigh = llvm::count_if(result.mr, [](int64_t r) { return r >= 4; });
  result.dividesM = m <= maxRows || numHigh >= 2;
  if (!result.dividesM)
    result.mr = upTo({4, 5, 6, 8, 10, 12, 14, 16}, m, maxRows);
}

/// Widths of the register tile: powers of two, because LLVM takes longer
/// vectors of other lengths apart into scalars. Less than a vector is better
/// than none.
static void findWidths(int64_t n, int64_t vectorLength,
                       MatmulBlockings &result) {
  if (n <= vectorLength) {
    result.nr = {n};
    return;
  }
  result.dividesN = n % (2 * vectorLength) == 0;
  for (int64_t width = vectorLength;
       width <= std::min(n, maxVectors * vectorLength); width *= 2)
    if (!result.dividesN || n % width == 0)
      result.nr.push_back(width);
}

/// Sizes of blocks along K, such that rows of blocks can be copied by vectors
/// if the extent allows it.
static void findDepths(int64_t k, int64_t vectorLength,
                       MatmulBlockings &result) {
  int64_t unit = std::min(vectorLength, powerOfTwoIn(k));
  for (int64_t u : {unit, int64_t(1)}) {
    result.kc = divisors(k, minBlock, maxBlock, u);
    if (result.kc.size() > 1)
      return;
  }
  result.kc = upTo(blocks, k, maxBlock);
  result.dividesK = result.kc.size() == 1;
}

/// Sizes of blocks along M: each a multiple of some register tile.
static void findHeights(int64_t m, MatmulBlockings &result) {
  if (!result.dividesM) {
    result.mc = upTo(blocks, m, maxBlock);
    return;
  }
  result.mc = divisors(m, minBlock, maxBlock);
  llvm::erase_if(result.mc, [&](int64_t height) {
    return llvm::none_of(result.mr, [&](int64_t r) { return height % r == 0; });
  });
  if (result.mc.empty())
    result.mc.push_back(m);
}

/// How an expression calls a size.
static std::string spell(StringRef name, ArrayRef<int64_t> candidates) {
  return candidates.size() > 1 ? name.str() : std::to_string(candidates[0]);
}

namespace {
/// Adds rules, keeping the blockings that meet all of them.
class RuleBook {
public:
  RuleBook(const MatmulShape &shape, const HostInfo &host,
           MatmulBlockings &result)
      : shape(shape), host(host), result(result),
        vectorLength(host.vectorBytes / shape.elementBytes) {
    for (int64_t mr : result.mr)
      for (int64_t nr : result.nr)
        for (int64_t mc : result.mc)
          for (int64_t kc : result.kc)
            if (result.dividesM ? mc % mr == 0 : mr <= mc)
              feasible.push_back({mr, nr, mc, kc});
  }

  void addRegisterRules();
  void addCacheRules();
  void addOrderRule();
  /// The best of what is left; there always is something.
  Blocking choose() const;

private:
  void add(std::string expression, std::string reason,
           llvm::function_ref<bool(const Blocking &)> holds);
  double sums(const Blocking &b) const {
    return double(b.mr) * b.nr / vectorLength;
  }
  double loads(const Blocking &b) const {
    return b.mr + double(b.nr) / vectorLength;
  }
  int64_t panelBytes(const Blocking &b) const {
    return b.kc * b.nr * shape.elementBytes;
  }
  int64_t blockBytes(const Blocking &b) const {
    return b.mc * b.kc * shape.elementBytes;
  }

  const MatmulShape &shape;
  const HostInfo &host;
  MatmulBlockings &result;
  int64_t vectorLength;
  SmallVector<Blocking, 0> feasible;
};
} // namespace

/// A rule that no value satisfies would leave an empty space, and one that all
/// values satisfy is redundant: both are left out.
void RuleBook::add(std::string expression, std::string reason,
                   llvm::function_ref<bool(const Blocking &)> holds) {
  SmallVector<Blocking, 0> kept;
  llvm::copy_if(feasible, std::back_inserter(kept), holds);
  if (kept.empty() || kept.size() == feasible.size())
    return;
  feasible = std::move(kept);
  result.rules.push_back({std::move(expression), std::move(reason)});
}

void RuleBook::addRegisterRules() {
  std::string mr = spell("MR", result.mr), nr = spell("NR", result.nr);
  std::string tile = formatv("{0} * {1} / {2}", mr, nr, vectorLength);
  std::string row = formatv("{0} / {1}", nr, vectorLength);
  add(formatv("{0} + {1} + 1 <= {2}", tile, row, host.vectorRegisters),
      formatv("the tile of C, a row of B and an element of A fit {0} vector "
              "registers",
              host.vectorRegisters),
      [&](const Blocking &b) {
        return sums(b) + double(b.nr) / vectorLength + 1 <=
               host.vectorRegisters;
      });
  add(formatv("{0} >= {1}", tile, minSums),
      formatv("{0} independent sums hide the latency of multiply-adds",
              minSums),
      [&](const Blocking &b) { return sums(b) >= minSums; });
  add(formatv("{0} + {1} < {2}", mr, row, tile),
      "the register tile does more multiply-adds than loads",
      [&](const Blocking &b) { return loads(b) < sums(b); });
}

/// Generous, because what is in a larger cache is not lost, and the search
/// measures.
void RuleBook::addCacheRules() {
  std::string mc = spell("MC", result.mc), kc = spell("KC", result.kc);
  std::string nr = spell("NR", result.nr);
  int64_t panelLimit = std::max(host.l1Bytes, host.l2Bytes / 4);
  int64_t blockLimit = std::max(host.l2Bytes, host.l3Bytes / 8);
  add(formatv("{0} * {1} * {2} <= {3}", kc, nr, shape.elementBytes, panelLimit),
      "a packed panel of B stays in level 1 or a quarter of level 2",
      [&](const Blocking &b) { return panelBytes(b) <= panelLimit; });
  add(formatv("{0} * {1} * {2} <= {3}", mc, kc, shape.elementBytes, blockLimit),
      "a packed block of A stays in level 2 or an eighth of level 3",
      [&](const Blocking &b) { return blockBytes(b) <= blockLimit; });
}

/// With a single block along M or K, both orders are the same code.
void RuleBook::addOrderRule() {
  auto isFree = [&](const Blocking &b) {
    return b.mc < shape.m && b.kc < shape.k;
  };
  result.hasOrder = llvm::any_of(feasible, isFree);
  if (!result.hasOrder || llvm::all_of(feasible, isFree))
    return;
  result.rules.push_back({formatv("pos(order, 1) == 0 || ({0} < {1} && {2} < "
                                  "{3})",
                                  spell("MC", result.mc), shape.m,
                                  spell("KC", result.kc), shape.k),
                          "with a single block the order makes no difference",
                          /*advisory=*/false});
}

Blocking RuleBook::choose() const {
  // Measured on Zen 5 (f32 and f64, 512 to 2048): 16 sums beat more, then few
  // loads decide; then deep panels in two thirds of level 1 (rows of A and C
  // need the rest), and high blocks in half of level 2.
  auto cost = [&](const Blocking &b) {
    return std::tuple(std::max(sums(b), enoughSums), loads(b) / sums(b),
                      std::max(panelBytes(b), host.l1Bytes * 2 / 3), -b.kc,
                      std::max(blockBytes(b), host.l2Bytes / 2), -b.mc);
  };
  return *llvm::min_element(
      feasible,
      [&](const Blocking &a, const Blocking &b) { return cost(a) < cost(b); });
}

/// By how many elements panels are copied.
static int64_t findCopyLength(const MatmulBlockings &result) {
  // Parts have copies of their own, with rows cut as needed.
  if (!result.dividesM || !result.dividesN || !result.dividesK)
    return result.vectorLength;
  int64_t common = result.vectorLength;
  for (int64_t size : llvm::concat<const int64_t>(result.kc, result.nr))
    common = std::gcd(common, size);
  return common > 1 ? common : 0;
}

bool baco::schedule::fitsInLevel1(const MatmulShape &shape,
                                  const HostInfo &host) {
  // Extents of memrefs of int64_t bytes: each product fits a double.
  double elements = double(shape.m) * shape.n + double(shape.m) * shape.k +
                    double(shape.k) * shape.n;
  return elements * shape.elementBytes <= host.l1Bytes;
}

MatmulBlockings baco::schedule::findBlockings(const MatmulShape &shape,
                                              const HostInfo &host,
                                              bool packs) {
  MatmulBlockings result;
  result.vectorLength = host.vectorBytes / shape.elementBytes;
  findRows(shape.m, result);
  findWidths(shape.n, result.vectorLength, result);
  if (packs) {
    findHeights(shape.m, result);
    findDepths(shape.k, result.vectorLength, result);
  } else {
    result.mc = {shape.m};
    result.kc = {shape.k};
  }
  result.copyLength = findCopyLength(result);

  RuleBook rules(shape, host, result);
  rules.addRegisterRules();
  if (packs) {
    rules.addCacheRules();
    rules.addOrderRule();
  }
  result.best = rules.choose();
  return result;
}
