//===- ScalarWorkTest.cpp - Tests of findScalarWork -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/ScalarWork.h"

#include "TestHelpers.h"

#include "baco/Target/Pipelines.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace baco::target;

/// What is found in a loop over i (an i64) that has `body`; `%p` and `%q` are
/// pointers to i-th elements, `%s` an f32 from outside.
static ScalarWork inLoop(const std::string &body,
                         const std::string &others = "") {
  std::string text = others + R"(
    define void @f(ptr %x, ptr %y, float %s, i64 %n) {
    entry:
      br label %loop
    loop:
      %i = phi i64 [0, %entry], [%next, %loop]
      %p = getelementptr float, ptr %x, i64 %i
      %q = getelementptr float, ptr %y, i64 %i
  )" + body + R"(
      %next = add i64 %i, 1
      %more = icmp slt i64 %next, %n
      br i1 %more, label %loop, label %exit
    exit:
      ret void
    })";
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  return module ? findScalarWork(*module) : ScalarWork::None;
}

TEST(ScalarWorkTest, VectorsAreNone) {
  EXPECT_EQ(inLoop(""), ScalarWork::None);
  EXPECT_EQ(inLoop(R"(
    %a = load <8 x float>, ptr %p
    %b = fadd <8 x float> %a, %a
    store <8 x float> %b, ptr %q)"),
            ScalarWork::None);
}

TEST(ScalarWorkTest, BroadcastsAndReductionsAreNone) {
  EXPECT_EQ(inLoop(R"(
    %a = load float, ptr %p
    %v = insertelement <8 x float> poison, float %a, i32 0
    %b = shufflevector <8 x float> %v, <8 x float> poison, <8 x i32> zeroinitializer
    store <8 x float> %b, ptr %q)"),
            ScalarWork::None);
  EXPECT_EQ(inLoop(R"(
    %a = load <8 x float>, ptr %p
    %r = call float @llvm.vector.reduce.fadd.v8f32(float %s, <8 x float> %a)
    %v = insertelement <8 x float> poison, float %r, i32 0
    store <8 x float> %v, ptr %q)",
                   "declare float @llvm.vector.reduce.fadd.v8f32(float, "
                   "<8 x float>)"),
            ScalarWork::None);
}

TEST(ScalarWorkTest, MovingElementsIsCopies) {
  EXPECT_EQ(inLoop("%a = load float, ptr %p\n store float %a, ptr %q"),
            ScalarWork::Copies);
  EXPECT_EQ(inLoop("%a = load i8, ptr %p\n store i8 %a, ptr %q"),
            ScalarWork::Copies);
  EXPECT_EQ(inLoop("store float %s, ptr %q"), ScalarWork::Copies);
}

TEST(ScalarWorkTest, ComputingWithElementsIsArithmetic) {
  EXPECT_EQ(inLoop("%a = fmul float %s, %s"), ScalarWork::Arithmetic);
  EXPECT_EQ(inLoop("%a = fneg float %s"), ScalarWork::Arithmetic);
  EXPECT_EQ(inLoop("%a = fcmp olt float %s, 0.0"), ScalarWork::Arithmetic);
  EXPECT_EQ(inLoop(R"(
    %a = load i32, ptr %p
    %b = add i32 %a, 1
    store i32 %b, ptr %q)"),
            ScalarWork::Arithmetic);
  // One use among several decides.
  EXPECT_EQ(inLoop(R"(
    %a = load i64, ptr %p
    store i64 %a, ptr %q
    %r = getelementptr float, ptr %x, i64 %a)"),
            ScalarWork::Arithmetic);
  EXPECT_EQ(inLoop("%a = call float @llvm.sqrt.f32(float %s)",
                   "declare float @llvm.sqrt.f32(float)"),
            ScalarWork::Arithmetic);
}

TEST(ScalarWorkTest, Calls) {
  EXPECT_EQ(
      inLoop("%a = call float @expf(float %s)", "declare float @expf(float)"),
      ScalarWork::Arithmetic);
  EXPECT_EQ(inLoop("%a = call ptr @malloc(i64 64)", "declare ptr @malloc(i64)"),
            ScalarWork::None);
  std::string defined = "define void @g(float %s) { ret void }\n";
  EXPECT_EQ(inLoop("call void @g(float %s)", defined), ScalarWork::Arithmetic);
  EXPECT_EQ(inLoop("", defined + R"(
    define void @h(float %s) {
      call void @g(float %s)
      ret void
    })"),
            ScalarWork::None);
}

TEST(ScalarWorkTest, OutsideOfLoopsOnlyArithmeticCounts) {
  EXPECT_EQ(inLoop("", R"(
    define void @g(ptr %x) {
      %a = load float, ptr %x
      store float %a, ptr %x
      ret void
    })"),
            ScalarWork::None);
  EXPECT_EQ(inLoop("", R"(
    define float @g(float %s) {
      %a = fadd float %s, %s
      ret float %a
    })"),
            ScalarWork::Arithmetic);
}

namespace {
class LoweredScalarWorkTest : public ModuleTest {
protected:
  ScalarWork ofMatmul(llvm::StringRef steps) {
    auto payload = parse(R"(
      func.func @f(%a: memref<32x32xf32>, %b: memref<32x32xf32>,
                   %c: memref<32x32xf32>) {
        linalg.matmul ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>)
                      outs(%c : memref<32x32xf32>)
        return
      })");
    auto schedule = parse((R"(
      module attributes {transform.with_named_sequence} {
        transform.named_sequence @__transform_main(
            %root: !transform.any_op {transform.readonly}) {
          %f = transform.structured.match ops{["func.func"]} in %root
            : (!transform.any_op) -> !transform.any_op
          %op = transform.structured.match ops{["linalg.matmul"]} in %root
            : (!transform.any_op) -> !transform.any_op
          %tile, %loops:3 = transform.structured.tile_using_for %op
            tile_sizes [4, 16, 1] : (!transform.any_op) -> (!transform.any_op,
              !transform.any_op, !transform.any_op, !transform.any_op)
          )" + steps + R"(
          transform.yield
        }
      })")
                              .str());
    EXPECT_TRUE(succeeded(applySchedule(*payload, *schedule)));
    mlir::PassManager manager(&context);
    buildLowerToCPUPipeline(manager);
    EXPECT_TRUE(succeeded(manager.run(*payload)));
    llvm::LLVMContext llvmContext;
    auto module = mlir::translateModuleToLLVMIR(*payload, llvmContext);
    EXPECT_TRUE(module);
    return module ? findScalarWork(*module) : ScalarWork::None;
  }
};
} // namespace

TEST_F(LoweredScalarWorkTest, MatmulBeforeAndAfterVectorizing) {
  EXPECT_EQ(ofMatmul(""), ScalarWork::Arithmetic);
  EXPECT_EQ(ofMatmul(R"(
          transform.structured.vectorize %tile {create_named_contraction}
            : !transform.any_op
          transform.apply_patterns to %f {
            transform.apply_patterns.vector.lower_contraction
          } : !transform.any_op
          transform.apply_patterns to %f {
            transform.apply_patterns.vector.lower_outerproduct
            transform.apply_patterns.vector.transfer_permutation_patterns
            transform.apply_patterns.vector.transfer_to_scf full_unroll = true
            transform.apply_patterns.vector.lower_transfer
          } : !transform.any_op)"),
            ScalarWork::None);
}
