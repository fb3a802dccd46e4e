//===- TestHelpers.h - Parsing in tests ----------------------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_TARGET_TESTHELPERS_H
#define BACO_UNITTESTS_TARGET_TESTHELPERS_H

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/IR/DiagnosticRecorder.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace baco::target {

/// A context with everything registered, and modules in it.
class ModuleTest : public ::testing::Test {
protected:
  ModuleTest() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {}

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context));
    EXPECT_TRUE(module) << text.str();
    return module;
  }

  mlir::MLIRContext context;

private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry result;
    registerDialects(result);
    return result;
  }
};

} // namespace baco::target

#endif // BACO_UNITTESTS_TARGET_TESTHELPERS_H
