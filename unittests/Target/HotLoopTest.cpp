//===- HotLoopTest.cpp - Tests of the hottest loop ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilerTesting.h"
#include "baco/Target/CPU/MachineCode.h"

#include "llvm/ADT/StringExtras.h"

using namespace baco::runtime;
using namespace baco::target;
using namespace baco::target::test;

/// The lines of the hottest loop of the function `f`.
static std::vector<std::string> list(const std::string &function) {
  ModuleCompiler compiler;
  auto signature = compiler.setUp(setUpText(function));
  if (!signature) {
    ADD_FAILURE() << signature.error().message;
    return {};
  }
  auto kernel = compiler.compilePlain();
  if (auto *failure = std::get_if<CompileFailure>(&kernel)) {
    ADD_FAILURE() << failure->message;
    return {};
  }
  std::string listing =
      compiler.list(std::get<CompiledKernel>(kernel).object, {}).text;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(listing).split(lines, '\n', -1, /*KeepEmpty=*/false);
  return {lines.begin(), lines.end()};
}

static bool contains(const std::vector<std::string> &lines, const char *text) {
  return llvm::any_of(lines, [&](const std::string &line) {
    return line.find(text) != std::string::npos;
  });
}

// A chain of divisions can't be unrolled away or become vectors.
static constexpr char twoLoops[] = R"(
  func.func @f(%a: memref<64xf32>, %x: memref<64x64xf32>) {
    %zero = arith.constant 0.0 : f32
    affine.for %i = 0 to 64 {
      affine.store %zero, %a[%i] : memref<64xf32>
    }
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 64 {
        %v = affine.load %x[%j, %i] : memref<64x64xf32>
        %s = affine.load %a[%i] : memref<64xf32>
        %p = arith.mulf %s, %v : f32
        %d = arith.divf %p, %v : f32
        affine.store %d, %a[%i] : memref<64xf32>
      }
    }
    return
  })";

TEST(HotLoopTest, TheInnermostLoopWithArithmetic) {
  std::vector<std::string> lines = list(twoLoops);
  ASSERT_GT(lines.size(), 3u);
  EXPECT_TRUE(contains(lines, "mul"));
  EXPECT_TRUE(contains(lines, "div"));
  // It ends with the branch to its begin.
  std::string begin = lines.front().substr(0, lines.front().find(':'));
  EXPECT_NE(lines.back().find(begin), std::string::npos)
      << lines.front() << " ... " << lines.back();
}

TEST(HotLoopTest, TheLoopWithTheSamples) {
  ModuleCompiler compiler;
  ASSERT_TRUE(bool(compiler.setUp(setUpText(twoLoops))));
  auto compiled = compiler.compilePlain();
  const auto *kernel = std::get_if<CompiledKernel>(&compiled);
  ASSERT_TRUE(kernel);
  CodeListing without = compiler.list(kernel->object, {});
  EXPECT_FALSE(without.shares);
  // Places of all code: the entry needn't be the first function.
  constexpr int64_t reach = 1024, step = 8;
  bool movesFirst = false, computes = false;
  for (int64_t place = -reach; place < reach; place += step) {
    CodeListing one = compiler.list(kernel->object, std::array{place});
    ASSERT_TRUE(one.shares);
    const baco::TimeShares &shares = *one.shares;
    EXPECT_EQ(shares.computing + shares.moving + shares.elsewhere, 1);
    // A sample in a loop shows that loop.
    movesFirst |= shares.moving == 1 && one.text != without.text;
    computes |= shares.computing == 1 && one.text == without.text;
  }
  EXPECT_TRUE(movesFirst);
  EXPECT_TRUE(computes);
  // Far away, as in a function that the kernel calls.
  CodeListing far = compiler.list(
      kernel->object, std::array{int64_t(1) << 40, -(int64_t(1) << 40)});
  EXPECT_EQ(far.shares, (baco::TimeShares{0, 0, 1}));
  EXPECT_EQ(far.text, without.text);
}

TEST(HotLoopTest, NoLoop) {
  EXPECT_EQ(list(R"(
    func.func @f(%a: memref<4xf32>) {
      %c0 = arith.constant 0 : index
      %v = memref.load %a[%c0] : memref<4xf32>
      %s = arith.addf %v, %v : f32
      memref.store %s, %a[%c0] : memref<4xf32>
      return
    })"),
            std::vector<std::string>());
}

TEST(HotLoopTest, WhatIsNoObjectFileIsAnError) {
  for (const char *text : {"", "f",
                           "\x7f"
                           "ELF"}) {
    auto listing = listHotLoop(text, {});
    EXPECT_FALSE(static_cast<bool>(listing)) << text;
    llvm::consumeError(listing.takeError());
  }
  EXPECT_EQ(ModuleCompiler().list("no object", {}).text, "");
}
