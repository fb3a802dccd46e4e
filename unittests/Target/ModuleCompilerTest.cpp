//===- ModuleCompilerTest.cpp - Tests of ModuleCompiler -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilerTesting.h"

using namespace baco;
using namespace baco::runtime;
using namespace baco::target;
using namespace baco::target::test;

static constexpr char matmulText[] = R"(
  func.func @f(%a: memref<2x3xf32>, %b: memref<3x2xf32>, %c: memref<2x2xf32>) {
    linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<3x2xf32>)
                  outs(%c : memref<2x2xf32>)
    return
  })";
/// C += A * B for matrices that one can multiply by hand.
static void expectMultiplies(std::variant<CompiledKernel, CompileFailure> got) {
  if (auto *failure = std::get_if<CompileFailure>(&got)) {
    ADD_FAILURE() << failure->message;
    return;
  }
  Matrix a(2, 3, {1, 2, 3, 4, 5, 6}), b(3, 2, {1, 0, 0, 1, 1, 1});
  Matrix c(2, 2, {10, 20, 30, 40});
  void *arguments[] = {a.words.data(), b.words.data(), c.words.data()};
  std::get<CompiledKernel>(got).entry(arguments);
  EXPECT_EQ(c.data, (std::vector<float>{14, 25, 40, 51}));
}

static std::string setUpError(const std::string &text) {
  ModuleCompiler compiler;
  auto signature = compiler.setUp(text);
  return signature ? "" : signature.error().message;
}

static void expectContains(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST(ModuleCompilerTest, PlainAndScheduledKernelsAgree) {
  ModuleCompiler compiler;
  auto signature = compiler.setUp(setUpText(matmulText));
  ASSERT_TRUE(signature) << signature.error().message;
  EXPECT_EQ(signature->arguments.size(), 3u);
  EXPECT_EQ(signature->reductionLength, 3);
  expectMultiplies(compiler.compilePlain());
  expectMultiplies(compiler.compile(R"({"T": 1})"));
  expectMultiplies(compiler.compile(R"({"T": 2})"));
}

TEST(ModuleCompilerTest, ScalarsArePassedByValue) {
  ModuleCompiler compiler;
  auto signature = compiler.setUp(setUpText(R"(
    func.func @f(%x: memref<4xf64>, %i: index, %v: f64, %flag: i1, %small: i8) {
      scf.if %flag {
        %n = arith.extsi %small : i8 to i64
        %m = arith.sitofp %n : i64 to f64
        %sum = arith.addf %v, %m : f64
        memref.store %sum, %x[%i] : memref<4xf64>
      }
      return
    })"));
  ASSERT_TRUE(signature) << signature.error().message;
  auto kernel = compiler.compilePlain();
  ASSERT_EQ(kernel.index(), 0u) << std::get<CompileFailure>(kernel).message;
  double data[4] = {};
  int64_t address = reinterpret_cast<int64_t>(data);
  int64_t words[5] = {address, address, 0, 4, 1};
  int64_t index = 2;
  double value = 1.5;
  bool flag = true;
  int8_t small = -3;
  void *arguments[] = {words, &index, &value, &flag, &small};
  std::get<CompiledKernel>(kernel).entry(arguments);
  EXPECT_EQ(data[2], -1.5);
  flag = false;
  index = 3;
  std::get<CompiledKernel>(kernel).entry(arguments);
  EXPECT_EQ(data[3], 0);
}

/// (1 + e)(1 - e) - 1 is -e^2, if it is rounded once, and 0 as a user's
/// compiler computes it.
TEST(ModuleCompilerTest, OnlyWhatTheCodeSaysIsFused) {
  auto difference = [](const std::string &flags) {
    ModuleCompiler compiler;
    auto signature = compiler.setUp(setUpText(R"(
      func.func @f(%x: memref<1xf64>, %a: f64, %b: f64, %c: f64) {
        %i = arith.constant 0 : index
        %p = arith.mulf %a, %b )" + flags + R"( : f64
        %d = arith.subf %p, %c )" + flags + R"( : f64
        memref.store %d, %x[%i] : memref<1xf64>
        return
      })"));
    auto kernel = compiler.compilePlain();
    double data = -1, a = 1 + 0x1p-30, b = 1 - 0x1p-30, c = 1;
    int64_t address = reinterpret_cast<int64_t>(&data);
    int64_t words[5] = {address, address, 0, 1, 1};
    void *arguments[] = {words, &a, &b, &c};
    if (auto *code = std::get_if<CompiledKernel>(&kernel))
      code->entry(arguments);
    return data;
  };
  EXPECT_EQ(difference(""), 0);
  double fused = difference("fastmath<contract>");
  // CPUs without such an operation round twice in any case.
  EXPECT_TRUE(fused == -0x1p-60 || fused == 0) << fused;
}

TEST(ModuleCompilerTest, NamesOfThePayloadDoNotClashWithOurs) {
  ModuleCompiler compiler;
  ASSERT_TRUE(compiler.setUp(setUpText(R"(
    func.func @baco_entry(%x: memref<1xf32>) { return }
    func.func @f(%x: memref<1xf32>) {
      %i = arith.constant 0 : index
      %v = arith.constant 7.0 : f32
      memref.store %v, %x[%i] : memref<1xf32>
      return
    })")));
  auto kernel = compiler.compilePlain();
  ASSERT_EQ(kernel.index(), 0u) << std::get<CompileFailure>(kernel).message;
  float data = 0;
  int64_t address = reinterpret_cast<int64_t>(&data);
  int64_t words[5] = {address, address, 0, 1, 1};
  void *arguments[] = {words};
  std::get<CompiledKernel>(kernel).entry(arguments);
  EXPECT_EQ(data, 7);
}

TEST(ModuleCompilerTest, WrongConfigurationsAreTransformFailures) {
  ModuleCompiler compiler;
  ASSERT_TRUE(compiler.setUp(setUpText(matmulText)));
  for (const char *text :
       {"", "[]", "{}", R"({"T": 3})", R"({"T": 1, "U": 1})", R"({"T": "x"})"})
    EXPECT_EQ(failureOf(compiler.compile(text)).status, Status::TransformFailed)
        << text;
  expectContains(failureOf(compiler.compile(R"({"T": 3})")).message,
                 "schedule:7:");
}

TEST(ModuleCompilerTest, ScheduleThatDoesNotApplyIsATransformFailure) {
  // Vectors of 2 rows and 2 columns: M = 3 leaves a dynamic remainder.
  ModuleCompiler compiler;
  auto signature = compiler.setUp(setUpText(R"(
  func.func @f(%a: memref<2x3xf32>, %b: memref<3x3xf32>, %c: memref<2x3xf32>) {
    linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<3x3xf32>)
                  outs(%c : memref<2x3xf32>)
    return
  })"));
  ASSERT_TRUE(signature) << signature.error().message;
  CompileFailure failure = failureOf(compiler.compile(R"({"T": 2})"));
  EXPECT_EQ(failure.status, Status::TransformFailed);
  expectContains(failure.message, "payload:3:5: ");
}

TEST(ModuleCompilerTest, LoweringErrorsAreCompileFailures) {
  ModuleCompiler compiler;
  ASSERT_TRUE(compiler.setUp(setUpText(R"(
    func.func private @nowhere()
    func.func @f() {
      func.call @nowhere() : () -> ()
      return
    })")));
  CompileFailure failure = failureOf(compiler.compilePlain());
  EXPECT_EQ(failure.status, Status::CompileFailed);
  expectContains(failure.message, "nowhere");

  ModuleCompiler other;
  ASSERT_TRUE(other.setUp(setUpText(R"(
    func.func @f() {
      "gpu.barrier"() : () -> ()
      return
    })")));
  failure = failureOf(other.compilePlain());
  EXPECT_EQ(failure.status, Status::CompileFailed);
  expectContains(failure.message, "gpu");
}

TEST(ModuleCompilerTest, SetUpErrorsSayWhatIsWrong) {
  expectContains(setUpError("{"), "not JSON");
  expectContains(setUpError("[]"), "'payload'");
  expectContains(setUpError(R"({"payload": "", "entry": "", "schedule": 3})"),
                 "'schedule'");
  expectContains(setUpError(R"({"payload": "", "schedule": ""})"), "'entry'");
  expectContains(setUpError(setUpText("\n  func.func @f( {")), "payload:2:");
  expectContains(setUpError(setUpText(matmulText, "nonsense")), "schedule:1:1");
  expectContains(setUpError(setUpText("func.func @g() { return }")), "'f'");
  expectContains(
      setUpError(setUpText("func.func @f(%a: memref<?xf32>) { return }")),
      "argument 0");
}

TEST(ModuleCompilerTest, TargetOptionsOfTheScheduleAreObeyed) {
  std::string schedule = scheduleText;
  constexpr llvm::StringLiteral knob = "%t = transform.tune.knob<";
  schedule.insert(schedule.find(knob),
                  "%o = transform.tune.knob<\"llvm.opt_level\"> options = "
                  "[0, 3] -> !transform.param<i64>\n");
  ModuleCompiler compiler;
  ASSERT_TRUE(compiler.setUp(setUpText(matmulText, schedule)));
  std::string objects[2];
  for (int i : {0, 1}) {
    auto compiled = compiler.compile(i ? R"({"T": 1, "llvm.opt_level": 3})"
                                       : R"({"T": 1, "llvm.opt_level": 0})");
    ASSERT_EQ(compiled.index(), 0u) << std::get<1>(compiled).message;
    objects[i] = std::get<CompiledKernel>(compiled).object;
    expectMultiplies(std::move(compiled));
  }
  EXPECT_NE(objects[0], objects[1]);
}

TEST(ModuleCompilerTest, ObjectCodeIsLoadedElsewhere) {
  ModuleCompiler compiler, other;
  ASSERT_TRUE(compiler.setUp(setUpText(matmulText)));
  auto compiled = compiler.compile(R"({"T": 2})");
  ASSERT_TRUE(std::holds_alternative<CompiledKernel>(compiled));
  std::string object = std::get<CompiledKernel>(compiled).object;
  EXPECT_FALSE(object.empty());
  expectMultiplies(std::move(compiled));
  expectMultiplies(other.load(object, std::nullopt));
  expectMultiplies(compiler.load(object, std::nullopt));

  EXPECT_EQ(failureOf(other.load("", std::nullopt)).status,
            Status::CompileFailed);
  object.resize(object.size() / 2);
  EXPECT_EQ(failureOf(other.load(object, 0)).status, Status::CompileFailed);
}

TEST(ModuleCompilerTest, CodeLiesWhereItIsWanted) {
  ModuleCompiler compiler;
  ASSERT_TRUE(compiler.setUp(setUpText(matmulText)));
  auto compiled = compiler.compile(R"({"T": 2})");
  ASSERT_TRUE(std::holds_alternative<CompiledKernel>(compiled));
  std::string object = std::get<CompiledKernel>(compiled).object;
  auto pageOffset = [](const CompiledKernel &kernel) {
    return reinterpret_cast<uintptr_t>(kernel.entry) % 4096;
  };
  std::optional<size_t> base;
  // All entries are as far from the beginning of the code.
  for (size_t offset : {0, 64, 1088, 4032}) {
    auto loaded = compiler.load(object, offset);
    ASSERT_TRUE(std::holds_alternative<CompiledKernel>(loaded)) << offset;
    size_t place = pageOffset(std::get<CompiledKernel>(loaded));
    if (!base)
      base = place;
    EXPECT_EQ((place + 4096 - *base) % 4096, offset);
    expectMultiplies(std::move(loaded));
  }
  // Multiples of 16 that are none of the code's own alignment stay legal.
  expectMultiplies(compiler.load(object, 16));
}

TEST(ModuleCompilerTest, VariablesOfTheKernelAreItsState) {
  constexpr char text[] = R"(
    memref.global "private" @count : memref<2xf64> = dense<3.0>
    memref.global "private" @other : memref<f64> = dense<1.0>
    memref.global "private" constant @one : memref<f64> = dense<1.0>
    func.func @g() {
      %a = memref.get_global @other : memref<f64>
      %zero = arith.constant 0.0 : f64
      affine.store %zero, %a[] : memref<f64>
      return
    }
    func.func @f(%x: memref<1xf64>) {
      %c = memref.get_global @count : memref<2xf64>
      %o = memref.get_global @one : memref<f64>
      %a = affine.load %c[1] : memref<2xf64>
      %b = affine.load %o[] : memref<f64>
      %s = arith.addf %a, %b : f64
      affine.store %s, %c[1] : memref<2xf64>
      affine.store %s, %x[0] : memref<1xf64>
      return
    })";
  ModuleCompiler compiler;
  auto signature = compiler.setUp(setUpText(text));
  ASSERT_TRUE(signature) << signature.error().message;
  EXPECT_EQ(signature->variables, std::vector<std::string>{"count"});
  auto compiled = compiler.compilePlain();
  ASSERT_EQ(compiled.index(), 0u) << std::get<CompileFailure>(compiled).message;
  auto &kernel = std::get<CompiledKernel>(compiled);
  auto loaded = compiler.load(kernel.object, std::nullopt);
  ASSERT_EQ(loaded.index(), 0u);
  for (const CompiledKernel *one :
       {&kernel, &std::get<CompiledKernel>(loaded)}) {
    std::vector<std::vector<std::byte>> initial;
    for (std::span<std::byte> variable : one->state)
      initial.emplace_back(variable.begin(), variable.end());
    ASSERT_FALSE(initial.empty());
    std::vector<double> data(1);
    std::vector<int64_t> words = describe(data);
    void *arguments[] = {words.data()};
    one->entry(arguments);
    EXPECT_EQ(data[0], 4);
    one->entry(arguments);
    EXPECT_EQ(data[0], 5);
    for (size_t i = 0; i < initial.size(); ++i)
      std::ranges::copy(initial[i], one->state[i].begin());
    one->entry(arguments);
    EXPECT_EQ(data[0], 4);
  }
}
