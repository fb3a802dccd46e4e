//===- WinogradCandidatesTest.cpp - Tests of shapes that may gain ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Target/TestHelpers.h"
#include "baco/GlobalOptimization/Winograd.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace baco;
using namespace baco::globalopt;

namespace {
class WinogradCandidatesTest : public target::ModuleTest {
protected:
  std::vector<WinogradCandidate> find(const std::string &text,
                                      int64_t maxTile) {
    module = parse(text);
    return findWinogradCandidates(*module, {.maxTile = maxTile});
  }

  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST(WinogradTextTest, WhatIsWrittenIsRead) {
  for (const char *text : {"off", "2", "4", "measure", "1x8x8x64x64xf64:2",
                           "1x56x56x64x64xf32:4,2x8x8x16x16xf32:2"}) {
    Result<WinogradOptions> options = parseWinograd(text);
    ASSERT_TRUE(bool(options)) << text;
    EXPECT_EQ(writeWinograd(*options), text);
  }
}

TEST(WinogradTextTest, ListsThatAreWrong) {
  for (const char *text :
       {"", "3", "on", "1x8x8x64x64xf32", "1x8x8x64x64xf32:", ",",
        "1x8x8x64x64xf32:3", "1x8x8x64xf32:4", "1x8x8x64x64xf16:4",
        "1x8x0x64x64xf32:4", "1x8x-8x64x64xf32:4", "1x8x8x64x64xf32:4,",
        "1x8x8x64x64xf32:4:4"})
    EXPECT_FALSE(bool(parseWinograd(text))) << text;
}

static const std::string padded = R"(
  func.func @f(%x: tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32> {
    %zero = arith.constant 0.0 : f32
    %w = arith.constant dense<0.5> : tensor<3x3x64x64xf32>
    %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %zero : f32
    } : tensor<1x16x16x64xf32> to tensor<1x18x18x64xf32>
    %e = tensor.empty() : tensor<1x16x16x64xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x64xf32>)
        -> tensor<1x16x16x64xf32>
    %r = linalg.conv_2d_nhwc_hwcf
        ins(%p, %w : tensor<1x18x18x64xf32>, tensor<3x3x64x64xf32>)
        outs(%z : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
    %s = linalg.conv_2d_nhwc_hwcf
        ins(%p, %w : tensor<1x18x18x64xf32>, tensor<3x3x64x64xf32>)
        outs(%r : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
    return %s : tensor<1x16x16x64xf32>
  })";

TEST_F(WinogradCandidatesTest, OneProbeForAShape) {
  std::vector<WinogradCandidate> found = find(padded, 4);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].shape, "1x16x16x64x64xf32");
  ASSERT_EQ(found[0].tiles.size(), 3u);
  for (auto [tile, size] : llvm::zip_equal(found[0].tiles, std::array{0, 2, 4}))
    EXPECT_EQ(tile.size, size);
  ModuleOp probe = *found[0].probe;
  EXPECT_TRUE(succeeded(verify(probe)));
  auto function = *probe.getOps<func::FuncOp>().begin();
  EXPECT_EQ(function.getFunctionType().getInput(0),
            module->lookupSymbol<func::FuncOp>("f").getArgument(0).getType());
  EXPECT_EQ(llvm::range_size(function.getOps<tensor::PadOp>()), 1);
  EXPECT_EQ(llvm::range_size(function.getOps<linalg::Conv2DNhwcHwcfOp>()), 1);
}

TEST_F(WinogradCandidatesTest, ProbesCanBeRewritten) {
  for (int64_t size : {2, 4}) {
    std::vector<WinogradCandidate> found = find(padded, 4);
    WinogradOptions options;
    options.tiles[found[0].shape] = size;
    ScopedDiagnosticHandler silence(module->getContext(),
                                    [](Diagnostic &) { return success(); });
    EXPECT_EQ(applyWinograd(*found[0].probe, options), 1);
    EXPECT_TRUE(succeeded(verify(*found[0].probe)));
  }
}

TEST_F(WinogradCandidatesTest, NoTileNoCandidate) {
  EXPECT_TRUE(find(padded, 0).empty());
}
