//===- MlirKernels.cpp - Kernels in MLIR ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tuner runs as a program of its own, as users run it; what it wrote is
// compiled by the compiler of the worker.
//
//===----------------------------------------------------------------------===//

#include "MlirKernels.h"

#include "MlirFiles.h"
#include "StockSparsifier.h"

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/Driver/Kernel.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/KernelAnalysis/KernelSignature.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Target/CompileModule.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace baco;
using namespace baco::benchmarks;

static constexpr StringLiteral entry = "kernel";

/// What the tuner complained about: its first error, or its last line.
static std::string readComplaint(StringRef log) {
  auto text = llvm::MemoryBuffer::getFile(log);
  if (!text)
    return "";
  SmallVector<StringRef> lines;
  (*text)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (size_t at = line.find("error: "); at != StringRef::npos)
      return line.substr(at + StringRef("error: ").size()).str();
  return lines.empty() ? "" : lines.back().str();
}

/// The configuration in the tuner's summary.
static std::string readChoice(const std::string &file) {
  auto text = llvm::MemoryBuffer::getFile(file);
  if (!text)
    return "";
  auto summary = llvm::json::parse((*text)->getBuffer());
  if (!summary) {
    llvm::consumeError(summary.takeError());
    return "";
  }
  const llvm::json::Object *object = summary->getAsObject();
  const llvm::json::Array *kernels =
      object ? object->getArray("kernels") : nullptr;
  if (!kernels || kernels->empty())
    return "";
  const llvm::json::Object *kernel = kernels->front().getAsObject();
  const llvm::json::Value *values =
      kernel ? kernel->get("configuration") : nullptr;
  return values ? llvm::formatv("{0}", *values).str() : "";
}

std::optional<std::string>
baco::benchmarks::runLogged(const std::vector<std::string> &command,
                            const std::string &log) {
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(log),
                                          StringRef(log)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      command.front(), SmallVector<StringRef>(command.begin(), command.end()),
      std::nullopt, redirects, /*SecondsToWait=*/0, /*MemoryLimit=*/0,
      &message);
  if (status == 0)
    return std::nullopt;
  return message.empty() ? readComplaint(log) : message;
}

Tuned baco::benchmarks::tunePayload(const std::string &file, int threads,
                                    const std::string &output,
                                    const TuneSettings &settings) {
  Tuned tuned;
  if (settings.budget == 0) {
    tuned.why = "not tuned";
    return tuned;
  }
  // The unscheduled kernel, which the tuner runs for the expected results, can
  // take a minute.
  std::vector<std::string> arguments = {
      settings.driver,
      file,
      "--budget=" + std::to_string(settings.budget),
      "--seed=" + std::to_string(settings.seed),
      "--cpu=" + std::to_string(settings.cpu),
      "--output-dir=" + output,
      "--setup-timeout=1200000"};
  if (threads > 1)
    arguments.push_back("--host=threads=" + std::to_string(threads));
  if (!settings.groups)
    arguments.push_back("--groups=false");
  if (!settings.inputs.empty())
    arguments.push_back("--arg=" + settings.inputs);
  if (!settings.worker.empty())
    arguments.push_back("--worker=" + settings.worker);
  std::optional<std::string> complaint = runLogged(arguments, output + ".log");
  std::string stem = (output + "/" + llvm::sys::path::stem(file)).str();
  if (!complaint) {
    tuned.module = stem + ".tuned.mlir";
    tuned.schedule = stem + ".schedule.mlir";
    tuned.configuration = readChoice(stem + ".summary.json");
    return tuned;
  }
  tuned.hasFailed = !StringRef(*complaint).starts_with("nothing to tune");
  tuned.why = tuned.hasFailed ? "tuning failed: " + *complaint
                              : "no knobs: the plain lowering";
  return tuned;
}

MlirKernels::MlirKernels()
    : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
  context.printOpOnDiagnostic(false);
}

llvm::Expected<runtime::Signature>
MlirKernels::readSignature(const std::string &file) {
  auto module = readModule(context, file);
  if (!module)
    return module.takeError();
  auto function = (*module)->lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return llvm::createStringError("'" + file + "' has no function '" + entry +
                                   "'");
  return target::kernelSignature(function);
}

/// Erases named sequences, and modules of them.
static void dropSchedule(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<transform::NamedSequenceOp>(op) ||
        (isa<ModuleOp>(op) &&
         op.hasAttr(transform::TransformDialect::kWithNamedSequenceAttrName)))
      op.erase();
}

llvm::Expected<runtime::CompiledKernel>
MlirKernels::compile(const std::string &file, const std::string &schedule) {
  auto module = readModule(context, file);
  if (!module)
    return module.takeError();
  dropSchedule(**module);
  if (!schedule.empty()) {
    auto script = readModule(context, schedule);
    if (!script)
      return script.takeError();
    DiagnosticRecorder recorder(&context);
    if (failed(target::applySchedule(**module, **script)))
      return llvm::createStringError(
          recorder.message("the schedule doesn't apply"));
  }
  return target::compileModule(**module, entry);
}

llvm::Expected<runtime::CompiledKernel>
MlirKernels::compileSparsified(const std::string &file,
                               const std::string &optimizer,
                               const std::string &stem) {
  auto module = readModule(context, file);
  if (!module)
    return module.takeError();
  auto function = (*module)->lookupSymbol<func::FuncOp>(entry);
  auto format = storageFormat(sparse_tensor::getSparseTensorEncoding(
      function.getArgumentTypes().front()));
  if (!format)
    return format.takeError();
  size_t numArguments = function.getNumArguments() + function.getNumResults();
  return compileByStockTools(file, *format, numArguments, optimizer, stem);
}

/// The space's default with the values in `text`, a JSON object or nothing.
static llvm::Expected<Configuration> completeChoice(const Space &space,
                                                    const std::string &text) {
  Configuration configuration = space.toConfiguration(space.defaultPoint());
  if (text.empty())
    return configuration;
  auto assignment = readAssignment(text);
  if (!assignment)
    return llvm::createStringError(assignment.error().message);
  for (auto &[name, value] : *assignment) {
    std::optional<size_t> index = space.indexOf(name);
    if (!index)
      return llvm::createStringError("the schedule has no knob '" + name + "'");
    configuration[*index] = std::move(value);
  }
  auto point = space.toPoint(configuration);
  if (!point)
    return llvm::createStringError(point.error().message);
  if (!space.isFeasible(*point))
    return llvm::createStringError("the configuration " + text +
                                   " violates a constraint");
  return configuration;
}

llvm::Expected<runtime::CompiledKernel>
MlirKernels::compileChoice(const std::string &file, int threads,
                           const std::string &inputs,
                           const std::string &configuration) {
  auto module = readModule(context, file);
  if (!module)
    return module.takeError();
  DiagnosticRecorder recorder(&context);
  driver::KernelOptions options;
  options.entry = entry.str();
  options.host = schedule::HostInfo::detect();
  options.host.threads = threads;
  options.inputs = inputs;
  FailureOr<driver::FoundKernels> found =
      driver::takeKernels(**module, options);
  if (failed(found))
    return llvm::createStringError(recorder.message("there is no schedule"));
  driver::Kernel &kernel = found->kernels.front();
  FailureOr<Space> space = driver::extractSpace(kernel);
  if (failed(space))
    return llvm::createStringError(recorder.message("there is no space"));
  auto choice = completeChoice(*space, configuration);
  if (!choice)
    return choice.takeError();
  auto assignment = readAssignment(writeConfiguration(*space, *choice));
  assert(assignment && "what was written can be read");
  if (failed(schedule::concretize(*kernel.schedule, schedule::defaultSequence,
                                  *assignment)) ||
      failed(target::applySchedule(*kernel.payload, *kernel.schedule,
                                   schedule::defaultSequence, entry)))
    return llvm::createStringError(
        recorder.message("the schedule doesn't apply"));
  return target::compileModule(*kernel.payload, entry);
}
