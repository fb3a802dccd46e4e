//===- ReferenceKernelsTest.cpp - Tests of kernels that verify others -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Majorants, checked kernels and perturbed kernels: what ModuleCompiler makes
// of the plain kernel for verification.
//
//===----------------------------------------------------------------------===//

#include "CompilerTesting.h"

using namespace baco;
using namespace baco::runtime;
using namespace baco::target;
using namespace baco::target::test;

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

TEST(ReferenceKernelsTest, MajorantsAddWhatKernelsSubtract) {
  ModuleCompiler compiler;
  auto signature = compiler.setUp(setUpText(solveText));
  ASSERT_TRUE(signature) << signature.error().message;
  ASSERT_TRUE(compiler.needsErrorBound());
  auto majorant = compiler.compileErrorBound();
  ASSERT_TRUE(std::holds_alternative<CompiledKernel>(majorant));
  Matrix l(2, 2, {2, 0, 3, 4}), b(2, 1, {1, 5});
  void *arguments[] = {l.words.data(), b.words.data()};
  std::get<CompiledKernel>(majorant).entry(arguments);
  // 1 / 2 * 2, and (5 + 3 * 1) / 4 * 2.
  EXPECT_EQ(b.data, (std::vector<float>{1, 4}));
}

TEST(ReferenceKernelsTest, OnlySumsOfProductsHaveMajorants) {
  auto needsErrorBound = [](llvm::StringRef op) {
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
    return compiler.needsErrorBound();
  };
  EXPECT_FALSE(needsErrorBound("arith.addf %a, %c"));
  EXPECT_TRUE(needsErrorBound("arith.subf %a, %c"));
  EXPECT_TRUE(needsErrorBound("arith.negf %a"));
  EXPECT_TRUE(needsErrorBound("arith.constant -1.0"));
  EXPECT_TRUE(needsErrorBound("arith.divf %c, %a"));
  EXPECT_FALSE(needsErrorBound("arith.divf %a, %c"));
  EXPECT_FALSE(needsErrorBound("math.exp %a"));
  EXPECT_FALSE(needsErrorBound("math.sqrt %a"));
  EXPECT_FALSE(needsErrorBound("arith.maximumf %a, %c"));
}

/// LU factors and a root: what the roundings of each element come to is what
/// partial derivatives say.
TEST(ReferenceKernelsTest, MajorantsOfQuotientsAndRoots) {
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
  ASSERT_TRUE(compiler.needsErrorBound());
  auto majorant = compiler.compileErrorBound();
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

TEST(ReferenceKernelsTest, FloatsBeyondPairsHaveNoMajorants) {
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
  EXPECT_TRUE(compiler.needsErrorBound());
  EXPECT_EQ(failureOf(compiler.compileErrorBound()).message,
            "has a floating-point operation without a known error bound");
}

TEST(ReferenceKernelsTest, MajorantsOfTensors) {
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
    EXPECT_TRUE(compiler.needsErrorBound());
    auto majorant = compiler.compileErrorBound();
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

TEST(ReferenceKernelsTest, CheckedKernelsEndBeforeTheyLeaveTheirArguments) {
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

/// A set-up for an NVIDIA GPU whose candidates are emulated. `payload` and
/// `source` are ops on two elements.
static std::string setUpOnGpu(llvm::StringRef payload, llvm::StringRef source,
                              llvm::StringRef name = "f") {
  auto write = [](llvm::StringRef name, llvm::StringRef op) {
    return ("module attributes {baco.gpu_target = "
            "#nvvm.target<chip = \"sm_90\">} { func.func @" +
            name + "(%x: memref<2xf64>, %y: memref<2xf64>) { " + op +
            " ins(%x, %x : memref<2xf64>, memref<2xf64>)"
            " outs(%y : memref<2xf64>) return } }")
        .str();
  };
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::json::Value(llvm::json::Object{{"payload", write("f", payload)},
                                              {"source", write(name, source)},
                                              {"schedule", "module {}"},
                                              {"entry", "f"},
                                              {"verify", "emulate"}});
  return text;
}

TEST(ReferenceKernelsTest, TheRightResultsAreThoseOfTheSource) {
  ModuleCompiler compiler;
  auto signature = compiler.setUp(setUpOnGpu("linalg.add", "linalg.add"));
  ASSERT_TRUE(signature) << signature.error().message;
  EXPECT_TRUE(std::holds_alternative<CompiledKernel>(compiler.compilePlain()));
  EXPECT_FALSE(compiler.needsErrorBound());

  signature = compiler.setUp(setUpOnGpu("linalg.mul", "linalg.sub"));
  ASSERT_TRUE(signature) << signature.error().message;
  EXPECT_EQ(failureOf(compiler.compilePlain()).status, Status::WrongResult);
  EXPECT_TRUE(compiler.needsErrorBound());
  auto reference = compiler.compileReference();
  ASSERT_TRUE(std::holds_alternative<CompiledKernel>(reference));
  std::vector<double> x = {3, 5}, y = {1, 1};
  std::vector<int64_t> words[] = {describe(x), describe(y)};
  void *arguments[] = {words[0].data(), words[1].data()};
  std::get<CompiledKernel>(reference).entry(arguments);
  EXPECT_EQ(y, (std::vector<double>{0, 0}));

  signature = compiler.setUp(setUpOnGpu("linalg.add", "linalg.add", "g"));
  ASSERT_FALSE(signature);
  EXPECT_EQ(signature.error().message,
            "source: there is no function 'f' to run");
}
