//===- ModuleCompiler.cpp - Compiles the candidates of a kernel -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsing, and the steps of one compilation. What all candidates share is done
// in setUp, before the worker forks. A compilation there to warm up LLVM would
// save each child 1 ms and cost 15 ms once, which isn't worth it.
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/ModuleCompiler.h"
#include "baco/IR/BacoDialect.h"

#include "AccessReports.h"
#include "DeviceCompiler.h"
#include "FixedSteps.h"

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/KernelAnalysis/KernelSignature.h"
#include "baco/LoopNest/ExpandSoftmax.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Target/CPU/KernelObject.h"
#include "baco/Target/CPU/LowerToLoops.h"
#include "baco/Target/CPU/MachineCode.h"
#include "baco/Target/CompileModule.h"
#include "baco/Target/Passes.h"
#include "baco/Target/Pipelines.h"
#include "baco/Target/Sparse/TunedFormats.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/JSON.h"

#include <dlfcn.h>

using namespace mlir;
using namespace baco::target;
using baco::DiagnosticRecorder;
using baco::ErrorCode;
using baco::Result;
using baco::Status;
using baco::runtime::CompileFailure;
using baco::runtime::Signature;

/// The named sequence of a schedule that is run.
static constexpr StringLiteral sequence = "__transform_main";

/// The compilers for each kind of device; those for others return null.
static constexpr decltype(&makeNvidiaCompiler) deviceKinds[] = {
    makeNvidiaCompiler, makeOpenClCompiler, makeFpgaCompiler};

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  return registry;
}

ModuleCompiler::ModuleCompiler()
    : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
  context.printOpOnDiagnostic(false);
}

ModuleCompiler::~ModuleCompiler() = default;

bool ModuleCompiler::isStatic() const {
  return onDevice ? onDevice->isStatic() : costHost.has_value();
}

std::optional<baco::runtime::DeviceOptions> ModuleCompiler::device() const {
  return onDevice ? onDevice->device() : std::nullopt;
}

/// Parses a module; errors start with `what`.
static Result<OwningOpRef<ModuleOp>>
parseModule(MLIRContext &context, StringRef text, StringRef what) {
  DiagnosticRecorder recorder(&context);
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context), what);
  if (module)
    return module;
  return {ErrorCode::Corrupt,
          recorder.message((what + " doesn't parse").str())};
}

Result<OwningOpRef<ModuleOp>> ModuleCompiler::parseRunnable(StringRef text,
                                                            StringRef what) {
  auto module = parseModule(context, text, what);
  if (module && !(*module)->lookupSymbol<func::FuncOp>(entry))
    return {ErrorCode::NotFound,
            (what + ": there is no function '" + entry + "' to run").str()};
  return module;
}

/// Prepares the function that is run for the lowering.
static void prepareEntry(func::FuncOp function) {
  // The lowering doesn't support these.
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    function.removeArgAttr(i, baco::BacoDialect::kAlignment);
    function.removeArgAttr(i, baco::BacoDialect::kInput);
  }
  // Only functions with a C interface can be called.
  function.setPublic();
}

Result<void> ModuleCompiler::parseSource(StringRef text, FunctionType type) {
  auto parsed = parseRunnable(text, "source");
  if (!parsed)
    return parsed.error();
  auto function = (*parsed)->lookupSymbol<func::FuncOp>(entry);
  if (function.getFunctionType() != type)
    return {ErrorCode::Corrupt, "source: function '" + entry +
                                    "' has another type than the payload's"};
  prepareEntry(function);
  source = std::move(*parsed);
  return {};
}

Result<void> ModuleCompiler::parseSchedule(StringRef text) {
  auto parsed = parseModule(context, text, "schedule");
  if (!parsed)
    return parsed.error();
  schedule = std::move(*parsed);
  return {};
}

void ModuleCompiler::applyFixedSteps() {
  prepared = payload->clone();
  OwningOpRef<ModuleOp> rest = schedule->clone();
  OwningOpRef<ModuleOp> fixed = splitFixedSteps(*rest, sequence, *payload);
  if (!fixed)
    return;
  // Candidates report what doesn't apply.
  DiagnosticRecorder silence(&context);
  if (succeeded(applySchedule(*prepared, *fixed, sequence, entry)))
    schedule = std::move(rest);
  else
    prepared = payload->clone();
}

Result<void> ModuleCompiler::parseVersions(const llvm::json::Object &texts) {
  for (const auto &[key, value] : texts) {
    StringRef name = key;
    auto parsed = parseRunnable(value.getAsString().value_or(""),
                                ("version '" + name + "'").str());
    if (!parsed)
      return parsed.error();
    prepareEntry((*parsed)->lookupSymbol<func::FuncOp>(entry));
    versions[name] = std::move(*parsed);
  }
  return {};
}

Result<Signature>
ModuleCompiler::parsePayload(StringRef text,
                             std::optional<StringRef> sourceText) {
  auto parsedPayload = parseRunnable(text, "payload");
  if (!parsedPayload)
    return parsedPayload.error();
  payload = std::move(*parsedPayload);
  auto function = payload->lookupSymbol<func::FuncOp>(entry);
  auto signature = kernelSignature(function);
  if (!signature)
    return {ErrorCode::Unsupported, llvm::toString(signature.takeError())};
  variables = signature->variables;
  source = nullptr;
  if (sourceText)
    if (Result<void> parsed =
            parseSource(*sourceText, function.getFunctionType());
        !parsed)
      return parsed.error();
  onDevice = nullptr;
  for (auto make : deviceKinds)
    if (!onDevice)
      onDevice = make({*payload, reference(), entry, *signature});
  if (hasSparseBoundary(function)) {
    if (onDevice)
      return {
          ErrorCode::Unsupported,
          "payload: function '" + entry +
              "' takes a sparse tensor, which isn't supported on other devices "
              "than CPUs; choose --target=cpu"};
    formats = llvm::cantFail(sparseFormats(function));
  }
  prepareEntry(function);
  return std::move(*signature);
}

/// Makes the functions of a shared library known to code that is linked later.
static Result<void> loadLibrary(StringRef file) {
  if (dlopen(file.str().c_str(), RTLD_NOW | RTLD_GLOBAL))
    return {};
  return {ErrorCode::NotFound,
          std::string("--shared-libs: a library can't be loaded: ") +
              dlerror()};
}

Result<Signature> ModuleCompiler::setUp(const std::string &text) {
  auto json = llvm::json::parse(text);
  if (!json)
    return {ErrorCode::Corrupt,
            "set-up: not JSON: " + llvm::toString(json.takeError())};
  const llvm::json::Object *object = json->getAsObject();
  const llvm::json::Object *texts =
      object ? object->getObject("versions") : nullptr;
  std::optional<StringRef> values[3];
  const char *keys[3] = {"payload", "entry", "schedule"};
  for (int i = 0; i < (texts ? 2 : 3); ++i) {
    if (object)
      values[i] = object->getString(keys[i]);
    if (!values[i])
      return {ErrorCode::Corrupt,
              std::string("set-up: the string '") + keys[i] + "' is missing"};
  }
  entry = *values[1];
  if (const llvm::json::Array *libraries = object->getArray("libraries"))
    for (const llvm::json::Value &file : *libraries)
      if (Result<void> loaded = loadLibrary(file.getAsString().value_or(""));
          !loaded)
        return loaded.error();
  if (std::optional<StringRef> host = object->getString("cost-host")) {
    llvm::Expected<schedule::HostInfo> parsed =
        schedule::HostInfo::parse(*host);
    if (!parsed)
      return {ErrorCode::InvalidArgument,
              "set-up: " + llvm::toString(parsed.takeError())};
    costHost = *parsed;
    costCpu = object->getString("cost-cpu").value_or("");
    llvm::Expected<schedule::HostCpu> known =
        schedule::HostCpu::named(costCpu.empty() ? "x86-64" : costCpu);
    if (!known)
      return {ErrorCode::InvalidArgument,
              "set-up: " + llvm::toString(known.takeError())};
  }
  Result<Signature> signature =
      parsePayload(*values[0], object->getString("source"));
  if (signature)
    if (Result<void> parsed =
            texts ? parseVersions(*texts) : parseSchedule(*values[2]);
        !parsed)
      return parsed.error();
  if (signature && onDevice)
    if (Result<void> ready = onDevice->setUp(*object); !ready)
      return ready.error();
  if (signature && schedule)
    applyFixedSteps();
  if (signature && !isStatic())
    prepareToLink();
  return signature;
}

Result<void> ModuleCompiler::enterChild() {
  return onDevice ? onDevice->enterChild() : Result<void>();
}

OwningOpRef<ModuleOp> baco::target::cloneInLocalOrder(ModuleOp payload,
                                                      StringRef entry,
                                                      bool *sharesStores) {
  OwningOpRef<ModuleOp> module = payload.clone();
  // Only ops on memrefs become loops. The lowering repeats and reports a
  // failure.
  if (baco::schedule::hasTensors(*module)) {
    DiagnosticRecorder silence(payload.getContext());
    if (failed(baco::schedule::bufferize(*module)))
      module = payload.clone();
  }
  auto function = module->lookupSymbol<func::FuncOp>(entry);
  // If it has callers, two arguments may be the same buffer.
  bool changed = isNeverCalled(function) && interchangeForLocality(function);
  if (sharesStores)
    *sharesStores = changed;
  return module;
}

Compiled ModuleCompiler::finish(ModuleOp module,
                                const std::string &configuration) {
  return onDevice ? onDevice->compile(module, configuration)
                  : finishForCpu(module);
}

Compiled ModuleCompiler::finishForCpu(ModuleOp module,
                                      ArrayRef<sparse::StorageFormat> lowered) {
  auto kernel = costHost ? findCostOfModule(module, entry, *costHost, costCpu)
                         : compileModule(module, entry, clock, variables, cpu);
  if (!kernel)
    return CompileFailure{Status::CompileFailed,
                          llvm::toString(kernel.takeError())};
  if (!lowered.empty())
    kernel->formats = lowered.vec();
  kernel->object = writeObject(kernel->object, kernel->formats);
  return std::move(*kernel);
}

Compiled ModuleCompiler::compilePlain() {
  OwningOpRef<ModuleOp> module = payload->clone();
  if (onDevice)
    if (llvm::Error error = onDevice->transformPlain(*module))
      return CompileFailure{Status::TransformFailed,
                            llvm::toString(std::move(error))};
  return finish(*module, /*configuration=*/"");
}

/// A copy of the payload on memrefs, in a cheap order of loops; see
/// cloneInLocalOrder.
Result<OwningOpRef<ModuleOp>>
ModuleCompiler::cloneOnMemory(bool *sharesStores) {
  if (formats.empty())
    return cloneInLocalOrder(reference(), entry, sharesStores);
  OwningOpRef<ModuleOp> module = payload->clone();
  // The order of loops follows from the format.
  if (sharesStores)
    *sharesStores = true;
  DiagnosticRecorder recorder(&context);
  PassManager manager(&context, ModuleOp::getOperationName());
  manager.addPass(createLowerSparsePass({/*distinctArguments=*/false}));
  if (failed(manager.run(*module)))
    return {ErrorCode::Unsupported,
            recorder.message("sparse tensors can't be lowered")};
  return module;
}

Compiled ModuleCompiler::compileReference() {
  bool sharesStores = false;
  Result<OwningOpRef<ModuleOp>> module = cloneOnMemory(&sharesStores);
  if (!module)
    return CompileFailure{Status::CompileFailed, module.error().message};
  if (sharesStores)
    assumeDistinctArguments((*module)->lookupSymbol<func::FuncOp>(entry));
  return finishForCpu(**module, formats);
}

/// LLVM's vectorizers take seconds for bodies with hundreds of ops (8 s for the
/// error bound of a convolution by Winograd's algorithm, 4 x 4 results), which
/// a kernel that runs once for each input doesn't win back.
static void limitOptimization(func::FuncOp kernel) {
  constexpr size_t maxOps = 300;
  bool isLong = kernel
                    .walk([](Block *block) {
                      return block->getOperations().size() > maxOps
                                 ? WalkResult::interrupt()
                                 : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (!isLong)
    return;
  Builder builder(kernel.getContext());
  kernel->setAttr(baco::BacoDialect::kTargetOptions,
                  builder.getDictionaryAttr(builder.getNamedAttr(
                      "opt_level", builder.getI64IntegerAttr(1))));
}

bool ModuleCompiler::needsErrorBound() const {
  ModuleOp module = reference();
  return target::needsErrorBound(module.lookupSymbol<func::FuncOp>(entry));
}

Compiled ModuleCompiler::compileErrorBound() {
  Result<OwningOpRef<ModuleOp>> module = cloneOnMemory();
  if (!module)
    return CompileFailure{Status::CompileFailed, module.error().message};
  auto kernel = (*module)->lookupSymbol<func::FuncOp>(entry);
  if (failed(makeErrorBound(kernel)))
    return CompileFailure{
        Status::TransformFailed,
        "has a floating-point operation without a known error bound"};
  limitOptimization(kernel);
  return finishForCpu(**module, formats);
}

Compiled ModuleCompiler::compileChecked() {
  OwningOpRef<ModuleOp> module = reference().clone();
  DiagnosticRecorder recorder(&context);
  // Upstream has run-time checks for the accesses of loops.
  PassManager manager(&context, ModuleOp::getOperationName());
  manager.addPass(createLowerSparsePass({/*distinctArguments=*/false}));
  manager.addPass(createBufferizeTensorsPass());
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createGenerateRuntimeVerificationPass());
  baco::loopnest::expandSoftmaxes(*module);
  if (failed(manager.run(*module)))
    return CompileFailure{Status::TransformFailed,
                          recorder.message("accesses can't be checked")};
  reportFailedChecks(*module);
  return finishForCpu(*module, formats);
}

bool ModuleCompiler::needsPerturbed() const {
  ModuleOp module = reference();
  return target::needsPerturbed(module.lookupSymbol<func::FuncOp>(entry));
}

Compiled ModuleCompiler::compilePerturbed() {
  Result<OwningOpRef<ModuleOp>> module = cloneOnMemory();
  if (!module)
    return CompileFailure{Status::CompileFailed, module.error().message};
  baco::loopnest::expandSoftmaxes(**module);
  perturbRoundings(**module);
  limitOptimization((*module)->lookupSymbol<func::FuncOp>(entry));
  return finishForCpu(**module, formats);
}

Compiled ModuleCompiler::load(const std::string &object,
                              std::optional<size_t> codeOffset) {
  if (onDevice)
    if (auto loaded = onDevice->load(
            object, [&](const std::string &known) { return compile(known); }))
      return std::move(*loaded);
  std::optional<KernelObject> read = readObject(object);
  if (!read)
    return CompileFailure{Status::CompileFailed, "not a compiled kernel"};
  auto kernel = loadMachineCode(read->code, codeOffset);
  if (!kernel)
    return CompileFailure{Status::CompileFailed,
                          llvm::toString(kernel.takeError())};
  kernel->formats = std::move(read->formats);
  return std::move(*kernel);
}

baco::runtime::CodeListing
ModuleCompiler::list(const std::string &object,
                     std::span<const int64_t> places) const {
  std::optional<KernelObject> read =
      onDevice ? std::nullopt : readObject(object);
  if (!read)
    return {};
  auto listing = listHotLoop(read->code, places);
  if (listing)
    return std::move(*listing);
  // Without it, the tuner works as well.
  llvm::consumeError(listing.takeError());
  return {};
}

Compiled ModuleCompiler::compileVersion(const std::string &configuration) {
  auto json = llvm::json::parse(configuration);
  if (!json)
    return CompileFailure{Status::TransformFailed,
                          llvm::toString(json.takeError())};
  const llvm::json::Object *object = json->getAsObject();
  auto version =
      versions.find(object ? object->getString("version").value_or("") : "");
  if (version == versions.end())
    return CompileFailure{Status::TransformFailed,
                          "there is no such version: " + configuration};
  OwningOpRef<ModuleOp> module = version->second->clone();
  return finish(*module, configuration);
}

Compiled ModuleCompiler::compile(const std::string &configuration) {
  if (!versions.empty())
    return compileVersion(configuration);
  auto assignment = readAssignment(configuration);
  if (!assignment)
    return CompileFailure{Status::TransformFailed, assignment.error().message};
  OwningOpRef<ModuleOp> module = prepared->clone();
  OwningOpRef<ModuleOp> script = schedule->clone();
  {
    DiagnosticRecorder recorder(&context);
    if (failed(schedule::concretize(*script, sequence, *assignment)))
      return CompileFailure{Status::TransformFailed,
                            recorder.message("the choices can't be resolved")};
    PhaseClock::lap(clock, "concretize");
    if (failed(applySchedule(*module, *script, sequence, entry)))
      return CompileFailure{Status::TransformFailed,
                            recorder.message("the schedule doesn't apply")};
    PhaseClock::lap(clock, "transform");
  }
  return finish(*module, configuration);
}
