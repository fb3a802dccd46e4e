//===- PlantedLoops.cpp - Loops and wrong code for them -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions, and loops whose length is an argument.
//
//===----------------------------------------------------------------------===//

#include "PlantedCandidates.h"

#include "llvm/Support/FormatVariadic.h"

using namespace baco::test;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
/// Terms that are left out: from, to; and the rows where they are.
struct Drop {
  const char *name;
  int64_t from, to, firstRow = 0, endRow = 1 << 20;
};

/// Extrema of rows, or of columns.
struct Extrema {
  const char *name, *type, *start, *op;
  bool isOfColumns;
  int64_t rows, terms;
  std::vector<Drop> drops;
};
} // namespace

static std::string textOf(const Extrema &e, const Drop &drop,
                          bool isReversed = false) {
  std::string shape = formatv("{0}x{1}", e.isOfColumns ? e.terms : e.rows,
                              e.isOfColumns ? e.rows : e.terms);
  return formatv(
      R"(func.func @f(%x: memref<{0}x{1}>, %y: memref<{2}x{1}>) {{
  %start = arith.constant {3} : {1}
  %k0 = arith.constant {5} : index
  %kn = arith.constant {6} : index
  %r0 = arith.constant {7} : index
  %rn = arith.constant {8} : index
  affine.for %r = 0 to {2} {{
    affine.store %start, %y[%r] : memref<{2}x{1}>
  }
  affine.for %r = 0 to {2} {{
    affine.for %i = 0 to {4} {{
      %k = affine.apply affine_map<(d0) -> ({10})>(%i)
      %b = memref.load %x[{9}] : memref<{0}x{1}>
      %a = affine.load %y[%r] : memref<{2}x{1}>
      {11}
      %dk = arith.subi %k, %k0 : index
      %dr = arith.subi %r, %r0 : index
      %isK = arith.cmpi ult, %dk, %kn : index
      %isR = arith.cmpi ult, %dr, %rn : index
      %is = arith.andi %isK, %isR : i1
      %s = arith.select %is, %a, %m : {1}
      affine.store %s, %y[%r] : memref<{2}x{1}>
    }
  }
  return
})",
      shape, e.type, e.rows, e.start, e.terms, drop.from, drop.to - drop.from,
      drop.firstRow, drop.endRow - drop.firstRow,
      e.isOfColumns ? "%k, %r" : "%r, %k",
      isReversed ? formatv("{0} - d0", e.terms - 1).str() : "d0", e.op);
}

std::vector<PlantedKernel> baco::test::plantedReductions() {
  const Extrema all[] = {
      {"i32 column maxima",
       "i32",
       "-2147483648",
       "%m = arith.maxsi %a, %b : i32",
       true,
       32,
       64,
       {{"16 of 64 terms", 16, 32},
        {"the last term", 63, 64},
        {"term 37", 37, 38},
        {"16 of a column", 16, 32, 5, 6}}},
      {"f32 row maxima",
       "f32",
       "0xFF800000",
       "%m = arith.maximumf %a, %b : f32",
       false,
       24,
       512,
       {{"4 of 512 terms", 508, 512},
        {"term 300", 300, 301},
        {"16 of a row", 240, 256, 9, 10},
        {"8 of four rows", 40, 48, 20, 24}}},
      {"f32 row minima",
       "f32",
       "0x7F800000",
       "%p = arith.cmpf olt, %b, %a : f32\n"
       "%m = arith.select %p, %b, %a : f32",
       false,
       24,
       512,
       {{"4 of 512 terms", 508, 512}, {"16 of a row", 240, 256, 9, 10}}},
      {"i16 row minima",
       "i16",
       "32767",
       "%m = arith.minsi %a, %b : i16",
       false,
       32,
       128,
       {{"4 of 128 terms", 0, 4}, {"16 of a row", 16, 32, 31, 32}}},
      {"i8 column maxima",
       "i8",
       "0",
       "%m = arith.maxui %a, %b : i8",
       true,
       96,
       24,
       {{"a term", 11, 12}, {"8 of a column", 16, 24, 5, 6}}}};
  std::vector<PlantedKernel> kernels;
  for (const Extrema &e : all) {
    PlantedKernel kernel{e.name, textOf(e, {"", -1, -1}), {}, {}};
    for (const Drop &drop : e.drops)
      kernel.wrong.push_back({drop.name, textOf(e, drop)});
    kernel.right.push_back({"reversed", textOf(e, {"", -1, -1}, true)});
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// A loop of %n iterations, or one less where n - `from` modulo `modulus` is
/// less than `count`.
static std::string loop(int64_t from, int64_t count, int64_t modulus) {
  return formatv(R"(func.func @f(%n: index, %x: memref<64xf32>,
                                 %y: memref<64xf32>) {{
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %from = arith.constant {0} : index
  %count = arith.constant {1} : index
  %modulus = arith.constant {2} : index
  %above = arith.subi %n, %from : index
  %rest = arith.remui %above, %modulus : index
  %isWrong = arith.cmpi ult, %rest, %count : index
  %less = arith.subi %n, %1 : index
  %end = arith.select %isWrong, %less, %n : index
  scf.for %i = %0 to %end step %1 {{
    %a = memref.load %x[%i] : memref<64xf32>
    %r = arith.addf %a, %a : f32
    memref.store %r, %y[%i] : memref<64xf32>
  }
  return
})",
                 from, count, modulus);
}

std::vector<PlantedKernel> baco::test::plantedScalars() {
  constexpr int64_t never = 1 << 20;
  PlantedKernel kernel{"y = 2 x",
                       R"(
    func.func @f(%n: index, %x: memref<64xf32>, %y: memref<64xf32>) {
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      scf.for %i = %0 to %n step %1 {
        %a = memref.load %x[%i] : memref<64xf32>
        %r = arith.addf %a, %a : f32
        memref.store %r, %y[%i] : memref<64xf32>
      }
      return
    })",
                       {},
                       {}};
  kernel.wrong = {{"n = 2", loop(2, 1, never)},
                  {"n = 3", loop(3, 1, never)},
                  {"4 <= n < 8", loop(4, 4, never)},
                  {"n % 8 >= 2", loop(2, 6, 8)},
                  {"n % 8 = 5", loop(5, 1, 8)},
                  {"n % 4 = 3", loop(3, 1, 4)},
                  {"33 < n < 60", loop(34, 26, never)},
                  {"8 <= n < 32", loop(8, 24, never)},
                  {"40 <= n < 64", loop(40, 24, never)},
                  {"n = 63", loop(63, 1, never)},
                  {"n % 16 = 6", loop(6, 1, 16)}};
  kernel.right = {{"twice", loop(1, 0, 3)}};
  return {kernel};
}
