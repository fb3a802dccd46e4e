//===- DataCopyTest.cpp - Tests of copies of arrays -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

using namespace baco;
using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

namespace {

TEST(DataCopyTest, CopiesByVectors) {
  Context context;
  Nest nest(matmul(context, "7"));
  // A, all of it.
  ASSERT_OK(nest->run("datacopy(0, 2, 1, width=0)"));
  EXPECT_TRUE(nest->buffers().empty());
  ASSERT_OK(nest->run("datacopy(0, 2, 1, width=4)"));
  EXPECT_EQ(nest->buffers().size(), 1u);
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  Result<GeneratedCode> code = nest->generate();
  ASSERT_OK(code);
  std::vector<int64_t> vectors = markedTrips(nest.reference, *code).vectors;
  EXPECT_NE(std::find(vectors.begin(), vectors.end(), 4), vectors.end());
  Nest other(matmul(context, "7"));
  EXPECT_NE(message(other->run("datacopy(0, 2, 1, width=-1)"))
                .find("width must be at least 0"),
            std::string::npos);
}

TEST(DataCopyTest, PacksPanels) {
  Context context;
  for (bool isTransposed : {false, true}) {
    std::string order = isTransposed ? "[1,0]" : "[0,1]";
    Nest nest(matmul(context, "10"));
    ASSERT_OK(nest->run("tile(0, 2, 8, 1)"));
    ASSERT_OK(nest->run("vectorize(0, 2, 4)"));
    // B, in panels as wide as vectors: all that an iteration over k takes.
    ASSERT_OK(
        nest->run("datacopy(0, 2, 2, order=" + order + ", width=2, panel=4)"));
    ASSERT_EQ(nest->buffers().size(), 1u);
    EXPECT_EQ(nest->buffers()[0].shape, isTransposed
                                            ? (std::vector<int64_t>{2, 10, 4})
                                            : (std::vector<int64_t>{3, 8, 4}));
    ASSERT_OK(nest->checkLegal());
    EXPECT_EQ(nest.check(), "");
    EXPECT_TRUE(nest->generate());
  }
  // One panel is no panel.
  Nest narrow(matmul(context, "10"));
  ASSERT_OK(narrow->run("datacopy(0, 1, 2, width=1, panel=16)"));
  EXPECT_EQ(narrow->buffers()[0].shape, (std::vector<int64_t>{10, 10}));
  EXPECT_NE(
      message(narrow->run("datacopy(0, 2, 1, width=1, panel=5000)"))
          .find("panels must have 0 (no panels) to 4096 columns, not 5000"),
      std::string::npos);
}

TEST(DataCopyTest, CopiesWrittenElementsBack) {
  Context context;
  Nest nest(matmul(context, "7"));
  ASSERT_OK(nest->run("permute(0, [3,1,2])"));
  ASSERT_OK(nest->run("tile(0, 2, 3)"));
  ASSERT_OK(nest->run("tile(0, 2, 2)"));
  ASSERT_OK(nest->run("datacopy(0, 3, 0, order=[1,0])"));
  ASSERT_EQ(nest->statements().size(), 3u);
  EXPECT_EQ(nest->statements()[1].kind, ScheduledStatement::Kind::CopyIn);
  EXPECT_EQ(nest->statements()[2].kind, ScheduledStatement::Kind::CopyOut);
  EXPECT_EQ(nest->buffers()[0].shape, (std::vector<int64_t>{3, 2}));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
}

/// B[i, j] += A[k, i] * B[k, j] with `condition`: in place, rows are read
/// before or after they are written.
Program triangularProduct(const Context &context,
                          const std::string &condition) {
  return makeProgram(context,
                     {{"S0[i, k, j]",
                       "0 <= i, k, j < 7 and " + condition,
                       "0, i, 0, k, 0, j, 0",
                       {"B[i, j]", "A[k, i]", "B[k, j]"},
                       {"B[i, j]"},
                       /*isReduction=*/true}},
                     {{"A", 2, "7"}, {"B", 2, "7"}});
}

/// A copy holds what was there at first, and so what is wanted by reads that
/// come before writes.
TEST(DataCopyTest, CopiesElementsThatAreWrittenLater) {
  Context context;
  for (int64_t depth : {2, 3, 7}) {
    Nest nest(triangularProduct(context, "i < k"), {.reassociate = true});
    ASSERT_OK(nest->run("tile(0, 2, " + std::to_string(depth) + ")"));
    ASSERT_OK(nest->run("tile(0, 4, 4, 2)"));
    ASSERT_OK(nest->run("datacopy(0, 3, 2)"));
    ASSERT_EQ(nest->statements().size(), 2u);
    ASSERT_OK(nest->checkLegal());
    EXPECT_EQ(nest.check(), "");
    ASSERT_OK(nest->run("unroll(0, 3, 2)"));
    ASSERT_OK(nest->checkLegal());
    EXPECT_EQ(nest.check(), "");
  }
  // Rows of the same tile were written before they are read.
  Nest nest(triangularProduct(context, "k < i"), {.reassociate = true});
  ASSERT_OK(nest->run("tile(0, 2, 3)"));
  EXPECT_NE(message(nest->run("datacopy(0, 2, 2)")).find("one of them writes"),
            std::string::npos);
}

// All neighbors, of all statements in the loop, have one copy.
TEST(DataCopyTest, CopiesWholeArrays) {
  Context context;
  Nest nest(jacobi1d(context, "3", "9"));
  ASSERT_OK(nest->run("datacopy(0, 1, 1, width=0, whole=1)"));
  EXPECT_TRUE(nest->buffers().empty());
  // A[i - 1], A[i] and A[i + 1], then B[i].
  ASSERT_OK(nest->run("datacopy(0, 1, 1, whole=1)"));
  ASSERT_EQ(nest->buffers().size(), 1u);
  EXPECT_EQ(nest->buffers()[0].shape, std::vector<int64_t>{9});
  // It is read before it is written, and written.
  EXPECT_EQ(nest->statements().size(), 4u);
  // The other statement's references go there, too.
  ASSERT_OK(nest->run("datacopy(1, 1, 3, whole=1)"));
  EXPECT_EQ(nest->buffers().size(), 1u);
  // In each step, where B's is written before it is read.
  ASSERT_OK(nest->run("datacopy(0, 2, 3, whole=1)"));
  EXPECT_EQ(nest->buffers().size(), 2u);
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  Nest product(matmul(context, "6"));
  ASSERT_OK(product->run("datacopy(0, 2, 2, whole=1) unroll(0, 3, 2)"));
  ASSERT_OK(product->checkLegal());
  EXPECT_EQ(product.check(), "");
}

/// A temporary, and its product with a matrix.
Program matmulOfScaled(const Context &context) {
  return makeProgram(
      context,
      {{"S0[i, j]",
        "0 <= i, j < 5",
        "0, i, 0, j, 0, 0, 0",
        {"A[i, j]"},
        {"T[i, j]"}},
       {"S1[i, j, k]",
        "0 <= i, j, k < 5",
        "1, i, 0, j, 0, k, 0",
        {"C[i, j]", "T[i, k]", "B[k, j]"},
        {"C[i, j]"},
        /*isReduction=*/true}},
      {{"A", 2, "5"}, {"B", 2, "5"}, {"C", 2, "5"}, {"T", 2, "5"}});
}

TEST(DataCopyTest, ContractsArraysToWhatAnIterationTouches) {
  Context context;
  Nest nest(matmulOfScaled(context), {.reassociate = true});
  ASSERT_OK(nest->run("contract(0, 0, 0)"));
  EXPECT_TRUE(nest->buffers().empty());
  ASSERT_OK(nest->run("tile(0, 1, 2) tile(1, 1, 2) fuse([0, 1], 1)"));
  ASSERT_OK(nest->run("contract(1, 1, 1)"));
  EXPECT_EQ(nest->buffers()[0].shape, (std::vector<int64_t>{2, 5}));
  // Others may read it.
  ASSERT_EQ(nest->statements().size(), 3u);
  EXPECT_EQ(nest->statements()[2].kind, ScheduledStatement::Kind::CopyOut);
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
}

TEST(DataCopyTest, DoesNotCopyTemporariesBack) {
  Context context;
  Program program = matmulOfScaled(context);
  for (Array &array : program.arrays)
    array.isTemporary = array.name == "T";
  Nest nest(program, {.reassociate = true});
  ASSERT_OK(nest->run("fuse([0, 1], 1) contract(0, 1, 1)"));
  EXPECT_EQ(nest->buffers()[0].shape, (std::vector<int64_t>{1, 5}));
  EXPECT_EQ(nest->statements().size(), 2u);
  ASSERT_OK(nest->checkLegal());
  // A statement outside of the loops reads it, too.
  Nest apart(program, {.reassociate = true});
  EXPECT_NE(message(apart->run("contract(1, 1, 1)"))
                .find("that it hasn't written before: the array can't be "
                      "contracted"),
            std::string::npos);
  ASSERT_OK(apart->run("contract(0, 1, 1)"));
  EXPECT_EQ(apart->statements().size(), 3u);
  ASSERT_OK(apart->checkLegal());
  EXPECT_EQ(apart.check(), "");
}

TEST(DataCopyTest, RejectsInvalidCopies) {
  Context context;
  Nest nest(triangularSolve(context, "6"));
  EXPECT_NE(message(nest->run("datacopy(0, 2, 1)")).find("one of them writes"),
            std::string::npos);
  EXPECT_NE(message(nest->run("datacopy(0, 2, 9)"))
                .find("has no reference 9; it has 4"),
            std::string::npos);
  EXPECT_NE(message(nest->run("datacopy(0, 2, 2, order=[0])"))
                .find("each of the 2 dimensions"),
            std::string::npos);
  ASSERT_OK(nest->run("reverse(0, 2)"));
  EXPECT_NE(message(nest->run("datacopy(0, 2, 2)"))
                .find("before data is copied, the order of loops breaks"),
            std::string::npos);
  Nest parametric(matmul(context, "N", "N", "N >= 1"), {}, {{"N", 3}});
  EXPECT_NE(message(parametric->run("datacopy(0, 2, 1)")).find("no constant"),
            std::string::npos);
}

/// A buffer that is filled in each iteration of a parallel loop is private.
TEST(DataCopyTest, ParallelLoopsHavePrivateBuffers) {
  Context context;
  Nest nest(matmul(context, "6"));
  ASSERT_OK(nest->run("permute(0, [3,1,2])"));
  ASSERT_OK(nest->run("tile(0, 1, 2)"));
  ASSERT_OK(nest->run("datacopy(0, 2, 1)"));
  ASSERT_OK(nest->run("parallelize(0, 1)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest->buffers()[0].loop, 2u);
  EXPECT_EQ(nest.check(), "");
}

} // namespace
