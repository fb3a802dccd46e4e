//===- LocalityInterchangeTest.cpp - Tests of loop orders for locality ----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels as they are written and in the order of the reference, on
// numbers whose sums depend on the order of their terms, and compares the bits.
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/ModuleCompiler.h"
#include "baco/Verification/Operands.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::runtime;
using baco::target::ModuleCompiler;

static std::vector<std::byte>
run(std::variant<CompiledKernel, CompileFailure> compiled,
    const Signature &signature, const std::vector<ArgumentData> &inputs) {
  if (auto *failure = std::get_if<CompileFailure>(&compiled)) {
    ADD_FAILURE() << failure->message;
    return {};
  }
  auto operands = Operands::create(signature, inputs);
  operands->fill(/*absolute=*/false);
  std::get<CompiledKernel>(compiled).entry(operands->pointers());
  std::vector<std::byte> outputs(OutputLayout(signature).byteSize());
  operands->copyOutputs(outputs.data());
  EXPECT_EQ(operands->firstDamaged(), -1);
  return outputs;
}

/// \param function  `func.func @f`, without these words
static void expectSameBits(const std::string &function) {
  ModuleCompiler compiler;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object{
      {"payload", "func.func @f" + function},
      {"schedule", "module attributes {transform.with_named_sequence} {}"},
      {"entry", "f"}});
  auto signature = compiler.setUp(text);
  ASSERT_TRUE(signature) << signature.error().message;
  auto inputs = generateInputs(*signature, /*seed=*/7, InputKind::Rough);
  auto plain = run(compiler.compilePlain(), *signature, inputs);
  auto reference = run(compiler.compileReference(), *signature, inputs);
  EXPECT_EQ(plain, reference) << function;
}

TEST(LocalityInterchangeTest, MatrixProductsHaveTheSameBits) {
  expectSameBits(R"((%A: memref<19x33xf32>, %B: memref<33x21xf32>,
                     %C: memref<19x21xf32>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%C : memref<19x21xf32>)
    linalg.matmul ins(%A, %B : memref<19x33xf32>, memref<33x21xf32>)
                  outs(%C : memref<19x21xf32>)
    return
  })");
  expectSameBits(R"((%A: memref<3x9x9x5xf64>, %F: memref<3x3x5x7xf64>,
                     %C: memref<3x7x7x7xf64>) {
    linalg.conv_2d_nhwc_hwcf
        ins(%A, %F : memref<3x9x9x5xf64>, memref<3x3x5x7xf64>)
        outs(%C : memref<3x7x7x7xf64>)
    return
  })");
}

TEST(LocalityInterchangeTest, TransposedOperandsHaveTheSameBits) {
  expectSameBits(R"((%A: memref<19x33xf32>, %B: memref<21x33xf32>,
                     %C: memref<19x21xf32>) {
    linalg.matmul
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                         affine_map<(m, n, k) -> (n, k)>,
                         affine_map<(m, n, k) -> (m, n)>]
        ins(%A, %B : memref<19x33xf32>, memref<21x33xf32>)
        outs(%C : memref<19x21xf32>)
    return
  })");
  expectSameBits(R"((%A: memref<1x9x9x5xf64>, %F: memref<7x3x3x5xf64>,
                     %C: memref<1x7x7x7xf64>) {
    linalg.conv_2d_nhwc_fhwc
        ins(%A, %F : memref<1x9x9x5xf64>, memref<7x3x3x5xf64>)
        outs(%C : memref<1x7x7x7xf64>)
    return
  })");
  // The operand changes while it is read.
  expectSameBits(R"((%A: memref<16x16xf32>, %C: memref<16x16xf32>) {
    linalg.matmul
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                         affine_map<(m, n, k) -> (n, k)>,
                         affine_map<(m, n, k) -> (m, n)>]
        ins(%A, %C : memref<16x16xf32>, memref<16x16xf32>)
        outs(%C : memref<16x16xf32>)
    return
  })");
}

TEST(LocalityInterchangeTest, LoopsWithRemaindersHaveTheSameBits) {
  expectSameBits(R"((%A: memref<35x67xf32>, %B: memref<67x29xf32>,
                     %C: memref<35x29xf32>) {
    linalg.matmul ins(%A, %B : memref<35x67xf32>, memref<67x29xf32>)
                  outs(%C : memref<35x29xf32>)
    return
  })");
  expectSameBits(R"((%A: memref<35x67xf64>, %x: memref<67xf64>,
                     %y: memref<35xf64>) {
    linalg.matvec ins(%A, %x : memref<35x67xf64>, memref<67xf64>)
                  outs(%y : memref<35xf64>)
    return
  })");
  // Steps in time: each needs the neighbors of the one before.
  expectSameBits(R"((%u: memref<19x40xf64>) {
    affine.for %t = 1 to 19 {
      affine.for %i = 1 to 39 {
        %a = affine.load %u[%t - 1, %i - 1] : memref<19x40xf64>
        %b = affine.load %u[%t - 1, %i + 1] : memref<19x40xf64>
        %s = arith.addf %a, %b : f64
        affine.store %s, %u[%t, %i] : memref<19x40xf64>
      }
    }
    return
  })");
}

TEST(LocalityInterchangeTest, ResultsThatLaterOnesNeedHaveTheSameBits) {
  // A triangular solve.
  expectSameBits(R"((%L: memref<23x23xf32>, %B: memref<23x18xf32>) {
    affine.for %i = 0 to 23 {
      affine.for %j = 0 to 18 {
        affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
          %l = affine.load %L[%i, %k] : memref<23x23xf32>
          %x = affine.load %B[%k, %j] : memref<23x18xf32>
          %b = affine.load %B[%i, %j] : memref<23x18xf32>
          %p = arith.mulf %l, %x : f32
          %d = arith.subf %b, %p : f32
          affine.store %d, %B[%i, %j] : memref<23x18xf32>
        }
        %l = affine.load %L[%i, %i] : memref<23x23xf32>
        %b = affine.load %B[%i, %j] : memref<23x18xf32>
        %q = arith.divf %b, %l : f32
        affine.store %q, %B[%i, %j] : memref<23x18xf32>
      }
    }
    return
  })");
  // Columns first, in place: of the neighbors two are old and two are new.
  expectSameBits(R"((%A: memref<17x20xf64>) {
    affine.for %j = 1 to 19 {
      affine.for %i = 1 to 16 {
        %a = affine.load %A[%i - 1, %j] : memref<17x20xf64>
        %b = affine.load %A[%i + 1, %j] : memref<17x20xf64>
        %c = affine.load %A[%i, %j - 1] : memref<17x20xf64>
        %d = affine.load %A[%i, %j + 1] : memref<17x20xf64>
        %s = arith.addf %a, %b : f64
        %t = arith.subf %s, %c : f64
        %u = arith.addf %t, %d : f64
        affine.store %u, %A[%i, %j] : memref<17x20xf64>
      }
    }
    return
  })");
}

TEST(LocalityInterchangeTest, CarriedSumsHaveTheSameBits) {
  // y = A^T x, summed in a register, and then z = A y.
  expectSameBits(R"((%A: memref<25x31xf32>, %x: memref<25xf32>,
                     %y: memref<31xf32>, %z: memref<25xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c25 = arith.constant 25 : index
    %c31 = arith.constant 31 : index
    %zero = arith.constant 0.0 : f32
    scf.for %j = %c0 to %c31 step %c1 {
      %sum = scf.for %i = %c0 to %c25 step %c1
          iter_args(%part = %zero) -> f32 {
        %a = memref.load %A[%i, %j] : memref<25x31xf32>
        %v = memref.load %x[%i] : memref<25xf32>
        %p = arith.mulf %a, %v : f32
        %s = arith.addf %part, %p : f32
        scf.yield %s : f32
      }
      memref.store %sum, %y[%j] : memref<31xf32>
    }
    scf.for %i = %c0 to %c25 step %c1 {
      memref.store %zero, %z[%i] : memref<25xf32>
      scf.for %j = %c0 to %c31 step %c1 {
        %a = memref.load %A[%i, %j] : memref<25x31xf32>
        %v = memref.load %y[%j] : memref<31xf32>
        %old = memref.load %z[%i] : memref<25xf32>
        %p = arith.mulf %a, %v : f32
        %s = arith.addf %old, %p : f32
        memref.store %s, %z[%i] : memref<25xf32>
      }
    }
    return
  })");
}
