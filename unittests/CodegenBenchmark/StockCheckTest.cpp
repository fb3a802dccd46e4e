//===- StockCheckTest.cpp - Tests of comparing modules --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StockCheck.h"
#include "StepRecipes.h"

#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

using namespace baco::benchmarks;

static std::string writeFile(const std::string &name, const std::string &text) {
  std::string file = testing::TempDir() + "baco-stock-check-" +
                     std::to_string(getpid()) + "-" + name;
  std::ofstream(file) << text;
  return file;
}

/// What findModuleDifference says of two texts.
static std::string difference(const std::string &one,
                              const std::string &other) {
  auto found = findModuleDifference(writeFile("one.mlir", one),
                                    writeFile("other.mlir", other));
  return found ? *found : "error: " + llvm::toString(found.takeError());
}

TEST(StockCheckTest, ModulesAreCompared) {
  std::string one = "func.func @f(%a: i32) -> i32 { return %a : i32 }\n";
  EXPECT_EQ(difference(one, "\n\nfunc.func @f(%other: i32) -> i32 attributes "
                            "{baco.fingerprint = \"1\", baco.target_options = "
                            "{opt_level = 1}} { return %other : i32 }\n"),
            "");
  EXPECT_EQ(difference(one, "func.func @f(%a: i64) -> i64 { return %a : i64 }"),
            "'f'");
  EXPECT_EQ(difference(one, "func.func @g(%a: i32) -> i32 { return %a : i32 }"),
            "'f'");
  EXPECT_EQ(difference(one, one + "func.func private @g()"), "module");
  EXPECT_EQ(difference(one, "func.func @f(").substr(0, 7), "error: ");
}

/// The payload that writeWithSteps makes of a text; empty if none.
static std::string withSteps(const std::string &text) {
  std::string output = writeFile("steps.mlir", "");
  auto isWritten = writeWithSteps(writeFile("payload.mlir", text), output);
  if (!isWritten)
    return "error: " + llvm::toString(isWritten.takeError());
  auto written = llvm::MemoryBuffer::getFile(output);
  return *isWritten && written ? (*written)->getBuffer().str() : "";
}

TEST(StockCheckTest, StepsAreForLinalgOps) {
  std::string head = "func.func @f(%A: memref<41x48xf32>, %B: "
                     "memref<48x40xf32>, %C: memref<41x40xf32>) {\n",
              product = "ins(%A, %B : memref<41x48xf32>, memref<48x40xf32>) "
                        "outs(%C : memref<41x40xf32>)\n",
              end = "return\n}\n";
  std::string made = withSteps(head + "linalg.matmul " + product + end);
  EXPECT_NE(made.find("<\"T\", #baco.ordinal<[1, 41]>>, 0, 0]>"),
            std::string::npos)
      << made;
  EXPECT_NE(made.find("#baco.tile<sizes = [1, 8, 1]>,\n"), std::string::npos)
      << made;
  EXPECT_EQ(withSteps(head + end), "");
  EXPECT_EQ(withSteps(head +
                      "linalg.matmul {baco.recipe = #baco.recipe<["
                      "#baco.tile<sizes = [4, 0, 0]>]>} " +
                      product + end),
            "");
}
