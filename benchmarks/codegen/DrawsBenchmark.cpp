//===- DrawsBenchmark.cpp - Whether what spaces allow applies -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the kernels of many files as baco-tune-driver does, draws random
// configurations of each space, and applies them to the payload, in one process
// and without compiling them. A constraint is missing where that fails: such a
// trial ends as transform-failed.
//
// With --emulate, kernels are for GPUs: the default and each drawn
// configuration are also lowered, run in the emulator and compared with plain
// code.
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/Driver/Kernel.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/KernelEmulation/EmulateKernels.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Target/Pipelines.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

#include <map>

using namespace mlir;
using namespace baco;
namespace cl = llvm::cl;

static cl::OptionCategory category("Benchmark options");
static cl::list<std::string>
    files(cl::Positional, cl::OneOrMore, cl::cat(category),
          cl::desc("<files, of modules between lines '// -----' or '//---'>"));
static cl::opt<std::string> scheduleFile("schedule", cl::cat(category),
                                         cl::value_desc("file"),
                                         cl::desc("Schedule for all kernels"));
static cl::opt<std::string> host("host", cl::cat(category),
                                 cl::value_desc("key=value,..."),
                                 cl::desc("Machine to schedule for"));
static cl::opt<unsigned> draws("draws", cl::init(100), cl::cat(category),
                               cl::desc("Configurations of each kernel; all "
                                        "of a smaller space (default: 100)"));
static cl::opt<unsigned> seed("seed", cl::init(1), cl::cat(category),
                              cl::desc("Seed of the draws (default: 1)"));
static cl::opt<bool> ignoreAdvisory("ignore-advisory", cl::cat(category),
                                    cl::desc("Ignore advisory constraints"));
static cl::opt<bool> emulate("emulate", cl::cat(category),
                             cl::desc("Run kernels for GPUs in the emulator"));
static cl::opt<bool> all("all", cl::cat(category),
                         cl::desc("Also print the kernels without failures"));

namespace {
/// A part of a file.
struct Part {
  std::string name;
  std::string text;
};

/// What was found.
struct Totals {
  unsigned numKernels = 0, numWrong = 0;
  uint64_t numDrawn = 0, numFailed = 0;
};
} // namespace

/// The modules of a file of tests.
static std::vector<Part> splitFile(StringRef path, StringRef text) {
  std::vector<Part> parts = {{path.str(), ""}};
  static const llvm::Regex separator("^(//|#)( -----|--- (.*))");
  unsigned line = 0;
  for (; !text.empty(); ++line) {
    auto [first, rest] = text.split('\n');
    text = rest;
    SmallVector<StringRef> matches;
    if (separator.match(first, &matches)) {
      std::string name =
          matches[3].empty() ? std::to_string(line + 2) : matches[3].str();
      parts.push_back({path.str() + ":" + name, ""});
      continue;
    }
    parts.back().text += (first + "\n").str();
  }
  return parts;
}

/// Lowers `module` for a GPU, runs its kernels in the emulator, and compares
/// the results with those of `plain`.
static LogicalResult runInEmulator(ModuleOp module, ModuleOp plain) {
  auto pipeline = parsePassPipeline(
      "builtin.module(baco-lower-to-nvvm{format=llvm})", llvm::errs());
  PassManager manager(module.getContext());
  if (failed(pipeline))
    return failure();
  static_cast<OpPassManager &>(manager) = std::move(*pipeline);
  return success(succeeded(manager.run(module)) &&
                 succeeded(target::emulateKernels(module, plain)));
}

/// What is wrong with a configuration of `kernel`; empty if nothing is.
static std::string check(const driver::Kernel &kernel,
                         const schedule::Assignment &assignment) {
  OwningOpRef<ModuleOp> payload = kernel.payload.get().clone();
  OwningOpRef<ModuleOp> schedule = kernel.schedule.get().clone();
  DiagnosticRecorder recorder(kernel.location.getContext());
  if (failed(schedule::concretize(*schedule, schedule::defaultSequence,
                                  assignment)) ||
      failed(target::applySchedule(*payload, *schedule,
                                   schedule::defaultSequence, kernel.name)))
    return recorder.message("the schedule doesn't apply");
  if (emulate && failed(runInEmulator(*payload, kernel.payload.get())))
    return recorder.message("the kernel doesn't run in the emulator");
  return "";
}

/// The points to check: of a small space all, else draws. Kernels for GPUs
/// begin with the default.
static std::vector<Point> drawPoints(const Space &space) {
  std::optional<uint64_t> count = space.countIfSmall();
  std::vector<Point> points;
  if (emulate)
    points.push_back(space.defaultPoint());
  bool takesAll = count && *count <= draws;
  Random random(seed);
  for (uint64_t i = 0, e = takesAll ? *count : draws; i < e; ++i)
    points.push_back(takesAll ? space.at(i) : space.sample(random));
  return points;
}

/// Draws of one kernel. Prints what fails.
static void drawFrom(const driver::Kernel &kernel, StringRef name,
                     Totals &totals) {
  FailureOr<Space> space = failure();
  {
    DiagnosticRecorder silence(kernel.location.getContext());
    space = driver::extractSpace(kernel, ignoreAdvisory);
  }
  if (failed(space)) {
    totals.numWrong += emulate;
    if (emulate)
      llvm::outs() << name << " @" << kernel.name << ": there is no space\n";
    return;
  }
  std::vector<Point> points = drawPoints(*space);
  std::map<std::string, unsigned> failures;
  unsigned numFailed = 0;
  for (const Point &point : points) {
    schedule::Assignment assignment;
    std::string text;
    for (auto [parameter, value] :
         llvm::zip_equal(space->parameters(), space->toConfiguration(point))) {
      assignment.emplace_back(parameter.name(), value);
      text += " " + parameter.name() + "=" + toString(value);
    }
    std::string message = check(kernel, assignment);
    if (message.empty())
      continue;
    ++numFailed;
    if (failures[message]++ == 0)
      llvm::outs() << name << " @" << kernel.name << ":" << text << ": "
                   << message << "\n";
  }
  ++totals.numKernels;
  totals.numWrong += numFailed > 0;
  totals.numDrawn += points.size();
  totals.numFailed += numFailed;
  if (all || numFailed > 0)
    llvm::outs() << llvm::formatv("{0} @{1}: {2} of {3} fail, space of {4}\n",
                                  name, kernel.name, numFailed, points.size(),
                                  space->count());
  llvm::outs().flush();
}

/// Draws of all kernels of a module.
static void drawFromModule(const Part &part, const driver::KernelOptions &given,
                           Totals &totals) {
  DialectRegistry registry;
  target::registerDialects(registry);
  target::registerEmulationDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  driver::KernelOptions options = given;
  if (emulate)
    options.target = *driver::TuningTarget::parse("nvvm:sm_90");
  std::vector<driver::Kernel> kernels;
  {
    // Files of tests are full of errors.
    DiagnosticRecorder recorder(&context);
    auto refuse = [&] {
      if (!emulate)
        return;
      ++totals.numWrong;
      llvm::outs() << part.name << ": " << recorder.message("no kernel")
                   << "\n";
    };
    auto module =
        parseSourceString<ModuleOp>(part.text, ParserConfig(&context));
    if (!module)
      return refuse();
    bool hasSchedule =
        !scheduleFile.empty() || module
                                     ->walk([](transform::NamedSequenceOp) {
                                       return WalkResult::interrupt();
                                     })
                                     .wasInterrupted();
    // Any will do, since it is not run.
    for (auto function : module->getOps<func::FuncOp>())
      if (hasSchedule && options.entry.empty() && !function.isExternal())
        options.entry = function.getName().str();
    FailureOr<driver::FoundKernels> found =
        driver::takeKernels(*module, options);
    if (failed(found))
      return refuse();
    kernels = std::move(found->kernels);
  }
  for (const driver::Kernel &kernel : kernels)
    drawFrom(kernel, part.name, totals);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "apply random configurations of kernels\n");
  llvm::ExitOnError exitOnError("baco-bench-draws: ");
  target::registerPasses();
  target::registerTargetPipelines();
  driver::KernelOptions options;
  options.scheduleFile = scheduleFile;
  options.host = exitOnError(schedule::HostInfo::parse(host));
  Totals totals;
  for (const std::string &file : files) {
    auto buffer = exitOnError(llvm::errorOrToExpected(
        llvm::MemoryBuffer::getFile(file, /*IsText=*/true)));
    std::vector<Part> parts = splitFile(file, buffer->getBuffer());
    // A schedule alone is for the first part that has none.
    auto has = [](const Part &part, StringRef what) {
      return StringRef(part.text).contains(what);
    };
    const Part *payload = nullptr;
    for (const Part &part : parts)
      if (!payload && has(part, "func.func @") && !has(part, "named_sequence"))
        payload = &part;
    for (const Part &part : parts) {
      bool isSchedule =
          has(part, "named_sequence") && !has(part, "func.func @");
      if (isSchedule && payload)
        drawFromModule({part.name, payload->text + part.text}, options, totals);
      else
        drawFromModule(part, options, totals);
    }
  }
  llvm::outs() << llvm::formatv(
      "{0} kernels, {1} draws; {2} fail, of {3} kernels\n", totals.numKernels,
      totals.numDrawn, totals.numFailed, totals.numWrong);
  return totals.numWrong > 0 ? 2 : 0;
}
