//===- BackEndDefectsTest.cpp - Tests of what works around LLVM ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackEndDefects.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <gtest/gtest.h>

using namespace baco::target;

static std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context,
                                           const std::string &text) {
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  return module;
}

/// LLVM 22 would store eight bytes.
TEST(BackEndDefectsTest, SingleElementsAreStoredWithoutMask) {
  llvm::LLVMContext context;
  auto module = parse(context, R"(
  define void @last(ptr %x, <4 x i64> %v) {
    %t = trunc <4 x i64> %v to <4 x i8>
    call void @llvm.masked.store.v4i8.p0(<4 x i8> %t, ptr align 4 %x,
        <4 x i1> <i1 false, i1 false, i1 true, i1 false>)
    ret void
  }
  define void @two(ptr %x, <4 x i8> %v) {
    call void @llvm.masked.store.v4i8.p0(<4 x i8> %v, ptr align 4 %x,
        <4 x i1> <i1 false, i1 true, i1 true, i1 false>)
    ret void
  })");
  workAroundBackEnd(*module);
  llvm::StoreInst *store = nullptr;
  for (llvm::Instruction &instruction :
       llvm::instructions(*module->getFunction("last"))) {
    EXPECT_FALSE(llvm::isa<llvm::CallInst>(instruction));
    if (auto *found = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      store = found;
  }
  ASSERT_TRUE(store);
  EXPECT_TRUE(store->getValueOperand()->getType()->isIntegerTy(8));
  EXPECT_EQ(store->getAlign(), llvm::Align(2));
  EXPECT_TRUE(llvm::isa<llvm::CallInst>(
      module->getFunction("two")->getEntryBlock().front()));
}

/// The size of the object file for a CPU of x86.
static size_t compileFor(llvm::StringRef cpu, llvm::Module &module) {
  llvm::orc::JITTargetMachineBuilder builder(
      llvm::Triple("x86_64-unknown-linux-gnu"));
  builder.setCPU(cpu.str());
  auto machine = llvm::cantFail(builder.createTargetMachine());
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple());
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(passes, stream, nullptr,
                                            llvm::CodeGenFileType::ObjectFile));
  passes.run(module);
  return object.size();
}

/// LLVM 22 would abort.
TEST(BackEndDefectsTest, VectorsOfBF16AreLoadedWhateverTheirLength) {
  if (llvm::InitializeNativeTarget() ||
      llvm::InitializeNativeTargetAsmPrinter() ||
      !llvm::Triple(llvm::sys::getProcessTriple()).isX86())
    GTEST_SKIP() << "LLVM has no back end for x86";
  for (llvm::StringRef cpu :
       {"znver4", "cooperlake", "sapphirerapids", "haswell"})
    for (int length : {2, 7, 8, 9, 15, 17, 33}) {
      std::string type = "<" + std::to_string(length) + " x bfloat>";
      llvm::LLVMContext context;
      auto module =
          parse(context, "define void @f(ptr %a, ptr %c) {\n%x = load " + type +
                             ", ptr %a, align 2\n%y = fmul " + type +
                             " %x, %x\nstore " + type +
                             " %y, ptr %c, align 2\nret void\n}");
      workAroundBackEnd(*module);
      EXPECT_GT(compileFor(cpu, *module), 0u);
    }
}
