//===- ModuleCompilerTest.cpp - Tests of ModuleCompiler -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/ModuleCompiler.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::runtime;
using namespace baco::target;

static constexpr char matmulText[] = R"(
  func.func @f(%a: memref<2x3xf32>, %b: memref<3x2xf32>, %c: memref<2x2xf32>) {
    linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<3x2xf32>)
                  outs(%c : memref<2x2xf32>)
    return
  })";
/// Tiles the columns of a matmul by the knob T, and needs T to be 1 or 2.
static constexpr char scheduleText[] = R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %t = transform.tune.knob<"T"> options = [1, 2] -> !transform.param<i64>
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, %t]
      : (!transform.any_op, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %tile : !transform.any_op
    transform.yield
  }
})";

static std::string setUpText(llvm::StringRef payload,
                             llvm::StringRef schedule = scheduleText) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object{
      {"payload", payload}, {"schedule", schedule}, {"entry", "f"}});
  return text;
}

/// A row-major matrix and its memref descriptor.
struct Matrix {
  Matrix(int64_t rows, int64_t columns, std::vector<float> values)
      : data(std::move(values)) {
    int64_t address = reinterpret_cast<int64_t>(data.data());
    words = {address, address, 0, rows, columns, columns, 1};
  }
  std::vector<float> data;
  std::vector<int64_t> words;
};

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

static CompileFailure
failureOf(std::variant<CompiledKernel, CompileFailure> got) {
  if (auto *failure = std::get_if<CompileFailure>(&got))
    return *failure;
  ADD_FAILURE() << "it compiled";
  return {};
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

/// Rows of B are solved from the first on, but for a factor.
static constexpr char solveText[] = R"(
  func.func @f(%l: memref<2x2xf32>, %b: memref<2x1xf32>) {
    %factor = arith.constant -2.0 : f32
    affine.for %i = 0 to 2 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %x = affine.load %l[%i, %k] : memref<2x2xf32>
        %y = affine.load %b[%k, 0] : memref<2x1xf32>
        %z = affine.load %b[%i, 0] : memref<2x1xf32>
        %p = arith.mulf %x, %y : f32
        %d = arith.subf %z, %p : f32
        affine.store %d, %b[%i, 0] : memref<2x1xf32>
      }
      %u = affine.load %l[%i, %i] : memref<2x2xf32>
      %v = affine.load %b[%i, 0] : memref<2x1xf32>
      %q = arith.divf %v, %u : f32
      %r = arith.mulf %q, %factor : f32
      affine.store %r, %b[%i, 0] : memref<2x1xf32>
    }
    return
  })";

TEST(ModuleCompilerTest, MajorantsAddWhatKernelsSubtract) {
  ModuleCompiler compiler;
  auto signature = compiler.setUp(setUpText(solveText));
  ASSERT_TRUE(signature) << signature.error().message;
  ASSERT_TRUE(compiler.needsMajorant());
  auto majorant = compiler.compileMajorant();
  ASSERT_TRUE(std::holds_alternative<CompiledKernel>(majorant));
  Matrix l(2, 2, {2, 0, 3, 4}), b(2, 1, {1, 5});
  void *arguments[] = {l.words.data(), b.words.data()};
  std::get<CompiledKernel>(majorant).entry(arguments);
  // 1 / 2 * 2, and (5 + 3 * 1) / 4 * 2.
  EXPECT_EQ(b.data, (std::vector<float>{1, 4}));
}

TEST(ModuleCompilerTest, OnlySumsOfProductsHaveMajorants) {
  auto needsMajorant = [](llvm::StringRef op) {
    ModuleCompiler compiler;
    auto signature = compiler.setUp(setUpText(R"(
      func.func @f(%x: memref<4xf32>) {
        %c = arith.constant 2.0 : f32
        affine.for %i = 0 to 4 {
          %a = affine.load %x[%i] : memref<4xf32>
          %r = )" + op.str() + R"( : f32
          affine.store %r, %x[%i] : memref<4xf32>
        }
        return
      })"));
    EXPECT_TRUE(signature) << signature.error().message;
    return compiler.needsMajorant();
  };
  EXPECT_FALSE(needsMajorant("arith.addf %a, %c"));
  EXPECT_TRUE(needsMajorant("arith.subf %a, %c"));
  EXPECT_TRUE(needsMajorant("arith.negf %a"));
  EXPECT_TRUE(needsMajorant("arith.constant -1.0"));
  EXPECT_TRUE(needsMajorant("arith.divf %c, %a"));
  EXPECT_FALSE(needsMajorant("arith.divf %a, %c"));
  EXPECT_FALSE(needsMajorant("math.exp %a"));
  EXPECT_FALSE(needsMajorant("math.sqrt %a"));
  EXPECT_FALSE(needsMajorant("arith.maximumf %a, %c"));
}

/// LU factors and a root: what the roundings of each element come to is what
/// partial derivatives say.
TEST(ModuleCompilerTest, MajorantsOfQuotientsAndRoots) {
  ModuleCompiler compiler;
  auto signature = compiler.setUp(setUpText(R"(
    func.func @f(%a: memref<2x2xf32>, %r: memref<2x1xf32>) {
      %u = affine.load %a[0, 0] : memref<2x2xf32>
      %w = affine.load %a[0, 1] : memref<2x2xf32>
      %d = arith.subf %u, %w : f32
      affine.store %d, %a[0, 0] : memref<2x2xf32>
      %x = affine.load %a[1, 0] : memref<2x2xf32>
      %q = arith.divf %x, %d : f32
      affine.store %q, %a[1, 0] : memref<2x2xf32>
      %y = affine.load %a[1, 1] : memref<2x2xf32>
      %p = arith.mulf %q, %d : f32
      %z = arith.subf %y, %p : f32
      affine.store %z, %a[1, 1] : memref<2x2xf32>
      %s = math.sqrt %d : f32
      affine.store %s, %r[0, 0] : memref<2x1xf32>
      %t = math.sqrt %w : f32
      affine.store %t, %r[1, 0] : memref<2x1xf32>
      return
    })"));
  ASSERT_TRUE(signature) << signature.error().message;
  ASSERT_TRUE(compiler.needsMajorant());
  auto majorant = compiler.compileMajorant();
  ASSERT_TRUE(std::holds_alternative<CompiledKernel>(majorant));
  Matrix a(2, 2, {20, 16, -6, 7}), r(2, 1, {0, 0});
  void *arguments[] = {a.words.data(), r.words.data()};
  std::get<CompiledKernel>(majorant).entry(arguments);
  // d = 4, of terms that add up to 36; q = -1.5, with (0 + 1.5 * 36) / 4; and
  // 7 + (1.5 * 36 + 13.5 * 4).
  EXPECT_EQ(a.data, (std::vector<float>{36, 16, 13.5, 115}));
  // 36 / (2 * 2), and an exact number's root.
  EXPECT_EQ(r.data, (std::vector<float>{9, 4}));
}

TEST(ModuleCompilerTest, FloatsBeyondPairsHaveNoMajorants) {
  ModuleCompiler compiler;
  auto signature = compiler.setUp(setUpText(R"(
    func.func @f(%x: memref<4xf32>, %i: index) {
      %c = arith.constant 2.0 : f32
      %a = affine.load %x[0] : memref<4xf32>
      %d = arith.subf %c, %a : f32
      %r = memref.atomic_rmw addf %d, %x[%i] : (f32, memref<4xf32>) -> f32
      return
    })"));
  ASSERT_TRUE(signature) << signature.error().message;
  EXPECT_TRUE(compiler.needsMajorant());
  EXPECT_EQ(failureOf(compiler.compileMajorant()).message,
            "has a floating-point operation without a known error bound");
}

TEST(ModuleCompilerTest, MajorantsOfTensors) {
  // (a - b) / d * (-3, 2, ...), where d is an argument or is computed.
  auto textOf = [](llvm::StringRef divisor) {
    return setUpText(R"(
      #id = affine_map<(i) -> (i)>
      func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>,
                   %d: tensor<2xf32>) -> tensor<2xf32> {
        %c = arith.constant dense<[-3.0, 2.0]> : tensor<2xf32>
        %e = tensor.empty() : tensor<2xf32>
        %s = linalg.add ins(%d, %d : tensor<2xf32>, tensor<2xf32>)
               outs(%e : tensor<2xf32>) -> tensor<2xf32>
        %r = linalg.generic {
            indexing_maps = [#id, #id, #id, #id, #id],
            iterator_types = ["parallel"]}
            ins(%a, %b, %c, )" +
                     divisor.str() + R"( : tensor<2xf32>, tensor<2xf32>,
                tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) {
        ^bb0(%w: f32, %x: f32, %y: f32, %z: f32, %o: f32):
          %p = arith.subf %w, %x : f32
          %q = arith.divf %p, %z : f32
          %m = arith.mulf %q, %y : f32
          linalg.yield %m : f32
        } -> tensor<2xf32>
        return %r : tensor<2xf32>
      })");
  };
  auto majorantOf = [&](llvm::StringRef divisor) {
    ModuleCompiler compiler;
    auto signature = compiler.setUp(textOf(divisor));
    EXPECT_TRUE(signature) << signature.error().message;
    EXPECT_TRUE(compiler.needsMajorant());
    auto majorant = compiler.compileMajorant();
    Matrix a(2, 1, {1, 5}), b(2, 1, {3, 1}), d(2, 1, {2, 3}), r(2, 1, {0, 0});
    void *arguments[] = {a.words.data(), b.words.data(), d.words.data(),
                         r.words.data()};
    if (auto *kernel = std::get_if<CompiledKernel>(&majorant))
      kernel->entry(arguments);
    else
      ADD_FAILURE() << failureOf(majorant).message;
    return r.data;
  };
  EXPECT_EQ(majorantOf("%d"), (std::vector<float>{6, 4}));
  // By 4 and 6, which are sums: (4 + 2 / 4 * 4) / 4 * 3, and
  // (6 + 4 / 6 * 6) / 6 * 2.
  std::vector<float> sums = majorantOf("%s");
  EXPECT_FLOAT_EQ(sums[0], 4.5);
  EXPECT_FLOAT_EQ(sums[1], 10.0 / 3);
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

TEST(ModuleCompilerTest, WhatCannotBeLoweredIsACompileFailure) {
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
  expectContains(setUpError(R"({"payload": "", "schedule": 3})"), "'schedule'");
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

/// A memref descriptor of a vector.
static std::vector<int64_t> describe(std::vector<double> &values) {
  int64_t address = reinterpret_cast<int64_t>(values.data());
  return {address, address, 0, std::ssize(values), 1};
}

TEST(ModuleCompilerTest, CheckedKernelsEndBeforeTheyLeaveTheirArguments) {
  ModuleCompiler compiler;
  ASSERT_TRUE(compiler.setUp(setUpText(R"(
    func.func @f(%n: index, %x: memref<4xf64>) {
      %v = arith.constant 7.0 : f64
      affine.for %i = 0 to %n {
        affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
          affine.store %v, %x[%i - %j] : memref<4xf64>
        }
      }
      return
    })")));
  auto compiled = compiler.compileChecked();
  ASSERT_EQ(compiled.index(), 0u) << std::get<CompileFailure>(compiled).message;
  std::vector<double> data(8);
  std::vector<int64_t> words = describe(data);
  words[3] = 4;
  int64_t n = 4;
  void *arguments[] = {&n, words.data()};
  std::get<CompiledKernel>(compiled).entry(arguments);
  EXPECT_EQ(data[3], 7);
  n = 5;
  EXPECT_DEATH(std::get<CompiledKernel>(compiled).entry(arguments), "");
}

TEST(ModuleCompilerTest, PerturbedKernelsAreOffByUnits) {
  ModuleCompiler compiler;
  ASSERT_TRUE(compiler.setUp(setUpText(R"(
    func.func @f(%x: memref<64xf64>) {
      affine.for %i = 0 to 64 {
        %a = affine.load %x[%i] : memref<64xf64>
        %b = arith.divf %a, %a : f64
        affine.store %b, %x[%i] : memref<64xf64>
        %c = arith.mulf %a, %a : f64
        %d = arith.cmpf oeq, %a, %a : f64
        scf.if %d {
          affine.store %c, %x[%i] : memref<64xf64>
        }
      }
      return
    })")));
  EXPECT_TRUE(compiler.needsPerturbed());
  auto compiled = compiler.compilePerturbed();
  ASSERT_EQ(compiled.index(), 0u) << std::get<CompileFailure>(compiled).message;
  std::vector<double> data(64);
  for (int i = 0; i < 62; ++i)
    data[i] = 1 + i / 64.0;
  data[62] = 0;
  data[63] = std::numeric_limits<double>::infinity();
  std::vector<double> before = data;
  std::vector<int64_t> words = describe(data);
  void *arguments[] = {words.data()};
  std::get<CompiledKernel>(compiled).entry(arguments);
  int numUp = 0;
  for (int i = 0; i < 62; ++i) {
    double square = before[i] * before[i];
    bool isUp = data[i] > square;
    numUp += isUp;
    EXPECT_EQ(data[i], std::nextafter(square, isUp ? 1e9 : 0)) << i;
  }
  EXPECT_GT(numUp, 15);
  EXPECT_LT(numUp, 47);
  EXPECT_EQ(data[62], 0);
  EXPECT_EQ(data[63], before[63]);
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
