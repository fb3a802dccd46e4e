//===- OptimizeTest.cpp - Tests of LLVM's passes over a kernel ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/Optimize.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::target;

/// Adds `s` to 4096 elements.
static constexpr char text[] = R"(
  define void @add(ptr noalias %x, float %s) {
  entry:
    br label %loop
  loop:
    %i = phi i64 [0, %entry], [%next, %loop]
    %p = getelementptr float, ptr %x, i64 %i
    %a = load float, ptr %p
    %b = fadd float %a, %s
    store float %b, ptr %p
    %next = add nuw nsw i64 %i, 1
    %more = icmp ult i64 %next, 4096
    br i1 %more, label %loop, label %exit
  exit:
    ret void
  })";

namespace {
class OptimizeTest : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::InitializeNativeTarget();
    auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
    ASSERT_TRUE(static_cast<bool>(host));
    auto created = host->createTargetMachine();
    ASSERT_TRUE(static_cast<bool>(created));
    machine = std::move(*created);
  }

  std::unique_ptr<llvm::Module> parse(llvm::StringRef text = ::text) {
    llvm::SMDiagnostic error;
    auto module = llvm::parseAssemblyString(text, error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    module->setDataLayout(machine->createDataLayout());
    module->setTargetTriple(machine->getTargetTriple());
    return module;
  }

  /// The module after everything that `options` do to it.
  std::unique_ptr<llvm::Module> optimized(const TargetOptions &options) {
    auto module = parse();
    applyTargetOptions(*module, options);
    optimize(*module, *machine, choosePipeline(*module, options), options);
    return module;
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
};
} // namespace

/// How many stores of vectors there are, and the length of the longest.
static std::pair<unsigned, unsigned> vectorStores(llvm::Module &module) {
  std::pair<unsigned, unsigned> found;
  for (llvm::Instruction &instruction :
       llvm::instructions(*module.getFunction("add")))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      if (auto *type = llvm::dyn_cast<llvm::FixedVectorType>(
              store->getValueOperand()->getType())) {
        ++found.first;
        found.second = std::max(found.second, type->getNumElements());
      }
  return found;
}

static bool hasLoop(llvm::Module &module) {
  llvm::DominatorTree tree(*module.getFunction("add"));
  return !llvm::LoopInfo(tree).empty();
}

TEST_F(OptimizeTest, PipelineFollowsTheRuleUnlessTold) {
  auto module = parse();
  EXPECT_EQ(choosePipeline(*module, {}), Pipeline::O3);
  EXPECT_EQ(choosePipeline(*module, {.optLevel = 0}), Pipeline::CleanUp);
  EXPECT_EQ(choosePipeline(*module, {.optLevel = 1}), Pipeline::O1);
  EXPECT_EQ(choosePipeline(*module, {.optLevel = 2}), Pipeline::O2);
  EXPECT_EQ(choosePipeline(*module, {.optLevel = 3}), Pipeline::O3);
  llvm::Module empty("empty", context);
  EXPECT_EQ(choosePipeline(empty, {}), Pipeline::CleanUp);
  EXPECT_EQ(choosePipeline(empty, {.optLevel = 3}), Pipeline::O3);
}

TEST_F(OptimizeTest, CodeGenerationIsNeverBelowDefaultByItself) {
  using Level = llvm::CodeGenOptLevel;
  EXPECT_EQ(codegenLevel(Pipeline::CleanUp, {}), Level::Default);
  EXPECT_EQ(codegenLevel(Pipeline::CleanUpAndVectorize, {}), Level::Default);
  EXPECT_EQ(codegenLevel(Pipeline::O3, {}), Level::Aggressive);
  EXPECT_EQ(codegenLevel(Pipeline::O3, {.codegenLevel = 0}), Level::None);
  EXPECT_EQ(codegenLevel(Pipeline::CleanUp, {.codegenLevel = 3}),
            Level::Aggressive);
}

TEST_F(OptimizeTest, ScalarCodeIsVectorizedByTheRule) {
  EXPECT_GT(vectorStores(*optimized({})).first, 0u);
  EXPECT_EQ(vectorStores(*optimized({.optLevel = 0})).first, 0u);
}

TEST_F(OptimizeTest, VectorWidthIsAnAttributeThatTheVectorizerObeys) {
  auto module = optimized({.preferVectorWidth = 128});
  llvm::Function *function = module->getFunction("add");
  EXPECT_EQ(function->getFnAttribute("prefer-vector-width").getValueAsString(),
            "128");
  EXPECT_EQ(
      function->getFnAttribute("min-legal-vector-width").getValueAsString(),
      "0");
  // 128 bits are 4 floats on every machine.
  EXPECT_EQ(vectorStores(*module).second, 4u);
  EXPECT_FALSE(
      optimized({})->getFunction("add")->hasFnAttribute("prefer-vector-width"));
}

TEST_F(OptimizeTest, InterleaveCountIsTheNumberOfVectorsSideBySide) {
  EXPECT_EQ(
      vectorStores(*optimized({.unrollThreshold = 0, .interleaveCount = 1}))
          .first,
      1u);
  EXPECT_EQ(
      vectorStores(*optimized({.unrollThreshold = 0, .interleaveCount = 8}))
          .first,
      8u);
}

TEST_F(OptimizeTest, UnrollThresholdUnrollsAndIsForgotten) {
  EXPECT_TRUE(hasLoop(*optimized({.optLevel = 2})));
  EXPECT_FALSE(hasLoop(*optimized({.optLevel = 2, .unrollThreshold = 100000})));
  EXPECT_TRUE(hasLoop(*optimized({.optLevel = 2})));
}

/// Adds 1 to so many elements, one after the other.
static std::string addOneByOne(unsigned count) {
  std::string text = "define void @add(ptr noalias %x) {\n";
  for (unsigned i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    text += "%p" + n + " = getelementptr float, ptr %x, i64 " + n + "\n%a" + n +
            " = load float, ptr %p" + n + "\n%b" + n + " = fadd float %a" + n +
            ", 1.0\nstore float %b" + n + ", ptr %p" + n + "\n";
  }
  return text + "ret void\n}";
}

/// Scheduling the instructions of a huge block would take seconds.
TEST_F(OptimizeTest, HugeBlocksArentScheduled) {
  auto small = parse(addOneByOne(16)), huge = parse(addOneByOne(5001));
  auto numSet = [] {
    return llvm::cl::getRegisteredOptions()
        .lookup("enable-misched")
        ->getNumOccurrences();
  };
  {
    ScopedOptions options;
    limitCodeGeneration(*small, options);
    EXPECT_EQ(numSet(), 0);
    limitCodeGeneration(*huge, options);
    EXPECT_EQ(numSet(), 1);
  }
  EXPECT_EQ(numSet(), 0);
}

/// LLVM's vectorizer would take seconds.
TEST_F(OptimizeTest, HugeBlocksStayScalar) {
  auto small = parse(addOneByOne(16)), huge = parse(addOneByOne(512));
  for (llvm::Module *module : {small.get(), huge.get()})
    optimize(*module, *machine, Pipeline::O3, {});
  EXPECT_GT(vectorStores(*small).first, 0u);
  EXPECT_EQ(vectorStores(*huge).first, 0u);
}
