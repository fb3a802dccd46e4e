//===- PrepareModule.cpp - Make what can be tuned run alone ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/PrepareModule.h"

#include "baco/Frontend/LowerFrontEnds.h"
#include "baco/Frontend/OutlineKernels.h"
#include "baco/Frontend/SetInputs.h"
#include "baco/Frontend/SpecializeShapes.h"
#include "baco/GlobalOptimization/PointwiseConvolutions.h"
#include "baco/GlobalOptimization/TransposeConstants.h"
#include "baco/GpuSchedule/AnnotateGpu.h"
#include "baco/IR/NoTune.h"
#include "baco/Schedule/Annotate.h"
#include "baco/Schedule/Bufferize.h"

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
  // Some passes leave other functions as they are.
  std::string entry =
      options.entry.empty() ? std::string() : "entry=" + options.entry;
  auto noteForEntry = [&](const std::string &pass, std::string passOptions) {
    if (!passOptions.empty() && !entry.empty())
      passOptions += " ";
    passOptions += entry;
    note(passOptions.empty() ? pass : pass + "=" + passOptions);
  };
  globalopt::convertToChannelsLast(
      module, {.layout = options.layout, .entry = options.entry});
  noteForEntry("baco-channels-last",
               options.layout == globalopt::Layout::Auto
                   ? ""
                   : "layout=" + globalopt::nameOf(options.layout).str());
  if (options.transposesConstants) {
    globalopt::transposeConstants(module);
    note("baco-transpose-constants");
  }
  globalopt::WinogradOptions winograd = options.winograd;
  winograd.entry = options.entry;
  if (winograd.isMeasured && !options.onWinograd)
    return module.emitError()
           << "winograd: only a search measures; give off, 2, 4 or the list "
              "that the search has named";
  if (winograd.isMeasured && failed(options.onWinograd(module, winograd)))
    return failure();
  globalopt::applyWinograd(module, winograd);
  noteForEntry("baco-winograd", "tile=" + globalopt::writeWinograd(winograd));
  if (options.flattensConvolutions) {
    globalopt::convertPointwise(module, options.entry);
    noteForEntry("baco-pointwise-convolutions", "");
  }
  if (options.padsResults) {
    padResults(module, options.entry);
    noteForEntry("baco-pad-results", "");
  }
  outlineKernels(
      module, {.entry = options.entry, .hasLibraries = options.hasLibraries});
  noteForEntry("baco-outline-kernels", "");
  FailureOr<RequestedShapes> shapes = readShapeOption(module, options.shapes);
  if (failed(shapes) || failed(addFileShapes(module, *shapes)) ||
      (options.onShapes && failed(options.onShapes(module, *shapes))) ||
      failed(specializeShapes(module, *shapes)))
    return failure();
  note("baco-specialize-shapes" +
       (shapes->empty() ? "" : "=shape=" + writeShapes(*shapes)));
  if (options.decomposes) {
    size_t count = taken.passes.size();
    OwningOpRef<ModuleOp> source;
    if (options.keepsSource)
      source = module.clone();
    schedule::decomposeForGpu(module);
    note("baco-decompose-for-gpu");
    if (taken.passes.size() == count)
      source = nullptr;
    // Functions have the same types in both.
    if (source && schedule::hasTensors(*source) &&
        !schedule::hasTensors(module) && failed(schedule::bufferize(*source)))
      return failure();
    taken.source = std::move(source);
  }
  taken.entries = findEntries(module, options.entry, names);
  return std::move(taken);
}
