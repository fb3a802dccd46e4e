//===- IterationGraphTest.cpp - Loops over a sparse operand ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's sparsifier decides which orders are legal; as it crashes on
// others, in a child process.
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/IterationGraph.h"
#include "baco/CandidateCompiler/Dialects.h"
#include "baco/IR/SparseEncoding.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace baco;

namespace {
/// A product of a sparse matrix or 3-tensor with dense matrices.
struct Kernel {
  /// The iterators of each operand, as `ik`; the sparse one comes first, the
  /// output last.
  std::vector<std::string> operands;
  /// All of them; reductions have capitals.
  std::string iterators;
};

class IterationGraphTest : public ::testing::Test {
protected:
  IterationGraphTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    target::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<sparse_tensor::SparseTensorDialect>();
    target::registerPasses();
  }

  /// The op of `kernel` with its iterators in `order`.
  OwningOpRef<ModuleOp> make(const Kernel &kernel, ArrayRef<int64_t> order,
                             const sparse::StorageFormat &format);
  /// Whether upstream makes loops of it.
  bool isSparsified(ModuleOp module);
  void expectEqualLegality(const Kernel &kernel, StringRef formatName);

  MLIRContext context;
};
} // namespace

static IterationGraph graphOf(ModuleOp module) {
  std::optional<IterationGraph> graph;
  module.walk([&](linalg::GenericOp op) {
    auto made = IterationGraph::create(op);
    if (made)
      graph.emplace(std::move(*made));
    else
      ADD_FAILURE() << llvm::toString(made.takeError());
  });
  return *graph;
}

OwningOpRef<ModuleOp>
IterationGraphTest::make(const Kernel &kernel, ArrayRef<int64_t> order,
                         const sparse::StorageFormat &format) {
  std::string text, maps, arguments, inputs, inputTypes, values, type, body,
      before = "%v0", types;
  llvm::raw_string_ostream encoding(text);
  encoding << *makeEncoding(&context, format);
  std::string dimensions;
  for (int64_t iterator : order) {
    char name = kernel.iterators[iterator];
    dimensions +=
        (dimensions.empty() ? "" : ", ") + std::string(1, std::tolower(name));
    types += (types.empty() ? "\"" : ", \"") +
             std::string(std::isupper(name) ? "reduction\"" : "parallel\"");
  }
  for (auto [n, operand] : llvm::enumerate(kernel.operands)) {
    std::string indices, number = std::to_string(n);
    type = "tensor<";
    for (char index : operand) {
      indices += (indices.empty() ? "" : ", ") + std::string(1, index);
      type += "8x";
    }
    type += n == 0 ? "f64, " + text + ">" : "f64>";
    maps += (n == 0 ? "affine_map<(" : ", affine_map<(") + dimensions +
            ") -> (" + indices + ")>";
    std::string comma = n == 0 ? "" : ", ";
    arguments += comma + "%a" + number + ": " + type;
    values += comma + "%v" + number + ": f64";
    if (n + 1 == kernel.operands.size())
      break;
    inputs += comma + "%a" + number;
    inputTypes += comma + type;
    if (n == 0)
      continue;
    body += "%m" + number + " = arith.mulf " + before + ", %v" + number +
            " : f64\n";
    before = "%m" + number;
  }
  std::string last = std::to_string(kernel.operands.size() - 1);
  return parseSourceString<ModuleOp>(
      "func.func @f(" + arguments + ") -> " + type +
          " { %r = linalg.generic {indexing_maps = [" + maps +
          "], iterator_types = [" + types + "]} ins(" + inputs + " : " +
          inputTypes + ") outs(%a" + last + " : " + type +
          ") attrs = {sorted = true} {\n^bb0(" + values + "):\n" + body +
          "%s = arith.addf %v" + last + ", " + before +
          " : f64\nlinalg.yield %s : f64 } -> " + type +
          "\nreturn %r : " + type + " }",
      &context);
}

bool IterationGraphTest::isSparsified(ModuleOp module) {
  pid_t child = fork();
  if (child == 0) {
    PassManager manager(&context);
    bool isDone = succeeded(parsePassPipeline(
                      "sparsification-and-bufferization", manager)) &&
                  succeeded(manager.run(module));
    _exit(isDone ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void IterationGraphTest::expectEqualLegality(const Kernel &kernel,
                                             StringRef formatName) {
  auto order = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(kernel.iterators.size())));
  sparse::StorageFormat format =
      *sparse::namedFormat(formatName.str(), kernel.operands.front().size());
  OwningOpRef<ModuleOp> plain = make(kernel, order, format);
  ASSERT_TRUE(plain);
  IterationGraph graph = graphOf(*plain);
  do {
    OwningOpRef<ModuleOp> module = make(kernel, order, format);
    ASSERT_TRUE(module);
    std::string text;
    for (int64_t loop : order)
      text += kernel.iterators[loop];
    EXPECT_EQ(graph.isLegal(order, format), isSparsified(*module))
        << formatName.str() << ", " << text;
    EXPECT_TRUE(graph.isLegal(order, graph.arrange(format, order)));
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_TRUE(graph.isLegal(graph.naturalOrder(format), format));
}

TEST_F(IterationGraphTest, OrdersAreThoseOfUpstream) {
  Kernel spmm = {{"ik", "kj", "ij"}, "ijK"};
  for (StringRef format : {"csr", "csc", "dcsr", "coo"})
    expectEqualLegality(spmm, format);
  Kernel ttv = {{"ijk", "k", "ij"}, "ijK"};
  for (StringRef format : {"csf", "coo", "dense-dense-csf", "dense-coo"})
    expectEqualLegality(ttv, format);
}

TEST_F(IterationGraphTest, ReductionsArentParallel) {
  Kernel spmm = {{"ik", "kj", "ij"}, "ijK"};
  OwningOpRef<ModuleOp> module =
      make(spmm, {0, 1, 2}, *sparse::namedFormat("csr", 2));
  IterationGraph graph = graphOf(*module);
  EXPECT_TRUE(graph.isParallelLoop(0));
  EXPECT_TRUE(graph.isParallelLoop(1));
  EXPECT_FALSE(graph.isParallelLoop(2));
  EXPECT_TRUE(graph.isSparseLoop(2));
  EXPECT_FALSE(graph.isSparseLoop(1));
}

TEST_F(IterationGraphTest, NaturalOrderFollowsDenseOperandsIfItCan) {
  Kernel spmm = {{"ik", "kj", "ij"}, "ijK"};
  auto natural = [&](StringRef name) {
    sparse::StorageFormat format = *sparse::namedFormat(name.str(), 2);
    OwningOpRef<ModuleOp> module = make(spmm, {0, 1, 2}, format);
    return graphOf(*module).naturalOrder(format);
  };
  EXPECT_EQ(natural("csr"), (SmallVector<int64_t>{0, 2, 1}));
  EXPECT_EQ(natural("csc"), (SmallVector<int64_t>{2, 0, 1}));
}

TEST_F(IterationGraphTest, LevelsFollowLoops) {
  Kernel ttv = {{"ijk", "k", "ij"}, "ijK"};
  sparse::StorageFormat format = *sparse::namedFormat("dense-csf", 3);
  OwningOpRef<ModuleOp> module = make(ttv, {0, 1, 2}, format);
  sparse::StorageFormat arranged = graphOf(*module).arrange(format, {2, 0, 1});
  EXPECT_EQ(arranged.levels[0].dimension, 2u);
  EXPECT_EQ(arranged.levels[0].kind, sparse::LevelKind::Dense);
  EXPECT_EQ(arranged.levels[1].dimension, 0u);
  EXPECT_EQ(arranged.levels[2].dimension, 1u);
}

TEST_F(IterationGraphTest, TilesHaveLevels) {
  Kernel spmm = {{"ik", "kj", "ij"}, "ijK"};
  OwningOpRef<ModuleOp> module =
      make(spmm, {0, 1, 2}, *sparse::namedFormat("csr", 2));
  IterationGraph graph = graphOf(*module);
  graph.split(0, 4);
  graph.split(1, 2);
  graph.split(2, 8);
  EXPECT_EQ(graph.getNumLoops(), 6u);
  EXPECT_TRUE(graph.isSparseLoop(3));
  EXPECT_FALSE(graph.isSparseLoop(4));
  EXPECT_FALSE(graph.isParallelLoop(5));
  // There is one tile of k, which the loop in the tile visits.
  EXPECT_TRUE(graph.getSplits()[2].isTrivial);
  EXPECT_FALSE(graph.isSparseLoop(2));
  using sparse::Level, sparse::LevelKind;
  auto csr = graph.findFormat("csr");
  ASSERT_TRUE(bool(csr));
  EXPECT_EQ(csr->format.levels,
            (std::vector<Level>{{LevelKind::Dense, 0, /*divisor=*/4},
                                {LevelKind::Dense, 0, 1, /*modulus=*/4},
                                {LevelKind::Compressed, 1}}));
  EXPECT_EQ(graph.loopsOfLevels(csr->format), (SmallVector<int64_t>{0, 3, 5}));
  auto csf = graph.findFormat("dense-csf");
  ASSERT_TRUE(bool(csf));
  EXPECT_EQ(graph.arrange(csf->format, {1, 0, 2, 5, 3, 4}).levels,
            (std::vector<Level>{{LevelKind::Dense, 0, /*divisor=*/4},
                                {LevelKind::Compressed, 1},
                                {LevelKind::Compressed, 0, 1, /*modulus=*/4}}));
}

TEST_F(IterationGraphTest, RepeatedCoordinatesStaySoInTiles) {
  Kernel spmm = {{"ik", "kj", "ij"}, "ijK"};
  OwningOpRef<ModuleOp> module =
      make(spmm, {0, 1, 2}, *sparse::namedFormat("coo", 2));
  IterationGraph graph = graphOf(*module);
  graph.split(0, 4);
  graph.split(2, 2);
  auto given = graph.findFormat(kGivenFormat);
  ASSERT_TRUE(bool(given));
  using sparse::Level, sparse::LevelKind;
  EXPECT_EQ(
      given->format.levels,
      (std::vector<Level>{{LevelKind::Compressed, 0, 4, 0, /*isUnique=*/false},
                          {LevelKind::Singleton, 0, 1, 4, /*isUnique=*/false},
                          {LevelKind::Singleton, 1, 2, 0, /*isUnique=*/false},
                          {LevelKind::Singleton, 1, 1, 2}}));
}
