//===- Dialects.cpp - The dialects that candidates use --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of upstream, because a schedule written by hand may use any of it.
// Registering is cheap: a context loads a dialect when a file uses it.
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/Dialects.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/OpenClDialect.h"
#include "baco/Recipe/RegisterRecipes.h"
#include "baco/Target/Passes.h"
#include "baco/Target/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;

void baco::target::registerDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<BacoDialect, OpenClDialect>();
  registerRecipes(registry);
}

void baco::target::registerPasses() {
  static bool done = (registerAllPasses(), registerForwardCopiesPass(), true);
  (void)done;
}

void baco::target::registerTargetPipelines() {
  registerBacoTargetPasses();
  PassPipelineRegistration<LowerToCPUOptions>(
      "baco-lower-to-cpu",
      "Lower linalg, affine, scf, vector, tensor and memref ops to the LLVM "
      "dialect, with C interfaces for public functions",
      buildLowerToCPUPipeline);
}
