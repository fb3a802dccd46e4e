//===- FixedStepsTest.cpp - Tests of splitFixedSteps ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FixedSteps.h"
#include "TestHelpers.h"

#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Target/Passes.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;

static constexpr StringLiteral kMain = "__transform_main";

static constexpr char payloadText[] = R"(
  func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %e = tensor.empty() : tensor<8x8xf32>
    %x = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)
      -> tensor<8x8xf32>
    return %x : tensor<8x8xf32>
  })";

/// A schedule whose steps these are, with a sequence @tile to include.
static std::string scheduleOf(const std::string &steps) {
  return R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(
      %root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %t = transform.tune.knob<"T"> options = [2, 4] -> !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%t]
      : (!transform.any_op, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.consumed}) {
    )" + steps +
         R"(
    transform.yield
  }
})";
}

/// Bufferizes, and then tiles.
static constexpr char bufferized[] = R"(
    %f = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "f"} in %root
      : (!transform.any_op) -> !transform.any_op
    %module = transform.get_parent_op %f {op_name = "builtin.module"}
      : (!transform.any_op) -> !transform.any_op
    %new = transform.bufferization.one_shot_bufferize %module
      {bufferize_function_boundaries = true}
      : (!transform.any_op) -> !transform.any_op
    transform.include @tile failures(propagate) (%new)
      : (!transform.any_op) -> ())";

namespace {
class FixedStepsTest : public ModuleTest {
protected:
  /// What `schedule` with T = 4 makes of `payload`.
  static std::string apply(ModuleOp schedule, ModuleOp payload) {
    OwningOpRef<ModuleOp> script = schedule.clone(), made = payload.clone();
    EXPECT_TRUE(
        succeeded(schedule::concretize(*script, kMain, {{"T", int64_t(4)}})));
    EXPECT_TRUE(succeeded(applySchedule(*made, *script)));
    std::string text;
    llvm::raw_string_ostream(text) << *made;
    return text;
  }

  bool isSplit(const std::string &steps,
               const std::string &payload = payloadText) {
    OwningOpRef<ModuleOp> schedule = parse(scheduleOf(steps));
    return bool(splitFixedSteps(*schedule, kMain, *parse(payload)));
  }
};
} // namespace

TEST_F(FixedStepsTest, PartsDoWhatTheWholeDoes) {
  OwningOpRef<ModuleOp> payload = parse(payloadText),
                        whole = parse(scheduleOf(bufferized)),
                        rest = whole->clone();
  OwningOpRef<ModuleOp> fixed = splitFixedSteps(*rest, kMain, *payload);
  ASSERT_TRUE(fixed);
  EXPECT_TRUE(succeeded(verify(*fixed)));
  EXPECT_TRUE(succeeded(verify(*rest)));
  std::string expected = apply(*whole, *payload);
  EXPECT_NE(expected.find("scf.for"), std::string::npos) << expected;
  EXPECT_NE(expected.find("memref<8x8xf32"), std::string::npos) << expected;
  ASSERT_TRUE(succeeded(applySchedule(*payload, *fixed)));
  std::string prepared;
  llvm::raw_string_ostream(prepared) << *payload;
  EXPECT_EQ(prepared.find("scf.for"), std::string::npos) << prepared;
  EXPECT_NE(prepared.find("memref<8x8xf32"), std::string::npos) << prepared;
  EXPECT_EQ(apply(*rest, *payload), expected);
}

TEST_F(FixedStepsTest, OtherHandlesThanTheModuleEndWithTheRun) {
  EXPECT_TRUE(isSplit(bufferized));
  // The rest would need a handle of a function.
  std::string function = bufferized;
  function.replace(function.find("(%new)"), 6, "(%f)");
  EXPECT_FALSE(isSplit(function));
  // There may be several functions, and then a handle of several modules.
  std::string any = bufferized;
  llvm::StringRef name = "attributes {sym_name = \"f\"}";
  any.erase(any.find(name), name.size());
  EXPECT_FALSE(isSplit(any));
  EXPECT_FALSE(isSplit(bufferized, payloadText + std::string("module {}")));
}

TEST_F(FixedStepsTest, StepsWithChoicesStay) {
  constexpr char choice[] = R"(
    transform.include @tile failures(propagate) (%root)
      : (!transform.any_op) -> ()
    )";
  EXPECT_FALSE(isSplit(choice));
  EXPECT_FALSE(isSplit(choice + std::string(bufferized)));
  std::string bound = bufferized;
  bound.insert(bound.find("bufferize_function"),
               "baco.bind = {test_analysis_only = \"T\"}, ");
  EXPECT_FALSE(isSplit(bound));
}

TEST_F(FixedStepsTest, StepsThatChangeNothingStay) {
  EXPECT_FALSE(isSplit(R"(
    %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op)"));
}

TEST_F(FixedStepsTest, StepsThatMayTakeLongStay) {
  std::string steps = bufferized;
  steps.insert(steps.find("%new = "), R"(transform.foreach %f
      : !transform.any_op {
    ^bb0(%each: !transform.any_op):
    }
    )");
  EXPECT_FALSE(isSplit(steps));
}
