//===- PaperRecipesTest.cpp - The recipes of Tiwari et al., Table 1 -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// References are numbered from 1 here where the paper counts the statement's
// left-hand side as 0 and its right-hand side from 1; `index` is the subscript
// that varies fastest in the copy.
#include "Nest.h"

using namespace baco;
using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

namespace {

using Order = std::vector<unsigned>;

/// Half of the combinations, in which each pair of sizes still occurs.
bool isLeftOut(bool first, bool second, bool third) {
  return first ^ second ^ third;
}

/// The k-th reference on the right-hand side.
std::string right(size_t k) { return std::to_string(k - 1); }

TEST(PaperRecipesTest, Matmul) {
  Context context;
  for (int64_t TI : {0, 1, 3, 4})
    for (int64_t TJ : {0, 3})
      for (int64_t TK : {0, 2}) {
        if (isLeftOut(TI % 2, TJ != 0, TK != 0))
          continue;
        Nest nest(matmul(context, "6"));
        ASSERT_OK(nest->run("permute([3,1,2])"));
        ASSERT_OK(nest->run("tile(0, 2, " + std::to_string(TJ) + ")"));
        ASSERT_OK(nest->run("tile(0, 2, " + std::to_string(TI) + ")"));
        ASSERT_OK(nest->run("tile(0, 5, " + std::to_string(TK) + ")"));
        ASSERT_OK(nest->run("datacopy(0, 3, " + right(2) + ", order=[0,1])"));
        ASSERT_OK(nest->run("datacopy(0, 4, " + right(3) + ", order=[1,0])"));
        ASSERT_OK(nest->run("unroll(0, 4, 2)"));
        ASSERT_OK(nest->run("unroll(0, 5, 3)"));
        ASSERT_OK(nest->checkLegal());
        EXPECT_EQ(nest.check(), "");
        ASSERT_EQ(nest->buffers().size(), 2u);
        EXPECT_EQ(nest->buffers()[0].shape,
                  (std::vector<int64_t>{TI ? TI : 6, TK ? TK : 6}));
        EXPECT_EQ(nest->buffers()[1].shape,
                  (std::vector<int64_t>{TJ ? TJ : 6, TK ? TK : 6}));
        EXPECT_EQ(nest->buffers()[0].loop, 3u);
        EXPECT_EQ(nest->buffers()[1].loop, 4u);
      }
}

TEST(PaperRecipesTest, TriangularSolve) {
  Context context;
  for (int64_t TK : {2, 3})
    for (int64_t TI : {0, 3})
      for (int64_t TJ : {0, 4}) {
        if (isLeftOut(TK == 3, TI != 0, TJ != 0))
          continue;
        Nest nest(triangularSolve(context, "8"));
        ASSERT_OK(nest->run("permute([1,3,2])"));
        ASSERT_OK(nest->run("tile(0, 3, " + std::to_string(TK) + ")"));
        ASSERT_OK(
            nest->run("split(0, 2, L3 >= L1 + " + std::to_string(TK) + ")"));
        ASSERT_OK(nest->run("tile(0, 3, " + std::to_string(TI) + ", 2)"));
        ASSERT_OK(nest->run("tile(0, 3, " + std::to_string(TJ) + ", 2)"));
        ASSERT_OK(nest->run("datacopy(0, 3, " + right(2) + ")"));
        ASSERT_OK(nest->run("datacopy(0, 4, " + right(3) + ", order=[1,0])"));
        ASSERT_OK(nest->run("unroll(0, 4, 2)"));
        ASSERT_OK(nest->run("unroll(0, 5, 2)"));
        ASSERT_OK(nest->run("datacopy(1, 2, " + right(3) + ", order=[1,0])"));
        ASSERT_OK(nest->run("unroll(1, 2, 2)"));
        ASSERT_OK(nest->run("unroll(1, 3, 1)"));
        ASSERT_OK(nest->checkLegal());
        EXPECT_EQ(nest.check(), "");
        EXPECT_EQ(nest->statements().size(), 5u);
        EXPECT_EQ(nest->statements()[1].kind,
                  ScheduledStatement::Kind::Original);
      }
}

TEST(PaperRecipesTest, Jacobi) {
  Context context;
  for (int64_t TI : {0, 2, 5})
    for (int64_t TJ : {0, 3})
      for (int64_t TK : {0, 2}) {
        if (isLeftOut(TI == 2, TJ != 0, TK != 0))
          continue;
        Nest nest(jacobi3d(context, "7"));
        ASSERT_OK(nest->run("tile(0, 3, " + std::to_string(TI) + ")"));
        ASSERT_OK(nest->run("tile(0, 3, " + std::to_string(TJ) + ")"));
        ASSERT_OK(nest->run("tile(0, 3, " + std::to_string(TK) + ")"));
        ASSERT_OK(nest->run("unroll(0, 5, 2)"));
        ASSERT_OK(nest->checkLegal());
        EXPECT_EQ(nest.check(), "");
      }
}

// Fig. 3: a cycle of dependences forbids distribution; the loops may be
// exchanged once the nest is aligned.
TEST(PaperRecipesTest, Figure3) {
  Context context;
  Nest nest(figure3(context, "8"));
  Result<void> distributed = nest->run("distribute([], 1)");
  ASSERT_FALSE(distributed);
  EXPECT_NE(distributed.error().message.find("in a cycle within loop 1"),
            std::string::npos)
      << distributed.error().message;
  EXPECT_EQ(nest.check(), "");

  ASSERT_OK(nest->run("permute([2,1])"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");

  Nest tiled(figure3(context, "8"));
  ASSERT_OK(tiled->run("tile(1, 2, 3)"));
  ASSERT_OK(tiled->run("tile(1, 2, 2)"));
  ASSERT_OK(tiled->checkLegal());
  EXPECT_EQ(tiled.check(), "");
}

} // namespace
