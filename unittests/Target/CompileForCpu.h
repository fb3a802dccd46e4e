//===- CompileForCpu.h - LLVM's back end in tests ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_TARGET_COMPILEFORCPU_H
#define BACO_UNITTESTS_TARGET_COMPILEFORCPU_H

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <gtest/gtest.h>

namespace baco::target {

/// Compiles modules of LLVM's IR for CPUs of x86 that need not be this one.
/// Skipped where LLVM can't.
class CompileForCpuTest : public ::testing::Test {
protected:
  void SetUp() override {
    if (llvm::InitializeNativeTarget() ||
        llvm::InitializeNativeTargetAsmPrinter() ||
        !llvm::Triple(llvm::sys::getProcessTriple()).isX86())
      GTEST_SKIP() << "LLVM has no back end for x86";
  }

  std::unique_ptr<llvm::Module> parse(llvm::StringRef text) {
    llvm::SMDiagnostic error;
    auto module = llvm::parseAssemblyString(text, error, *context);
    EXPECT_TRUE(module) << error.getMessage().str();
    return module;
  }

  static std::unique_ptr<llvm::TargetMachine> machineOf(
      llvm::StringRef cpu,
      const llvm::SubtargetFeatures &features = llvm::SubtargetFeatures()) {
    llvm::orc::JITTargetMachineBuilder builder(
        llvm::Triple("x86_64-unknown-linux-gnu"));
    builder.setCPU(cpu.str());
    builder.getFeatures() = features;
    return llvm::cantFail(builder.createTargetMachine());
  }

  /// The assembly of `module`.
  static std::string compile(llvm::Module &module,
                             llvm::TargetMachine &machine) {
    module.setDataLayout(machine.createDataLayout());
    module.setTargetTriple(machine.getTargetTriple());
    llvm::SmallString<0> text;
    llvm::raw_svector_ostream stream(text);
    llvm::legacy::PassManager passes;
    EXPECT_FALSE(machine.addPassesToEmitFile(
        passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile));
    passes.run(module);
    return text.str().str();
  }

  std::unique_ptr<llvm::LLVMContext> context =
      std::make_unique<llvm::LLVMContext>();
};

} // namespace baco::target

#endif // BACO_UNITTESTS_TARGET_COMPILEFORCPU_H
