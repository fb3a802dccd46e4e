//===- KernelSignatureTest.cpp - Tests of kernelSignature -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSignatureFixture.h"

using namespace mlir;
using namespace baco;
using namespace baco::runtime;
using namespace baco::target;

TEST_F(KernelSignatureTest, TypesAndShapes) {
  Signature s = read(R"(func.func @f(%a: memref<2x3xf32>, %b: memref<f64>,
      %c: memref<4xi1>, %d: memref<0xi8>, %e: memref<1xi16>, %g: memref<1xi32>,
      %h: memref<1xindex>, %i: f64, %j: index, %k: i1) { return })");
  ASSERT_EQ(s.arguments.size(), 10u);
  EXPECT_EQ(s.arguments[0].shape, (std::vector<int64_t>{2, 3}));
  EXPECT_TRUE(s.arguments[1].shape.empty());
  EXPECT_TRUE(s.arguments[1].isMemRef);
  EXPECT_FALSE(s.arguments[7].isMemRef);
  EXPECT_FALSE(s.arguments[7].isOutput);
  const ElementType types[] = {ElementType::F32,   ElementType::F64,
                               ElementType::I1,    ElementType::I8,
                               ElementType::I16,   ElementType::I32,
                               ElementType::Index, ElementType::F64,
                               ElementType::Index, ElementType::I1};
  for (size_t i = 0; i < 10; ++i)
    EXPECT_EQ(s.arguments[i].type, types[i]) << i;
  EXPECT_EQ(s.reductionLength, 1);
}

TEST_F(KernelSignatureTest, MatmulWritesItsLastOperand) {
  Signature s = readMatmul("f32", "f32");
  EXPECT_EQ(outputs(s), "iio");
  EXPECT_EQ(s.reductionLength, 7);
}

TEST_F(KernelSignatureTest, WritesThroughViewsAndUnknownOpsCount) {
  Signature s = read(R"(
    func.func private @g(memref<4xf32>)
    func.func @f(%a: memref<4x4xf32>, %b: memref<4xf32>, %c: memref<4xf32>,
                 %d: memref<4xf32>, %p: i1, %x: f32) {
      %i = arith.constant 0 : index
      %row = memref.subview %a[1, 0] [1, 4] [1, 1]
        : memref<4x4xf32> to memref<4xf32, strided<[1], offset: 4>>
      memref.store %x, %row[%i] : memref<4xf32, strided<[1], offset: 4>>
      func.call @g(%b) : (memref<4xf32>) -> ()
      %s = arith.select %p, %c, %b : memref<4xf32>
      memref.store %x, %s[%i] : memref<4xf32>
      %y = memref.load %d[%i] : memref<4xf32>
      return
    })");
  EXPECT_EQ(outputs(s), "oooiii");
}

TEST_F(KernelSignatureTest, AnAddressMayBeWrittenTo) {
  // Also where addresses and elements have the same type.
  Signature s = read(R"(
    func.func @f(%a: memref<4xf32>, %b: memref<4xindex>, %c: memref<4xindex>,
                 %d: memref<4xf32>, %e: memref<4xf32>) {
      %zero = arith.constant 0 : index
      %x = arith.constant 1.0 : f32
      %p = memref.extract_aligned_pointer_as_index %a
        : memref<4xf32> -> index
      %i = arith.index_cast %p : index to i64
      %q = llvm.inttoptr %i : i64 to !llvm.ptr
      llvm.store %x, %q : f32, !llvm.ptr
      %r = memref.extract_aligned_pointer_as_index %b
        : memref<4xindex> -> index
      %y = memref.load %c[%zero] : memref<4xindex>
      %z = arith.addi %y, %y : index
      %s = builtin.unrealized_conversion_cast %d
        : memref<4xf32> to !llvm.struct<(ptr, ptr, i64)>
      %v = vector.load %e[%zero] : memref<4xf32>, vector<4xf32>
      return
    })");
  EXPECT_EQ(outputs(s), "ooioi");
}

TEST_F(KernelSignatureTest, SizesAndOffsetsOfAViewAreNoMemory) {
  Signature s = read(R"(
    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %x: f32) {
      %p, %offset, %size, %stride = memref.extract_strided_metadata %a
        : memref<4xf32> -> memref<f32>, index, index, index
      %i = arith.addi %offset, %size : index
      %n = memref.dim %a, %i : memref<4xf32>
      %q:4 = memref.extract_strided_metadata %b
        : memref<4xf32> -> memref<f32>, index, index, index
      memref.store %x, %q#0[] : memref<f32>
      return
    })");
  EXPECT_EQ(outputs(s), "ioi");
}

TEST_F(KernelSignatureTest, TensorsAreReadAndWrittenAsTheyAreMade) {
  // The sum of 8 products of sums of 4 terms each.
  Signature s = read(R"(func.func @f(%A: memref<4x8xf32>, %B: memref<8xf32>,
      %C: memref<f32>, %D: memref<f32>) {
    %a = bufferization.to_tensor %A restrict
      : memref<4x8xf32> to tensor<4x8xf32>
    %b = bufferization.to_tensor %B restrict : memref<8xf32> to tensor<8xf32>
    %c = bufferization.to_tensor %C restrict writable
      : memref<f32> to tensor<f32>
    %zero = arith.constant dense<0.0> : tensor<8xf32>
    %sums = linalg.reduce {arith.addf} ins(%a : tensor<4x8xf32>)
      outs(%zero : tensor<8xf32>) dimensions = [0]
    %r = linalg.dot ins(%sums, %b : tensor<8xf32>, tensor<8xf32>)
      outs(%c : tensor<f32>) -> tensor<f32>
    bufferization.materialize_in_destination %r in restrict writable %C
      : (tensor<f32>, memref<f32>) -> ()
    bufferization.materialize_in_destination %r in restrict writable %D
      : (tensor<f32>, memref<f32>) -> ()
    return
  })");
  EXPECT_EQ(reads(s), "rrr-");
  EXPECT_EQ(outputs(s), "iioo");
  EXPECT_GE(s.reductionLength, 8 + 4);
  EXPECT_LE(s.reductionLength, 2 * (9 + 5));
}

TEST_F(KernelSignatureTest, ErrorsNameArgumentAndType) {
  EXPECT_EQ(error("func.func @f(%a: f32, %b: memref<?xf32>) { return }"),
            "function 'f' can't be called: argument 1 has type "
            "'memref<?xf32>': its shape is dynamic, and tuning needs static "
            "shapes");
  EXPECT_NE(error(R"(func.func @f(%a: tensor<4xf32>) -> tensor<4xi32> {
                       %e = tensor.empty() : tensor<4xf32>
                       %b = linalg.exp ins(%a : tensor<4xf32>)
                           outs(%e : tensor<4xf32>) -> tensor<4xf32>
                       %c = builtin.unrealized_conversion_cast %b
                           : tensor<4xf32> to tensor<4xi32>
                       return %c : tensor<4xi32>
                     })")
                .find("function 'f' can't be called, because it can't be "
                      "bufferized: "),
            std::string::npos);
  EXPECT_EQ(
      error("func.func @f(%a: memref<4xf80>) { return }"),
      "function 'f' can't be called: argument 0 has type 'memref<4xf80>': "
      "supported element types are f16, bf16, f32, f64, complex<f32>, "
      "complex<f64>, i1, i8, i16, i32, i64 and index");
  EXPECT_NE(
      error("func.func @f(%a: complex<i8>) { return }").find("complex<i8>"),
      std::string::npos);
  EXPECT_NE(error("func.func @f(%a: memref<4xf32, strided<[2]>>) { return }")
                .find("its layout is not the identity"),
            std::string::npos);
  EXPECT_NE(error("func.func @f(%a: memref<4xf32, 1>) { return }")
                .find("memory space"),
            std::string::npos);
  EXPECT_NE(error("func.func private @f(%a: f32)").find("has no body"),
            std::string::npos);
  EXPECT_NE(
      error("func.func @f(%a: f32) -> f32 { return %a : f32 }").find("returns"),
      std::string::npos);
}

TEST_F(KernelSignatureTest, ShortAndComplexTypes) {
  Signature s = read(R"(func.func @f(%a: memref<2xf16>, %b: bf16,
      %c: memref<4xcomplex<f32>>, %d: complex<f64>) { return })");
  const ElementType types[] = {ElementType::F16, ElementType::BF16,
                               ElementType::ComplexF32,
                               ElementType::ComplexF64};
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(s.arguments[i].type, types[i]) << i;
  EXPECT_TRUE(s.validate());
}

TEST_F(KernelSignatureTest, ArgumentsOverwrittenFirstAreNotRead) {
  Signature s = read(R"(
    func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>,
                 %filled: memref<4x4xf32>, %copied: memref<4x4xf32>,
                 %part: memref<4x4xf32>, %late: memref<4x4xf32>) {
      %z = arith.constant 0.0 : f32
      linalg.fill ins(%z : f32) outs(%filled : memref<4x4xf32>)
      memref.copy %a, %copied : memref<4x4xf32> to memref<4x4xf32>
      %view = memref.subview %part[0, 0] [2, 4] [1, 1]
        : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
      linalg.fill ins(%z : f32) outs(%view : memref<2x4xf32, strided<[4, 1]>>)
      memref.copy %late, %b : memref<4x4xf32> to memref<4x4xf32>
      linalg.fill ins(%z : f32) outs(%late : memref<4x4xf32>)
      linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>)
                    outs(%filled : memref<4x4xf32>)
      linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>)
                    outs(%copied : memref<4x4xf32>)
      linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>)
                    outs(%part : memref<4x4xf32>)
      return
    })");
  EXPECT_EQ(outputs(s), "iooooo");
  EXPECT_EQ(reads(s), "r---rr");
}

TEST_F(KernelSignatureTest, WriteOnlyArgumentsAreNotRead) {
  Signature s = read(R"(
    func.func @f(%a: memref<8xf32>, %only: memref<8xf32>,
                 %same: memref<8xf32>, %elsewhere: memref<8xf32>) {
      affine.for %i = 1 to 8 {
        %x = affine.load %a[%i] : memref<8xf32>
        affine.store %x, %only[%i] : memref<8xf32>
        %y = affine.load %same[%i] : memref<8xf32>
        affine.store %y, %same[%i] : memref<8xf32>
      }
      %t = memref.cast %elsewhere : memref<8xf32> to memref<*xf32>
      return
    })");
  EXPECT_EQ(reads(s), "r-rr");
}

TEST_F(KernelSignatureTest, AViewOfWhatIsWrittenMayBeRead) {
  Signature s = read(R"(
    func.func @f(%a: memref<4x4xf32>) {
      %v = memref.collapse_shape %a [[0, 1]]
        : memref<4x4xf32> into memref<16xf32>
      %w = memref.expand_shape %v [[0, 1]] output_shape [4, 4]
        : memref<16xf32> into memref<4x4xf32>
      linalg.transpose ins(%w : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
                       permutation = [1, 0]
      return
    })");
  EXPECT_EQ(reads(s), "r");
}

TEST_F(KernelSignatureTest, JumpsAndRangesAreSeen) {
  const std::tuple<const char *, bool, bool> cases[] = {
      {"%r = arith.addf %x, %x : f32", false, true},
      {"%r = arith.maximumf %x, %x : f32", false, true},
      {"%r = arith.cmpf olt, %x, %x : f32", true, true},
      {"%r = arith.fptosi %x : f32 to i8", true, true},
      {"%r = math.floor %x : f32", true, true},
      {"%r = arith.addi %n, %n : i32", false, true},
      {"%r = arith.cmpi slt, %n, %n : i32", false, true},
      {"%r = arith.addi %n, %n overflow<nsw> : i32", false, false},
      {"%r = arith.shli %n, %n : i32", false, false},
      {"%r = arith.divsi %n, %n : i32", false, true},
      {"%c = arith.constant 3 : i32 %r = arith.shli %n, %c : i32", false, true},
      {"%r = arith.index_cast %n : i32 to index", false, false},
      {"%r = arith.index_cast %i : index to i32", false, true},
      {"%r = arith.divsi %i, %i : index", false, true}};
  for (auto [op, hasJumps, takesAny] : cases) {
    Signature s =
        read(std::string("func.func @f(%x: f32, %n: i32, %i: index) {") + op +
             " return }");
    EXPECT_EQ(s.hasJumps, hasJumps) << op;
    EXPECT_EQ(s.takesAnyInteger, takesAny) << op;
  }
}

TEST_F(KernelSignatureTest, WhatDecidesAJumpIsExactOrNot) {
  const std::pair<const char *, bool> cases[] = {
      {"%y = arith.cmpf olt, %x, %c : f32", true},
      {"%p = arith.mulf %x, %c : f32 %y = math.floor %p : f32", true},
      {"%p = arith.mulf %x, %c : f32 %q = arith.addf %p, %d : f32"
       "%y = math.floor %q : f32",
       false},
      {"%p = arith.mulf %x, %c : f32 %n = arith.negf %p : f32"
       "%q = arith.subf %n, %d : f32 %y = math.floor %q : f32",
       false},
      {"%p = arith.addf %x, %c : f32 %q = arith.mulf %p, %d : f32"
       "%y = math.floor %q : f32",
       true},
      {"%p = arith.divf %x, %c : f32 %y = math.floor %p : f32", false},
      {"%p = arith.mulf %x, %c fastmath<contract> : f32"
       "%y = math.floor %p : f32",
       false},
      {"%p = math.exp %x : f32 %y = arith.cmpf olt, %p, %c : f32", false},
      {"%y = arith.fptosi %x : f32 to i8", false},
      {"%p = arith.minimumf %x, %c : f32 %y = arith.fptosi %p : f32 to i8",
       false},
      {"%p = arith.minimumf %x, %c : f32 %q = arith.maximumf %p, %d : f32"
       "%y = arith.fptosi %q : f32 to i8",
       true},
      {"%p = arith.minimumf %x, %c : f32 %q = arith.maximumf %p, %d : f32"
       "%y = arith.fptoui %q : f32 to i8",
       false}};
  for (auto [ops, isExact] : cases) {
    Signature s =
        readBody("%a: memref<8xf32>, %b: memref<8xf32>", std::string(R"(
      %c = arith.constant 1.5 : f32
      %d = arith.constant -7.0 : f32
      affine.for %i = 0 to 8 {
        %x = affine.load %a[%i] : memref<8xf32>
        affine.store %x, %b[%i] : memref<8xf32>
        )") + ops + "}");
    EXPECT_EQ(s.areJumpsExact, isExact) << ops;
    EXPECT_TRUE(s.isPiecewise) << ops;
    EXPECT_EQ(s.constants, (std::vector<double>{1.5, -7})) << ops;
  }
  // A sum has other last bits in another order.
  Signature s = readBody("%a: memref<8xf32>, %b: memref<1xf32>", R"(
    %z = arith.constant 0.0 : f32
    %s = affine.for %i = 0 to 8 iter_args(%t = %z) -> f32 {
      %x = affine.load %a[%i] : memref<8xf32>
      %y = arith.addf %t, %x : f32
      affine.yield %y : f32
    }
    %r = math.floor %s : f32
    affine.store %r, %b[0] : memref<1xf32>)");
  EXPECT_FALSE(s.areJumpsExact);
}

TEST_F(KernelSignatureTest, DifferencesThatBecomeDivisorsAreSeen) {
  auto areDifferenced = [&](const char *divisor) {
    Signature s =
        readBody("%x: memref<9xf32>, %y: memref<9xf32>, %z: memref<8xf32>",
                 (std::string("affine.for %i = 0 to 8 {"
                              "%a = affine.load %x[%i] : memref<9xf32>"
                              "%b = affine.load %x[%i + 1] : memref<9xf32>"
                              "%c = affine.load %y[%i] : memref<9xf32>") +
                  divisor + "affine.store %q, %z[%i] : memref<8xf32> }")
                     .c_str());
    std::string which;
    for (const runtime::Argument &argument : s.arguments)
      which += argument.isDifferenced ? 'd' : '-';
    return which;
  };
  EXPECT_EQ(areDifferenced("%d = arith.subf %b, %a : f32 "
                           "%q = arith.divf %c, %d : f32 "),
            "d--");
  EXPECT_EQ(areDifferenced("%d = arith.subf %b, %a : f32 "
                           "%e = arith.mulf %d, %d : f32 "
                           "%q = math.rsqrt %e : f32 "),
            "d--");
  // Of different memory, and no divisor.
  EXPECT_EQ(areDifferenced("%d = arith.subf %b, %c : f32 "
                           "%q = arith.divf %c, %d : f32 "),
            "---");
  EXPECT_EQ(areDifferenced("%d = arith.subf %b, %a : f32 "
                           "%q = arith.divf %d, %c : f32 "),
            "---");
}

TEST_F(KernelSignatureTest, FlagsKeepNaNAndInfinitiesAway) {
  const std::tuple<const char *, bool, bool> cases[] = {
      {"%r = arith.addf %x, %x : f32", true, true},
      {"%r = arith.addf %x, %x fastmath<contract> : f32", true, true},
      {"%r = arith.addf %x, %x fastmath<nsz> : f32", true, true},
      {"%r = arith.addf %x, %x fastmath<nnan> : f32", false, false},
      {"%r = arith.addf %x, %x fastmath<ninf> : f32", true, false},
      {"%r = arith.addf %x, %x fastmath<reassoc> : f32", true, false},
      {"%r = arith.addf %x, %x fastmath<fast> : f32", false, false},
      {"%r = math.exp %x fastmath<afn> : f32", true, false},
      {"%r = arith.extf %x : f32 to f64", true, true},
      {"%r = arith.fptosi %x : f32 to i32", false, false}};
  for (auto [op, takesNaN, takesInfinity] : cases) {
    Signature s =
        read(std::string("func.func @f(%x: f32) {") + op + " return }");
    EXPECT_EQ(s.takesNaN, takesNaN) << op;
    EXPECT_EQ(s.takesInfinity, takesInfinity) << op;
  }
}

TEST_F(KernelSignatureTest, DifferencesOfProductsDoNotOverflow) {
  const std::pair<const char *, bool> cases[] = {
      {"%r = arith.subf %x, %x : f32", true},
      {"%r = arith.addf %x, %p : f32", true},
      {"%r = arith.subf %x, %p : f32", false},
      {"%r = arith.subf %p, %x : f32", false}};
  for (auto [op, mayOverflow] : cases) {
    Signature s = read(
        std::string("func.func @f(%x: f32) { %p = arith.mulf %x, %x : f32 ") +
        op + " return }");
    EXPECT_EQ(s.mayOverflow, mayOverflow) << op;
  }
}

TEST_F(KernelSignatureTest, AssumedAlignmentsArePromises) {
  Signature s = read(R"(
    func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
      %aligned = memref.assume_alignment %a, 32 : memref<8xf32>
      memref.copy %aligned, %b : memref<8xf32> to memref<8xf32>
      return
    })");
  EXPECT_EQ(s.arguments[0].alignment, 32);
  EXPECT_EQ(s.arguments[0].minAlignment(), 32u);
  EXPECT_EQ(s.arguments[1].alignment, 1);
  EXPECT_EQ(s.arguments[1].minAlignment(), 4u);
}

TEST_F(KernelSignatureTest, ProductsThatNobodyCanSave) {
  const char *product = R"(
    linalg.matmul ins(%a, %b : memref<4x7xf32>, memref<7x5xf32>)
                  outs(%c : memref<4x5xf32>)
  )";
  const char *arguments =
      "%a: memref<4x7xf32>, %b: memref<7x5xf32>, %c: memref<4x5xf32>";
  auto bytesOf = [&](std::string before, std::string behind) {
    return readBody(arguments, before + product + behind).productBytes;
  };
  constexpr double all = 4 * 7 * 5 * sizeof(float);
  EXPECT_EQ(bytesOf("", ""), all);
  EXPECT_EQ(readMatmul("f64", "f64").productBytes, 2 * all);
  std::string zero = "%z = arith.constant 0.0 : f32\n";
  auto fill = [](const char *name, const char *type) {
    return std::string("linalg.fill ins(%z : f32) outs(%") + name + " : " +
           type + ")\n";
  };
  EXPECT_EQ(bytesOf(zero + fill("c", "memref<4x5xf32>"), ""), all);
  EXPECT_EQ(bytesOf("", product), all);
  // A product of zeros, one whose result is overwritten, and one whose rounding
  // may be another.
  EXPECT_EQ(bytesOf(zero + fill("a", "memref<4x7xf32>"), ""), 0);
  EXPECT_EQ(bytesOf(zero, fill("c", "memref<4x5xf32>")), 0);
  EXPECT_EQ(readMatmul("f16", "f32").productBytes, 0);
  EXPECT_EQ(readMatmul("i32", "i32").productBytes, 0);
  // Two products may be the same one.
  EXPECT_EQ(readBody("%a: memref<4x7xf32>, %b: memref<7x5xf32>, "
                     "%c: memref<4x5xf32>, %d: memref<4x5xf32>",
                     product + std::string(R"(
    linalg.matmul ins(%a, %b : memref<4x7xf32>, memref<7x5xf32>)
                  outs(%d : memref<4x5xf32>))"))
                .productBytes,
            all);
  // A square is symmetric.
  EXPECT_EQ(readBody("%a: memref<4x4xf32>, %c: memref<4x4xf32>", R"(
    linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>)
                  outs(%c : memref<4x4xf32>))")
                .productBytes,
            0);
}

// The result tells whether they are computed, if nothing else changes it, and
// if they always are or never.
TEST_F(KernelSignatureTest, ProductsInBranchesShowInTheirResults) {
  constexpr double all = 4 * 7 * 5 * sizeof(float);
  auto read = [&](std::string before, std::string behind) {
    return readBody("%a: memref<4x7xf32>, %b: memref<7x5xf32>, "
                    "%c: memref<4x5xf32>, %n: index, %x: f32, "
                    "%f: memref<i32>",
                    "%z = arith.constant 0 : index\n"
                    "%one = arith.constant 1 : index\n"
                    "%zero = arith.constant 0.0 : f32\n"
                    "%i32 = arith.constant 0 : i32\n" +
                        before + R"(
      linalg.matmul ins(%a, %b : memref<4x7xf32>, memref<7x5xf32>)
                    outs(%c : memref<4x5xf32>)
    )" + behind);
  };
  std::string condition = "%t = arith.cmpi sgt, %n, %z : index\n",
              fill = "linalg.fill ins(%zero : f32) outs(%c : "
                     "memref<4x5xf32>)\n";
  EXPECT_EQ(read("", "").productOutput, -1);
  for (auto [before, behind] :
       {std::pair(condition + "scf.if %t {\n", std::string("}")),
        {condition + "scf.if %t {\n" + fill, "}"},
        {"scf.for %i = %z to %n step %one {\n", "}"}}) {
    Signature s = read(before, behind);
    EXPECT_EQ(s.productBytes, all) << before;
    EXPECT_EQ(s.productOutput, 2) << before;
  }
  // The first result would be changed all the same, and the conditions of the
  // others vary.
  for (auto [before, behind] :
       {std::pair(fill + condition + "scf.if %t {\n", std::string("}")),
        {condition + "scf.if %t {\n", "} else {\n" + fill + "}"},
        {"%t = arith.cmpf ogt, %x, %zero : f32\nscf.if %t {\n", "}"},
        {"%v = memref.load %f[] : memref<i32>\n"
         "%t = arith.cmpi sgt, %v, %i32 : i32\nscf.if %t {\n",
         "}"}})
    EXPECT_EQ(read(before, behind).productBytes, 0) << before;
}

TEST_F(KernelSignatureTest, ProductsOfLoopsCount) {
  constexpr double all = 4 * 7 * 5 * sizeof(float);
  const char *arguments = "%a: memref<4x7xf32>, %b: memref<7x5xf32>, "
                          "%c: memref<4x5xf32>, %n: index, %s: memref<4xf32>";
  std::string product = R"(
      %x = affine.load %a[%i, %k] : memref<4x7xf32>
      %y = affine.load %b[%k, %j] : memref<7x5xf32>
      %old = affine.load %c[%i, %j] : memref<4x5xf32>
      %p = arith.mulf %x, %y : f32
      %new = arith.addf %old, %p : f32
      affine.store %new, %c[%i, %j] : memref<4x5xf32>
  )";
  std::string i = "affine.for %i = 0 to 4 {\n",
              j = "affine.for %j = 0 to 5 {\n",
              k = "affine.for %k = 0 to 7 {\n",
              zero = "%zero = arith.constant 0.0 : f32\n",
              clear = "affine.store %zero, %c[%i, %j] : memref<4x5xf32>\n",
              branch = "affine.if affine_set<(d) : (d - 1 >= 0)>(%n) {\n";
  auto expect = [&](const std::string &body, double bytes, int64_t output) {
    Signature s = readBody(arguments, zero + body);
    EXPECT_EQ(s.productBytes, bytes) << body;
    EXPECT_EQ(s.productOutput, output) << body;
  };
  expect(i + j + k + product + "}}}", all, -1);
  expect(k + i + j + product + "}}}", all, -1);
  expect(i + j + clear + k + product + "}}}", all, -1);
  // For the elements that change.
  expect(branch + i + j + k + product + "}}}}", all, 2);
  expect(i + j + "affine.if affine_set<(d, e) : (d - e >= 0)>(%i, %j) {\n" + k +
             product + "}}}}",
         all, 2);
  // For some terms of an element, with another result, or of a sum that others
  // use or replace.
  expect(i + j + k + branch + product + "}}}}", 0, -1);
  expect(i + j + k + clear + product + "}}}", 0, -1);
  expect(i + j + k + product + "}\n" + clear + "}}", 0, -1);
  expect(i + j + k + product + "affine.store %new, %s[%i] : memref<4xf32>}}}",
         0, -1);
  // What a loop carries is the same.
  std::string carried = R"(
      %sum = scf.for %k = %z to %seven step %one iter_args(%old = %zero)
          -> (f32) {
        %x = memref.load %a[%i, %k] : memref<4x7xf32>
        %y = memref.load %b[%k, %j] : memref<7x5xf32>
        %p = arith.mulf %x, %y : f32
        %new = arith.addf %old, %p : f32
        scf.yield %new : f32
      }
      memref.store %sum, %c[%i, %j] : memref<4x5xf32>
  )";
  std::string constants = "%z = arith.constant 0 : index\n"
                          "%one = arith.constant 1 : index\n"
                          "%seven = arith.constant 7 : index\n";
  expect(constants + i + j + carried + "}}", all, -1);
  expect(constants + "scf.for %again = %z to %n step %one {" + i + j + carried +
             "}}}",
         all, 2);
  // Rows of A could be summed before.
  expect(i + j + k + R"(
      %x = affine.load %a[%i, %k] : memref<4x7xf32>
      %y = affine.load %s[%i] : memref<4xf32>
      %old = affine.load %c[%i, %j] : memref<4x5xf32>
      %p = arith.mulf %x, %y : f32
      %new = arith.addf %old, %p : f32
      affine.store %new, %c[%i, %j] : memref<4x5xf32>
  }}})",
         0, -1);
}

TEST_F(KernelSignatureTest, ProductsInSomeIteratorsAreSums) {
  auto read = [&](const char *a, const char *b) {
    return readBody("%a: memref<4x7xf32>, %b: memref<7xf32>, %c: memref<4xf32>",
                    std::string("linalg.generic {indexing_maps = [") + a + "," +
                        b +
                        R"(, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : memref<4x7xf32>, memref<7xf32>) outs(%c : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
    })")
        .productBytes;
  };
  EXPECT_EQ(read("affine_map<(i, k) -> (i, k)>", "affine_map<(i, k) -> (k)>"),
            4 * 7 * 4);
  // Of a sum of rows times a number each.
  EXPECT_EQ(
      readBody("%a: memref<4x7xf32>, %b: memref<4xf32>, %c: memref<4xf32>", R"(
    linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>,
        affine_map<(i, k) -> (i)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : memref<4x7xf32>, memref<4xf32>) outs(%c : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
    })")
          .productBytes,
      0);
}

// What it returns is one more argument, which nobody reads before.
TEST_F(KernelSignatureTest, TensorsAreMemRefs) {
  Signature s = read(R"(
    func.func @f(%a: tensor<4x7xf32>, %b: tensor<7x5xf32>)
        -> tensor<4x5xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x5xf32>
      %c = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>)
          -> tensor<4x5xf32>
      %r = linalg.matmul ins(%a, %b : tensor<4x7xf32>, tensor<7x5xf32>)
                         outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
      return %r : tensor<4x5xf32>
    })");
  ASSERT_EQ(s.arguments.size(), 3u);
  EXPECT_EQ(s.arguments[2].shape, (std::vector<int64_t>{4, 5}));
  EXPECT_EQ(outputs(s), "iio");
  EXPECT_EQ(reads(s), "rr-");
  // Seven products and the zero.
  EXPECT_EQ(s.reductionLength, 8);
}

TEST_F(KernelSignatureTest, TensorsOfDynamicShape) {
  EXPECT_NE(error("func.func @f(%a: tensor<?xf32>) { return }")
                .find("its shape is dynamic"),
            std::string::npos);
}
