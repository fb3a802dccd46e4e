//===- CommandLegalityTest.cpp - Unit tests for judging loop commands
//-------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/CommandLegality.h"
#include "baco/CandidateCompiler/Dialects.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::loopnest;

namespace {

/// To ask whether other constraints exclude a value takes time, too.
TEST(CommandLegalityTest, ExcludedValuesAreSteps) {
  mlir::DialectRegistry registry;
  target::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      R"(func.func @f(%A: memref<8x8x8xf32>, %c: f32) {
        affine.for %i = 0 to 8 {
          affine.for %j = 0 to 8 {
            affine.for %k = 0 to 8 {
              affine.store %c, %A[%i, %j, %k] : memref<8x8x8xf32>
            }
          }
        }
        return
      })",
      mlir::ParserConfig(&context));
  ASSERT_TRUE(module);
  mlir::Operation *nest = nullptr;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::affine::AffineForOp loop) {
    nest = loop;
    return mlir::WalkResult::interrupt();
  });
  mlir::Attribute command =
      mlir::parseAttribute("#baco.loop_permute<order = \"order\">", &context);
  ASSERT_TRUE(nest && command);
  CommandKnob knob;
  knob.name = "order";
  for (const char *order :
       {"array<i64: 0, 1, 2>", "array<i64: 0, 2, 1>", "array<i64: 1, 0, 2>",
        "array<i64: 1, 2, 0>", "array<i64: 2, 0, 1>", "array<i64: 2, 1, 0>"})
    knob.values.push_back(mlir::parseAttribute(order, &context));
  JudgeOptions options;
  unsigned numAsked = 0;
  options.isExcluded = [&](llvm::ArrayRef<std::optional<size_t>>) {
    ++numAsked;
    return true;
  };
  for (unsigned maxSteps : {2u, 10u}) {
    options.maxSteps = maxSteps;
    numAsked = 0;
    mlir::FailureOr<CommandLegality> verdict =
        checkCommands(nest, nest, {command}, {knob}, options);
    ASSERT_TRUE(succeeded(verdict));
    EXPECT_EQ(numAsked, std::min(maxSteps, 6u));
    EXPECT_EQ(verdict->isPartial, maxSteps < 6);
  }
}

} // namespace
