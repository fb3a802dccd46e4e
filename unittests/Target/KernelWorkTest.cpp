//===- KernelWorkTest.cpp - Tests of counting a kernel's work -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelWorkFixture.h"

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

// The one iteration that loads takes the sectors from the L2 cache.
TEST_F(KernelWorkTest, KeepsNoSectorsOfOneIteration) {
  std::string once = R"(
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    br label %loop
  loop:
    %i = phi i32 [ 0, %0 ], [ %j, %next ]
    %isFirst = icmp eq i32 %i, 0
    br i1 %isFirst, label %load, label %next
  load:
    %p = getelementptr float, ptr addrspace(1) %a, i32 %t
    %v = load float, ptr addrspace(1) %p
    %q = getelementptr float, ptr addrspace(1) %b, i32 %t
    store float %v, ptr addrspace(1) %q
    br label %next
  next:
    %j = add i32 %i, 1
    %goes = icmp ult i32 %j, 2
    br i1 %goes, label %loop, label %end
  end:
    ret void)";
  KernelWork work = count(once, {.grid = {1, 1, 1}, .block = {32, 1, 1}});
  EXPECT_DOUBLE_EQ(work.buffers[0].sectors, 4);
}

// 30 of 32 iterations reach the store, which isn't cached.
TEST_F(KernelWorkTest, FollowsBranchesThatIterationsDecide) {
  std::string tail = R"(
    br label %loop
  loop:
    %i = phi i32 [ 0, %0 ], [ %j, %next ]
    %isEarly = icmp ult i32 %i, 30
    br i1 %isEarly, label %store, label %next
  store:
    store float 0.0, ptr addrspace(1) %a
    br label %next
  next:
    store float 1.0, ptr addrspace(1) %b
    %j = add i32 %i, 1
    %goes = icmp ult i32 %j, 32
    br i1 %goes, label %loop, label %end
  end:
    ret void)";
  KernelWork work = count(tail, {.grid = {1, 1, 1}, .block = {32, 1, 1}});
  EXPECT_DOUBLE_EQ(work.buffers[0].sectors, 30);
  EXPECT_DOUBLE_EQ(work.buffers[1].sectors, 32);
}

// Half of a warp reads every eighth element, the others the first one.
TEST_F(KernelWorkTest, FollowsEachThreadThroughBranches) {
  std::string joined = R"(
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %isLow = icmp ult i32 %t, 16
    br i1 %isLow, label %low, label %high
  low:
    %eighth = shl i32 %t, 3
    br label %join
  high:
    br label %join
  join:
    %n = phi i32 [ 0, %high ], [ %eighth, %low ]
    %p = getelementptr float, ptr addrspace(1) %a, i32 %n
    %v = load float, ptr addrspace(1) %p
    %q = getelementptr float, ptr addrspace(1) %b, i32 %t
    store float %v, ptr addrspace(1) %q
    ret void)";
  KernelWork work = count(joined, {.grid = {1, 1, 1}, .block = {32, 1, 1}});
  EXPECT_DOUBLE_EQ(work.buffers[0].sectors, 16);
  EXPECT_DOUBLE_EQ(work.buffers[1].sectors, 4);
}

// Behind ways that threads choose there are no more iterations than before.
TEST_F(KernelWorkTest, CountsIterationsOnceWhereWaysJoin) {
  std::string tail = R"(
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %isLow = icmp ult i32 %t, 16
    br label %loop
  loop:
    %i = phi i32 [ 0, %0 ], [ %j, %next ]
    %isEarly = icmp ult i32 %i, 20
    br i1 %isEarly, label %early, label %next
  early:
    br i1 %isLow, label %low, label %join
  low:
    store float 1.0, ptr addrspace(1) %b
    br label %join
  join:
    store float 0.0, ptr addrspace(1) %a
    br label %next
  next:
    %j = add i32 %i, 1
    %goes = icmp ult i32 %j, 32
    br i1 %goes, label %loop, label %end
  end:
    ret void)";
  KernelWork work = count(tail, {.grid = {1, 1, 1}, .block = {32, 1, 1}});
  EXPECT_DOUBLE_EQ(work.buffers[0].sectors, 20);
  EXPECT_DOUBLE_EQ(work.buffers[1].sectors, 20);
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
