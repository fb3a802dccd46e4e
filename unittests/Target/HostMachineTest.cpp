//===- HostMachineTest.cpp - Tests of what code is generated for ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/MachineCode.h"

#include "CompileForCpu.h"

using namespace baco::target;

static llvm::SubtargetFeatures tuned(std::vector<std::string> features) {
  llvm::SubtargetFeatures result;
  result.addFeaturesVector(features);
  addTuning(result);
  return result;
}

TEST(HostMachineTest, CpusWithFP16AreTunedForWhateverTheirName) {
  EXPECT_EQ(tuned({"+avx512dq", "-avx512fp16"}).getString(),
            "+avx512dq,-avx512fp16");
  EXPECT_EQ(tuned({"+avx512dq", "+avx512fp16"}).getString(),
            "+avx512dq,+avx512fp16,+false-deps-mullq");
}

/// Products of 64 bits in a loop.
static constexpr llvm::StringLiteral products = R"(
  define void @f(ptr %x, <8 x i64> %b) {
  entry:
    br label %loop
  loop:
    %i = phi i64 [0, %entry], [%next, %loop]
    %at = getelementptr <8 x i64>, ptr %x, i64 %i
    %a = load <8 x i64>, ptr %at
    %p = mul <8 x i64> %a, %b
    store <8 x i64> %p, ptr %at
    %next = add i64 %i, 1
    %done = icmp eq i64 %next, 9
    br i1 %done, label %end, label %loop
  end:
    ret void
  })";

using HostMachineCodeTest = CompileForCpuTest;

/// LLVM takes the feature by this name, and clears the register, whatever the
/// name of the CPU.
TEST_F(HostMachineCodeTest, ProductsDontWaitForTheirRegister) {
  auto compileWith = [&](std::vector<std::string> features) {
    auto machine = machineOf("rocketlake", tuned(std::move(features)));
    return compile(*parse(products), *machine);
  };
  EXPECT_EQ(compileWith({"+avx512dq"}).find("vpxor"), std::string::npos);
  EXPECT_NE(compileWith({"+avx512dq", "+avx512fp16"}).find("vpxor"),
            std::string::npos);
}
