//===- Kernel.cpp - Kernels of a module -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/Kernel.h"

#include "CallCounts.h"
#include "KernelNotes.h"
#include "Programs.h"
#include "RemarksByKind.h"
#include "baco/Analysis/MatrixProduct.h"
#include "baco/Frontend/LowerFrontEnds.h"
#include "baco/Frontend/PrepareModule.h"
#include "baco/Frontend/SetInputs.h"
#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/Walk.h"
#include "baco/KernelAnalysis/KernelSignature.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Schedule/ExtractSpace.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;

Result<std::unique_ptr<llvm::MemoryBuffer>>
driver::openMlir(const std::string &file) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(file, &message);
  if (!buffer)
    return Error{ErrorCode::InvalidArgument, message};
  if (isBytecode(*buffer))
    return std::move(buffer);
  auto isControl = [](char c) {
    return (c >= 0 && c < ' ' && !StringRef("\t\n\v\f\r").contains(c)) ||
           c == 0x7f;
  };
  StringRef text = buffer->getBuffer();
  const char *control = llvm::find_if(text, isControl);
  if (control != text.end())
    return Error{
        ErrorCode::InvalidArgument,
        "'" + file + "' is neither MLIR text nor MLIR bytecode: byte " +
            std::to_string(control - text.begin()) + " is a control character"};
  return std::move(buffer);
}

frontend::PrepareOptions KernelOptions::preparation() const {
  frontend::PrepareOptions options{.entry = entry,
                                   .shapes = shapes,
                                   .hasLibraries = hasLibraries,
                                   .layout = layout,
                                   .winograd = winograd};
  target->choosePreparation(options);
  return options;
}

FailureOr<Space> driver::extractSpace(const Kernel &kernel,
                                      bool ignoreAdvisory) {
  schedule::ExtractOptions options;
  if (!kernel.isAnnotated)
    options.payload = kernel.payload.get();
  options.host = kernel.host ? &*kernel.host : nullptr;
  options.looksAtTransformTiles = kernel.isScheduled;
  options.ignoreAdvisory = ignoreAdvisory;
  return schedule::extractSpace(kernel.schedule.get(),
                                schedule::defaultSequence, options);
}

FailureOr<OwningOpRef<ModuleOp>> driver::readSchedule(ModuleOp module,
                                                      const std::string &file) {
  Result<std::unique_ptr<llvm::MemoryBuffer>> buffer = openMlir(file);
  if (!buffer)
    return emitError(module->getLoc())
           << "schedule: " << buffer.error().message;
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(*buffer), SMLoc());
  OwningOpRef<ModuleOp> parsed =
      parseSourceFile<ModuleOp>(sources, module.getContext());
  if (!parsed)
    return failure();
  FailureOr<OwningOpRef<ModuleOp>> schedule = schedule::takeSchedule(*parsed);
  if (failed(schedule))
    return failure();
  if (!*schedule)
    return emitError(module->getLoc())
           << "schedule '" << file << "' has no transform.named_sequence";
  return schedule;
}

/// Makes the sequence `name` of `schedule` the one that it starts with; empty:
/// it is the usual one.
static LogicalResult startWith(ModuleOp schedule, StringRef name) {
  MLIRContext *context = schedule.getContext();
  StringRef usual = schedule::defaultSequence;
  SymbolTable symbols(schedule);
  auto first =
      symbols.lookup<transform::NamedSequenceOp>(name.empty() ? usual : name);
  if (!first) {
    std::string names;
    for (auto sequence : schedule.getOps<transform::NamedSequenceOp>())
      names += (names.empty() ? "'@" : ", '@") + sequence.getName().str() + "'";
    InFlightDiagnostic error = schedule.emitError()
                               << "no transform.named_sequence '@"
                               << (name.empty() ? usual : name)
                               << "' to start the schedule with";
    if (!names.empty())
      error << "; choose one of " << names << " by the option 'sequence'";
    return error;
  }
  if (first.getName() == usual)
    return success();
  // The other one may be used, too.
  if (Operation *other = symbols.lookup(usual)) {
    std::string free = usual.str();
    while (symbols.lookup(free))
      free += "_";
    if (failed(symbols.rename(other, StringAttr::get(context, free))))
      return failure();
  }
  return symbols.rename(first, StringAttr::get(context, usual));
}

/// For a message: which functions could be run.
static std::string listFunctions(ModuleOp module) {
  std::string names;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      names += (names.empty() ? "'@" : ", '@") + function.getName().str() + "'";
  return names.empty() ? ": the module has none with a body"
                       : ": there are " + names;
}

/// The function that a hand-written schedule is measured by.
static FailureOr<func::FuncOp> findEntry(ModuleOp module, StringRef entry) {
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() &&
        (entry.empty() ? function.isPublic() : function.getName() == entry))
      candidates.push_back(function);
  if (candidates.size() == 1)
    return candidates.front();
  if (!entry.empty())
    return emitError(module->getLoc())
           << "no function '@" << entry << "' to run" << listFunctions(module);
  if (candidates.empty())
    return emitError(module->getLoc(), "no public function to run");
  InFlightDiagnostic diagnostic =
      emitError(module->getLoc())
      << candidates.size()
      << " public functions: say which one to run with the "
         "option 'entry'";
  for (func::FuncOp candidate : candidates)
    diagnostic.attachNote(candidate.getLoc())
        << "'@" << candidate.getName() << "'";
  return diagnostic;
}

/// The first op in `function` with a recipe if no recipe there has a knob; null
/// if one does.
static Operation *findConstantRecipe(func::FuncOp function) {
  Operation *first = nullptr;
  WalkResult walk = function->walk([&](Operation *op) {
    auto recipe = op->getAttrOfType<RecipeAttr>(BacoDialect::kRecipe);
    if (recipe && !first)
      first = op;
    return recipe && !recipe.getKnobs().empty() ? WalkResult::interrupt()
                                                : WalkResult::advance();
  });
  return walk.wasInterrupted() ? nullptr : first;
}

/// The reason why a recipe without knobs makes no kernel, and the remedy.
static StringRef explainConstantRecipe(bool isWritten) {
  return isWritten ? "the recipe has no #baco.knob; write one in place of a "
                     "constant, or apply the recipe as it is with "
                     "--baco-expand-recipes and --transform-interpreter"
                   : "each op here has one schedule only; apply it with "
                     "--baco-annotate, --baco-expand-recipes and "
                     "--transform-interpreter, or tune larger shapes";
}

/// Prepares the copy of `function` in `payload` to be run.
static void prepareToCall(func::FuncOp function, ModuleOp payload) {
  auto kernel = payload.lookupSymbol<func::FuncOp>(function.getName());
  target::promiseAlignments(function, kernel);
  frontend::makeCallable(kernel);
}

/// The copy of `function` that gives the right results: that in `source`, the
/// module before it was decomposed; null if `source` is.
static FailureOr<OwningOpRef<ModuleOp>> copySource(ModuleOp source,
                                                   func::FuncOp function) {
  if (!source)
    return OwningOpRef<ModuleOp>();
  FailureOr<OwningOpRef<ModuleOp>> copy =
      schedule::isolate(source, function.getName());
  if (failed(copy))
    return failure();
  schedule::removeRecipes(**copy);
  prepareToCall(function, **copy);
  return copy;
}

/// The kernel of a function with recipes; `host`: see schedule::expandRecipes.
static FailureOr<Kernel> expandKernel(ModuleOp module, func::FuncOp function,
                                      CallCounts &calls,
                                      const schedule::HostInfo *host) {
  FailureOr<OwningOpRef<ModuleOp>> payload =
      schedule::isolate(module, function.getName());
  if (failed(payload))
    return failure();
  // A function that the kernel calls is a kernel of its own.
  for (auto other : (*payload)->getOps<func::FuncOp>())
    if (other.getName() != function.getName())
      other->walk([](Operation *op) { op->removeAttr(BacoDialect::kRecipe); });
  FailureOr<OwningOpRef<ModuleOp>> schedule =
      schedule::expandRecipes(**payload, host);
  if (failed(schedule))
    return failure();
  schedule::removeRecipes(**payload);
  prepareToCall(function, **payload);
  return Kernel{function.getName().str(), function.getLoc(),
                std::move(*payload),      std::move(*schedule),
                countFlops(function),     calls.of(function)};
}

/// One kernel for each of `entries` with recipes. An invalid one doesn't
/// prevent the others from being tuned, and one without choices isn't an error
/// beside others, or where some are known. `written` are those with recipes by
/// hand; `source`: see copySource.
static FailureOr<FoundKernels> expandKernels(ModuleOp module, ModuleOp source,
                                             const KernelOptions &options,
                                             const llvm::StringSet<> &entries,
                                             const llvm::StringSet<> &written) {
  FoundKernels found;
  SmallVector<std::pair<Operation *, StringRef>> constant;
  CallCounts calls(module);
  std::optional<schedule::HostInfo> host = options.cpuHost();
  for (auto function : module.getOps<func::FuncOp>()) {
    StringRef name = function.getName();
    if (!hasRecipe(function) || !entries.contains(name))
      continue;
    if (Operation *op = findConstantRecipe(function)) {
      constant.emplace_back(op, explainConstantRecipe(written.contains(name)));
      continue;
    }
    // Annotation already adds such rules for the host.
    bool isAnnotated = !written.contains(name);
    FailureOr<Kernel> kernel = expandKernel(
        module, function, calls, isAnnotated || !host ? nullptr : &*host);
    FailureOr<OwningOpRef<ModuleOp>> before = copySource(source, function);
    if (succeeded(kernel) && succeeded(before)) {
      kernel->source = std::move(*before);
      kernel->isAnnotated = isAnnotated;
      kernel->host = host;
      kernel->costCpu = options.costCpu;
      kernel->target = options.target;
      found.kernels.push_back(std::move(*kernel));
    } else {
      found.isIncomplete = true;
    }
  }
  if (!found.kernels.empty() || (options.known && !found.isIncomplete)) {
    for (auto [op, why] : constant)
      op->emitWarning() << "nothing to choose, so that the function stays as "
                           "it is: "
                        << why;
    return std::move(found);
  }
  for (auto [op, why] : constant)
    op->emitError() << "nothing to tune: " << why;
  if (found.isIncomplete || !constant.empty())
    return failure();
  Operation *root = options.entry.empty() ? module.getOperation()
                                          : module.lookupSymbol(options.entry);
  if (failed(options.target->explainNothing(module, root)))
    return failure();
  return std::move(found);
}

/// Whether there is a valid entry for `function`; without `known`, there isn't.
/// `schedule`: the hash of its schedule if that isn't its recipes.
static FailureOr<bool> isKnown(func::FuncOp function,
                               const apply::Lookup *known, bool isAsWritten,
                               StringRef schedule = {}) {
  if (!known)
    return false;
  apply::FunctionKey key = apply::FunctionKey::of(function);
  if (!schedule.empty())
    key.schedule = schedule;
  FailureOr<apply::LookupResult> result = known->find(key, isAsWritten);
  if (failed(result))
    return failure();
  return result->entry != nullptr;
}

/// Removes the known functions from `entries`, and keeps others from looking
/// into them. Returns them.
static FailureOr<SmallVector<func::FuncOp>>
leaveOutKnown(ModuleOp module, const apply::Lookup *known,
              llvm::StringSet<> &entries) {
  SmallVector<func::FuncOp> left;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!entries.contains(function.getName()) || !apply::mayBeKernel(function))
      continue;
    FailureOr<bool> skips = isKnown(function, known, /*isAsWritten=*/false);
    if (failed(skips))
      return failure();
    if (!*skips)
      continue;
    entries.erase(function.getName());
    markNoTune(function);
    left.push_back(function);
  }
  return left;
}

/// Marks the functions that have an entry as they are written.
static LogicalResult keepAsWritten(ModuleOp module,
                                   const apply::Lookup *known) {
  if (!known || !known->hasAsWritten())
    return success();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    FailureOr<bool> keeps = isKnown(function, known, /*isAsWritten=*/true);
    if (failed(keeps))
      return failure();
    if (*keeps)
      markNoTune(function);
  }
  return success();
}

/// The kernels of a module without schedule.
static FailureOr<FoundKernels> annotateKernels(ModuleOp module,
                                               const KernelOptions &options) {
  if (!options.entry.empty() && failed(findEntry(module, options.entry)))
    return failure();
  llvm::StringSet<> written;
  for (auto function : module.getOps<func::FuncOp>())
    if (hasRecipe(function))
      written.insert(function.getName());
  FailureOr<frontend::PreparedModule> taken;
  llvm::StringMap<std::string> schedules;
  decltype(FoundKernels::shapes) shapes;
  if (failed(keepAsWritten(module, options.known)))
    return failure();
  auto noteShapes = [&](ModuleOp module, frontend::RequestedShapes &requested) {
    if (options.onShapes && failed(options.onShapes(module, requested)))
      return failure();
    if (options.known &&
        failed(options.known->addShapes(module, requested,
                                        /*onProblem=*/nullptr)))
      return failure();
    for (const auto &[name, its] : requested)
      shapes.emplace_back(
          apply::FunctionKey::of(module.lookupSymbol<func::FuncOp>(name)), its);
    return success();
  };
  {
    std::optional<RemarksByKind> remarks;
    if (!options.isVerbose)
      remarks.emplace(module.getContext());
    frontend::PrepareOptions preparation = options.preparation();
    preparation.onShapes = noteShapes;
    preparation.onWinograd = options.onWinograd;
    preparation.keepsSource = true;
    taken = frontend::prepareModule(module, preparation);
    if (failed(taken))
      return failure();
    FailureOr<SmallVector<func::FuncOp>> known =
        leaveOutKnown(module, options.known, taken->entries);
    if (failed(known))
      return failure();
    for (auto function : module.getOps<func::FuncOp>())
      schedules[function.getName()] =
          apply::hashSchedule(function, /*schedule=*/{});
    frontend::setCallerValues(module);
    if (failed(frontend::setDefaultTensors(module)))
      return failure();
    options.target->annotate(module, options);
    for (func::FuncOp function : *known)
      unmarkNoTune(function);
  }
  FailureOr<FoundKernels> found = expandKernels(
      module, taken->source.get(), options, taken->entries, written);
  schedule::removeRecipes(module);
  // Known kernels would be plain in each version of a program.
  if (succeeded(found) && !options.known)
    found->programs = findPrograms(module, found->kernels, options);
  frontend::removeInputs(module);
  if (succeeded(found)) {
    found->intake = std::move(taken->passes);
    found->entries = std::move(taken->entries);
    found->schedules = std::move(schedules);
    found->shapes = std::move(shapes);
  }
  return found;
}

/// Finds the kernels of a module that front ends' forms were lowered in.
static FailureOr<FoundKernels> findKernels(ModuleOp module,
                                           const KernelOptions &options) {
  FailureOr<OwningOpRef<ModuleOp>> schedule = schedule::takeSchedule(module);
  if (succeeded(schedule) && !options.scheduleFile.empty())
    schedule = readSchedule(module, options.scheduleFile);
  if (failed(schedule) || failed(frontend::setInputs(module, options.inputs)))
    return failure();
  if (!*schedule && (!options.sequence.empty() || options.retune))
    return emitError(module->getLoc())
           << "no schedule for the option '"
           << (options.retune ? "retune" : "sequence")
           << "': give it in the file or by the option 'schedule'";
  if (*schedule) {
    if (!options.shapes.empty())
      return emitError(
          module->getLoc(),
          "shape: a schedule is applied to the file as it is; make versions "
          "by --baco-specialize-shapes, and write the schedule for these");
    llvm::StringMap<std::string> schedules;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal())
        schedules[function.getName()] =
            apply::hashSchedule(function, **schedule);
    if (failed(startWith(**schedule, options.sequence)))
      return failure();
    if (options.retune)
      schedule::reopenChoices(**schedule);
    if (hasRecipe(module))
      return emitError(module->getLoc(),
                       "both a schedule and 'baco.recipe' attributes: "
                       "remove one of them");
    FailureOr<func::FuncOp> entry = findEntry(module, options.entry);
    if (failed(entry))
      return failure();
    FailureOr<bool> skips = isKnown(*entry, options.known, /*isAsWritten=*/true,
                                    schedules[entry->getName()]);
    if (failed(skips))
      return failure();
    if (*skips)
      return FoundKernels();
    if (failed(frontend::setDefaultTensors(module)))
      return failure();
    OwningOpRef<ModuleOp> payload = module.clone();
    prepareToCall(*entry, *payload);
    FoundKernels found;
    found.kernels.push_back(
        {entry->getName().str(), entry->getLoc(), std::move(payload),
         std::move(*schedule), countFlops(*entry), std::nullopt,
         /*isAnnotated=*/false, options.cpuHost(), options.costCpu,
         /*isScheduled=*/true, options.target});
    for (auto function : module.getOps<func::FuncOp>())
      found.entries.insert(function.getName());
    found.schedules = std::move(schedules);
    frontend::removeInputs(module);
    return std::move(found);
  }

  return annotateKernels(module, options);
}

FailureOr<FoundKernels> driver::takeKernels(ModuleOp module,
                                            const KernelOptions &options) {
  TuningTarget::unmark(module);
  options.target->mark(module);
  FailureOr<bool> isLowered =
      frontend::lowerFrontEnds(module, options.preparation().hasMemorySpaces);
  if (failed(isLowered))
    return failure();
  bool allowsTF32 = options.allowsTF32 && allowTF32(module) > 0;
  FailureOr<FoundKernels> found = findKernels(module, options);
  // The payloads are copies.
  TuningTarget::unmark(module);
  if (succeeded(found) && allowsTF32)
    found->intake.insert(found->intake.begin(), "baco-allow-tf32");
  if (succeeded(found) && *isLowered)
    found->intake.insert(found->intake.begin(), "baco-lower-front-ends");
  return found;
}
