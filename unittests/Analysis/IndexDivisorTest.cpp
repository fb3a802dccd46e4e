//===- IndexDivisorTest.cpp - Numbers that divide an index ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/IndexDivisor.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace {
class IndexDivisorTest : public ::testing::Test {
protected:
  IndexDivisorTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect, scf::SCFDialect>();
  }

  MLIRContext context;
};
} // namespace

TEST_F(IndexDivisorTest, FindsWhatIsKnown) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      R"(
func.func @f(%n: index) {
  %c0 = arith.constant {d = 0} 0 : index
  %c6 = arith.constant {d = 6} -6 : index
  %c4 = arith.constant {d = 4} 4 : index
  %c12 = arith.constant 12 : index
  %a = arith.muli %n, %c4 {d = 4} : index
  %b = arith.muli %a, %c6 {d = 24} : index
  %c = arith.addi %a, %c6 {d = 2} : index
  %s = arith.subi %a, %c4 {d = 1} : index
  %e = affine.apply affine_map<(x)[s] -> (x * 8 + s * 3)> (%n)[%c4] {d = 4}
  %f = affine.apply affine_map<(x) -> (x floordiv 8)> (%b) {d = 3}
  %g = affine.apply affine_map<(x) -> (x floordiv 9)> (%b) {d = 1}
  %h = affine.apply affine_map<(x) -> (x mod 6)> (%b) {d = 6}
  %z = arith.muli %n, %c0 {d = 0} : index
  scf.for %i = %a to %n step %c12 {
    %j = arith.addi %i, %c12 {d = 4} : index
  }
  return
})",
      &context);
  ASSERT_TRUE(module);
  int count = 0;
  module->walk([&](Operation *op) {
    auto expected = op->getAttrOfType<IntegerAttr>("d");
    if (!expected)
      return;
    ++count;
    EXPECT_EQ(baco::findDivisor(op->getResult(0)), expected.getInt());
  });
  EXPECT_EQ(count, 13);
}

// Each value of a random expression is a multiple of what is said to divide it.
TEST_F(IndexDivisorTest, DividesValuesOfRandomExpressions) {
  std::mt19937 random(1);
  auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  int large = 0;
  for (int round = 0; round < 500; ++round) {
    AffineExpr expression = getAffineDimExpr(0, &context);
    for (int64_t depth = draw(1, 6); depth > 0; --depth) {
      int64_t number = draw(1, 12);
      switch (draw(0, 3)) {
      case 0:
        expression = expression * number;
        break;
      case 1:
        expression = expression + number * draw(-2, 2);
        break;
      case 2:
        expression = expression.floorDiv(number);
        break;
      default:
        expression = expression % number;
      }
    }
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder(module->getBodyRegion());
    auto function = func::FuncOp::create(
        builder, module->getLoc(), "f",
        builder.getFunctionType(builder.getIndexType(), {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    AffineMap map = AffineMap::get(1, 0, expression);
    int64_t divisor = baco::findDivisor(affine::AffineApplyOp::create(
        builder, module->getLoc(), map, function.getArguments()));
    large += divisor > 1;
    for (int64_t n = 0; n < 50; ++n) {
      SmallVector<Attribute> folded;
      ASSERT_TRUE(
          succeeded(map.constantFold(builder.getI64IntegerAttr(n), folded)));
      int64_t value = cast<IntegerAttr>(folded[0]).getInt();
      EXPECT_TRUE(divisor == 0 ? value == 0 : value % divisor == 0)
          << divisor << " doesn't divide " << value;
    }
  }
  EXPECT_GT(large, 50);
}
