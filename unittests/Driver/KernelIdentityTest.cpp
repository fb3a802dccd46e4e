//===- KernelIdentityTest.cpp - Tests of telling kernels apart ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelIdentity.h"
#include "../Target/TestHelpers.h"

using namespace mlir;
using namespace baco::driver;

namespace {
class KernelIdentityTest : public baco::target::ModuleTest {
protected:
  Kernel kernel(llvm::StringRef name, llvm::StringRef payload,
                llvm::StringRef schedule) {
    return {name.str(),     UnknownLoc::get(&context),
            parse(payload), parse(schedule),
            std::nullopt,   std::nullopt};
  }

  /// A schedule that matches the function `name` and includes `sequence`.
  static std::string scheduleOf(const std::string &name,
                                const std::string &sequence = "step") {
    return R"(module attributes {transform.with_named_sequence} {
      transform.named_sequence @)" +
           sequence + R"((%x: !transform.any_op {transform.readonly}) {
        %f = transform.structured.match ops{["func.func"]} attributes
          {sym_name = ")" +
           name + R"("} in %x : (!transform.any_op) -> !transform.any_op
        transform.yield
      }
      transform.named_sequence @__transform_main(
          %root: !transform.any_op {transform.readonly}) {
        transform.include @)" +
           sequence +
           R"( failures(propagate) (%root) : (!transform.any_op) -> ()
        transform.yield
      }
    })";
  }

  bool areSame(const Kernel &a, const Kernel &b) {
    return canonicalText(a) == canonicalText(b);
  }
};
} // namespace

static const char *const calling = R"(
  func.func private @helper(%x: f32) -> f32 {
    %y = arith.addf %x, %x : f32
    return %y : f32
  }
  func.func @one(%x: f32) -> f32 {
    %y = call @helper(%x) : (f32) -> f32
    return %y : f32
  })";

TEST_F(KernelIdentityTest, NamesDoNotCount) {
  // Symbols, values, their order, and the schedule's sequences.
  const char *const renamed = R"(
    func.func @two(%arg: f32) -> f32 {
      %sum = call @one(%arg) : (f32) -> f32
      return %sum : f32
    }
    func.func private @one(%a: f32) -> f32 {
      %s = arith.addf %a, %a : f32
      return %s : f32
    })";
  EXPECT_TRUE(areSame(kernel("one", calling, scheduleOf("one")),
                      kernel("two", renamed, scheduleOf("two", "other"))));
}

TEST_F(KernelIdentityTest, WhatIsMatchedCounts) {
  EXPECT_FALSE(areSame(kernel("one", calling, scheduleOf("one")),
                       kernel("one", calling, scheduleOf("helper"))));
}

TEST_F(KernelIdentityTest, WhatRunsCounts) {
  EXPECT_FALSE(areSame(kernel("one", calling, scheduleOf("one")),
                       kernel("helper", calling, scheduleOf("one"))));
}

TEST_F(KernelIdentityTest, BodiesOfCalleesCount) {
  std::string other = calling;
  other.replace(other.find("addf"), 4, "mulf");
  EXPECT_FALSE(areSame(kernel("one", calling, scheduleOf("one")),
                       kernel("one", other, scheduleOf("one"))));
}

/// A function may be called like the sequence that the interpreter starts with.
TEST_F(KernelIdentityTest, TheEntryOfTheScheduleKeepsItsPlace) {
  const char *const odd = R"(
    func.func @__transform_main(%x: f32) -> f32 { return %x : f32 })";
  const char *const plain =
      R"(func.func @f(%x: f32) -> f32 { return %x : f32 })";
  EXPECT_TRUE(
      areSame(kernel("__transform_main", odd, scheduleOf("__transform_main")),
              kernel("f", plain, scheduleOf("f"))));
}
