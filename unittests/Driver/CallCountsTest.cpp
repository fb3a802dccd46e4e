//===- CallCountsTest.cpp - Tests of counting calls ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallCounts.h"
#include "../Target/TestHelpers.h"

using namespace mlir;
using namespace baco::driver;

namespace {
class CallCountsTest : public baco::target::ModuleTest {
protected:
  std::optional<double> count(llvm::StringRef text) {
    OwningOpRef<ModuleOp> module = parse(text);
    return CallCounts(*module).of(module->lookupSymbol<func::FuncOp>("f"));
  }
};
} // namespace

TEST_F(CallCountsTest, FunctionsWithoutCallersRunOnce) {
  EXPECT_EQ(count("func.func @f() { return }"), 1);
}

TEST_F(CallCountsTest, CallsInLoopsMultiply) {
  EXPECT_EQ(count(R"(
    func.func @f() { return }
    func.func @g() {
      call @f() : () -> ()
      affine.for %i = 0 to 10 step 3 { func.call @f() : () -> () }
      return
    }
    func.func @main() {
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %5 = arith.constant 5 : index
      scf.for %i = %0 to %5 step %1 { func.call @g() : () -> () }
      call @f() : () -> ()
      return
    })"),
            5 * (1 + 4) + 1);
}

TEST_F(CallCountsTest, DynamicLoopsAreUnknown) {
  EXPECT_EQ(count(R"(
    func.func @f() { return }
    func.func @main(%n: index) {
      affine.for %i = 0 to %n { func.call @f() : () -> () }
      return
    })"),
            std::nullopt);
}

TEST_F(CallCountsTest, ConditionsAreUnknown) {
  EXPECT_EQ(count(R"(
    func.func @f() { return }
    func.func @main(%c: i1) {
      scf.if %c { func.call @f() : () -> () }
      return
    })"),
            std::nullopt);
  EXPECT_EQ(count(R"(
    func.func @f() { return }
    func.func @main(%c: i1) {
      cf.cond_br %c, ^a, ^b
    ^a:
      call @f() : () -> ()
      cf.br ^b
    ^b:
      return
    })"),
            std::nullopt);
}

TEST_F(CallCountsTest, RecursionIsUnknown) {
  EXPECT_EQ(count(R"(
    func.func @f() { call @g() : () -> () return }
    func.func @g() { call @f() : () -> () return })"),
            std::nullopt);
}
