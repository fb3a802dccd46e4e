//===- DefaultsBenchmark.cpp - What compiling many defaults takes ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans each kernel of a file as baco-tune-driver does, and compiles its plain
// lowering, its default and the ends of its space, for this CPU or others,
// without running them. Each compilation has a process of its own, as LLVM may
// abort; what fails or takes longer than a limit is printed.
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/CandidateCompiler/ModuleCompiler.h"
#include "baco/Driver/Kernel.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Schedule/ExtractSpace.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <csignal>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace baco;
using baco::target::ModuleCompiler;
namespace cl = llvm::cl;

static cl::OptionCategory category("Benchmark options");
static cl::opt<std::string>
    file(cl::Positional, cl::Required, cl::cat(category),
         cl::desc("<modules, each after a line '// ----- NAME'>"));
static cl::opt<std::string> host("host", cl::cat(category),
                                 cl::value_desc("key=value,..."),
                                 cl::desc("Machine to schedule for"));
static cl::list<std::string> cpus("cpu", cl::CommaSeparated, cl::cat(category),
                                  cl::value_desc("name,..."),
                                  cl::desc("CPUs to compile for (default: this "
                                           "one)"));
static cl::list<std::string>
    points("points", cl::CommaSeparated, cl::cat(category),
           cl::value_desc("name,..."),
           cl::desc("What to compile: plain, default, least and most, which "
                    "have the smallest and largest values of all knobs "
                    "(default: default)"));
static cl::opt<std::string> filter("filter", cl::cat(category),
                                   cl::value_desc("text"),
                                   cl::desc("Only kernels with this name"));
static cl::opt<double> limitMs("limit", cl::init(1000), cl::cat(category),
                               cl::value_desc("ms"),
                               cl::desc("Longest CPU time of a compilation, "
                                        "planning included (default: 1000)"));
static cl::opt<bool>
    all("all", cl::cat(category),
        cl::desc("Also print the kernels that are within the limit"));
static cl::opt<bool>
    check("check", cl::cat(category),
          cl::desc("Exit with 2 if a kernel fails or exceeds the limit"));

/// What happened in another process.
struct Report {
  double cpuMs = 0;
  std::string error;
};

/// CPU time of this process, of its beginning included.
static double processMs() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

/// Runs `work` in a child, which returns an error or an empty text.
static Report inChild(llvm::function_ref<std::string()> work) {
  Report report;
  int pipes[2];
  if (pipe(pipes) != 0)
    return {0, "no pipe"};
  llvm::outs().flush();
  pid_t child = fork();
  if (child < 0)
    return {0, "no process"};
  if (child == 0) {
    close(pipes[0]);
    dup2(pipes[1], STDERR_FILENO);
    // Whatever takes longer than this is a failure.
    constexpr rlim_t maxSeconds = 40;
    rlimit limit = {maxSeconds, maxSeconds};
    setrlimit(RLIMIT_CPU, &limit);
    std::string error = work();
    std::string text =
        llvm::formatv("\n@{0:f3}\n@{1}", processMs(), error).str();
    ssize_t written = write(pipes[1], text.data(), text.size());
    _exit(written < 0);
  }
  close(pipes[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t size; (size = read(pipes[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, size);
  close(pipes[0]);
  int status = 0;
  waitpid(child, &status, 0);
  auto [before, after] = StringRef(text).rsplit("\n@");
  auto [errors, time] = before.rsplit("\n@");
  if (WIFEXITED(status) && !time.empty()) {
    (void)time.getAsDouble(report.cpuMs);
    report.error = after.str();
    return report;
  }
  report.error = WIFSIGNALED(status)
                     ? (Twine("signal ") + strsignal(WTERMSIG(status))).str()
                     : "it exited";
  report.error += ": " + StringRef(text).split('\n').first.str();
  return report;
}

/// The configuration with this name.
static Configuration findPoint(const Space &space, StringRef name) {
  if (name == "default")
    return space.toConfiguration(space.defaultPoint());
  Configuration wanted;
  for (const Parameter &parameter : space.parameters())
    wanted.push_back(
        !parameter.isNumeric()
            ? parameter.initialValue()
            : parameter.value(name == "least" ? 0 : parameter.size() - 1));
  auto point = space.toPoint(wanted);
  return space.toConfiguration(point ? space.nearest(*point)
                                     : space.defaultPoint());
}

namespace {
/// One of the file's kernels.
class Case {
public:
  Case(StringRef name, StringRef text) : name(name), text(text) {}
  /// Plans it, and compiles all that is asked for. Returns how many were
  /// printed for something that is wrong.
  int run();

private:
  std::string plan(driver::KernelOptions options);
  bool print(StringRef what, const Report &report, double planMs) const;

  StringRef name, text;
  MLIRContext *context = nullptr;
  /// In that context: nothing when it ends.
  OwningOpRef<ModuleOp> module;
  std::optional<Space> space;
  /// What the worker is set up by.
  std::string setUp;
};
} // namespace

bool Case::print(StringRef what, const Report &report, double planMs) const {
  double ms = report.cpuMs + planMs;
  bool isWrong = !report.error.empty() || ms > limitMs;
  if (isWrong || all)
    llvm::outs() << llvm::formatv("{0,-44} {1,-24} {2,8:f0} {3,8:f0} ms  {4}\n",
                                  name, what, planMs, report.cpuMs,
                                  report.error);
  return isWrong;
}

/// Says what is wrong, or nothing.
std::string Case::plan(driver::KernelOptions options) {
  module = parseSourceString<ModuleOp>(text, ParserConfig(context));
  if (!module)
    return "the module doesn't parse";
  FailureOr<driver::FoundKernels> found = driver::takeKernels(*module, options);
  if (failed(found))
    return "no kernel";
  driver::Kernel &kernel = found->kernels.front();
  FailureOr<Space> extracted = schedule::extractSpace(*kernel.schedule);
  if (failed(extracted))
    return "no space";
  space = std::move(*extracted);
  std::string payload, schedule;
  llvm::raw_string_ostream(payload) << *kernel.payload;
  llvm::raw_string_ostream(schedule) << *kernel.schedule;
  llvm::raw_string_ostream(setUp) << llvm::json::Value(llvm::json::Object{
      {"payload", payload}, {"schedule", schedule}, {"entry", kernel.name}});
  return {};
}

int Case::run() {
  DialectRegistry registry;
  target::registerDialects(registry);
  MLIRContext own(registry, MLIRContext::Threading::DISABLED);
  context = &own;
  std::string remark;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (remark.empty())
      remark = diagnostic.str();
    return success();
  });
  driver::KernelOptions options;
  options.host = *schedule::HostInfo::parse(host);
  double startMs = processMs();
  std::string error = plan(options);
  double planMs = processMs() - startMs;
  if (!error.empty()) {
    // A kernel without knobs is its plain lowering.
    bool isWrong = error != "no kernel" || planMs > limitMs;
    if (isWrong || all)
      llvm::outs() << llvm::formatv("{0,-44} {1}: {2}\n", name, error, remark);
    module = {};
    return isWrong;
  }
  int numWrong = 0;
  for (const std::string &point : points)
    for (const std::string &cpu : cpus) {
      Report report = inChild([&]() -> std::string {
        ModuleCompiler compiler;
        compiler.setCpu(cpu);
        auto signature = compiler.setUp(setUp);
        if (!signature)
          return signature.error().message;
        auto compiled = point == "plain"
                            ? compiler.compilePlain()
                            : compiler.compile(writeConfiguration(
                                  *space, findPoint(*space, point)));
        auto *failure = std::get_if<runtime::CompileFailure>(&compiled);
        return failure ? failure->message : "";
      });
      numWrong += print(point + (cpu.empty() ? "" : " " + cpu), report, planMs);
    }
  module = {};
  return numWrong;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "plan and compile the defaults of kernels\n");
  llvm::ExitOnError exitOnError("baco-bench-defaults: ");
  if (points.empty())
    points.push_back("default");
  if (cpus.empty())
    cpus.push_back("");
  exitOnError(schedule::HostInfo::parse(host).takeError());
  auto buffer = exitOnError(
      llvm::errorOrToExpected(llvm::MemoryBuffer::getFileOrSTDIN(file)));
  SmallVector<StringRef> sections;
  buffer->getBuffer().split(sections, "// ----- ", /*MaxSplit=*/-1,
                            /*KeepEmpty=*/false);
  int numCases = 0, numWrong = 0;
  for (StringRef section : sections) {
    auto [name, text] = section.split('\n');
    if (!name.contains(filter))
      continue;
    ++numCases;
    // Planning may end a process, too.
    int wrong = 0;
    Report report = inChild([&, name = name, text = text]() -> std::string {
      wrong = Case(name.trim(), text).run();
      llvm::outs().flush();
      return std::to_string(wrong);
    });
    if (StringRef(report.error).getAsInteger(10, wrong)) {
      llvm::outs() << llvm::formatv("{0,-44} planning: {1}\n", name.trim(),
                                    report.error);
      wrong = 1;
    }
    numWrong += wrong;
  }
  llvm::outs() << llvm::formatv("{0} kernels, {1} problems\n", numCases,
                                numWrong);
  return check && numWrong > 0 ? 2 : 0;
}
