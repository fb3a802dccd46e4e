//===- MatmulBenchmark.cpp - A matmul against OpenBLAS --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times a tuned matmul and OpenBLAS, both on one thread, and says how they
// compare. Protocol: operands on huge pages at staggered offsets, the clock of
// the thread's CPU time, executions interleaved, and the median of the ratios
// of neighboring executions, which are disturbed alike.
//
//===----------------------------------------------------------------------===//

#include "BlasLibrary.h"

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/KernelAnalysis/KernelSignature.h"
#include "baco/Protocol/Clock.h"
#include "baco/Protocol/Samples.h"
#include "baco/Target/CompileModule.h"
#include "baco/Target/Sparse/TunedModule.h"
#include "baco/Verification/Operands.h"
#include "baco/Verification/Verify.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"

#include <sched.h>

using namespace mlir;
using namespace baco;
using namespace baco::runtime;
using baco::benchmarks::BlasLibrary;
namespace cl = llvm::cl;

static cl::OptionCategory category("Benchmark options");
static cl::opt<std::string> file(cl::Positional, cl::Required,
                                 cl::desc("<module>"), cl::cat(category));
static cl::opt<std::string>
    scheduleFile("schedule", cl::cat(category), cl::value_desc("file"),
                 cl::desc("Schedule without choices to apply first"));
static cl::opt<std::string>
    entryName("entry", cl::init("matmul"), cl::value_desc("name"),
              cl::cat(category),
              cl::desc("Function to time: C += A * B on three memrefs (default "
                       "matmul)"));
static cl::opt<unsigned>
    pairs("pairs", cl::init(401), cl::cat(category),
          cl::desc("Executions of each, interleaved (default 401)"));
static cl::opt<std::string>
    openBlasFile("openblas", cl::value_desc("file"), cl::cat(category),
                 cl::desc("The library to load (default: Debian's)"));
static cl::opt<int> cpu("cpu", cl::init(-1), cl::cat(category),
                        cl::desc("CPU to run on (default: the current one)"));
static cl::opt<bool> json("json", cl::cat(category),
                          cl::desc("Print a JSON object, no table"));
static cl::opt<double>
    check("check", cl::init(0), cl::value_desc("ratio"), cl::cat(category),
          cl::desc("Exit with 2 if the ratio to OpenBLAS is below this"));

namespace {
/// C += A * B for row-major matrices.
struct Problem {
  Signature signature;
  int64_t m = 0, n = 0, k = 0;

  bool isSingle() const {
    return signature.arguments[0].type == ElementType::F32;
  }
  double flops() const { return 2.0 * m * n * k; }
};

/// Times in nanoseconds, by pair.
struct Times {
  std::vector<double> ours, theirs;
};
} // namespace

static llvm::Expected<OwningOpRef<ModuleOp>> readModule(MLIRContext &context,
                                                        StringRef path) {
  auto module = parseSourceFile<ModuleOp>(path, ParserConfig(&context));
  if (!module)
    return llvm::createStringError("'" + path + "' can't be read");
  return module;
}

static llvm::Expected<OwningOpRef<ModuleOp>> readKernel(MLIRContext &context) {
  auto module = readModule(context, file);
  if (!module || scheduleFile.empty())
    return module;
  auto schedule = readModule(context, scheduleFile);
  if (!schedule)
    return schedule.takeError();
  if (failed(target::applySchedule(**module, **schedule, "__transform_main",
                                   entryName)))
    return llvm::createStringError("'" + scheduleFile + "' does not apply");
  return module;
}

static llvm::Expected<Problem> describeProblem(ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>(entryName);
  if (!function)
    return llvm::createStringError("'" + file + "' has no function '" +
                                   entryName + "'; pass --entry");
  auto signature = target::kernelSignature(function);
  if (!signature)
    return signature.takeError();
  Problem problem;
  problem.signature = std::move(*signature);
  ArrayRef<Argument> args = problem.signature.arguments;
  bool isMatmul =
      args.size() == 3 && llvm::all_of(args, [&](const Argument &argument) {
        return argument.shape.size() == 2 && argument.type == args[0].type &&
               (argument.type == ElementType::F32 ||
                argument.type == ElementType::F64);
      });
  if (isMatmul) {
    problem.m = args[0].shape[0];
    problem.k = args[0].shape[1];
    problem.n = args[1].shape[1];
    isMatmul = args[1].shape[0] == problem.k &&
               args[2].shape == std::vector{problem.m, problem.n};
  }
  if (!isMatmul)
    return llvm::createStringError(
        "function '" + entryName +
        "' doesn't take matrices A, B and C of f32 or f64 that fit C += A * B");
  problem.signature.reductionLength = problem.k;
  return problem;
}

/// Where the data of argument `index` lie.
static void *dataOf(Operands &operands, unsigned index) {
  return static_cast<void **>(operands.pointers()[index])[1];
}

static void runOpenBlas(const BlasLibrary &blas, const Problem &problem,
                        Operands &operands) {
  auto run = [&](auto zero) {
    using T = decltype(zero);
    blas.multiply(problem.m, problem.n, problem.k,
                  static_cast<T *>(dataOf(operands, 0)),
                  static_cast<T *>(dataOf(operands, 1)),
                  static_cast<T *>(dataOf(operands, 2)));
  };
  if (problem.isSingle())
    run(0.0f);
  else
    run(0.0);
}

/// Runs both once on the same inputs and compares.
static llvm::Error verifyKernel(const CompiledKernel &kernel,
                                const BlasLibrary &blas, const Problem &problem,
                                Operands &ours, Operands &theirs) {
  size_t outputBytes = OutputLayout(problem.signature).byteSize();
  Reference reference{std::vector<std::byte>(outputBytes),
                      std::vector<std::byte>(outputBytes),
                      {}};
  std::vector<std::byte> outputs(outputBytes);
  theirs.fill(/*absolute=*/true);
  runOpenBlas(blas, problem, theirs);
  theirs.copyOutputs(reference.magnitude.data());
  theirs.fill(/*absolute=*/false);
  runOpenBlas(blas, problem, theirs);
  theirs.copyOutputs(reference.expected.data());
  ours.fill(/*absolute=*/false);
  kernel.entry(ours.pointers());
  ours.copyOutputs(outputs.data());
  std::optional<std::string> mismatch =
      findMismatch(problem.signature, reference, outputs.data());
  if (mismatch)
    return llvm::createStringError("wrong result: " + *mismatch);
  return llvm::Error::success();
}

template <typename Function>
static double timeNs(Function function) {
  int64_t start = threadCpuNs();
  function();
  return static_cast<double>(threadCpuNs() - start);
}

static Times measure(const CompiledKernel &kernel, const BlasLibrary &blas,
                     const Problem &problem, Operands &ours, Operands &theirs) {
  auto runOurs = [&] { kernel.entry(ours.pointers()); };
  auto runTheirs = [&] { runOpenBlas(blas, problem, theirs); };
  // Clock frequency and caches settle within the first executions.
  constexpr unsigned warmUps = 5;
  Times times;
  for (unsigned i = 0; i < warmUps + pairs; ++i) {
    // Whoever comes second finds other things in the caches: take turns.
    double first = 0, second = 0;
    bool oursFirst = i % 2 == 0;
    if (oursFirst) {
      first = timeNs(runOurs);
      second = timeNs(runTheirs);
    } else {
      first = timeNs(runTheirs);
      second = timeNs(runOurs);
    }
    if (i < warmUps)
      continue;
    times.ours.push_back(oursFirst ? first : second);
    times.theirs.push_back(oursFirst ? second : first);
  }
  return times;
}

/// Prints the result; returns the median ratio.
static double report(const Times &times, const Problem &problem,
                     const BlasLibrary &blas) {
  std::vector<double> ratios;
  for (auto [ours, theirs] : llvm::zip_equal(times.ours, times.theirs))
    ratios.push_back(theirs / ours);
  double ratio = median(ratios);
  double low = quantile(ratios, 0.25), high = quantile(ratios, 0.75);
  double oursNs = median(times.ours);
  double theirsNs = median(times.theirs);
  StringRef type = problem.isSingle() ? "f32" : "f64";
  if (json) {
    llvm::outs() << llvm::json::Value(llvm::json::Object{
                        {"m", problem.m},
                        {"n", problem.n},
                        {"k", problem.k},
                        {"type", type},
                        {"pairs", static_cast<int64_t>(times.ours.size())},
                        {"time_ns", oursNs},
                        {"openblas_time_ns", theirsNs},
                        {"openblas_core", blas.coreName()},
                        {"gflops", problem.flops() / oursNs},
                        {"openblas_gflops", problem.flops() / theirsNs},
                        {"ratio", ratio},
                        {"ratio_lower_quartile", low},
                        {"ratio_upper_quartile", high}})
                 << "\n";
    return ratio;
  }
  llvm::outs() << llvm::formatv(
      "{0}x{1}x{2} {3}, one thread, {4} pairs\n"
      "{5,-24} {6,10} {7,10}\n"
      "{8,-24} {9,10:f3} {10,10:f1}\n"
      "{11,-24} {12,10:f3} {13,10:f1}\n"
      "ratio {14:f3} (quartiles {15:f3} and {16:f3})\n",
      problem.m, problem.n, problem.k, type, times.ours.size(), "", "median ms",
      "GFLOP/s", entryName.getValue(), oursNs * 1e-6, problem.flops() / oursNs,
      "OpenBLAS (" + blas.coreName() + ")", theirsNs * 1e-6,
      problem.flops() / theirsNs, ratio, low, high);
  return ratio;
}

static llvm::Expected<double> compare(MLIRContext &context) {
  auto module = readKernel(context);
  if (!module)
    return module.takeError();
  auto problem = describeProblem(**module);
  if (!problem)
    return problem.takeError();
  auto kernel = target::compileModule(**module, entryName);
  if (!kernel)
    return kernel.takeError();
  auto blas = BlasLibrary::load(BlasLibrary::OpenBlas, openBlasFile);
  if (!blas)
    return blas.takeError();
  std::vector<ArgumentData> inputs =
      generateInputs(problem->signature, /*seed=*/1);
  auto ours = Operands::create(problem->signature, inputs);
  auto theirs = Operands::create(problem->signature, inputs);
  if (!ours || !theirs)
    return llvm::createStringError("there is not enough memory");
  if (llvm::Error error =
          verifyKernel(*kernel, *blas, *problem, *ours, *theirs))
    return error;
  Times times = measure(*kernel, *blas, *problem, *ours, *theirs);
  return report(times, *problem, *blas);
}

/// Keeps this thread on one CPU.
static llvm::Error pin() {
  int chosen = cpu < 0 ? sched_getcpu() : cpu;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(chosen, &set);
  if (sched_setaffinity(0, sizeof(set), &set) != 0)
    return llvm::createStringError("can't run on CPU " + llvm::Twine(chosen));
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "compare a matmul with OpenBLAS on one thread\n");
  llvm::ExitOnError exitOnError("baco-bench-matmul: ");
  if (pairs == 0)
    exitOnError(llvm::createStringError("--pairs must be at least 1"));
  exitOnError(pin());
  DialectRegistry registry;
  target::registerDialects(registry);
  target::registerPasses();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  double ratio = exitOnError(compare(context));
  if (ratio < check) {
    llvm::errs() << llvm::formatv("ratio {0:f3} is below {1:f3}\n", ratio,
                                  check.getValue());
    return 2;
  }
  return 0;
}
