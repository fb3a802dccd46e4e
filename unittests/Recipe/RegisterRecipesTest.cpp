//===- RegisterRecipesTest.cpp - Tests of the verifier of recipes ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Recipe/RegisterRecipes.h"

#include "baco/IR/BacoDialect.h"
#include "baco/Recipe/RecipeAnalysis.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace baco;

/// An op that hoists before there are vectors.
static const char unsuitable[] = R"(
  func.func @f(%A: memref<64xf32>) {
    linalg.exp {baco.recipe = #baco.recipe<[#baco.hoist<>]>}
      ins(%A : memref<64xf32>) outs(%A : memref<64xf32>)
    return
  })";

namespace {
class RegisterRecipesTest : public ::testing::Test {
protected:
  RegisterRecipesTest() {
    registry.insert<BacoDialect, func::FuncDialect, linalg::LinalgDialect,
                    memref::MemRefDialect>();
    context.appendDialectRegistry(registry);
  }

  /// The module of `unsuitable`; null if its verifier has an error.
  OwningOpRef<ModuleOp> parse() {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      error = diagnostic.str();
      return success();
    });
    return parseSourceString<ModuleOp>(unsuitable, &context);
  }

  DialectRegistry registry;
  MLIRContext context;
  std::string error;
};

constexpr char expected[] =
    "'linalg.exp' op recipe step 1 (hoist): there are no vector transfers to "
    "hoist yet; put 'vectorize' before it";
} // namespace

TEST_F(RegisterRecipesTest, VerifierFollowsSteps) {
  DialectRegistry recipes;
  registerRecipes(recipes);
  context.appendDialectRegistry(recipes);
  EXPECT_FALSE(parse());
  EXPECT_EQ(error, expected);
}

TEST_F(RegisterRecipesTest, LoadedDialectGetsVerifier) {
  context.loadDialect<BacoDialect>();
  DialectRegistry recipes;
  registerRecipes(recipes);
  context.appendDialectRegistry(recipes);
  EXPECT_FALSE(parse());
}

// The dialect is of use without the library: it reads and writes recipes.
TEST_F(RegisterRecipesTest, DialectAloneDoesNotFollowSteps) {
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module) << error;
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  EXPECT_NE(text.find("#baco.recipe<[#baco.hoist<>]>"), std::string::npos);
}

TEST_F(RegisterRecipesTest, StepsNeedNoRegistration) {
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module) << error;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    error = diagnostic.str();
    return success();
  });
  module->walk([&](linalg::ExpOp op) {
    auto recipe = op->getAttrOfType<RecipeAttr>(BacoDialect::kRecipe);
    EXPECT_TRUE(failed(RecipeAnalysis(op, recipe).run()));
  });
  EXPECT_EQ(error, expected);
}
