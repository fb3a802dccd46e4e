//===- KeepAssumptionsTest.cpp - Tests of kept assumptions ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeepAssumptions.h"
#include "TestHelpers.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace mlir;
using namespace baco::target;

namespace {
class KeepAssumptionsTest : public ModuleTest {};
} // namespace

TEST_F(KeepAssumptionsTest, OutlinedRegionsHaveThem) {
  auto module = parse(R"(
    llvm.func @f(%a: !llvm.ptr, %b: !llvm.ptr) {
      %true = llvm.mlir.constant(true) : i1
      llvm.intr.assume %true ["separate_storage"(%a, %b : !llvm.ptr, !llvm.ptr)] : i1
      omp.parallel {
        llvm.intr.assume %true ["separate_storage"(%a, %b : !llvm.ptr, !llvm.ptr)] : i1
        %x = llvm.load %a : !llvm.ptr -> i32
        llvm.store %x, %b : i32, !llvm.ptr
        omp.terminator
      }
      llvm.return
    })");
  hideAssumptions(*module);
  llvm::LLVMContext llvmContext;
  auto code = translateModuleToLLVMIR(*module, llvmContext);
  ASSERT_TRUE(code);
  showAssumptions(*code);
  size_t assumptions = 0;
  for (llvm::Function &function : *code) {
    EXPECT_NE(function.getName(), "baco_distinct");
    size_t own = 0;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      own += isa<llvm::AssumeInst>(instruction);
    // One in the function, one in what became of the region.
    EXPECT_LE(own, 1U);
    assumptions += own;
  }
  EXPECT_EQ(assumptions, 2U);
}
