//===- PrepareModule.cpp - Make what can be tuned run alone ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/PrepareModule.h"

#include "ArgumentText.h"
#include "baco/Frontend/OutlineKernels.h"
#include "baco/Frontend/SetInputs.h"
#include "baco/Frontend/SpecializeShapes.h"
#include "baco/Frontend/TransposeConstants.h"
#include "baco/IR/NoTune.h"
#include "baco/Schedule/Annotate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace baco;

/// The functions that may become kernels; `before` are the functions that the
/// file has.
static llvm::StringSet<> findEntries(ModuleOp module, StringRef entry,
                                     const llvm::StringSet<> &before) {
  llvm::StringSet<> names;
  SmallVector<StringRef> open;
  auto add = [&](StringRef name) {
    if (names.insert(name).second)
      open.push_back(name);
  };
  if (!entry.empty())
    add(entry);
  for (auto function : module.getOps<func::FuncOp>())
    if (entry.empty())
      add(function.getName());
  while (!open.empty())
    if (auto function = module.lookupSymbol<func::FuncOp>(open.pop_back_val()))
      function.walk([&](func::CallOp call) {
        if (!before.contains(call.getCallee()))
          add(call.getCallee());
      });
  return names;
}

/// A fingerprint that tells whether a pass changes `module`, apart from marks
/// of the frontend.
static OperationFingerPrint identify(ModuleOp module) {
  SmallVector<func::FuncOp> kept;
  for (auto function : module.getOps<func::FuncOp>())
    if (unmarkNoTune(function))
      kept.push_back(function);
  OperationFingerPrint result(module);
  for (func::FuncOp function : kept)
    markNoTune(function);
  return result;
}

/// The shapes of each function that `shapes` requests; empty if it has a
/// mistake, which specializeShapes reports.
static SmallVector<frontend::RequestedShapes> readShapes(ModuleOp module,
                                                         StringRef shapes) {
  SmallVector<frontend::RequestedShapes> requested;
  auto groups = frontend::readArgumentTexts(module, shapes, "");
  if (!groups) {
    llvm::consumeError(groups.takeError());
    return {};
  }
  for (const frontend::ArgumentTexts &group : *groups) {
    std::string text;
    for (const auto &[name, extents] : group.values) {
      llvm::Expected<unsigned> argument =
          frontend::findArgument(group.function, name);
      if (!argument) {
        llvm::consumeError(argument.takeError());
        return {};
      }
      text +=
          (text.empty() ? "" : ",") + std::to_string(*argument) + "=" + extents;
    }
    auto *same = llvm::find_if(requested, [&](const auto &one) {
      return one.function == group.function;
    });
    if (same == requested.end())
      requested.push_back({group.function, text});
    else
      same->text += ";" + text;
  }
  return requested;
}

/// `shapes` with the additions of `options.onShapes`.
static FailureOr<std::string>
askForShapes(ModuleOp module, std::string shapes,
             const frontend::PrepareOptions &options) {
  if (!options.onShapes)
    return shapes;
  SmallVector<frontend::RequestedShapes> requested = readShapes(module, shapes);
  SmallVector<size_t> known;
  for (const frontend::RequestedShapes &one : requested)
    known.push_back(one.text.size());
  if (failed(options.onShapes(module, requested)))
    return failure();
  known.resize(requested.size());
  for (const auto &[one, size] : llvm::zip_equal(requested, known)) {
    StringRef added = StringRef(one.text).drop_front(size);
    added.consume_front(";");
    if (!added.empty())
      shapes += (shapes.empty() ? "" : ";") +
                func::FuncOp(one.function).getName().str() + ":" + added.str();
  }
  return shapes;
}

FailureOr<frontend::PreparedModule>
frontend::prepareModule(ModuleOp module, const PrepareOptions &options) {
  llvm::StringSet<> names;
  for (auto function : module.getOps<func::FuncOp>())
    names.insert(function.getName());
  PreparedModule taken;
  OperationFingerPrint before = identify(module);
  auto note = [&](const std::string &pass) {
    OperationFingerPrint after = identify(module);
    if (after != before)
      taken.passes.push_back(pass);
    before = after;
  };
  if (options.transposesConstants) {
    transposeConstants(module);
    note("baco-transpose-constants");
  }
  outlineKernels(
      module, {.entry = options.entry, .hasLibraries = options.hasLibraries});
  note("baco-outline-kernels");
  FailureOr<std::string> shapes = addFileShapes(module, options.shapes);
  if (succeeded(shapes))
    shapes = askForShapes(module, *shapes, options);
  if (failed(shapes) || failed(specializeShapes(module, *shapes)))
    return failure();
  note("baco-specialize-shapes" + (shapes->empty() ? "" : "=shape=" + *shapes));
  if (options.decomposes) {
    schedule::decomposeForGpu(module);
    note("baco-decompose-for-gpu");
  }
  taken.entries = findEntries(module, options.entry, names);
  return taken;
}
