//===- CommandCacheRulesTest.cpp - Footprints of tiles, counted -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What advisory rules on the tiles of loop commands allow is compared with the
// number of bytes that small nests, written here once more with their tiles,
// touch.
//
//===----------------------------------------------------------------------===//

#include "ScheduleTest.h"

#include <algorithm>
#include <functional>
#include <set>

using namespace baco;

namespace {
/// The elements that a part of a nest touches.
class Touched {
public:
  explicit Touched(int64_t elementBytes) : elementBytes(elementBytes) {}

  void add(char array, std::vector<int64_t> subscripts) {
    elements.emplace(array, std::move(subscripts));
  }
  /// Ends this part: the next one begins with nothing.
  void end() {
    most = std::max<int64_t>(most, elements.size() * elementBytes);
    elements.clear();
  }
  /// Of the part that touches most.
  int64_t bytes() const { return most; }

private:
  int64_t elementBytes;
  std::set<std::pair<char, std::vector<int64_t>>> elements;
  int64_t most = 0;
};

/// Calls `visit` for the beginnings of tiles; size 0 is a single tile.
void forTiles(int64_t extent, int64_t size,
              llvm::function_ref<void(int64_t)> visit) {
  for (int64_t i = 0; i < extent; i += size ? size : extent)
    visit(i);
}

/// Calls `visit` for the points of a tile.
void forPoints(int64_t begin, int64_t extent, int64_t size,
               llvm::function_ref<void(int64_t)> visit) {
  for (int64_t i = begin; i < extent && (!size || i < begin + size); ++i)
    visit(i);
}

class CommandCacheRulesTest : public ScheduleTest {
protected:
  using Sizes = llvm::StringMap<int64_t>;

  /// The space of a schedule on a machine whose only cache has `limit` bytes.
  mlir::FailureOr<Space> extract(mlir::ModuleOp payload,
                                 mlir::ModuleOp schedule, int64_t limit,
                                 bool ignoreAdvisory = false) {
    schedule::HostInfo host;
    host.l1Bytes = host.l2Bytes = limit;
    schedule::ExtractOptions options;
    options.payload = payload;
    options.host = &host;
    options.ignoreAdvisory = ignoreAdvisory;
    return schedule::extractSpace(schedule, schedule::defaultSequence, options);
  }

  static std::string describe(const Space &space,
                              const Configuration &configuration) {
    std::string text;
    for (auto [parameter, value] :
         llvm::zip_equal(space.parameters(), configuration))
      text += parameter.name() + " = " + toString(value) + " ";
    return text;
  }

  /// Expects that a configuration is advised against if, and only if, what
  /// `count` says that it touches is more than a cache holds, for several sizes
  /// of caches. Not for caches that the default exceeds.
  void check(const std::string &payload, const std::string &knobs,
             const std::string &script,
             std::function<int64_t(const Sizes &)> count) {
    auto module = parse(payload);
    auto schedule = parse(scheduleText(knobs, script));
    ASSERT_TRUE(module && schedule);
    auto all = extract(*module, *schedule, 1, /*ignoreAdvisory=*/true);
    ASSERT_TRUE(succeeded(all));
    ASSERT_TRUE(all->countIfSmall());
    std::vector<std::pair<Configuration, int64_t>> counted;
    std::set<int64_t> limits;
    for (uint64_t k = 0; k < *all->countIfSmall(); ++k) {
      Configuration configuration = all->toConfiguration(all->at(k));
      Sizes sizes;
      for (auto [parameter, value] :
           llvm::zip_equal(all->parameters(), configuration))
        sizes[parameter.name()] = std::get<int64_t>(value);
      counted.emplace_back(configuration, count(sizes));
      limits.insert(counted.back().second);
    }
    ASSERT_GT(limits.size(), 2u);
    Configuration start = all->toConfiguration(all->defaultPoint());
    int64_t least = 0;
    for (const auto &[configuration, bytes] : counted)
      if (configuration == start)
        least = bytes;
    for (int64_t limit : limits) {
      if (limit < least)
        continue;
      auto space = extract(*module, *schedule, limit);
      ASSERT_TRUE(succeeded(space));
      for (const auto &[configuration, bytes] : counted)
        EXPECT_EQ(static_cast<bool>(space->check(configuration)),
                  bytes <= limit)
            << bytes << " bytes, a cache of " << limit << ", "
            << describe(*space, configuration);
    }
  }

  /// Expects that there are no rules, however small the cache is.
  void checkNoRules(const std::string &payload, const std::string &knobs,
                    const std::string &script) {
    auto module = parse(payload);
    auto schedule = parse(scheduleText(knobs, script));
    ASSERT_TRUE(module && schedule);
    auto space = extract(*module, *schedule, 1 << 10);
    ASSERT_TRUE(succeeded(space));
    EXPECT_EQ(space->constraints().size(), 0u);
  }
};
} // namespace

/// C += A * B with extents 20 x 18 x 22.
static const std::string product = nestText(
    "%A: memref<20x22xf32>, %B: memref<22x18xf32>, %C: memref<20x18xf32>",
    {"%i = 0 to 20", "%j = 0 to 18", "%k = 0 to 22"}, R"(
    %a = affine.load %A[%i, %k] : memref<20x22xf32>
    %b = affine.load %B[%k, %j] : memref<22x18xf32>
    %c = affine.load %C[%i, %j] : memref<20x18xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    affine.store %s, %C[%i, %j] : memref<20x18xf32>)");

TEST_F(CommandCacheRulesTest, TilesOfTwoLoops) {
  check(product, number("TJ", "1, 0, 3, 4, 8, 30") + number("TK", "1, 2, 5, 8"),
        R"([#baco.loop_permute<order = [1, 3, 2]>,
            #baco.loop_tile<statement = 0, loop = 3, size = "TJ">,
            #baco.loop_tile<statement = 0, loop = 3, size = "TK">])",
        [](const Sizes &sizes) {
          int64_t TJ = sizes.lookup("TJ"), TK = sizes.lookup("TK");
          Touched touched(4);
          forTiles(22, TK, [&](int64_t kk) {
            forTiles(18, TJ, [&](int64_t jj) {
              for (int64_t i = 0; i < 20; ++i) {
                forPoints(kk, 22, TK, [&](int64_t k) {
                  forPoints(jj, 18, TJ, [&](int64_t j) {
                    touched.add('B', {k, j});
                    // Whole rows of C would pass by.
                    if (TJ == 0)
                      return;
                    touched.add('A', {i, k});
                    touched.add('C', {i, j});
                  });
                });
                touched.end();
              }
            });
          });
          return touched.bytes();
        });
}

TEST_F(CommandCacheRulesTest, TilesOfTiles) {
  // i and k in blocks, j in panels, and i in rows of a panel.
  check(product,
        number("MR", "2, 4") + number("NR", "3, 6") + number("MC", "4, 8, 12") +
            number("KC", "4, 11, 40"),
        R"([#baco.loop_tile<statement = 0, loop = 1, size = "MR">,
            #baco.loop_tile<statement = 0, loop = 3, size = "NR">,
            #baco.loop_tile<statement = 0, loop = 2, size = "MC">,
            #baco.loop_tile<statement = 0, loop = 6, size = "KC">])",
        [](const Sizes &sizes) {
          int64_t MR = sizes.lookup("MR"), NR = sizes.lookup("NR");
          int64_t MC = sizes.lookup("MC"), KC = sizes.lookup("KC");
          Touched block(4), panels(4);
          forTiles(22, KC, [&](int64_t kk) {
            forTiles(20, MC, [&](int64_t ii) {
              forTiles(18, NR, [&](int64_t jj) {
                // The block of A is used again for the next panel.
                for (int64_t i0 = ii; i0 < std::min<int64_t>(ii + MC, 20);
                     i0 += MR) {
                  forPoints(i0, std::min<int64_t>(ii + MC, 20), MR,
                            [&](int64_t i) {
                              forPoints(jj, 18, NR, [&](int64_t j) {
                                forPoints(kk, 22, KC, [&](int64_t k) {
                                  block.add('A', {i, k});
                                  panels.add('A', {i, k});
                                  panels.add('B', {k, j});
                                  panels.add('C', {i, j});
                                });
                              });
                            });
                  panels.end();
                }
                block.end();
              });
            });
          });
          return std::max(block.bytes(), panels.bytes());
        });
}

TEST_F(CommandCacheRulesTest, NeighborsAreTouchedOnce) {
  const std::string window = nestText("%A: memref<42xf64>, %B: memref<40xf64>",
                                      {"%t = 0 to 4", "%i = 0 to 40"}, R"(
    %a = affine.load %A[%i] : memref<42xf64>
    %b = affine.load %A[%i + 2] : memref<42xf64>
    %c = affine.load %A[%i + 1] : memref<42xf64>
    %p = arith.mulf %a, %b : f64
    %q = arith.mulf %c, %p : f64
    affine.store %q, %B[%i] : memref<40xf64>)");
  check(window, number("T", "1, 5, 8, 16, 100"),
        R"([#baco.loop_tile<statement = 0, loop = 2, size = "T">])",
        [](const Sizes &sizes) {
          int64_t T = sizes.lookup("T");
          Touched touched(8);
          forTiles(40, T, [&](int64_t ii) {
            for (int64_t t = 0; t < 4; ++t) {
              forPoints(ii, 40, T, [&](int64_t i) {
                for (int64_t d = 0; d < 3; ++d)
                  touched.add('A', {i + d});
              });
              touched.end();
            }
          });
          return touched.bytes();
        });
}

TEST_F(CommandCacheRulesTest, SumsOfIterators) {
  const std::string convolution = nestText(
      "%A: memref<20x24xf32>, %W: memref<5x5xf32>, %B: memref<16x20xf32>",
      {"%i = 0 to 16", "%j = 0 to 20", "%p = 0 to 5", "%q = 0 to 5"}, R"(
    %a = affine.load %A[%i + %p, %j + %q] : memref<20x24xf32>
    %w = affine.load %W[%p, %q] : memref<5x5xf32>
    %b = affine.load %B[%i, %j] : memref<16x20xf32>
    %m = arith.mulf %a, %w : f32
    %s = arith.addf %b, %m : f32
    affine.store %s, %B[%i, %j] : memref<16x20xf32>)");
  check(convolution, number("TI", "1, 2, 7, 16") + number("TQ", "1, 2, 4"),
        R"([#baco.loop_permute<order = [2, 3, 1, 4]>,
            #baco.loop_tile<statement = 0, loop = 4, size = "TQ">,
            #baco.loop_tile<statement = 0, loop = 4, size = "TI">])",
        [](const Sizes &sizes) {
          int64_t TI = sizes.lookup("TI"), TQ = sizes.lookup("TQ");
          Touched touched(4), weights(4);
          forTiles(16, TI, [&](int64_t ii) {
            forTiles(5, TQ, [&](int64_t qq) {
              for (int64_t j = 0; j < 20; ++j, weights.end())
                for (int64_t p = 0; p < 5; ++p) {
                  forPoints(ii, 16, TI, [&](int64_t i) {
                    forPoints(qq, 5, TQ, [&](int64_t q) {
                      touched.add('A', {i + p, j + q});
                      touched.add('W', {p, q});
                      // Those of all p are used again for the next j.
                      weights.add('W', {p, q});
                      touched.add('B', {i, j});
                    });
                  });
                  touched.end();
                }
            });
          });
          return std::max(touched.bytes(), weights.bytes());
        });
}

TEST_F(CommandCacheRulesTest, EachStatementOfAnImperfectNest) {
  const std::string scaled =
      nestText("%A: memref<12x30xf32>, %B: memref<30x16xf32>, %C: "
               "memref<12x16xf32>, %D: memref<12x16xf32>",
               {"%i = 0 to 12", "%j = 0 to 16"}, R"(
    %d = affine.load %D[%i, %j] : memref<12x16xf32>
    affine.store %d, %C[%i, %j] : memref<12x16xf32>
    affine.for %k = 0 to 30 {
      %a = affine.load %A[%i, %k] : memref<12x30xf32>
      %b = affine.load %B[%k, %j] : memref<30x16xf32>
      %c = affine.load %C[%i, %j] : memref<12x16xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      affine.store %s, %C[%i, %j] : memref<12x16xf32>
    })");
  check(scaled, number("TI", "2, 4, 12") + number("TJ", "2, 5, 8, 16"),
        R"([#baco.loop_tile<statement = 1, loop = 2, size = "TJ">,
            #baco.loop_tile<statement = 1, loop = 2, size = "TI">])",
        [](const Sizes &sizes) {
          int64_t TI = sizes.lookup("TI"), TJ = sizes.lookup("TJ");
          Touched first(4), second(4);
          forTiles(12, TI, [&](int64_t ii) {
            forTiles(16, TJ, [&](int64_t jj) {
              forPoints(ii, 12, TI, [&](int64_t i) {
                forPoints(jj, 16, TJ, [&](int64_t j) {
                  first.add('C', {i, j});
                  first.add('D', {i, j});
                  // Each row of the tile needs these columns of B.
                  for (int64_t k = 0; k < 30; ++k)
                    second.add('B', {k, j});
                });
                second.end();
              });
              first.end();
            });
          });
          return std::max(first.bytes(), second.bytes());
        });
}

TEST_F(CommandCacheRulesTest, TrianglesAreTakenForTheirLargestRow) {
  const std::string triangle =
      nestText("%A: memref<40x40xf32>, %B: memref<40x40xf32>",
               {"%t = 0 to 3", "%i = 0 to 40",
                "%j = 0 to affine_map<(d0) -> (d0 + 1)>(%i)"},
               R"(
    %a = affine.load %A[%i, %j] : memref<40x40xf32>
    affine.store %a, %B[%i, %j] : memref<40x40xf32>)");
  check(triangle, number("TI", "2, 4, 8") + number("TJ", "3, 7, 11"),
        R"([#baco.loop_tile<statement = 0, loop = 3, size = "TJ">,
            #baco.loop_tile<statement = 0, loop = 3, size = "TI">])",
        [](const Sizes &sizes) {
          int64_t TI = sizes.lookup("TI"), TJ = sizes.lookup("TJ");
          Touched touched(4);
          forTiles(40, TI, [&](int64_t ii) {
            forTiles(40, TJ, [&](int64_t jj) {
              forPoints(ii, 40, TI, [&](int64_t i) {
                forPoints(jj, i + 1, TJ, [&](int64_t j) {
                  touched.add('A', {i, j});
                  touched.add('B', {i, j});
                });
              });
              touched.end();
            });
          });
          return touched.bytes();
        });
}

TEST_F(CommandCacheRulesTest, NoRulesForUnknownSizes) {
  // Skewed, a loop runs over a combination of iterators.
  checkNoRules(product, number("T", "1, 4, 1000"),
               R"([#baco.loop_skew<statement = 0, loop = 3,
                                   coefficients = [1, 0, 1]>,
                   #baco.loop_tile<statement = 0, loop = 3, size = "T">])");
  // Any element of A may be meant.
  checkNoRules(nestText("%A: memref<40000xf64>, %n: memref<40000xindex>, %C: "
                        "memref<4x40000xf64>",
                        {"%t = 0 to 4", "%i = 0 to 40000"}, R"(
    %k = memref.load %n[%t] : memref<40000xindex>
    %a = memref.load %A[%k] : memref<40000xf64>
    affine.store %a, %C[%t, %i] : memref<4x40000xf64>)"),
               number("T", "8, 32, 10000"),
               R"([#baco.loop_tile<statement = 0, loop = 2, size = "T">])");
}

TEST_F(CommandCacheRulesTest, ManyOrdersHaveNoRules) {
  // 24 orders, each with four ways to tile.
  checkNoRules(
      nestText("%A: memref<20x20x20x20xf32>, %B: memref<20x20xf32>",
               {"%i = 0 to 20", "%j = 0 to 20", "%k = 0 to 20", "%l = 0 to 20"},
               R"(
    %b = affine.load %B[%i, %j] : memref<20x20xf32>
    affine.store %b, %A[%i, %j, %k, %l] : memref<20x20x20x20xf32>)"),
      order(4) + number("T", "0, 2, 20") + number("U", "0, 2, 20"),
      R"([#baco.loop_permute<order = "order">,
                   #baco.loop_tile<statement = 0, loop = 4, size = "T">,
                   #baco.loop_tile<statement = 0, loop = 4, size = "U">])");
}
