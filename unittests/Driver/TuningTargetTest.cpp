//===- TuningTargetTest.cpp - Tests of the option target ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/Driver/DeviceOptions.h"
#include "baco/Driver/Kernel.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::driver;

TEST(TuningTargetTest, ReadsTargets) {
  auto cpu = TuningTarget::parse("cpu");
  ASSERT_TRUE(cpu);
  EXPECT_TRUE((*cpu)->isCpu());
  EXPECT_TRUE((*cpu)->runs);
  auto any = TuningTarget::parse("nvvm:sm_90a:+ptx80");
  ASSERT_TRUE(any) << any.error().message;
  EXPECT_FALSE((*any)->isCpu());
  EXPECT_FALSE((*any)->runs);
  EXPECT_EQ((*any)->chip, "sm_90a");
  EXPECT_EQ(llvm::cantFail((*any)->machine(KernelOptions(), "")).gpu,
            "sm_90a:+ptx80");
  auto here = TuningTarget::parse("cuda:sm_80");
  ASSERT_TRUE(here);
  EXPECT_TRUE((*here)->runs);
}

TEST(TuningTargetTest, RefusesOthers) {
  for (const char *wrong :
       {"", "gpu", "CPU", "cpu:", "cpu:sm_90", "nvvm", "nvvm:", "nvvm:sm_61",
        "nvvm:sm_70a", "nvvm:90", "nvvm:sm_90:ptx80", "cuda"}) {
    auto target = TuningTarget::parse(wrong);
    ASSERT_FALSE(target) << wrong;
    EXPECT_EQ(target.error().code, ErrorCode::InvalidArgument);
    EXPECT_TRUE(target.error().message.starts_with("target ")) << wrong;
  }
}

TEST(TuningTargetTest, GoesWithSomeEvaluators) {
  EXPECT_TRUE(checkTarget("cpu", "jit"));
  EXPECT_TRUE(checkTarget("cpu", "replay:x.csv"));
  EXPECT_TRUE(checkTarget("nvvm:sm_90", "static"));
  EXPECT_TRUE(checkTarget("nvvm:sm_90", "replay:x.csv"));
  EXPECT_TRUE(checkTarget("cpu", "static"));
  EXPECT_FALSE(checkTarget("nvvm:sm_90", "jit"));
}

/// Two ops that become one kernel.
static constexpr char twoOpsText[] = R"(
  func.func @f(%x: memref<4096xf32>, %y: memref<4096xf32>) {
    %t = memref.alloc() : memref<4096xf32>
    linalg.exp ins(%x : memref<4096xf32>) outs(%t : memref<4096xf32>)
    linalg.negf ins(%t : memref<4096xf32>) outs(%y : memref<4096xf32>)
    return
  })";

TEST(TuningTargetTest, WorkersThatCheckResultsGetTheSource) {
  mlir::DialectRegistry registry;
  target::registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(twoOpsText, &context);
  ASSERT_TRUE(module);
  KernelOptions options;
  options.target = *TuningTarget::parse("nvvm:sm_90");
  auto found = takeKernels(*module, options);
  ASSERT_TRUE(mlir::succeeded(found));
  ASSERT_EQ(found->kernels.size(), 1U);
  const Kernel &kernel = found->kernels.front();

  DeviceOptions device;
  auto setUp = options.target->setUpWorker(kernel, device, /*isStatic=*/true);
  ASSERT_TRUE(setUp) << setUp.error().message;
  EXPECT_FALSE(setUp->fields.getString("source"));
  device.verify = "emulate";
  setUp = options.target->setUpWorker(kernel, device, /*isStatic=*/true);
  ASSERT_TRUE(setUp) << setUp.error().message;
  auto source = setUp->fields.getString("source");
  ASSERT_TRUE(source);
  EXPECT_TRUE(source->contains("linalg.exp"));
  EXPECT_TRUE(source->contains("linalg.negf"));
}
