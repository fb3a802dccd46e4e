//===- KernelWorkFixture.h - Kernels in LLVM IR -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_TARGET_KERNELWORKFIXTURE_H
#define BACO_UNITTESTS_TARGET_KERNELWORKFIXTURE_H

#include "baco/CostModel/KernelWork.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

namespace baco::target {

/// Reads kernels, and counts what they do.
class KernelWorkTest : public testing::Test {
protected:
  llvm::Function &parse(const std::string &body,
                        const std::string &arguments =
                            "ptr addrspace(1) %a, ptr addrspace(1) %b") {
    std::string text = R"(
      target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
      target triple = "nvptx64-nvidia-cuda"
      @shared = internal addrspace(3) global [1024 x float] poison, align 16
      declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
      declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
      declare void @llvm.nvvm.cp.async.commit.group()
      declare void @llvm.nvvm.cp.async.wait.group(i32)
      define ptx_kernel void @kernel()" +
                       arguments + ") {\n" + body + "\n}\n";
    llvm::SMDiagnostic error;
    module = llvm::parseAssemblyString(text, error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    return *module->getFunction("kernel");
  }

  KernelWork count(const std::string &body, const LaunchShape &launch) {
    auto work =
        countWork(parse(body), launch, /*dynamicShared=*/0, {1 << 20, 1 << 20});
    EXPECT_TRUE(static_cast<bool>(work));
    if (!work) {
      ADD_FAILURE() << llvm::toString(work.takeError());
      return {};
    }
    return *work;
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

} // namespace baco::target

#endif // BACO_UNITTESTS_TARGET_KERNELWORKFIXTURE_H
