//===- RowChainTest.cpp - Tests of chains of products and rows ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/RowChain.h"
#include "../Target/TestHelpers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace baco;

namespace {
class RowChainTest : public target::ModuleTest {
protected:
  /// The chain of all ops of a function with the rows `%s`, inputs and buffers;
  /// or why there is none.
  std::string describe(const std::string &ops) {
    module = parse(R"(
      func.func @f(%q: memref<8x4xf32>, %k: memref<4x16xf32>,
                   %p: memref<8x16xf32>) {
        %zero = arith.constant 0.0 : f32
        %s = memref.alloc() : memref<8x16xf32>
        %t = memref.alloc() : memref<8x16xf32>
        %m = memref.alloc() : memref<8xf32>
        )" + ops + R"(
        return
      })");
    SmallVector<linalg::LinalgOp> all;
    module->walk([&](linalg::LinalgOp op) { all.push_back(op); });
    llvm::Expected<RowChain> chain = findRowChain(all);
    if (!chain)
      return llvm::toString(chain.takeError());
    std::string text = std::to_string(chain->elements.size()) + " elements, " +
                       std::to_string(chain->rows.ops.size()) + " on rows of " +
                       std::to_string(chain->rows.columns) + ", " +
                       std::to_string(chain->registers.size()) +
                       " in registers";
    return text;
  }

  OwningOpRef<ModuleOp> module;
};
} // namespace

static const std::string set =
    "linalg.fill ins(%zero : f32) outs(%s : memref<8x16xf32>)\n";
static const std::string multiply =
    "linalg.matmul ins(%q, %k : memref<8x4xf32>, memref<4x16xf32>) "
    "outs(%s : memref<8x16xf32>)\n";
static const std::string setRows =
    "linalg.fill ins(%zero : f32) outs(%m : memref<8xf32>)\n";
static const std::string power = "linalg.exp ins(%s : memref<8x16xf32>) "
                                 "outs(%t : memref<8x16xf32>)\n";
static const std::string sum =
    "linalg.reduce {arith.addf} ins(%t : memref<8x16xf32>) "
    "outs(%m : memref<8xf32>) dimensions = [1]\n";
static const std::string divide =
    "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
    "affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], "
    "iterator_types = [\"parallel\", \"parallel\"]} "
    "ins(%t, %m : memref<8x16xf32>, memref<8xf32>) "
    "outs(%p : memref<8x16xf32>) {\n"
    "^bb0(%x: f32, %y: f32, %o: f32):\n"
    "%z = arith.divf %x, %y : f32\n"
    "linalg.yield %z : f32 }\n";

TEST_F(RowChainTest, OpsThatTheProductDoesNotNeedFollowIt) {
  const char *const whole = "1 elements, 4 on rows of 16, 2 in registers";
  EXPECT_EQ(describe(set + multiply + power + setRows + sum + divide), whole);
  EXPECT_EQ(describe(setRows + set + multiply + power + sum + divide), whole);
}

TEST_F(RowChainTest, SaysWhyThereIsNone) {
  EXPECT_EQ(
      describe(set + power),
      "no product of matrices of static shape computes an input of the op");
  EXPECT_EQ(describe(multiply + multiply + power),
            "several products of matrices compute the op's inputs");
  EXPECT_EQ(describe(set + power + multiply + setRows),
            "'linalg.exp' before the product reads what the product, or an op "
            "that it needs, writes");
  EXPECT_EQ(describe(set + multiply + power + sum),
            "'linalg.reduce' reads an element for each row before an op behind "
            "the product sets it");
}
