//===- AtfTest.cpp - Tests of spaces in the words of ATF ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Space/Atf.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;

static std::string countOf(const Result<Space> &space) {
  return space ? space->count() : space.error().message;
}

/// Listing 2 of the paper.
TEST(AtfTest, Saxpy) {
  const size_t N = 1024;
  auto WPT = atf::tp("WPT", atf::interval<size_t>(1, N), atf::divides(N));
  auto LS = atf::tp("LS", atf::interval<size_t>(1, N), atf::divides(N / WPT));
  Result<Space> space = atf::space(WPT, LS);
  // WPT = 2^i and LS = 2^j with i + j <= 10.
  EXPECT_EQ(countOf(space), "66");
  Configuration c = space->toConfiguration(space->at(65));
  EXPECT_EQ(N % (WPT.in(*space, c) * LS.in(*space, c)), 0u);
}

TEST(AtfTest, FunctionsOfRangesUseParametersBefore) {
  auto WPT = atf::tp("WPT", {1, 2, 5});
  auto LS = atf::tp(
      "LS", atf::interval(1, 3, [](int i, int wpt) { return i * wpt; }, WPT));
  auto name = [](const std::pair<int, int> &p) {
    return std::to_string(p.first) + "x" + std::to_string(p.second);
  };
  auto shape =
      atf::tp("shape",
              atf::interval(
                  0, 4, 2,
                  [](int i, int ls, int wpt) { return std::pair(i, ls % wpt); },
                  LS, WPT)
                  .named(name));
  Result<Space> space = atf::space(WPT, LS, shape);
  // 3 values of WPT, 3 of LS for each, 3 of the shape for each of those.
  ASSERT_EQ(countOf(space), "27");
  for (uint64_t k = 0; k < 27; ++k) {
    Configuration c = space->toConfiguration(space->at(k));
    int wpt = WPT.in(*space, c), ls = LS.in(*space, c);
    EXPECT_EQ(ls % wpt, 0);
    EXPECT_LE(ls / wpt, 3);
    EXPECT_EQ(shape.in(*space, c).second, 0);
  }
  // Nothing is left where the constraints leave nothing.
  auto none = atf::tp("none",
                      atf::interval(
                          1, 2, [](int i, int wpt) { return i + wpt; }, WPT),
                      atf::less_than(2));
  EXPECT_FALSE(atf::space(WPT, none));
  auto many = atf::tp("many", atf::interval(1, 1 << 18));
  auto tooMany = atf::tp(
      "x", atf::interval(1, 8, [](int i, int m) { return i + m; }, many));
  EXPECT_EQ(countOf(atf::space(many, tooMany)),
            "parameter 'x': a range whose function uses other parameters can "
            "have at most a million values in total");
}

/// Figure 1 of the paper: two groups, which nobody has to name.
TEST(AtfTest, Groups) {
  auto tp1 = atf::tp("tp1", {1, 2});
  auto tp2 = atf::tp("tp2", {1, 2}, atf::divides(tp1));
  auto tp3 = atf::tp("tp3", {1, 2});
  auto tp4 = atf::tp("tp4", {1, 2}, atf::divides(tp3));
  Result<Space> space = atf::space(tp1, tp2, tp3, tp4);
  EXPECT_EQ(countOf(space), "9");
  EXPECT_EQ(space->groups().size(), 2u);
}

/// The number of configurations of XgemmDirect (section VI) for N x N matrices,
/// by trying.
static uint64_t countXgemmDirect(int N, int localMemory) {
  uint64_t count = 0;
  for (int WGD = 1; WGD <= N; ++WGD)
    for (int MDIMCD = 1; MDIMCD <= N; ++MDIMCD)
      for (int NDIMCD = 1; NDIMCD <= N; ++NDIMCD)
        for (int MDIMAD = 1; MDIMAD <= N; ++MDIMAD)
          for (int NDIMBD = 1; NDIMBD <= N; ++NDIMBD) {
            int threads = MDIMCD * NDIMCD;
            if (threads % MDIMAD || WGD % (threads / MDIMAD) ||
                threads % NDIMBD || WGD % (threads / NDIMBD))
              continue;
            uint64_t depths = 0, rows = 0, columns = 0, pads = 0;
            for (int KWID = 1; KWID <= N; ++KWID)
              depths += WGD % KWID == 0;
            for (int width : {1, 2, 4, 8}) {
              rows +=
                  WGD % (MDIMCD * width) == 0 && WGD % (MDIMAD * width) == 0;
              columns +=
                  WGD % (NDIMCD * width) == 0 && WGD % (NDIMBD * width) == 0;
            }
            for (int PADA : {0, 1})
              for (int PADB : {0, 1})
                pads += 4 * WGD * (2 * WGD + PADA + PADB) <= localMemory;
            count += depths * rows * columns * pads;
          }
  return count;
}

TEST(AtfTest, XgemmDirect) {
  using namespace baco::atf;
  const int N = 12, localMemory = 4 * 12 * 24;
  auto range = interval(1, N);
  auto MDIMCD = tp("MDIMCD", range), NDIMCD = tp("NDIMCD", range);
  auto threads = MDIMCD * NDIMCD;
  auto MDIMAD = tp("MDIMAD", range, divides(threads));
  auto NDIMBD = tp("NDIMBD", range, divides(threads));
  auto VWMD = tp("VWMD", {1, 2, 4, 8}), VWND = tp("VWND", {1, 2, 4, 8});
  auto WGD =
      tp("WGD", range,
         is_multiple_of(MDIMCD * VWMD) && is_multiple_of(NDIMCD * VWND),
         is_multiple_of(MDIMAD * VWMD), is_multiple_of(NDIMBD * VWND),
         is_multiple_of(threads / MDIMAD), is_multiple_of(threads / NDIMBD));
  auto KWID = tp("KWID", range, divides(WGD));
  auto PADA = tp("PADA", set(0, 1));
  auto PADB = tp("PADB", set(0, 1),
                 less_than(localMemory / 4 / WGD - 2 * WGD - PADA + 1));
  EXPECT_EQ(countOf(space(WGD, MDIMCD, NDIMCD, MDIMAD, NDIMBD, KWID, VWMD, VWND,
                          PADA, PADB)),
            std::to_string(countXgemmDirect(N, localMemory)));
}

TEST(AtfTest, Intervals) {
  auto every3 = atf::tp("a", atf::interval(1, 11, 3)).parameter();
  ASSERT_TRUE(every3);
  EXPECT_EQ(every3->kind(), ParameterKind::Integer);
  EXPECT_EQ(every3->size(), 4u);
  EXPECT_EQ(every3->upper(), 10);

  // "The first ten powers of 2" (section II); a double, as std::pow returns.
  auto powers = atf::tp("a", atf::interval<size_t>(
                                 1, 10, [](size_t i) { return std::pow(2, i); })
                                 .log())
                    .parameter();
  ASSERT_TRUE(powers);
  EXPECT_EQ(powers->kind(), ParameterKind::Ordinal);
  EXPECT_TRUE(powers->isLog());
  EXPECT_EQ(powers->size(), 10u);
  EXPECT_EQ(powers->value(9), ParameterValue(1024.0));

  auto squares =
      atf::tp("a", atf::interval(-2, 2, 2, [](int i) { return i * i; }))
          .parameter();
  ASSERT_TRUE(squares);
  EXPECT_EQ(squares->size(), 2u);
  EXPECT_EQ(squares->value(0), ParameterValue(int64_t(0)));

  // Ten times 0.1 isn't 1, but 1 is in the interval.
  auto tenths = atf::tp("a", atf::interval(0.0, 1.0, 0.1)).parameter();
  ASSERT_TRUE(tenths);
  EXPECT_EQ(tenths->size(), 11u);
  EXPECT_EQ(tenths->upper(), 1);

  auto flag = atf::tp("a", atf::interval(false, true)).parameter();
  ASSERT_TRUE(flag);
  EXPECT_EQ(flag->kind(), ParameterKind::Boolean);

  EXPECT_EQ(atf::tp("a", atf::interval<uint8_t>(0, 255)).parameter()->size(),
            256u);
  EXPECT_EQ(atf::tp("a", atf::interval('a', 'e')).parameter()->size(), 5u);
}

namespace {
enum class Layout { Row, Column, Tiled };

/// A user's own type.
struct Shape {
  int rows, columns;
};
} // namespace

TEST(AtfTest, SetsOfEnumeratorsAndClasses) {
  using namespace baco::atf;
  auto layout = tp("layout",
                   set(Layout::Row, Layout::Column, Layout::Tiled)
                       .named([](const Layout &layout) -> std::string {
                         return layout == Layout::Row      ? "row"
                                : layout == Layout::Column ? "column"
                                                           : "tiled";
                       }),
                   unequal("column"));
  // A generated type, named by the generator's own logic.
  auto shape = tp("shape",
                  interval(1, 3, [](int i) { return Shape{i, 4 - i}; })
                      .named([](const Shape &shape) {
                        return std::to_string(shape.rows) + "x" +
                               std::to_string(shape.columns);
                      }),
                  [](const Shape &shape) { return shape.rows >= 2; });
  Result<Space> space = atf::space(layout, shape);
  EXPECT_EQ(countOf(space), "4");
  Configuration c = space->toConfiguration(space->at(3));
  EXPECT_EQ(c, (Configuration{std::string("tiled"), std::string("3x1")}));
  EXPECT_EQ(layout.in(*space, c), Layout::Tiled);
  EXPECT_EQ(shape.in(*space, c).rows, 3);

  // Without names, by number.
  auto numbered = tp("layout", {Layout::Column, Layout::Row}).parameter();
  ASSERT_TRUE(numbered);
  EXPECT_EQ(numbered->value(0), ParameterValue(std::string("1")));
  auto text = tp("text", {std::string("b"), std::string("a")}).parameter();
  ASSERT_TRUE(text);
  EXPECT_EQ(text->kind(), ParameterKind::Categorical);
}

TEST(AtfTest, AliasesAndCallables) {
  using namespace baco::atf;
  auto range = interval(1, 10);
  auto count = [&](const auto &...constraints) {
    return countOf(space(tp("odd name", range, constraints...)));
  };
  EXPECT_EQ(count(divides(6)), "4");
  EXPECT_EQ(count(is_multiple_of(3)), "3");
  EXPECT_EQ(count(less_than(3)), "2");
  EXPECT_EQ(count(greater_than(3)), "7");
  EXPECT_EQ(count(equal(3)), "1");
  EXPECT_EQ(count(unequal(3)), "9");
  EXPECT_EQ(count(in({2, 3, 11})), "2");
  EXPECT_EQ(count(divides(6) && greater_than(1)), "3");
  EXPECT_EQ(count(less_than(3) || greater_than(8)), "4");
  EXPECT_EQ(count((less_than(3) || greater_than(8)) && unequal(1)), "3");
  EXPECT_EQ(count([](int x) { return x % 4 == 3; }), "2");
  EXPECT_EQ(count([](int x) { return x % 4 == 3; }, greater_than(3)), "1");
}

TEST(AtfTest, TermsKeepTheirMeaning) {
  using namespace baco::atf;
  auto a = tp("a", interval(1, 9));
  EXPECT_EQ((2 * (a + 1) - (a - 3)).expression()->text(),
            "2 * (a + 1) - (a - 3)");
  EXPECT_EQ((24 / (a * 2) % 5).expression()->text(), "24 // (a * 2) % 5");
  EXPECT_EQ((a * (a / 2)).expression()->text(), "a * (a // 2)");
}

TEST(AtfTest, NamesWhatIsWrong) {
  using namespace baco::atf;
  auto a = tp("a", interval(1, 9));
  Term deep = a;
  for (uint32_t i = 0; i < Expression::maxDepth; ++i)
    deep = (deep + 1) * 2;
  std::string refused =
      countOf(space(a, tp("b", interval(1, 9), less_than(deep))));
  EXPECT_TRUE(refused.ends_with("is nested too deeply")) << refused;
  EXPECT_EQ(countOf(space(tp("a", interval(3, 1, [](int i) { return i; })))),
            "parameter 'a': the range is empty");
  EXPECT_EQ(countOf(space(tp("a", interval(1.0, 3.0, -1.0)))),
            "parameter 'a': the step of an interval must be positive");
  EXPECT_EQ(countOf(space(tp("a", interval(0.0, 1e9, 1.0)))),
            "parameter 'a': an interval can list at most a million values");
  EXPECT_EQ(countOf(space(tp("a", set(Shape{1, 2})))),
            "parameter 'a': values of a class need names");
  EXPECT_EQ(countOf(space(tp("a", set(true, false).log()))),
            "parameter 'a': only numbers have a logarithm");
  EXPECT_EQ(countOf(space(tp("a", interval<uint64_t>(0, UINT64_MAX)))),
            "parameter 'a': integers must fit signed 64 bits");
  EXPECT_EQ(countOf(space(tp("a", set(UINT64_MAX)))),
            "parameter 'a': integers must fit signed 64 bits");
}
