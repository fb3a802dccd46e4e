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

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/OpenClDialect.h"
#include "baco/Recipe/RegisterRecipes.h"
#include "baco/Target/CPU/MachineCode.h"
#include "baco/Transforms/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

namespace cl = llvm::cl;

/// The pass or pipeline that is registered under `name`; null if none is.
static const mlir::PassRegistryEntry *lookUp(llvm::StringRef name) {
  if (const auto *pass = mlir::PassInfo::lookup(name))
    return pass;
  return mlir::PassPipelineInfo::lookup(name);
}

namespace {
/// The flags of passes, ours and the tool's, as one `--pass-pipeline`. A tool
/// collects the flags of passes before it loads plugins, so that ours would be
/// unknown to it, and refuses a pipeline beside flags of passes. So the tool's
/// own flags give way to these, which know all passes.
class PassFlags {
public:
  /// \param flags     the tool's option that has a flag for each pass
  /// \param pipeline  the tool's `--pass-pipeline`
  PassFlags(cl::Option &flags, cl::Option &pipeline) : pipeline(pipeline) {
    std::vector<std::string> names = {
        "baco-annotate",          "baco-apply",
        "baco-autotune",          "baco-concretize",
        "baco-expand-recipes",    "baco-extract-space",
        "baco-fingerprint",       "baco-lower-to-cpu",
        "baco-lower-front-ends",  "baco-outline-kernels",
        "baco-specialize-shapes", "baco-transpose-constants"};
    for (auto &[name, option] : cl::getRegisteredOptions())
      if (option == &flags && lookUp(name))
        names.push_back(name.str());
    flags.removeArgument();
    for (const char *name : {"pass-pipeline", "p"})
      replacePipeline(name);
    for (const std::string &name : names)
      add(*lookUp(name));
  }

private:
  using Flag = cl::opt<std::string>;

  void add(const mlir::PassRegistryEntry &entry) {
    options.push_back(std::make_unique<Flag>(
        entry.getPassArgument(), cl::desc(entry.getPassDescription()),
        cl::ValueOptional, cl::ZeroOrMore,
        cl::callback(
            [this, &entry](const std::string &text) { append(entry, text); })));
  }

  /// Takes the place of the tool's option of that name, to see what is given
  /// beside flags of passes.
  void replacePipeline(llvm::StringRef name) {
    auto &all = cl::getRegisteredOptions();
    auto old = all.find(name);
    if (old == all.end())
      return;
    old->second->removeArgument();
    options.push_back(std::make_unique<Flag>(
        name, cl::desc("Textual description of the pipeline to run"),
        cl::callback([this](const std::string &text) {
          if (!items.empty())
            refuseBoth();
          pipeline.addOccurrence(/*pos=*/0, "pass-pipeline", text);
        })));
  }

  /// Adds a pass to those that the flags before it name.
  void append(const mlir::PassRegistryEntry &entry, llvm::StringRef text) {
    std::string item = entry.getPassArgument().str();
    if (!text.empty())
      item += "{" + text.str() + "}";
    std::string anchor = anchorOf(entry, text);
    if (!anchor.empty())
      item = anchor + "(" + item + ")";
    if (items.empty() && pipeline.getNumOccurrences() > 0)
      refuseBoth();
    items += (items.empty() ? "" : ",") + item;
    pipeline.addOccurrence(/*pos=*/0, "pass-pipeline", written());
  }

  std::string written() const { return "builtin.module(" + items + ")"; }

  /// As the tool does without us.
  [[noreturn]] static void refuseBoth() {
    llvm::errs()
        << "'-pass-pipeline' option can't be used with individual pass "
           "options\n";
    exit(EXIT_FAILURE);
  }

  /// The op that a pass is for, if not for modules: the tool nests such a pass
  /// by itself, but in a pipeline the op must be named. Passes don't tell, but
  /// managers write it.
  static std::string anchorOf(const mlir::PassRegistryEntry &entry,
                              llvm::StringRef text) {
    mlir::OpPassManager manager("builtin.module",
                                mlir::OpPassManager::Nesting::Implicit);
    auto complain = [](const llvm::Twine &message) {
      llvm::errs() << message << "\n";
      return mlir::failure();
    };
    if (failed(entry.addToPipeline(manager, text, complain)))
      exit(EXIT_FAILURE);
    std::string printed;
    llvm::raw_string_ostream stream(printed);
    manager.printAsTextualPipeline(stream);
    llvm::StringRef first = printed;
    first.consume_front("builtin.module(");
    size_t end = first.find_first_of("({,)");
    bool isNested = end != llvm::StringRef::npos && first[end] == '(';
    return isNested ? first.take_front(end).str() : "";
  }

  cl::Option &pipeline;
  std::vector<std::unique_ptr<Flag>> options;
  /// The passes so far.
  std::string items;
};
} // namespace

/// Makes our passes flags of the tool that loads the plugin, if it is like
/// mlir-opt.
static void defineFlags() {
  auto &all = cl::getRegisteredOptions();
  auto pipeline = all.find("pass-pipeline"), anyPass = all.find("canonicalize");
  if (pipeline == all.end() || anyPass == all.end())
    return;
  static PassFlags flags(*anyPass->second, *pipeline->second);
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
  baco::target::enableDebugOutput();
  baco::registerBacoPasses();
  baco::target::registerTargetPipelines();
  defineFlags();
  return true;
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Baco", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            if (registerPasses()) {
              registry->insert<baco::BacoDialect, baco::OpenClDialect>();
              baco::registerRecipes(*registry);
            }
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Baco", LLVM_VERSION_STRING,
          [] { registerPasses(); }};
}
