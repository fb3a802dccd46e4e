//===- PerturbTest.cpp - Kernels with other roundings ---------------------===//
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

TEST(PerturbTest, RoundingsMatterWhereFloatsAreComputed) {
  auto needsPerturbed = [](llvm::StringRef op) {
    ModuleCompiler compiler;
    auto signature = compiler.setUp(setUpText(R"(
      func.func @f(%x: memref<4xf32>, %at: memref<4xi32>) {
        affine.for %i = 0 to 4 {
          %n = affine.load %at[%i] : memref<4xi32>
          %j = arith.index_cast %n : i32 to index
          %a = memref.load %x[%j] : memref<4xf32>
          %r = )" + op.str() + R"(
          affine.store %r, %x[%i] : memref<4xf32>
        }
        return
      })"));
    EXPECT_TRUE(signature) << signature.error().message;
    return compiler.needsPerturbed();
  };
  EXPECT_FALSE(needsPerturbed("arith.addf %a, %a : f32"));
  EXPECT_FALSE(needsPerturbed("arith.negf %a : f32"));
  EXPECT_TRUE(needsPerturbed("math.exp %a : f32"));
  EXPECT_TRUE(needsPerturbed("arith.divf %a, %a : f32"));
}

TEST(PerturbTest, PerturbedKernelsAreOffByUnits) {
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
