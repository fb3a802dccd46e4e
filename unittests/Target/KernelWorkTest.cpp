//===- KernelWorkTest.cpp - Tests of counting a kernel's work -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/CostModel/KernelWork.h"
#include "RegisterPressure.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::target;

//===----------------------------------------------------------------------===//
// Accesses of a warp
//===----------------------------------------------------------------------===//

/// The addresses of 32 threads.
static llvm::SmallVector<int64_t> strided(int64_t stride, int64_t first = 0) {
  llvm::SmallVector<int64_t> addresses;
  for (int64_t lane = 0; lane < 32; ++lane)
    addresses.push_back(first + lane * stride);
  return addresses;
}

TEST(WarpAccessTest, CountsSectorsAndLines) {
  auto expect = [](WarpAccess access, int64_t sectors, int64_t cycles) {
    EXPECT_EQ(access.sectors, sectors);
    EXPECT_EQ(access.cycles, cycles);
  };
  expect(accessGlobal(strided(4), 4), 4, 1);
  expect(accessGlobal(strided(4, 4), 4), 5, 2);    // not aligned
  expect(accessGlobal(strided(-4, 124), 4), 4, 1); // backward
  expect(accessGlobal(strided(0), 4), 1, 1);       // the same for all
  expect(accessGlobal(strided(8), 4), 8, 2);
  expect(accessGlobal(strided(32 * 4), 4), 32, 32); // 32 transactions
  expect(accessGlobal(strided(16), 16), 16, 4);
  expect(accessGlobal(strided(8), 8), 8, 2);
  expect(accessGlobal(strided(2), 2), 2, 1);
}

TEST(WarpAccessTest, CountsBankConflicts) {
  auto cycles = [](int64_t stride, int64_t bytes) {
    return accessShared(strided(stride), bytes).cycles;
  };
  EXPECT_EQ(cycles(4, 4), 1);
  EXPECT_EQ(cycles(0, 4), 1);       // the same word
  EXPECT_EQ(cycles(2, 2), 1);       // two threads in a word
  EXPECT_EQ(cycles(2 * 4, 4), 2);   // every other bank
  EXPECT_EQ(cycles(32 * 4, 4), 32); // one bank
  EXPECT_EQ(cycles(33 * 4, 4), 1);  // padded
  EXPECT_EQ(cycles(8, 8), 2);       // half a warp at a time
  EXPECT_EQ(cycles(16, 16), 4);     // a quarter
  EXPECT_EQ(cycles(32 * 4, 16), 32);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
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
} // namespace

/// One element of `a` for each thread, at `index`, goes to `b`.
static std::string copyAt(const std::string &index) {
  return R"(
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
    %s = shl i32 %c, 8
    %n = add i32 %s, %t
    )" + index +
         R"(
    %p = getelementptr float, ptr addrspace(1) %a, i32 %i
    %q = getelementptr float, ptr addrspace(1) %b, i32 %n
    %v = load float, ptr addrspace(1) %p
    store float %v, ptr addrspace(1) %q
    ret void)";
}

TEST_F(KernelWorkTest, CountsCoalescedCopy) {
  KernelWork work = count(copyAt("%i = add i32 %n, 0"),
                          {.grid = {1024, 1, 1}, .block = {256, 1, 1}});
  EXPECT_EQ(work.blocks, 1024);
  EXPECT_EQ(work.needs.threads, 256);
  EXPECT_EQ(work.needs.sharedBytes, 0);
  // 1 KiB in sectors of 32 bytes.
  EXPECT_DOUBLE_EQ(work.buffers[0].sectors, 32);
  EXPECT_DOUBLE_EQ(work.buffers[1].sectors, 32);
  EXPECT_DOUBLE_EQ(work.buffers[0].bytes, 1 << 20);
  // One line for each of 8 warps and either access.
  EXPECT_DOUBLE_EQ(work.accessCycles, 16);
}

TEST_F(KernelWorkTest, CountsTransactionsOfStrides) {
  KernelWork work = count(copyAt("%i = shl i32 %n, 5"),
                          {.grid = {4, 1, 1}, .block = {256, 1, 1}});
  EXPECT_DOUBLE_EQ(work.buffers[0].sectors, 8 * 32);
  EXPECT_DOUBLE_EQ(work.accessCycles, 8 * 32 + 8);
}

// Rows and columns of a block of 16 x 16 threads: a warp has two rows.
TEST_F(KernelWorkTest, KnowsTheShapeOfBlocks) {
  KernelWork work = count(copyAt("%i = mul i32 %t, 1024"),
                          {.grid = {1, 1, 1}, .block = {16, 16, 1}});
  EXPECT_DOUBLE_EQ(work.buffers[0].sectors, 8 * 16);
  // Both rows have the same 16 elements.
  EXPECT_DOUBLE_EQ(work.buffers[1].sectors, 8 * 2);
}

TEST_F(KernelWorkTest, LeavesOutThreadsThatDoNothing) {
  std::string guarded = R"(
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %isFirst = icmp ult i32 %t, 32
    br i1 %isFirst, label %copy, label %end
  copy:
    %p = getelementptr float, ptr addrspace(1) %a, i32 %t
    %v = load float, ptr addrspace(1) %p
    store float %v, ptr addrspace(1) %b
    br label %end
  end:
    ret void)";
  KernelWork work = count(guarded, {.grid = {1, 1, 1}, .block = {128, 1, 1}});
  EXPECT_DOUBLE_EQ(work.buffers[0].sectors, 4);
  EXPECT_DOUBLE_EQ(work.buffers[1].sectors, 1);
}

/// Sums squares along columns, as many as `bound` says.
static std::string sum(const std::string &bound) {
  return R"(
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    br label %loop
  loop:
    %i = phi i32 [ 0, %0 ], [ %j, %loop ]
    %s = phi float [ 0.0, %0 ], [ %r, %loop ]
    %row = shl i32 %i, 8
    %n = add i32 %row, %t
    %p = getelementptr float, ptr addrspace(1) %a, i32 %n
    %v = load float, ptr addrspace(1) %p
    %m = fmul contract float %v, %v
    %r = fadd contract float %s, %m
    %j = add i32 %i, 1
    %goes = icmp slt i32 %j, )" +
         bound + R"(
    br i1 %goes, label %loop, label %end
  end:
    %q = getelementptr float, ptr addrspace(1) %b, i32 %t
    store float %r, ptr addrspace(1) %q
    ret void)";
}

TEST_F(KernelWorkTest, MultipliesByTripCounts) {
  KernelWork work = count(sum("100"), {.grid = {1, 1, 1}, .block = {64, 1, 1}});
  // The product is a part of the addition.
  EXPECT_DOUBLE_EQ(work.at(GpuUnit::F32), 100 * 64);
  EXPECT_DOUBLE_EQ(work.buffers[0].sectors, 100 * 8);
  EXPECT_DOUBLE_EQ(work.buffers[1].sectors, 8);
  EXPECT_GT(work.latency, 100 * 400); // each load is waited for
}

// The registers and spills that an assembler says: a spilled register is
// accessed where most are live, here in the loop.
TEST_F(KernelWorkTest, TakesTheAssemblersRegisters) {
  LaunchShape launch = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
  KernelWork estimated = count(sum("100"), launch);
  EXPECT_FALSE(estimated.assembled);
  auto assembled = [&](const KernelResources &resources) {
    auto work = countWork(parse(sum("100")), launch, 0, {0, 0}, &resources);
    EXPECT_TRUE(static_cast<bool>(work));
    return std::move(*work);
  };
  KernelWork few = assembled({17, 0, 0, 0}), spills = assembled({17, 24, 0, 0});
  EXPECT_EQ(few.needs.registers, 17);
  EXPECT_EQ(few.assembled, (KernelResources{17, 0, 0, 0}));
  EXPECT_DOUBLE_EQ(few.accessCycles, estimated.accessCycles);
  // Six accesses of two warps in each of 100 iterations.
  EXPECT_DOUBLE_EQ(spills.accessCycles - few.accessCycles, 6 * 2 * 100);
  EXPECT_GT(spills.latency, few.latency);
}

TEST_F(KernelWorkTest, RefusesLoopsOfUnknownLength) {
  llvm::Function &kernel = parse(
      sum("%bound"), "ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %bound");
  auto work =
      countWork(kernel, {.grid = {1, 1, 1}, .block = {64, 1, 1}}, 0, {0, 0, 0});
  ASSERT_FALSE(static_cast<bool>(work));
  EXPECT_EQ(llvm::toString(work.takeError()),
            "the kernel has no static cost: the number of iterations of a loop "
            "isn't static");
}

// Eight iterations read a sector; only the first one takes it from the L2
// cache.
TEST_F(KernelWorkTest, KeepsSectorsFromOneIterationToTheNext) {
  std::string rows = R"(
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %row = shl i32 %t, 10
    br label %loop
  loop:
    %i = phi i32 [ 0, %0 ], [ %j, %loop ]
    %n = add i32 %row, %i
    %p = getelementptr float, ptr addrspace(1) %a, i32 %n
    %v = load float, ptr addrspace(1) %p
    %q = getelementptr float, ptr addrspace(1) %b, i32 %t
    store float %v, ptr addrspace(1) %q
    %j = add i32 %i, 1
    %goes = icmp ult i32 %j, 1024
    br i1 %goes, label %loop, label %end
  end:
    ret void)";
  KernelWork work = count(rows, {.grid = {1, 1, 1}, .block = {32, 1, 1}});
  // 32 rows of 4 KiB.
  EXPECT_DOUBLE_EQ(work.buffers[0].sectors, 32 * 4096 / 32);
}

TEST_F(KernelWorkTest, CountsSharedMemory) {
  std::string transposed = R"(
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %p = getelementptr float, ptr addrspace(3) @shared, i32 %t
    %row = shl i32 %t, 5
    %q = getelementptr float, ptr addrspace(3) @shared, i32 %row
    %v = load float, ptr addrspace(3) %q
    store float %v, ptr addrspace(3) %p
    ret void)";
  KernelWork work = count(transposed, {.grid = {1, 1, 1}, .block = {32, 1, 1}});
  EXPECT_EQ(work.needs.sharedBytes, 4096);
  EXPECT_DOUBLE_EQ(work.accessCycles, 32 + 1);
  for (const KernelWork::Buffer &buffer : work.buffers)
    EXPECT_EQ(buffer.sectors, 0);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// The most registers that are live in a block of the kernel.
static int64_t pressureOf(const llvm::Function &kernel) {
  int64_t most = 0;
  for (auto [block, live] : findPressure(kernel))
    most = std::max(most, live);
  return most;
}

// Eight sums that are live in the loop, and the number of the iteration; the
// address of `a`, which isn't in a register, has no index but a constant.
TEST_F(KernelWorkTest, CountsLiveScalars) {
  std::string text = "br label %loop\nloop:\n"
                     "%i = phi i32 [ 0, %0 ], [ %j, %loop ]\n"
                     "%s = phi <8 x float> [ zeroinitializer, %0 ], [ %r, "
                     "%loop ]\n"
                     "%r = fadd <8 x float> %s, splat (float 1.0)\n"
                     "%j = add i32 %i, 1\n"
                     "%goes = icmp ult i32 %j, 9\n"
                     "br i1 %goes, label %loop, label %end\nend:\n"
                     "store <8 x float> %r, ptr addrspace(1) %a\nret void";
  EXPECT_EQ(pressureOf(parse(text)), 9);
}

// Loads wait for their use: of 16 values, one is live at a time beside the sum.
TEST_F(KernelWorkTest, LetsLoadsWait) {
  std::string text;
  for (int i = 0; i < 16; ++i)
    text += "%p" + std::to_string(i) +
            " = getelementptr float, ptr "
            "addrspace(1) %a, i32 " +
            std::to_string(i) + "\n%v" + std::to_string(i) +
            " = load float, ptr addrspace(1) %p" + std::to_string(i) + "\n";
  text += "%s0 = fadd float %v0, 1.0\n";
  for (int i = 1; i < 16; ++i)
    text += "%s" + std::to_string(i) + " = fadd float %s" +
            std::to_string(i - 1) + ", %v" + std::to_string(i) + "\n";
  text += "store float %s15, ptr addrspace(1) %b\nret void";
  EXPECT_EQ(pressureOf(parse(text)), 2);
}

// Halves share a register in a vector; doubles take two.
TEST_F(KernelWorkTest, CountsSizesOfScalars) {
  EXPECT_EQ(pressureOf(parse("%v = load <8 x half>, ptr addrspace(1) %a\n"
                             "store <8 x half> %v, ptr addrspace(1) %b\n"
                             "ret void")),
            4);
  EXPECT_EQ(pressureOf(parse("%v = load <2 x double>, ptr addrspace(1) %a\n"
                             "store <2 x double> %v, ptr addrspace(1) %b\n"
                             "ret void")),
            4);
}
