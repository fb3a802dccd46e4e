//===- PtxArithmeticTest.cpp - Tests of PTX on a CPU ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values are by hand, from the definitions in NVIDIA's "Parallel
// Thread Execution ISA".
//
//===----------------------------------------------------------------------===//

#include "PtxModule.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

using namespace baco;
using namespace baco::fake;

namespace {
/// What `%rd4` is after `code` with `%rd1` to `%rd3`; registers of other sizes
/// are the lower bits of these. The message if it can't run.
struct Computed {
  uint64_t value = 0;
  std::string message;
};

Computed run(const std::string &code, uint64_t a = 0, uint64_t b = 0,
             uint64_t c = 0) {
  std::string text = ".version 7.8\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a, .param .u64 b, "
                     ".param .u64 c, .param .u64 to) {\n"
                     ".reg .pred %p<9>;\n.reg .b16 %rs<9>;\n"
                     ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
                     "ld.param.u64 %rd5, [to];\n";
  for (int i = 0; i < 3; ++i) {
    std::string n = std::to_string(i + 1);
    text += "ld.param.u64 %rd" + n + ", [" + char('a' + i) + "];\n";
    text += "cvt.u32.u64 %r" + n + ", %rd" + n + ";\n";
    text += "cvt.u16.u64 %rs" + n + ", %rd" + n + ";\n";
  }
  text += code + "\nst.global.u64 [%rd5], %rd4;\nret;\n}\n";
  auto module = parsePtx(text);
  if (!module)
    return {0, module.error().message};
  uint64_t to = 0;
  uint64_t arguments[] = {a, b, c, reinterpret_cast<uint64_t>(&to)};
  runtime::EmulatedBuffer buffer = {"to", reinterpret_cast<std::byte *>(&to),
                                    sizeof to};
  auto failure = (*module)->kernels.at("k").launch(
      {}, reinterpret_cast<std::byte *>(arguments), {&buffer, 1}, 1, nullptr);
  return {to, failure ? failure->message : ""};
}

/// `operation` on registers of 32 bits.
uint32_t words(const std::string &operation, uint32_t a, uint32_t b = 0,
               uint32_t c = 0) {
  Computed result = run(operation + "\ncvt.u64.u32 %rd4, %r4;", a, b, c);
  EXPECT_EQ(result.message, "") << operation;
  return static_cast<uint32_t>(result.value);
}

uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }
constexpr uint32_t notANumber = 0x7fc00000, infinity = 0x7f800000;
} // namespace

TEST(PtxArithmeticTest, Integers) {
  EXPECT_EQ(words("add.s32 %r4, %r1, %r2;", 0x7fffffff, 1), 0x80000000);
  EXPECT_EQ(words("mul.lo.s32 %r4, %r1, %r2;", 0xffffffff, 7), uint32_t(-7));
  EXPECT_EQ(words("mul.hi.u32 %r4, %r1, %r2;", 0x80000000, 6), 3u);
  EXPECT_EQ(words("mul.hi.s32 %r4, %r1, %r2;", 0x80000000, 6), uint32_t(-3));
  EXPECT_EQ(words("mad.lo.s32 %r4, %r1, %r2, %r3;", 5, 6, 7), 37u);
  EXPECT_EQ(run("mul.wide.s32 %rd4, %r1, %r2;", uint32_t(-2), 3).value,
            uint64_t(-6));
  EXPECT_EQ(run("mad.wide.u32 %rd4, %r1, %r2, %rd3;", 0xffffffff, 2, 5).value,
            0x200000003u);
  EXPECT_EQ(run("mul.hi.u64 %rd4, %rd1, %rd2;", ~0ull, ~0ull).value, ~0ull - 1);
  EXPECT_EQ(words("div.s32 %r4, %r1, %r2;", uint32_t(-7), 2), uint32_t(-3));
  EXPECT_EQ(words("rem.s32 %r4, %r1, %r2;", uint32_t(-7), 2), uint32_t(-1));
  EXPECT_EQ(words("min.s32 %r4, %r1, %r2;", uint32_t(-7), 2), uint32_t(-7));
  EXPECT_EQ(words("min.u32 %r4, %r1, %r2;", uint32_t(-7), 2), 2u);
  EXPECT_EQ(words("abs.s32 %r4, %r1;", uint32_t(-7)), 7u);
  EXPECT_EQ(words("not.b32 %r4, %r1;", 5), ~5u);
}

TEST(PtxArithmeticTest, Bits) {
  EXPECT_EQ(words("shl.b32 %r4, %r1, %r2;", 3, 31), 0x80000000);
  EXPECT_EQ(words("shl.b32 %r4, %r1, %r2;", 3, 32), 0u);
  EXPECT_EQ(words("shr.s32 %r4, %r1, %r2;", 0x80000000, 40), ~0u);
  EXPECT_EQ(words("shr.u32 %r4, %r1, %r2;", 0x80000000, 31), 1u);
  EXPECT_EQ(words("shf.l.wrap.b32 %r4, %r1, %r2, 8;", 0x12345678, 0xabcdef01),
            0xcdef0112);
  EXPECT_EQ(words("shf.r.wrap.b32 %r4, %r1, %r2, 8;", 0x12345678, 0xabcdef01),
            0x01123456u);
  EXPECT_EQ(words("shf.r.clamp.b32 %r4, %r1, %r2, 40;", 1, 7), 7u);
  EXPECT_EQ(words("bfe.u32 %r4, %r1, 4, 8;", 0x12345678), 0x67u);
  EXPECT_EQ(words("bfe.s32 %r4, %r1, 8, 4;", 0x00000f00), ~0u);
  EXPECT_EQ(words("bfi.b32 %r4, %r1, %r2, 8, 8;", 0xab, 0x11111111),
            0x1111ab11u);
  EXPECT_EQ(words("prmt.b32 %r4, %r1, %r2, 0x5410;", 0x33221100, 0x77665544),
            0x55441100u);
  // A digit above 7 repeats the sign of its byte.
  EXPECT_EQ(words("prmt.b32 %r4, %r1, %r2, 0x1a90;", 0x0080ff01, 0),
            0xffffff01);
  EXPECT_EQ(words("popc.b32 %r4, %r1;", 0xf0f1), 9u);
  EXPECT_EQ(words("clz.b32 %r4, %r1;", 0x00010000), 15u);
  EXPECT_EQ(words("brev.b32 %r4, %r1;", 1), 0x80000000);
  EXPECT_EQ(run("mov.b64 %rd4, {%r1, %r2};", 1, 2).value, 0x200000001u);
  EXPECT_EQ(words("mov.b64 {%r5, %r4}, %rd1;\n", 7), 0u);
}

TEST(PtxArithmeticTest, Comparisons) {
  auto holds = [](const char *comparison, uint32_t a, uint32_t b) {
    return words(std::string("setp.") + comparison +
                     " %p1, %r1, %r2;\nselp.b32 %r4, 1, 2, %p1;",
                 a, b) == 1;
  };
  EXPECT_TRUE(holds("lt.s32", uint32_t(-1), 1));
  EXPECT_FALSE(holds("lt.u32", uint32_t(-1), 1));
  EXPECT_TRUE(holds("hs.u32", 1, 1));
  EXPECT_TRUE(holds("le.f32", bits(1), bits(1)));
  EXPECT_FALSE(holds("le.f32", bits(1), notANumber));
  EXPECT_TRUE(holds("leu.f32", bits(1), notANumber));
  EXPECT_TRUE(holds("neu.f32", notANumber, notANumber));
  EXPECT_FALSE(holds("ne.f32", notANumber, notANumber));
  EXPECT_TRUE(holds("nan.f32", bits(1), notANumber));
  EXPECT_TRUE(holds("num.f32", bits(1), bits(2)));
  EXPECT_EQ(words("setp.eq.s32 %p2, %r1, 9;\n"
                  "setp.eq.and.s32 %p1, %r1, 5, !%p2;\n"
                  "mov.u32 %r4, 0;\n@%p1 mov.u32 %r4, 1;\n"
                  "@!%p1 mov.u32 %r4, 2;",
                  5),
            1u);
}

TEST(PtxArithmeticTest, Floats) {
  EXPECT_EQ(words("fma.rn.f32 %r4, %r1, %r2, %r3;", bits(0x1.000002p0F),
                  bits(0x1.000002p0F), bits(-1)),
            bits(0x1.000001p-22F));
  EXPECT_EQ(words("add.rn.f32 %r4, %r1, 0f3F800000;", bits(2)), bits(3));
  EXPECT_EQ(words("max.f32 %r4, %r1, %r2;", bits(2), notANumber), bits(2));
  EXPECT_EQ(words("fma.rn.relu.f16 %rs4, %rs1, %rs2, %rs3;\n"
                  "cvt.u32.u16 %r4, %rs4;",
                  0xc000, 0x3c00, 0),
            0u);
  EXPECT_EQ(words("copysign.f32 %r4, %r1, %r2;", bits(-2), bits(3)), bits(-3));
  EXPECT_EQ(words("rsqrt.approx.f32 %r4, %r1;", bits(4)), bits(0.5));
  EXPECT_EQ(words("ex2.approx.ftz.f32 %r4, %r1;", bits(-3)), bits(0.125));
  // Pairs, and rounding to even: 2048 + 1 and 2048 + 3 in f16.
  EXPECT_EQ(words("add.rn.f16x2 %r4, %r1, %r2;", 0x68006800, 0x3c004200),
            0x68006802u);
  EXPECT_EQ(words("mul.rn.bf16x2 %r4, %r1, %r2;", 0x40003f80, 0x40404040),
            0x40c04040u);
  EXPECT_EQ(words("mul.sat.f32 %r4, %r1, %r2;", bits(2), bits(3)), bits(1));
  EXPECT_EQ(run("fma.rn.f64 %rd4, %rd1, %rd2, %rd3;",
                std::bit_cast<uint64_t>(3.0), std::bit_cast<uint64_t>(4.0),
                std::bit_cast<uint64_t>(0.5))
                .value,
            std::bit_cast<uint64_t>(12.5));
}

TEST(PtxArithmeticTest, Conversions) {
  EXPECT_EQ(words("cvt.rzi.s32.f32 %r4, %r1;", bits(-2.75)), uint32_t(-2));
  EXPECT_EQ(words("cvt.rni.s32.f32 %r4, %r1;", bits(2.5)), 2u);
  EXPECT_EQ(words("cvt.rmi.f32.f32 %r4, %r1;", bits(-2.25)), bits(-3));
  EXPECT_EQ(words("cvt.rpi.f32.f32 %r4, %r1;", bits(2.25)), bits(3));
  EXPECT_EQ(words("cvt.rzi.u32.f32 %r4, %r1;", bits(-5)), 0u);
  EXPECT_EQ(words("cvt.rzi.s32.f32 %r4, %r1;", bits(1e30F)), 0x7fffffffu);
  EXPECT_EQ(words("cvt.rzi.s32.f32 %r4, %r1;", notANumber), 0u);
  EXPECT_EQ(words("cvt.rn.f32.s32 %r4, %r1;", uint32_t(-3)), bits(-3));
  EXPECT_EQ(words("cvt.rn.f32.u32 %r4, %r1;", 0xffffffff), bits(0x1p32F));
  EXPECT_EQ(words("cvt.s32.s8 %r4, %r1;", 0x80), uint32_t(-128));
  EXPECT_EQ(words("cvt.rn.f16.f32 %rs4, %r1;\ncvt.u32.u16 %r4, %rs4;",
                  bits(0x1p-25F)),
            0u)
      << "half of the least number, to even";
  EXPECT_EQ(words("cvt.rn.f16.f32 %rs4, %r1;\ncvt.u32.u16 %r4, %rs4;",
                  bits(0x1.8p-25F)),
            1u);
  EXPECT_EQ(
      words("cvt.rn.f16.f32 %rs4, %r1;\ncvt.u32.u16 %r4, %rs4;", bits(65520)),
      0x7c00u)
      << "halfway to what f16 doesn't have";
  EXPECT_EQ(words("cvt.rn.bf16x2.f32 %r4, %r1, %r2;", bits(1), bits(-2)),
            0x3f80c000u);
  EXPECT_EQ(words("cvt.f32.bf16 %r4, %rs1;", 0xc000), bits(-2));
  EXPECT_EQ(words("cvt.rna.tf32.f32 %r4, %r1;", 0x3f801000), 0x3f802000u);
  EXPECT_EQ(words("cvt.rna.tf32.f32 %r4, %r1;", infinity), infinity);
  EXPECT_EQ(
      words("cvt.rz.f16.f32 %rs4, %r1;\ncvt.u32.u16 %r4, %rs4;", bits(2047.9F)),
      0x67ffu);
}

TEST(PtxArithmeticTest, WhatIsNotKnownIsNotRun) {
  EXPECT_EQ(run("fma.rn.s32 %r4, %r1, %r2, %r3;").message,
            "line 19; error   : Unknown instruction 'fma.rn.s32'");
  EXPECT_EQ(
      run("wgmma.fence.sync.aligned;").message,
      "line 19; error   : Unknown instruction 'wgmma.fence.sync.aligned'");
  EXPECT_EQ(run("bra NOWHERE;").message,
            "line 22; error   : Label 'NOWHERE' is unknown");
  EXPECT_EQ(run("mov.u32 %r4, nothing;").message,
            "line 19; error   : Unknown symbol 'nothing'");
  EXPECT_NE(run("add.s32 %r4 %r1").message, "");
  EXPECT_NE(parsePtx(".version 7.8\n.visible .entry k(").error().message, "");
  EXPECT_FALSE(parsePtx(""));
}
