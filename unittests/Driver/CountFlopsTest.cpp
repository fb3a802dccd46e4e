//===- CountFlopsTest.cpp - Tests of counting operations ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Target/TestHelpers.h"
#include "KernelNotes.h"

using namespace mlir;
using namespace baco::driver;

namespace {
class CountFlopsTest : public baco::target::ModuleTest {};
} // namespace

TEST_F(CountFlopsTest, BoundsMayBeScalars) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%n: i32, %m: index, %a: memref<64x64xf32>) {
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %end = arith.index_cast %n : i32 to index
      scf.for %i = %0 to %end step %1 {
        affine.for %j = 0 to affine_map<()[m] -> (2 * m)>()[%m] {
          %x = memref.load %a[%i, %j] : memref<64x64xf32>
          %y = arith.mulf %x, %x : f32
          %z = arith.addf %y, %x : f32
          memref.store %z, %a[%i, %j] : memref<64x64xf32>
        }
      }
      return
    })");
  auto function = module->lookupSymbol<func::FuncOp>("f");
  EXPECT_EQ(countFlops(function), std::nullopt);
  EXPECT_EQ(countFlops(function, {10, 7, 0}), 2 * 10 * 14);
  EXPECT_EQ(countFlops(function, {0, 7, 0}), std::nullopt);
}

TEST_F(CountFlopsTest, TrianglesAreUnknown) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%n: index, %a: memref<64x64xf32>) {
      affine.for %i = 0 to %n {
        affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
          %x = affine.load %a[%i, %j] : memref<64x64xf32>
          %y = arith.mulf %x, %x : f32
          affine.store %y, %a[%i, %j] : memref<64x64xf32>
        }
      }
      return
    })");
  EXPECT_EQ(countFlops(module->lookupSymbol<func::FuncOp>("f"), {10, 0}),
            std::nullopt);
}

TEST_F(CountFlopsTest, SparseOpsCountEntries) {
  auto spmm = [&](const std::string &input) {
    OwningOpRef<ModuleOp> module = parse(R"(
      #CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
      func.func @f(%B: tensor<100x200xf64, #CSR> )" +
                                         input + R"(,
                   %C: tensor<200x16xf64>, %A: tensor<100x16xf64>) -> tensor<100x16xf64> {
        %0 = linalg.matmul ins(%B, %C : tensor<100x200xf64, #CSR>, tensor<200x16xf64>)
          outs(%A : tensor<100x16xf64>) -> tensor<100x16xf64>
        return %0 : tensor<100x16xf64>
      })");
    return countFlops(module->lookupSymbol<func::FuncOp>("f"));
  };
  EXPECT_EQ(spmm(R"({baco.input = {tensor = "x.mtx", hash = "0", entries = 77,
                                   extents = array<i64: 100, 200>}})"),
            2 * 77 * 16);
  EXPECT_EQ(spmm(""), std::nullopt);
}

TEST_F(CountFlopsTest, SumsOfIntegersCount) {
  // A product of bytes, and f32 of its sums.
  OwningOpRef<ModuleOp> module = parse(R"(
    #id = affine_map<(i, j) -> (i, j)>
    func.func @f(%a: memref<8x32xi8>, %b: memref<32x16xi8>, %s: memref<8x16xi32>,
                 %y: memref<8x16xf32>) {
      %z = arith.constant -3 : i32
      linalg.quantized_matmul
        ins(%a, %b, %z, %z : memref<8x32xi8>, memref<32x16xi8>, i32, i32)
        outs(%s : memref<8x16xi32>)
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%s : memref<8x16xi32>) outs(%y : memref<8x16xf32>) {
      ^bb0(%in: i32, %out: f32):
        %more = arith.addi %in, %z : i32
        %float = arith.sitofp %more : i32 to f32
        %scaled = arith.mulf %float, %float : f32
        linalg.yield %scaled : f32
      }
      return
    })");
  auto function = module->lookupSymbol<func::FuncOp>("f");
  EXPECT_EQ(countFlops(function), 2 * 8 * 32 * 16 + 8 * 16);
  std::vector<bool> sums;
  for (auto op : function.getOps<linalg::LinalgOp>())
    sums.push_back(sumsIntegers(op));
  EXPECT_EQ(sums, (std::vector<bool>{true, false}));
}
