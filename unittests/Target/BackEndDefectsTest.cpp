//===- BackEndDefectsTest.cpp - Tests of what works around LLVM ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackEndDefects.h"

#include "CompileForCpu.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace baco::target;

using BackEndDefectsTest = CompileForCpuTest;

/// LLVM 22 would store eight bytes.
TEST_F(BackEndDefectsTest, SingleElementsAreStoredWithoutMask) {
  auto module = parse(R"(
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

/// LLVM 22 would abort.
TEST_F(BackEndDefectsTest, VectorsOfBF16AreLoadedWhateverTheirLength) {
  for (llvm::StringRef cpu :
       {"znver4", "cooperlake", "sapphirerapids", "haswell"})
    for (int length : {2, 7, 8, 9, 15, 17, 33}) {
      std::string type = "<" + std::to_string(length) + " x bfloat>";
      auto module =
          parse("define void @f(ptr %a, ptr %c) {\n%x = load " + type +
                ", ptr %a, align 2\n%y = fmul " + type + " %x, %x\nstore " +
                type + " %y, ptr %c, align 2\nret void\n}");
      workAroundBackEnd(*module);
      EXPECT_FALSE(compile(*module, *machineOf(cpu)).empty());
    }
}
