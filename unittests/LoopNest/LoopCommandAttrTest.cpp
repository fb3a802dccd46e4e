//===- LoopCommandAttrTest.cpp - Commands as attributes -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/LoopCommands.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace baco;
using polyhedral::LoopCommandInfo;
using polyhedral::loopCommands;

namespace {

struct LoopCommandAttrTest : testing::Test {
  LoopCommandAttrTest() { context.loadDialect<BacoDialect>(); }

  /// Null after an error, which `message` then says.
  LoopCommandAttr parse(const std::string &text) {
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
      message = d.str();
      return mlir::success();
    });
    return mlir::dyn_cast_or_null<LoopCommandAttr>(
        mlir::parseAttribute(text, &context));
  }

  mlir::MLIRContext context;
  std::string message;
};

/// The examples are in the documentation.
TEST_F(LoopCommandAttrTest, EachExampleReadsAsItPrints) {
  for (const LoopCommandInfo &info : loopCommands()) {
    std::string text =
        "#baco." + std::string(info.mnemonic) + std::string(info.example);
    LoopCommandAttr command = parse(text);
    ASSERT_TRUE(command) << text << ": " << message;
    EXPECT_EQ(command.getKind(), info.kind);
    std::string printed;
    llvm::raw_string_ostream(printed) << command;
    EXPECT_EQ(printed, text);
  }
}

/// Scripts print and read the same commands as attributes.
TEST_F(LoopCommandAttrTest, EachExampleIsACommandOfAScript) {
  for (const LoopCommandInfo &info : loopCommands()) {
    LoopCommandAttr command = parse("#baco." + std::string(info.mnemonic) +
                                    std::string(info.example));
    ASSERT_TRUE(command) << message;
    auto script = parseLoopScript(&context, toLoopCommand(command).str(), [&] {
      return mlir::emitError(mlir::UnknownLoc::get(&context));
    });
    ASSERT_TRUE(mlir::succeeded(script)) << toLoopCommand(command).str();
    EXPECT_EQ(script->size(), 1u);
    EXPECT_EQ((*script)[0], command);
  }
}

TEST_F(LoopCommandAttrTest, ErrorsNameTheArgument) {
  EXPECT_FALSE(parse("#baco.loop_tile<statement = 0, loop = 1>"));
  EXPECT_EQ(message, "loop_tile needs 'size'");
  EXPECT_FALSE(parse("#baco.loop_tile<statement = 0, loops = 1>"));
  EXPECT_EQ(message, "loop_tile has no 'loops'");
  EXPECT_FALSE(parse("#baco.loop_reverse<loop = 1, statement = 0, loop = 2>"));
  EXPECT_EQ(message, "loop_reverse has 'loop' twice");
  EXPECT_FALSE(parse("#baco.loop_reverse<statement = 0, loop = 1 : i32>"));
  EXPECT_EQ(message, "loop must be an integer, a knob or the name of one, but "
                     "is \"`1 : i32`\"");
  EXPECT_FALSE(parse("#baco.loop_reverse<statement = true, loop = 1>"));
  EXPECT_EQ(message, "statement must be an integer, a knob or the name of one, "
                     "but is \"`true`\"");
  EXPECT_FALSE(parse("#baco.loop_turn<loop = 1>"));
  EXPECT_EQ(message, "unknown attribute `loop_turn` in dialect `baco`");
}

} // namespace
