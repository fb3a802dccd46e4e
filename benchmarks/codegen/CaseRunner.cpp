//===- CaseRunner.cpp - Runs the cases ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can't be had (a compiler that isn't installed) leaves a line that says
// so; what is wrong (a result) ends the case.
//
//===----------------------------------------------------------------------===//

#include "CaseRunner.h"
#include "MeasuredCpus.h"
#include "Template.h"

#include "baco/Protocol/Samples.h"
#include "baco/Sparse/TensorSource.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace baco;
using namespace baco::benchmarks;

struct CaseRunner::Contender {
  std::string label, group;
  std::function<void()> run = {};
  /// Work of one execution: operations or bytes.
  double work = 0;
  bool isRoofline = false;
  std::string problem = {};
};

double baco::benchmarks::workOf(const Case &target) {
  return target.bytes > 0 ? target.bytes : target.flops;
}

std::string baco::benchmarks::inputsOf(const Case &target) {
  if (target.tensor.empty())
    return "";
  bool isFile = sparse::fileOfSource(target.tensor) == target.tensor;
  return std::string("kernel:0=") + (isFile ? "@" : "") + target.tensor;
}

llvm::Expected<std::string> CaseRunner::writePayload(const std::string &name,
                                                     const Case &target) {
  return benchmarks::writePayload(settings.sourceDir, settings.workDir, name,
                                  target);
}

llvm::Expected<const BlasLibrary *>
CaseRunner::library(LibraryCall::Library which) {
  auto found = libraries.find(which);
  if (found == libraries.end()) {
    auto loaded = BlasLibrary::load(static_cast<BlasLibrary::Kind>(which));
    if (!loaded)
      return loaded.takeError();
    found = libraries.emplace(which, std::move(*loaded)).first;
  }
  return &found->second;
}

std::vector<std::string> CaseRunner::describeLibraries() const {
  std::vector<std::string> result;
  for (const auto &[which, blas] : libraries)
    result.push_back(nameOf(which) + (blas.coreName().empty()
                                          ? ""
                                          : " (" + blas.coreName() + ")"));
  return result;
}

llvm::Expected<CaseRunner::Contender> CaseRunner::makeMlirContender(
    const std::string &label, const std::string &group,
    llvm::Expected<runtime::CompiledKernel> kernel, Contest &contest) {
  if (!kernel)
    return kernel.takeError();
  auto operands = contest.operandsOf(*kernel);
  if (!operands)
    return operands.takeError();
  // The closure owns the code. Copies of constant operands are made once.
  return Contender{
      label, group,
      [kernel = *kernel, operands = *operands, isPrepared = false]() mutable {
        if (kernel.prepare && !isPrepared)
          kernel.prepare(operands);
        isPrepared = true;
        kernel.entry(operands);
      }};
}

const Tuned &CaseRunner::tuneOnce(const std::string &payload, int threads) {
  std::string text = std::to_string(threads);
  if (auto buffer = llvm::MemoryBuffer::getFile(payload))
    text += (*buffer)->getBuffer();
  auto [entry, isNew] = tunedByText.try_emplace(text);
  if (isNew)
    entry->second =
        tunePayload(payload, threads,
                    llvm::StringRef(payload).drop_back(strlen(".mlir")).str(),
                    settings.tune);
  return entry->second;
}

llvm::Expected<CaseRunner::Contender>
CaseRunner::makeContender(const Baseline &baseline, const std::string &name,
                          const Case &target, const std::string &payload,
                          Contest &contest) {
  Contender contender{baseline.label, baseline.group};
  auto *source = std::get_if<CSource>(&baseline.code);
  auto *taco = std::get_if<TacoCode>(&baseline.code);
  if (source || taco) {
    auto kernel = source ? compiler.compile(*source, target, baseline.flops)
                         : compiler.compileTaco(*taco, target, name);
    if (!kernel)
      return kernel.takeError();
    auto operands = contest.operandsOfC();
    if (!operands)
      return operands.takeError();
    contender.run = [kernel = *kernel, operands = *operands] {
      kernel(operands);
    };
  } else if (auto *call = std::get_if<LibraryCall>(&baseline.code)) {
    auto blas = library(call->library);
    if (!blas)
      return blas.takeError();
    auto operands = contest.operandsOfC();
    if (!operands)
      return operands.takeError();
    contender.run = [kernel = makeLibraryKernel(**blas, call->routine, target),
                     operands = *operands] { kernel(operands); };
  } else if (auto *choice = std::get_if<FixedChoice>(&baseline.code)) {
    auto kernel = mlir.compileChoice(payload, target.threads, inputsOf(target),
                                     choice->configuration);
    return makeMlirContender(baseline.label, baseline.group, std::move(kernel),
                             contest);
  } else if (std::holds_alternative<Sparsifier>(baseline.code)) {
    auto kernel =
        mlir.compileSparsified(payload, settings.stockOptimizer,
                               settings.workDir + "/" + name + "-stock");
    return makeMlirContender(baseline.label, baseline.group, std::move(kernel),
                             contest);
  } else if (std::holds_alternative<WithoutGroups>(baseline.code)) {
    TuneSettings apart = settings.tune;
    apart.groups = false;
    Tuned tuned = tunePayload(payload, target.threads,
                              settings.workDir + "/" + name + "-apart", apart);
    if (!tuned.isTuned())
      return llvm::createStringError(tuned.why);
    return makeMlirContender(baseline.label, baseline.group,
                             mlir.compile(tuned.module, ""), contest);
  } else {
    Case other = target;
    other.payload = std::get<OtherPayload>(baseline.code).file;
    auto otherPayload = writePayload(name + "-other", other);
    if (!otherPayload)
      return otherPayload.takeError();
    const Tuned &tuned = tuneOnce(*otherPayload, other.threads);
    if (!tuned.isTuned())
      return llvm::createStringError(tuned.why);
    return makeMlirContender(baseline.label, baseline.group,
                             mlir.compile(tuned.module, ""), contest);
  }
  return contender;
}

llvm::Error CaseRunner::addOurs(const Case &target, const std::string &payload,
                                const Tuned &tuned, const std::string &schedule,
                                Contest &contest,
                                std::vector<Contender> &contenders) {
  bool isScheduled = !schedule.empty();
  if (tuned.isTuned() || isScheduled) {
    // The tuned module would convert a sparse operand in each execution.
    bool isSparse = !target.tensor.empty();
    auto ours = makeMlirContender(
        "ours", "ours",
        mlir.compile(isScheduled || isSparse ? payload : tuned.module,
                     isScheduled ? schedule
                     : isSparse  ? tuned.schedule
                                 : ""),
        contest);
    if (!ours)
      return ours.takeError();
    contenders.push_back(std::move(*ours));
    if (!target.hasPlain)
      return llvm::Error::success();
  }
  auto plain = makeMlirContender(contenders.empty() ? "plain lowering (ours)"
                                                    : "plain lowering",
                                 "plain", mlir.compile(payload, ""), contest);
  if (!plain)
    return plain.takeError();
  contenders.push_back(std::move(*plain));
  return llvm::Error::success();
}

/// The lines of the report; with `hasOurs`, ours is the first.
static std::vector<Entry> makeEntries(const std::vector<Entry> &lines,
                                      const std::vector<double> &works,
                                      const std::vector<Times> &times,
                                      bool hasOurs) {
  std::vector<Entry> entries = lines;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    entry.samples = times[i].size();
    entry.timeNs = runtime::median(times[i]);
    entry.rate = works[i] / entry.timeNs;
    if (i == 0 || !hasOurs)
      continue;
    // Per unit of work, as a roofline has another amount of it.
    double scale = works[0] / works[i];
    Ratio ratio = compareTimes(times[0], times[i]);
    entry.ours =
        Ratio{ratio.middle * scale, ratio.low * scale, ratio.high * scale,
              ratio.most * scale, ratio.least * scale};
  }
  return entries;
}

llvm::Error CaseRunner::compare(const Case &target, const std::string &name,
                                const std::string &payload, const Tuned &tuned,
                                const std::string &schedule,
                                CaseResult &result) {
  auto signature = mlir.readSignature(payload);
  if (!signature)
    return signature.takeError();
  auto contest = Contest::create(target, *signature);
  if (!contest)
    return contest.takeError();
  auto reference = compiler.compile(target.reference, target, target.flops);
  if (!reference)
    return reference.takeError();
  auto referenceOperands = (*contest)->operandsOfC();
  if (!referenceOperands)
    return referenceOperands.takeError();
  (*contest)->setReference([&] { (*reference)(*referenceOperands); });

  std::vector<Contender> contenders;
  if (llvm::Error error =
          addOurs(target, payload, tuned, schedule, **contest, contenders)) {
    if (schedule.empty())
      return error;
    // A schedule may be for sizes that its tiles divide.
    result.note =
        "the schedule doesn't apply: " + llvm::toString(std::move(error));
  }
  size_t numOurs = contenders.size();
  std::vector<Entry> problems;
  for (const Baseline &baseline : target.baselines) {
    auto contender = makeContender(baseline, name, target, payload, **contest);
    if (!contender) {
      // That one is ours.
      if (std::holds_alternative<FixedChoice>(baseline.code))
        return contender.takeError();
      problems.push_back({baseline.label, baseline.group,
                          llvm::toString(contender.takeError())});
      continue;
    }
    contender->work = baseline.flops;
    contender->isRoofline = baseline.isRoofline;
    contenders.push_back(std::move(*contender));
  }
  LibraryCall::Library threaded = LibraryCall::OpenBlas;
  if (auto found = libraries.find(threaded); found != libraries.end())
    found->second.setThreads(target.threads);

  std::vector<Entry> lines;
  std::vector<double> works, estimates;
  std::vector<std::function<void()>> kernels;
  for (auto [i, contender] : llvm::enumerate(contenders)) {
    double estimate = 0;
    std::optional<std::string> difference;
    if (!contender.isRoofline)
      difference = (*contest)->findDifference(contender.run, estimate);
    if (difference) {
      std::string problem = "wrong result: " + *difference;
      // Compilers make mistakes, too. At tiny sizes none is known: it will be
      // ours.
      if (i < numOurs || !settings.isTimed)
        return llvm::createStringError(problem + ", by " + contender.label);
      problems.push_back({contender.label, contender.group, problem});
      continue;
    }
    Entry line{contender.label, contender.group};
    line.isRoofline = contender.isRoofline;
    lines.push_back(std::move(line));
    works.push_back(contender.work > 0 ? contender.work : workOf(target));
    kernels.push_back(contender.run);
    estimates.push_back(estimate);
  }
  result.entries = lines;
  if (settings.isTimed) {
    auto times = (*contest)->measure(kernels, estimates, settings.contest);
    if (!times)
      return times.takeError();
    result.entries = makeEntries(lines, works, *times, numOurs > 0);
  }
  llvm::append_range(result.entries, problems);
  return llvm::Error::success();
}

CaseResult baco::benchmarks::beginResult(const Case &target) {
  CaseResult result;
  result.name = target.name;
  result.unit = target.bytes > 0 ? "GB/s" : "GF/s";
  return result;
}

CaseResult CaseRunner::run(const Row &row, const Case &target) {
  CaseResult result = beginResult(target);
  std::string name = caseFileName(row.name, target.name);
  auto payload = writePayload(name, target);
  if (!payload) {
    result.error = llvm::toString(payload.takeError());
    return result;
  }
  TuneSettings tune = settings.tune;
  tune.inputs = inputsOf(target);
  Tuned tuned = tunePayload(*payload, target.threads,
                            settings.workDir + "/" + name, tune);
  result.isTuned = tuned.isTuned();
  result.note = tuned.isTuned() ? tuned.configuration : tuned.why;
  if (tuned.hasFailed)
    result.error = tuned.why;
  if (llvm::Error error = compare(target, name, *payload, tuned, "", result))
    result.error = llvm::toString(std::move(error));
  return result;
}

std::vector<CaseResult> CaseRunner::sweep(const std::string &row,
                                          const std::vector<Case> &cases) {
  std::vector<CaseResult> results;
  Tuned tuned;
  for (const Case &target : cases) {
    CaseResult result = beginResult(target);
    std::string name = caseFileName("sweep-" + row, target.name);
    auto payload = writePayload(name, target);
    if (!payload) {
      result.error = llvm::toString(payload.takeError());
      results.push_back(result);
      continue;
    }
    if (results.empty()) {
      tuned = tunePayload(*payload, target.threads,
                          settings.workDir + "/" + name, settings.tune);
      result.note = tuned.isTuned() ? tuned.configuration : tuned.why;
    }
    result.isTuned = tuned.isTuned();
    if (llvm::Error error =
            compare(target, name, *payload, tuned, tuned.schedule, result))
      result.error = llvm::toString(std::move(error));
    results.push_back(std::move(result));
  }
  return results;
}
