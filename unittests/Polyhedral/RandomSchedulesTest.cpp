//===- RandomSchedulesTest.cpp - Random commands against brute force ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

#include <numeric>
#include <random>

using namespace baco;
using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

namespace {

/// A random command, which may be refused.
std::string drawCommand(const LoopSchedule &schedule, std::mt19937 &random) {
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  unsigned loops = schedule.numLoops();
  unsigned s = below(schedule.statements().size());
  unsigned loop = 1 + below(loops);
  std::string at = std::to_string(s) + ", " + std::to_string(loop);
  auto number = [&](unsigned n) { return std::to_string(below(n)); };
  switch (below(11)) {
  case 0: {
    std::vector<int64_t> order(1 + below(loops));
    std::iota(order.begin(), order.end(), 1);
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[below(i)]);
    return "permute(" + toString(LoopValue(order)) + ")";
  }
  case 1: {
    std::string size = number(5);
    return "tile(" + at + ", " + size + ", " + std::to_string(1 + below(loop)) +
           ")";
  }
  case 2: {
    unsigned other = 1 + below(loops);
    std::string compare = below(2) ? " >= " : " <= ";
    return "split(" + at + ", L" + std::to_string(loop) + compare +
           (other == loop ? "" : "L" + std::to_string(other) + " + ") +
           number(5) + ")";
  }
  case 3: {
    std::vector<int64_t> coefficients(loops, 0);
    coefficients[loop - 1] = 1;
    coefficients[below(loops)] += 1;
    return "skew(" + at + ", " + toString(LoopValue(coefficients)) + ")";
  }
  case 4:
    return "shift(" + at + ", " + number(3) + ")";
  case 5:
    return "reverse(" + at + ")";
  case 6:
    return "unroll(" + at + ", " + number(4) + ")";
  case 7:
    return "distribute([], " + std::to_string(loop) + ")";
  case 8:
    return "fuse([" + std::to_string(s) + ", " +
           number(schedule.statements().size()) + "], " + std::to_string(loop) +
           ")";
  case 9:
    return "align(" + at + ")";
  default:
    return "scale(" + at + ", 2)";
  }
}

struct Parameter {
  const char *name;
  Program (*make)(const Context &);
};

class RandomSchedulesTest : public testing::TestWithParam<Parameter> {};

/// checkLegal says exactly what running the instances says, and a legal order
/// computes what the program does.
TEST_P(RandomSchedulesTest, LegalityIsThatOfExecution) {
  Context context;
  Program program = GetParam().make(context);
  Reference reference(program, {});
  std::mt19937 random(7);
  unsigned numLegal = 0, numIllegal = 0;
  for (bool reassociate : {false, true})
    for (int round = 0; round < 40; ++round) {
      ScriptedSchedule schedule =
          Nest::create(program, {.reassociate = reassociate});
      std::string script;
      for (unsigned c = 0, n = 1 + random() % 3; c < n; ++c) {
        std::string command = drawCommand(schedule, random);
        if (schedule.run(command))
          script += command + "\n";
        else
          --c, --n;
      }
      Result<void> legal = schedule.checkLegal();
      Result<GeneratedCode> code = schedule.generate();
      ASSERT_TRUE(code) << code.error().message << "\n" << script;
      Execution result = run(reference, schedule, *code);
      ASSERT_EQ(result.problem, "") << script << print(*code);
      std::string order = reference.checkOrder(result.order, reassociate);
      if (legal) {
        ++numLegal;
        ASSERT_EQ(order, "") << script << print(*code);
        ASSERT_TRUE(result.memory == reference.run()) << script << print(*code);
        continue;
      }
      ++numIllegal;
      // Instances that run at the same time have an order in the code, which
      // may happen to be right.
      ASSERT_EQ(result.order.size(), reference.instances.size());
      if (legal.error().message.find("breaks a dependence") ==
          std::string::npos)
        FAIL() << legal.error().message;
      if (order == "")
        EXPECT_NE(legal.error().message.find("at the same time"),
                  std::string::npos)
            << legal.error().message << "\n"
            << script << print(*code);
    }
  EXPECT_GT(numLegal, 5u);
  EXPECT_GT(numIllegal, 0u);
}

Program makeMatmul(const Context &c) { return matmul(c, "4"); }
Program makeSolve(const Context &c) { return triangularSolve(c, "5"); }
Program makeLu(const Context &c) { return lu(c, "5"); }
Program makeJacobi1d(const Context &c) { return jacobi1d(c, "3", "7"); }
Program makeSeidel(const Context &c) { return seidel2d(c, "2", "5"); }
Program makeSyrk(const Context &c) { return syrk(c, "4"); }
Program makeFigure3(const Context &c) { return figure3(c, "7"); }

INSTANTIATE_TEST_SUITE_P(
    Programs, RandomSchedulesTest,
    testing::Values(
        Parameter{"Matmul", makeMatmul},
        Parameter{"TriangularSolve", makeSolve}, Parameter{"Lu", makeLu},
        Parameter{"Jacobi1d", makeJacobi1d}, Parameter{"Seidel2d", makeSeidel},
        Parameter{"Syrk", makeSyrk}, Parameter{"Figure3", makeFigure3}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
