//===- SoftBF16Test.cpp - Tests of bf16 without its instructions ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/MachineCode.h"

#include "BackEndDefects.h"
#include "CompileForCpu.h"

#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"

using namespace baco::target;

static const char operations[] = R"(
  define void @round(ptr %x, ptr %y) {
    %a = load <8 x float>, ptr %x
    %r = fptrunc <8 x float> %a to <8 x bfloat>
    store <8 x bfloat> %r, ptr %y
    ret void
  }
  define bfloat @all(<8 x bfloat> %a, <8 x bfloat> %b, bfloat %c, i32 %i) {
    %m = fmul <8 x bfloat> %a, %b
    %f = call <8 x bfloat> @llvm.fma(<8 x bfloat> %a, <8 x bfloat> %b,
                                     <8 x bfloat> %m)
    %n = fneg <8 x bfloat> %f
    %x = call <8 x bfloat> @llvm.maximum(<8 x bfloat> %n, <8 x bfloat> %a)
    %s = call reassoc bfloat @llvm.vector.reduce.fadd(bfloat %c,
                                                      <8 x bfloat> %x)
    %o = call bfloat @llvm.vector.reduce.fmul(bfloat %s, <8 x bfloat> %a)
    %l = call bfloat @llvm.vector.reduce.fmaximum(<8 x bfloat> %x)
    %k = sitofp i32 %i to bfloat
    %p = fadd bfloat %o, %l
    %q = fsub bfloat %p, %k
    ret bfloat %q
  }
  define i32 @most(ptr %x, ptr %y) {
    %first = load bfloat, ptr %x
    br label %loop
  loop:
    %i = phi i64 [0, %0], [%next, %loop]
    %m = phi bfloat [%first, %0], [%more, %loop]
    %at = getelementptr bfloat, ptr %x, i64 %i
    %a = load bfloat, ptr %at
    %c = fcmp ugt bfloat %a, %m
    %more = select i1 %c, bfloat %a, bfloat %m
    %next = add i64 %i, 1
    %done = icmp eq i64 %next, 9
    br i1 %done, label %end, label %loop
  end:
    store bfloat %more, ptr %y
    %k = fptosi bfloat %more to i32
    ret i32 %k
  }
  define void @masked(ptr %x, ptr %y, <8 x i1> %m) {
    %a = call <8 x bfloat> @llvm.masked.load(ptr align 2 %x, <8 x i1> %m,
                                             <8 x bfloat> zeroinitializer)
    %e = call <8 x bfloat> @llvm.sqrt(<8 x bfloat> %a)
    call void @llvm.masked.store(<8 x bfloat> %e, ptr align 2 %y, <8 x i1> %m)
    ret void
  }
  define void @rows(ptr %x, i64 %n) {
    %a = load <8 x bfloat>, ptr %x
    %r = insertvalue [1 x [2 x <8 x bfloat>]] poison, <8 x bfloat> %a, 0, 0
    %s = insertvalue [1 x [2 x <8 x bfloat>]] %r, <8 x bfloat> %a, 0, 1
    br label %loop
  loop:
    %i = phi i64 [0, %0], [%next, %loop]
    %p = phi [1 x [2 x <8 x bfloat>]] [%s, %0], [%v, %loop]
    %c = extractvalue [1 x [2 x <8 x bfloat>]] %p, 0, 0
    %d = extractvalue [1 x [2 x <8 x bfloat>]] %p, 0, 1
    %e = fadd <8 x bfloat> %c, %d
    %u = insertvalue [1 x [2 x <8 x bfloat>]] poison, <8 x bfloat> %d, 0, 0
    %v = insertvalue [1 x [2 x <8 x bfloat>]] %u, <8 x bfloat> %e, 0, 1
    %next = add i64 %i, 1
    %done = icmp eq i64 %next, %n
    br i1 %done, label %end, label %loop
  end:
    %f = extractvalue [1 x [2 x <8 x bfloat>]] %v, 0, 1
    store <8 x bfloat> %f, ptr %x
    ret void
  }
  define <8 x bfloat> @rounded(<8 x bfloat> %a) {
    %r = call <8 x bfloat> @llvm.round(<8 x bfloat> %a)
    ret <8 x bfloat> %r
  }
  define double @wide(bfloat %a) {
    %d = fpext bfloat %a to double
    ret double %d
  })";

namespace {
struct SoftBF16Test : CompileForCpuTest {
  void SetUp() override {
    CompileForCpuTest::SetUp();
    if (IsSkipped())
      return;
    module = parse(operations);
    ASSERT_TRUE(module);
  }

  /// Takes the module, in which nothing of bf16 is left to the back end.
  std::unique_ptr<llvm::orc::LLJIT> runHere() {
    auto jit = llvm::cantFail(
        llvm::orc::LLJITBuilder()
            .setJITTargetMachineBuilder(llvm::cantFail(
                llvm::orc::JITTargetMachineBuilder::detectHost()))
            .create());
    module->setDataLayout(jit->getDataLayout());
    llvm::cantFail(jit->addIRModule({std::move(module), std::move(context)}));
    return jit;
  }

  std::unique_ptr<llvm::Module> module;
};
} // namespace

TEST_F(SoftBF16Test, OnlyNewCpusHaveIt) {
  for (llvm::StringRef cpu : {"x86-64", "haswell", "skylake-avx512", "znver3"})
    EXPECT_TRUE(lacksBF16(*machineOf(cpu))) << cpu.str();
  for (llvm::StringRef cpu : {"cooperlake", "znver4", "sapphirerapids"})
    EXPECT_FALSE(lacksBF16(*machineOf(cpu))) << cpu.str();
}

TEST_F(SoftBF16Test, NothingIsCalled) {
  expandBF16(*module);
  ASSERT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  EXPECT_EQ(compile(*module, *machineOf("haswell")).find("call"),
            std::string::npos);
}

/// Bits of f32 and, of the nearest bf16, by hand.
TEST_F(SoftBF16Test, RoundsToNearestEven) {
  expandBF16(*module);
  module->getFunction("all")->eraseFromParent();
  auto jit = runHere();
  auto round = llvm::cantFail(jit->lookup("round"))
                   .toPtr<void (*)(const uint32_t *, uint16_t *)>();
  alignas(32) uint32_t x[8] = {0x3f800000, 0x3f808000, 0x3f818000, 0x3f808001,
                               0x7f7fffff, 0xff800000, 0x7f800001, 0x80000000};
  alignas(32) uint16_t y[8];
  round(x, y);
  const uint16_t expected[8] = {0x3f80, 0x3f80, 0x3f82, 0x3f81,
                                0x7f80, 0xff80, 0x7fc0, 0x8000};
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(y[i], expected[i]) << i;

  auto most = llvm::cantFail(jit->lookup("most"))
                  .toPtr<int32_t (*)(const uint16_t *, uint16_t *)>();
  // 1.5, -2, 7.5, 3, 0, 7, 1, -0, 2.
  const uint16_t numbers[9] = {0x3fc0, 0xc000, 0x40f0, 0x4040, 0,
                               0x40e0, 0x3f80, 0x8000, 0x4000};
  EXPECT_EQ(most(numbers, y), 7);
  EXPECT_EQ(y[0], 0x40f0);
}

/// Rounds `length` numbers of f64 as NarrowToBF16 has it done: to odd, then to
/// bf16.
static std::string narrowing(int length) {
  std::string text = R"(
  define void @narrow(ptr %x, ptr %y) {
    %a = load <N x double>, ptr %x, align 8
    %near = fptrunc <N x double> %a to <N x float>
    %back = fpext <N x float> %near to <N x double>
    %inexact = fcmp one <N x double> %back, %a
    %high = call <N x double> @llvm.fabs(<N x double> %back)
    %low = call <N x double> @llvm.fabs(<N x double> %a)
    %large = fcmp ogt <N x double> %high, %low
    %bits = bitcast <N x float> %near to <N x i32>
    %step = zext <N x i1> %large to <N x i32>
    %less = sub <N x i32> %bits, %step
    %last = zext <N x i1> %inexact to <N x i32>
    %odd = or <N x i32> %less, %last
    %wide = bitcast <N x i32> %odd to <N x float>
    %r = fptrunc <N x float> %wide to <N x bfloat>
    store <N x bfloat> %r, ptr %y, align 2
    ret void
  })";
  for (size_t at; (at = text.find("<N")) != std::string::npos;)
    text.replace(at + 1, 1, std::to_string(length));
  return text;
}

/// Neither is anything called, nor does LLVM abort.
TEST_F(SoftBF16Test, F64IsNarrowedOnEveryCpu) {
  for (llvm::StringRef cpu :
       {"x86-64", "haswell", "skylake-avx512", "znver3", "znver4", "cooperlake",
        "sapphirerapids", "sierraforest"})
    for (int length : {1, 2, 7, 8, 9, 15, 17, 33}) {
      module = parse(narrowing(length));
      ASSERT_TRUE(module);
      auto machine = machineOf(cpu);
      if (lacksBF16(*machine))
        expandBF16(*module);
      workAroundBackEnd(*module);
      EXPECT_EQ(compile(*module, *machine).find("call"), std::string::npos)
          << cpu.str() << ", " << length;
    }
}

/// By hand: what lies just beyond the middle of two numbers of bf16 would be
/// that middle in f32.
TEST_F(SoftBF16Test, F64IsRoundedOnce) {
  module = parse(narrowing(8));
  ASSERT_TRUE(module);
  expandBF16(*module);
  auto jit = runHere();
  auto narrow = llvm::cantFail(jit->lookup("narrow"))
                    .toPtr<void (*)(const double *, uint16_t *)>();
  const double x[8] = {1 + 0x1p-8 + 0x1p-40,
                       1 + 0x1p-8,
                       1 + 0x1p-8 - 0x1p-40,
                       -1 - 0x1p-8 - 0x1p-40,
                       1 + 3 * 0x1p-8 - 0x1p-40,
                       1e300,
                       -0.0,
                       -2};
  uint16_t y[8];
  narrow(x, y);
  const uint16_t expected[8] = {0x3f81, 0x3f80, 0x3f80, 0xbf81,
                                0x3f81, 0x7f80, 0x8000, 0xc000};
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(y[i], expected[i]) << i;
}
