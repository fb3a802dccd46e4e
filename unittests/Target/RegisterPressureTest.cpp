//===- RegisterPressureTest.cpp - Registers that kernels need -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterPressure.h"
#include "KernelWorkFixture.h"

using namespace baco;
using namespace baco::target;

namespace {
using RegisterPressureTest = KernelWorkTest;
} // namespace

/// What ptxas takes beside live values without loops, and with them.
static constexpr int64_t more = 4, moreInLoops = 14;

/// The most registers of a block of the kernel.
static int64_t estimate(const llvm::Function &kernel) {
  int64_t most = 0;
  for (auto [block, registers] : estimateRegisters(kernel))
    most = std::max(most, registers);
  return most;
}

// Eight sums that are live in the loop, and the number of the iteration; the
// address of `a`, which isn't in a register, has no index but a constant.
TEST_F(RegisterPressureTest, CountsLiveScalars) {
  std::string text = "br label %loop\nloop:\n"
                     "%i = phi i32 [ 0, %0 ], [ %j, %loop ]\n"
                     "%s = phi <8 x float> [ zeroinitializer, %0 ], [ %r, "
                     "%loop ]\n"
                     "%r = fadd <8 x float> %s, splat (float 1.0)\n"
                     "%j = add i32 %i, 1\n"
                     "%goes = icmp ult i32 %j, 9\n"
                     "br i1 %goes, label %loop, label %end\nend:\n"
                     "store <8 x float> %r, ptr addrspace(1) %a\nret void";
  EXPECT_EQ(estimate(parse(text)), 9 + moreInLoops);
}

/// `count` values that are loaded before they are added up, in a loop of two
/// blocks if `isLoop`.
static std::string sumOf(int count, bool isLoop) {
  std::string text;
  if (isLoop)
    text += "br label %loop\nloop:\n%i = phi i32 [ 0, %0 ], [ %j, %latch ]\n"
            "br label %latch\nlatch:\n%j = add i32 %i, 1\n";
  for (int i = 0; i < count; ++i)
    text += "%p" + std::to_string(i) +
            " = getelementptr float, ptr "
            "addrspace(1) %a, i32 " +
            std::to_string(i) + "\n%v" + std::to_string(i) +
            " = load float, ptr addrspace(1) %p" + std::to_string(i) + "\n";
  text += "%s0 = fadd float %v0, 1.0\n";
  for (int i = 1; i < count; ++i)
    text += "%s" + std::to_string(i) + " = fadd float %s" +
            std::to_string(i - 1) + ", %v" + std::to_string(i) + "\n";
  text +=
      "store float %s" + std::to_string(count - 1) + ", ptr addrspace(1) %b\n";
  if (isLoop)
    text += "%goes = icmp ult i32 %j, 9\n"
            "br i1 %goes, label %loop, label %end\nend:\n";
  return text + "ret void";
}

// Loads in a loop wait for their use: of 16 values, one is live at a time
// beside the sum and the number of the iteration. Others don't.
TEST_F(RegisterPressureTest, LetsLoadsInLoopsWait) {
  EXPECT_EQ(estimate(parse(sumOf(16, /*isLoop=*/true))), 3 + moreInLoops);
  EXPECT_EQ(estimate(parse(sumOf(16, /*isLoop=*/false))), 16 + more);
}

// A loop that is one short block is unrolled by four: the sum, the number of
// the iteration and two values, of this iteration; and two of each of three
// more.
TEST_F(RegisterPressureTest, UnrollsShortLoops) {
  EXPECT_EQ(estimate(parse("br label %loop\nloop:\n"
                           "%i = phi i64 [ 0, %0 ], [ %j, %loop ]\n"
                           "%s = phi float [ 0.0, %0 ], [ %r, %loop ]\n"
                           "%p = getelementptr <2 x float>, ptr addrspace(1) "
                           "%a, i64 %i\n"
                           "%v = load <2 x float>, ptr addrspace(1) %p\n"
                           "%x = extractelement <2 x float> %v, i32 0\n"
                           "%y = extractelement <2 x float> %v, i32 1\n"
                           "%m = fadd float %x, %y\n"
                           "%r = fadd float %s, %m\n"
                           "%j = add i64 %i, 1\n"
                           "%goes = icmp ult i64 %j, 9\n"
                           "br i1 %goes, label %loop, label %end\nend:\n"
                           "store float %r, ptr addrspace(1) %b\nret void")),
            2 + 2 + 3 * 2 + moreInLoops);
}

// Halves share a register in a vector; doubles take two.
TEST_F(RegisterPressureTest, CountsSizesOfScalars) {
  EXPECT_EQ(estimate(parse("%v = load <8 x half>, ptr addrspace(1) %a\n"
                           "store <8 x half> %v, ptr addrspace(1) %b\n"
                           "ret void")),
            4 + more);
  EXPECT_EQ(estimate(parse("%v = load <2 x double>, ptr addrspace(1) %a\n"
                           "store <2 x double> %v, ptr addrspace(1) %b\n"
                           "ret void")),
            4 + more);
}

// The pairs of f16 that tensor cores take are the words that were loaded.
TEST_F(RegisterPressureTest, MovesAndCastsAreFree) {
  EXPECT_EQ(estimate(parse("%w = load i32, ptr addrspace(1) %a\n"
                           "%h = bitcast i32 %w to <2 x half>\n"
                           "%s = insertvalue {i32, <2 x half>} poison, i32 %w, "
                           "0\n"
                           "%t = insertvalue {i32, <2 x half>} %s, <2 x half> "
                           "%h, 1\n"
                           "%x = extractvalue {i32, <2 x half>} %t, 1\n"
                           "%y = bitcast <2 x half> %x to i32\n"
                           "%z = extractvalue {i32, <2 x half>} %t, 0\n"
                           "%n = zext i32 %z to i64\n"
                           "store i64 %n, ptr addrspace(1) %b\n"
                           "store i32 %y, ptr addrspace(1) %b\n"
                           "ret void")),
            1 + more);
}

// Addresses that differ by a constant are one, of 64 bits here; the product of
// 32 bits that they are made of is another value.
TEST_F(RegisterPressureTest, NearAddressesAreOne) {
  EXPECT_EQ(
      estimate(parse("%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                     "%m = mul i32 %t, 24\n"
                     "%i = zext i32 %m to i64\n"
                     "%j = add i64 %i, 8\n"
                     "%p = getelementptr i8, ptr addrspace(1) %a, i64 %i\n"
                     "%q = getelementptr i8, ptr addrspace(1) %a, i64 %j\n"
                     "store i32 %m, ptr addrspace(1) %p\n"
                     "store i32 %m, ptr addrspace(1) %q\n"
                     "ret void")),
      3 + more);
}
