//===- ApplyLibraries.cpp - Use what is tuned -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/ApplyLibraries.h"

#include "baco/Apply/ApplySchedules.h"
#include "baco/Apply/Lookup.h"
#include "baco/Apply/Sequences.h"
#include "baco/Frontend/LowerFrontEnds.h"
#include "baco/Frontend/SetInputs.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/NoTune.h"
#include "baco/Schedule/ExpandRecipes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-apply"

using namespace mlir;
using namespace baco;
using namespace baco::apply;

namespace {
/// One run on a module.
class Run {
public:
  Run(ModuleOp module, const ApplyOptions &options)
      : module(module), options(options) {}

  FailureOr<Applied> run();

private:
  LogicalResult openLibraries();
  LogicalResult prepareModule();
  LogicalResult takeSchedule();
  LogicalResult findAsWritten();
  LogicalResult findEntries();
  LogicalResult explain(func::FuncOp function, const FunctionKey &key,
                        const LookupResult &result);
  void use(func::FuncOp function, const LookupResult &result);
  void removeMarks();
  void report(func::FuncOp function, StringRef problem);

  ModuleOp module;
  const ApplyOptions &options;
  std::optional<Lookup> lookup;
  llvm::StringSet<> entries;
  /// The schedule that the module has; null: none.
  OwningOpRef<ModuleOp> written;
  /// By function: why its entry as it is written isn't used.
  llvm::StringMap<std::string> unfit;
  SmallVector<ScheduledKernel> kernels;
  /// Schedules for functions that have other names than those that were tuned.
  SmallVector<OwningOpRef<ModuleOp>> copies;
  Applied applied;
};
} // namespace

Result<ApplyMode> apply::parseApplyMode(StringRef text) {
  if (text == "frozen")
    return ApplyMode::Frozen;
  if (text == "warn")
    return ApplyMode::Warn;
  if (text == "tune")
    return ApplyMode::Tune;
  return Error{ErrorCode::InvalidArgument,
               "mode must be frozen, warn or tune, but is '" + text.str() +
                   "'"};
}

LogicalResult Run::openLibraries() {
  if (options.libraries.empty())
    return emitError(module->getLoc(),
                     "no library to apply: name a file by the option "
                     "'library'");
  FailureOr<Lookup> opened =
      Lookup::open(options.libraries, options.machine, module.getLoc());
  if (failed(opened))
    return failure();
  lookup.emplace(std::move(*opened));
  return success();
}

/// The remarks of intake were made when the module was tuned.
LogicalResult Run::prepareModule() {
  ScopedDiagnosticHandler quiet(
      module.getContext(), [](Diagnostic &diagnostic) {
        return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
      });
  frontend::PrepareOptions in = options.intake;
  in.onShapes = [&](ModuleOp, frontend::RequestedShapes &shapes) {
    if (failed(lookup->addShapes(
            module, shapes, [this](func::FuncOp function, StringRef problem) {
              report(function, problem);
            })))
      return failure();
    applied.shapes = shapes;
    return success();
  };
  FailureOr<frontend::PreparedModule> taken =
      frontend::prepareModule(module, in);
  if (failed(taken))
    return failure();
  entries = std::move(taken->entries);
  return success();
}

/// `text` with control characters as MLIR escapes them: names may have any.
static std::string onOneLine(StringRef text) {
  std::string line;
  for (char c : text)
    if (llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80)
      line += c;
    else
      line += "\\" + llvm::toHex(StringRef(&c, 1));
  return line;
}

LogicalResult Run::explain(func::FuncOp function, const FunctionKey &key,
                           const LookupResult &result) {
  if (!options.explains)
    return success();
  FailureOr<std::vector<std::string>> lines =
      lookup->explainAll(key, result.entry);
  if (failed(lines))
    return failure();
  for (const std::string &line : *lines)
    emitRemark(function.getLoc()) << onOneLine(line);
  return success();
}

void Run::use(func::FuncOp function, const LookupResult &result) {
  const StoredEntry &stored = *result.entry;
  LDBG() << "'" << function.getName() << "' has an entry in "
         << result.library->file();
  applied.used.push_back({function.getName().str(), function.getLoc(),
                          stored.entry, result.library->file()});
  if (!stored.entry.kept || stored.entry.kept == Kept::Plain) {
    ++applied.kept;
    return;
  }
  ++applied.scheduled;
  std::string name = function.getName().str();
  std::string origin =
      "'@" + stored.sequence + "' in " + result.library->file();
  if (name == stored.entry.key.name || stored.entry.isStock)
    return kernels.push_back(
        {name, stored.schedule, stored.sequence, stored.entry.isStock, origin});
  copies.push_back(
      copyFor(stored.schedule, stored.sequence, stored.entry.key.name, name));
  kernels.push_back({name, *copies.back(), stored.sequence,
                     /*isForFunction=*/false, origin});
}

LogicalResult Run::takeSchedule() {
  FailureOr<OwningOpRef<ModuleOp>> taken = schedule::takeSchedule(module);
  if (failed(taken))
    return failure();
  written =
      options.schedule ? ModuleOp(options.schedule).clone() : std::move(*taken);
  return success();
}

/// Functions with a schedule by hand are not taken in.
LogicalResult Run::findAsWritten() {
  if (!lookup->hasAsWritten())
    return success();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || isNoTune(function))
      continue;
    FunctionKey key =
        FunctionKey::of(function, written ? *written : ModuleOp());
    FailureOr<LookupResult> result = lookup->find(key, /*isAsWritten=*/true);
    if (failed(result))
      return failure();
    bool isUnfit = result->isUnfit ||
                   (written && result->changed && result->changed->isAsWritten);
    // Intake may make something of it that has another entry.
    bool isOpen = !result->entry && !written && mayBeKernel(function);
    if (isUnfit && isOpen)
      unfit[function.getName()] = result->problem;
    if (isOpen || (!result->entry && !isUnfit))
      continue;
    if (failed(explain(function, key, *result)))
      return failure();
    if (result->entry)
      use(function, *result);
    else
      report(function, result->problem);
    markNoTune(function);
  }
  return success();
}

void Run::report(func::FuncOp function, StringRef problem) {
  ++applied.missing;
  if (options.mode == ApplyMode::Frozen)
    emitError(function.getLoc()) << onOneLine(problem);
  else
    emitWarning(function.getLoc()) << onOneLine(problem);
}

LogicalResult Run::findEntries() {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!entries.contains(function.getName()) || !mayBeKernel(function))
      continue;
    FunctionKey key =
        FunctionKey::of(function, written ? *written : ModuleOp());
    FailureOr<LookupResult> result = lookup->find(key, /*isAsWritten=*/false);
    if (failed(result))
      return failure();
    if (failed(explain(function, key, *result)))
      return failure();
    if (result->entry)
      use(function, *result);
    else if (auto other = unfit.find(function.getName()); other != unfit.end())
      report(function, other->second);
    else
      report(function, result->problem);
  }
  return failure(options.mode == ApplyMode::Frozen && applied.missing > 0);
}

/// Removes what only a tuner has to know: else functions would change that
/// shouldn't.
void Run::removeMarks() {
  schedule::removeRecipes(module);
  frontend::removeInputs(module);
  for (auto function : module.getOps<func::FuncOp>())
    function->removeDiscardableAttr(BacoDialect::kFingerprint);
}

FailureOr<Applied> Run::run() {
  if (failed(openLibraries()) ||
      failed(
          frontend::lowerFrontEnds(module, options.intake.hasMemorySpaces)) ||
      failed(takeSchedule()) || failed(findAsWritten()) ||
      failed(prepareModule()) || failed(findEntries()))
    return failure();
  removeMarks();
  InterfaceKeeper interface(module, options.interface);
  FailureOr<llvm::StringSet<>> failures = applySchedules(
      module, kernels, /*leavesOut=*/options.mode != ApplyMode::Frozen);
  if (failed(failures))
    return failure();
  applied.scheduled -= failures->size();
  applied.missing += failures->size();
  llvm::erase_if(applied.used, [&](const UsedEntry &used) {
    return failures->contains(used.function);
  });
  llvm::StringSet<> scheduled;
  for (const ScheduledKernel &kernel : kernels)
    if (!failures->contains(kernel.function))
      scheduled.insert(kernel.function);
  if (failed(interface.finish(scheduled)))
    return failure();
  return applied;
}

FailureOr<Applied> apply::applyLibraries(ModuleOp module,
                                         const ApplyOptions &options) {
  return Run(module, options).run();
}
