//===- BacoPlugin.cpp - baco in a stock mlir-opt --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect and the passes as a plugin. `--load-dialect-plugin` and
// `--load-pass-plugin` both work, and the first alone is enough.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/BacoDialect.h"
#include "baco/Target/Pipelines.h"
#include "baco/Transforms/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

/// Makes `--baco-autotune[=OPTIONS]` a flag of the tool that loads the plugin.
/// The tool collects the flags of passes before it loads plugins, so that ours
/// would be unknown to it; this flag says the same through `--pass-pipeline`.
static void defineAutotuneFlag() {
  static llvm::cl::opt<std::string> flag(
      "baco-autotune", llvm::cl::ValueOptional,
      llvm::cl::desc("Tune the kernels of the module (options of the pass)"),
      llvm::cl::callback([](const std::string &options) {
        auto &all = llvm::cl::getRegisteredOptions();
        auto pipeline = all.find("pass-pipeline");
        if (pipeline == all.end())
          return;
        pipeline->second->addOccurrence(
            /*pos=*/0, "pass-pipeline",
            "builtin.module(baco-autotune{" + options + "})");
      }));
}

/// Registers the passes, unless the other kind of plugin has done so. False if
/// the tool is one of our own: it has all that is here.
static bool registerPasses() {
  static bool done = false;
  if (done)
    return true;
  if (mlir::PassInfo::lookup("baco-autotune"))
    return false;
  done = true;
  baco::registerBacoPasses();
  baco::target::registerTargetPipelines();
  defineAutotuneFlag();
  return true;
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Baco", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            if (registerPasses())
              registry->insert<baco::BacoDialect>();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Baco", LLVM_VERSION_STRING,
          [] { registerPasses(); }};
}
