//===- baco-opt.cpp - mlir-opt with baco ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt with our dialect, passes and pipelines; also built under the name
// mlir-opt.
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/OpenClDialect.h"
#include "baco/Recipe/RegisterRecipes.h"
#include "baco/Target/CPU/MachineCode.h"
#include "baco/Transforms/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  baco::target::enableDebugOutput();
  mlir::registerAllPasses();
  baco::registerBacoPasses();
  baco::target::registerTargetPipelines();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<baco::BacoDialect, baco::OpenClDialect>();
  baco::registerRecipes(registry);

  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "baco optimizer driver\n", registry));
}
