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

/// The most registers that are live in a block of the kernel.
static int64_t pressureOf(const llvm::Function &kernel) {
  int64_t most = 0;
  for (auto [block, live] : findPressure(kernel))
    most = std::max(most, live);
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
  EXPECT_EQ(pressureOf(parse(text)), 9);
}

// Loads wait for their use: of 16 values, one is live at a time beside the sum.
TEST_F(RegisterPressureTest, LetsLoadsWait) {
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
TEST_F(RegisterPressureTest, CountsSizesOfScalars) {
  EXPECT_EQ(pressureOf(parse("%v = load <8 x half>, ptr addrspace(1) %a\n"
                             "store <8 x half> %v, ptr addrspace(1) %b\n"
                             "ret void")),
            4);
  EXPECT_EQ(pressureOf(parse("%v = load <2 x double>, ptr addrspace(1) %a\n"
                             "store <2 x double> %v, ptr addrspace(1) %b\n"
                             "ret void")),
            4);
}
