//===- HostMachineTest.cpp - Tests of what code is generated for ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostMachine.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

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

/// Products of 64 bits in a loop, for a CPU with these features and an
/// older one's name.
static std::string compile(const llvm::SubtargetFeatures &features) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(R"(
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
  })",
                                          error, context);
  llvm::orc::JITTargetMachineBuilder builder(
      llvm::Triple("x86_64-unknown-linux-gnu"));
  builder.setCPU("rocketlake");
  builder.getFeatures() = features;
  auto machine = llvm::cantFail(builder.createTargetMachine());
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(machine->getTargetTriple());
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(
      passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile));
  passes.run(*module);
  return text.str().str();
}

/// LLVM takes the feature by this name, and clears the register.
TEST(HostMachineTest, ProductsDontWaitForTheirRegister) {
  auto host = describeHost();
  if (!host || !host->getTargetTriple().isX86()) {
    llvm::consumeError(host.takeError());
    GTEST_SKIP() << "LLVM has no back end for x86";
  }
  EXPECT_EQ(compile(tuned({"+avx512dq"})).find("vpxor"), std::string::npos);
  EXPECT_NE(compile(tuned({"+avx512dq", "+avx512fp16"})).find("vpxor"),
            std::string::npos);
}
