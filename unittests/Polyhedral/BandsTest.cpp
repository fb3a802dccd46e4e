//===- BandsTest.cpp - Tests of bands that isl's scheduler finds ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanPrograms.h"

#include "baco/Polyhedral/Context.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::polyhedral;
using namespace plantest;

namespace {

/// `t, 2t + i; t, 2t + i + 1`: the loops of each statement.
std::string textOf(const Band &band, const char *loops) {
  std::string text;
  for (const auto &rows : band.rows) {
    text += text.empty() ? "" : "; ";
    for (size_t m = 0; m < rows.size(); ++m) {
      std::string sum;
      for (size_t l = 0; l < rows[m].size(); ++l) {
        int64_t factor = rows[m][l];
        bool isConstant = l + 1 == rows[m].size();
        if (factor == 0)
          continue;
        sum += sum.empty() ? "" : " + ";
        if (isConstant || factor != 1)
          sum += std::to_string(factor);
        if (!isConstant)
          sum += loops[l];
      }
      text += (m ? ", " : "") + sum;
    }
  }
  return text;
}

/// Is there a dependence between iterations of the loops first ... last, in the
/// same iteration of the loops outside, that some loop of the band runs
/// against? By enumeration of all instances; loops that statements share come
/// first in their domains.
bool breaksDependence(const Program &program,
                      const std::vector<unsigned> &statements, unsigned first,
                      const Band &band) {
  bool breaks = false;
  for (size_t a = 0; a < statements.size(); ++a)
    for (size_t b = 0; b < statements.size(); ++b) {
      const Statement &source = program.statements[statements[a]];
      const Statement &sink = program.statements[statements[b]];
      auto timeOf = [](const Statement &statement) {
        return statement.schedule.intersect_domain(statement.domain);
      };
      isl::map before = isl::manage(
          isl_map_lex_lt_map(timeOf(source).release(), timeOf(sink).release()));
      for (const Access &x : source.accesses)
        for (const Access &y : sink.accesses) {
          if ((!x.isWrite && !y.isWrite) ||
              x.relation.range_tuple_id().name() !=
                  y.relation.range_tuple_id().name())
            continue;
          isl::map pairs =
              x.relation.apply_range(y.relation.reverse()).intersect(before);
          for (unsigned l = 0; l + 1 < first; ++l)
            pairs = isl::manage(
                isl_map_equate(pairs.release(), isl_dim_in, l, isl_dim_out, l));
          unsigned depth = pairs.domain_tuple_dim();
          pairs.wrap().foreach_point([&](const isl::point &point) {
            auto value = [&](const std::vector<int64_t> &row, unsigned from) {
              int64_t sum = row.back();
              for (size_t l = 0; l + 1 < row.size(); ++l)
                sum += row[l] *
                       point.multi_val().at(from + first - 1 + l).num_si();
              return sum;
            };
            for (size_t m = 0; m < band.rows[a].size(); ++m)
              breaks |=
                  value(band.rows[b][m], depth) < value(band.rows[a][m], 0);
          });
        }
    }
  return breaks;
}

struct BandCase {
  std::string name;
  std::vector<Text> (*texts)();
  std::vector<unsigned> statements;
  unsigned first, last;
  std::string expected;
  BandGoal goal = BandGoal::Tilable;
};

std::vector<Text> heat3d() {
  auto sweep = [](const std::string &name, const std::string &place,
                  const std::string &to, const std::string &from) {
    Text text{name + "[t, i, j, k] : 0 <= t < N and 0 < i, j, k < N - 1",
              "0, t, " + place + ", i, 0, j, 0, k, 0",
              to + "[i, j, k]",
              {from + "[i, j, k]"}};
    for (const char *subscripts :
         {"[i - 1, j, k]", "[i + 1, j, k]", "[i, j - 1, k]", "[i, j + 1, k]",
          "[i, j, k - 1]", "[i, j, k + 1]"})
      text.reads.push_back(from + subscripts);
    return text;
  };
  return {sweep("S0", "0", "B", "A"), sweep("S1", "1", "A", "B")};
}

class BandsTest : public testing::TestWithParam<BandCase> {
protected:
  std::optional<Band> find(const Program &program) {
    Result<LoopSchedule> schedule = LoopSchedule::create(program);
    EXPECT_TRUE(schedule);
    const BandCase &given = GetParam();
    Result<std::optional<Band>> band = schedule->findBand(
        given.statements, given.first, given.last, given.goal);
    EXPECT_TRUE(band);
    return band ? *band : std::nullopt;
  }
};

TEST_P(BandsTest, RowsAreAsExpected) {
  Context context;
  const BandCase &given = GetParam();
  std::optional<Band> band =
      find(makeProgram(context.get(), given.texts(), 100));
  std::string loops = "tijk";
  EXPECT_EQ(band ? textOf(*band, loops.c_str() + given.first - 1) : "none",
            given.expected);
}

TEST_P(BandsTest, RespectsEachDependence) {
  Context context;
  const BandCase &given = GetParam();
  Program program = makeProgram(context.get(), given.texts(), 5);
  std::optional<Band> band = find(program);
  ASSERT_TRUE(band);
  EXPECT_FALSE(breaksDependence(program, given.statements, given.first, *band));
  // The check itself finds what is wrong.
  for (auto &own : band->rows)
    for (int64_t &factor : own.back())
      factor = -factor;
  EXPECT_TRUE(breaksDependence(program, given.statements, given.first, *band));
}

/// So many operations suffice for all but the scheduler.
TEST(BandLimits, CountForTheScheduler) {
  Context context;
  Program program = makeProgram(context.get(), seidel2d(), 20);
  Result<LoopSchedule> schedule =
      LoopSchedule::create(program, {.maxOperations = 12'000});
  ASSERT_TRUE(schedule) << schedule.error().message;
  unsigned statement = 0;
  Result<std::optional<Band>> band = schedule->findBand({&statement, 1}, 1, 3);
  ASSERT_FALSE(band);
  EXPECT_EQ(band.error().code, ErrorCode::TimedOut);
}

INSTANTIATE_TEST_SUITE_P(
    Bands, BandsTest,
    testing::Values(
        BandCase{
            "jacobi2d", jacobi2d, {0, 1}, 1, 2, "t, 2t + i; t, 2t + i + 1"},
        BandCase{"jacobi2dAllLoops",
                 jacobi2d,
                 {0, 1},
                 1,
                 3,
                 "t, 2t + i, 2t + j; t, 2t + i + 1, 2t + j + 1"},
        BandCase{"everyOtherRow", everyOtherRow, {0, 1}, 1, 2, "t, i; t, i"},
        BandCase{"seidel2d", seidel2d, {0}, 1, 3, "t, t + i, 2t + i + j"},
        BandCase{"seidel2dRows",
                 seidel2d,
                 {0},
                 2,
                 3,
                 "2i + j",
                 BandGoal::InnerParallel},
        BandCase{"fdtd2d",
                 fdtd2d,
                 {1, 2, 3},
                 1,
                 2,
                 "t, t + i; t, t + i; t, t + i + 1"},
        BandCase{
            "fdtd2dRows", fdtd2dWithFeedback, {1, 2, 3}, 2, 2, "i; i; i + 1"},
        BandCase{"heat3d",
                 heat3d,
                 {0, 1},
                 1,
                 3,
                 "t, 2t + i, 2t + j; t, 2t + i + 1, 2t + j + 1"}),
    [](const auto &info) { return info.param.name; });

} // namespace
