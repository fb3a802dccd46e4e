//===- TunedModuleTest.cpp - Tests of applySchedule -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Sparse/TunedModule.h"
#include "TestHelpers.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace baco::target;
using baco::DiagnosticRecorder;

static constexpr char tunedPayload[] = R"(
  func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
    linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [2, 0, 0]>]>}
      ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>)
      outs(%c : memref<4x4xf32>)
    return
  })";
static constexpr char tunedSchedule[] = R"(
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(
        %root: !transform.any_op {transform.readonly}) {
      %op = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
      %tile, %loop = transform.structured.tile_using_for %op tile_sizes [2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.yield
    }
    transform.named_sequence @reuse(
        %root: !transform.any_op {transform.readonly}) {
      %op = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
      %tile, %loop = transform.structured.tile_using_for %op tile_sizes [2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.annotate %op "again" : !transform.any_op
      transform.yield
    }
  })";

namespace {
class TunedModuleTest : public ModuleTest {};
} // namespace

TEST_F(TunedModuleTest, TransformsAndNeedsNothingOfOurs) {
  auto payload = parse(tunedPayload);
  auto schedule = parse(tunedSchedule);
  ASSERT_TRUE(succeeded(applySchedule(*payload, *schedule)));
  int loops = 0, matmuls = 0;
  payload->walk([&](scf::ForOp) { ++loops; });
  payload->walk([&](linalg::MatmulOp) { ++matmuls; });
  EXPECT_EQ(loops, 1);
  EXPECT_EQ(matmuls, 1);
  std::string text;
  llvm::raw_string_ostream(text) << *payload;
  EXPECT_EQ(text.find("baco"), std::string::npos) << text;
}

TEST_F(TunedModuleTest, TargetOptionsGoToTheKernel) {
  auto payload = parse(R"(
    func.func @f() attributes {baco.target_options = {codegen_level = 1,
                                                      opt_level = 1}} {
      return
    }
    func.func @g() { return })");
  auto schedule = parse(R"(
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(
          %root: !transform.any_op {transform.readonly})
          attributes {baco.target_options = {opt_level = 3}} {
        transform.yield
      }
    })");
  ASSERT_TRUE(
      succeeded(applySchedule(*payload, *schedule, "__transform_main", "f")));
  auto options = payload->lookupSymbol("f")->getAttrOfType<DictionaryAttr>(
      "baco.target_options");
  ASSERT_TRUE(options);
  EXPECT_EQ(cast<IntegerAttr>(options.get("opt_level")).getInt(), 3);
  EXPECT_EQ(cast<IntegerAttr>(options.get("codegen_level")).getInt(), 1);
  EXPECT_FALSE(payload->lookupSymbol("g")->hasAttr("baco.target_options"));
}

TEST_F(TunedModuleTest, MissingSequenceFails) {
  auto payload = parse(tunedPayload);
  auto schedule = parse(tunedSchedule);
  DiagnosticRecorder recorder(&context);
  EXPECT_TRUE(failed(applySchedule(*payload, *schedule, "elsewhere")));
  EXPECT_NE(recorder.message("nothing").find("elsewhere"), std::string::npos)
      << recorder.message("nothing");
}

// Without the interpreter's expensive checks this would crash.
TEST_F(TunedModuleTest, UseOfAnInvalidatedHandleFails) {
  auto payload = parse(tunedPayload);
  auto schedule = parse(tunedSchedule);
  DiagnosticRecorder recorder(&context);
  EXPECT_TRUE(failed(applySchedule(*payload, *schedule, "reuse")));
  EXPECT_NE(recorder.message("nothing").find("invalidated"), std::string::npos)
      << recorder.message("nothing");
}
