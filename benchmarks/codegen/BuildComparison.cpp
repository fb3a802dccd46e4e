//===- BuildComparison.cpp - An earlier build against this one ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each build schedules with its own baco-opt and tunes with its own
// baco-tune-driver, so that neither has to read the other's schedules. What
// they write has no schedule and is compiled here.
//
//===----------------------------------------------------------------------===//

#include "BuildComparison.h"
#include "MeasuredCpus.h"
#include "Template.h"

#include "baco/Protocol/Samples.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace baco;
using namespace baco::benchmarks;
using llvm::StringRef;

bool baco::benchmarks::isCertainlySlower(const Ratio &ratio) {
  return ratio.least < ratio.most && ratio.most < minBuildRatio;
}

SplitModule baco::benchmarks::splitSchedule(StringRef module) {
  // It says that there are named sequences.
  const std::string attribute = " attributes {transform.with_named_sequence}";
  SplitModule split;
  split.schedule = "module" + attribute + " {\n";
  bool isSchedule = false;
  while (!module.empty()) {
    auto [line, rest] = module.split('\n');
    module = rest;
    isSchedule |= line.starts_with("  transform.named_sequence ");
    (isSchedule ? split.schedule : split.payload) += (line + "\n").str();
    isSchedule &= line != "  }";
  }
  split.schedule += "}\n";
  if (size_t at = split.payload.find(attribute); at != std::string::npos)
    split.payload.erase(at, attribute.size());
  return split;
}

static llvm::Expected<std::string> readFile(const std::string &file) {
  auto text = llvm::MemoryBuffer::getFile(file);
  if (!text)
    return llvm::createStringError(
        "'" + file + "' can't be read: " + text.getError().message());
  return (*text)->getBuffer().str();
}

static llvm::Error writeFile(const std::string &file, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream stream(file, error);
  if (!error) {
    stream << text;
    stream.close();
    error = stream.error();
  }
  if (error)
    return llvm::createStringError("'" + file +
                                   "' can't be written: " + error.message());
  return llvm::Error::success();
}

static bool hasSchedule(StringRef module) {
  return module.contains("transform.named_sequence");
}

struct BuildComparison::Scheduled {
  /// The payload with its schedule and knobs: text.
  std::string choices;
  /// The module of the default configuration: text, and a file.
  std::string text, file;
};

llvm::Expected<BuildComparison::Scheduled>
BuildComparison::schedule(const Side &side, const std::string &payload,
                          int threads) {
  std::string program = side.programs + "/baco-opt", log = side.prefix + ".log";
  std::string choicesFile = side.prefix + ".choices.mlir";
  Scheduled result;
  result.file = side.prefix + ".default.mlir";
  auto text = readFile(payload);
  if (!text)
    return text.takeError();
  std::vector<std::string> annotate = {program, payload, "-o", choicesFile};
  if (!hasSchedule(*text)) {
    annotate.push_back(
        "--baco-annotate=host=threads=" + std::to_string(threads) +
        " worker=" + side.programs + "/baco-worker");
    annotate.push_back("--baco-expand-recipes");
  }
  if (auto complaint = runLogged(annotate, log))
    return llvm::createStringError(program + ": " + *complaint);
  auto choices = readFile(choicesFile);
  if (!choices)
    return choices.takeError();
  result.choices = result.text = *choices;
  if (!hasSchedule(*choices)) {
    if (llvm::Error error = writeFile(result.file, result.text))
      return error;
    return result;
  }
  if (auto complaint =
          runLogged({program, choicesFile, "--baco-concretize",
                     "--mlir-print-local-scope", "-o", result.file},
                    log))
    return llvm::createStringError(program + ": " + *complaint);
  auto concrete = readFile(result.file);
  if (!concrete)
    return concrete.takeError();
  // Apart from the payload, so that steps may change its whole module.
  SplitModule split = splitSchedule(*concrete);
  std::string payloadFile = side.prefix + ".payload.mlir";
  std::string scheduleFile = side.prefix + ".schedule.mlir";
  if (llvm::Error error =
          llvm::joinErrors(writeFile(payloadFile, split.payload),
                           writeFile(scheduleFile, split.schedule)))
    return error;
  if (auto complaint =
          runLogged({program, payloadFile,
                     "--transform-preload-library=transform-library-paths=" +
                         scheduleFile,
                     "--transform-interpreter", "-o", result.file},
                    log))
    return llvm::createStringError(program + ": " + *complaint);
  auto applied = readFile(result.file);
  if (!applied)
    return applied.takeError();
  result.text = *applied;
  return result;
}

llvm::Expected<std::string> BuildComparison::tune(const Side &side,
                                                  const std::string &payload,
                                                  int threads) {
  TuneSettings tuning = settings.tune;
  tuning.driver = side.programs + "/baco-tune-driver";
  tuning.worker = side.programs + "/baco-worker";
  Tuned tuned = tunePayload(payload, threads, side.prefix, tuning);
  if (tuned.hasFailed)
    return llvm::createStringError(tuning.driver + ": " + tuned.why);
  return tuned.isTuned() ? tuned.module : payload;
}

llvm::Error BuildComparison::measure(const Case &target,
                                     const std::string &payload,
                                     const std::string &oldModule,
                                     const std::string &newModule,
                                     CaseResult &result) {
  auto signature = mlir.readSignature(payload);
  if (!signature)
    return signature.takeError();
  auto contest = Contest::create(target, *signature);
  if (!contest)
    return contest.takeError();
  std::vector<std::function<void()>> kernels;
  for (const std::string &file : {newModule, oldModule}) {
    auto kernel = mlir.compile(file);
    if (!kernel)
      return kernel.takeError();
    auto operands = (*contest)->operandsOf(*kernel);
    if (!operands)
      return operands.takeError();
    kernels.push_back(
        [kernel = *kernel, operands = *operands] { kernel.entry(operands); });
  }
  (*contest)->setReference(kernels[1]);
  double estimate = 0;
  if (auto difference = (*contest)->findDifference(kernels[0], estimate))
    return llvm::createStringError("the builds' results differ: " +
                                   *difference);
  result.entries = {{"new", "new"}, {"old", "old"}};
  if (!settings.isTimed)
    return llvm::Error::success();
  auto times = (*contest)->measure(kernels, {estimate, 0}, settings.contest);
  if (!times)
    return times.takeError();
  for (size_t i = 0; i < kernels.size(); ++i) {
    Entry &entry = result.entries[i];
    entry.samples = (*times)[i].size();
    entry.timeNs = runtime::median((*times)[i]);
    entry.rate = workOf(target) / entry.timeNs;
  }
  Ratio ratio = compareTimes((*times)[0], (*times)[1]);
  result.entries[1].ours = ratio;
  if (!isCertainlySlower(ratio))
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::formatv("certainly slower than {0:f2} of before: {1:f3} ({2:f3} to "
                    "{3:f3} with 95 % confidence)",
                    minBuildRatio, ratio.middle, ratio.least, ratio.most)
          .str());
}

llvm::Error BuildComparison::fill(const Row &row, const Case &target,
                                  CaseResult &result) {
  std::string name = caseFileName(row.name, target.name);
  auto payload =
      writePayload(settings.sourceDir, settings.workDir, name, target);
  if (!payload)
    return payload.takeError();
  std::string prefix = settings.workDir + "/" + name;
  Side before{builds.oldPrograms, prefix + ".old"},
      after{builds.newPrograms, prefix + ".new"};
  std::string oldFile, newFile;
  if (builds.modules != ComparedModules::Tuned) {
    auto oldDefault = schedule(before, *payload, target.threads);
    if (!oldDefault)
      return oldDefault.takeError();
    auto newDefault = schedule(after, *payload, target.threads);
    if (!newDefault)
      return newDefault.takeError();
    bool sameModule = oldDefault->text == newDefault->text,
         sameChoices = oldDefault->choices == newDefault->choices;
    if (sameModule &&
        (sameChoices || builds.modules == ComparedModules::Default)) {
      result.note = sameChoices ? "same schedule, same default module"
                                : "same default module, other schedule";
      return llvm::Error::success();
    }
    result.note = sameModule    ? "other schedule, same default module"
                  : sameChoices ? "same schedule, other default module"
                                : "other schedule, other default module";
    oldFile = oldDefault->file;
    newFile = newDefault->file;
  }
  if (builds.modules != ComparedModules::Default) {
    for (auto [side, file] :
         {std::pair(&before, &oldFile), {&after, &newFile}}) {
      auto module = tune(*side, *payload, target.threads);
      if (!module)
        return module.takeError();
      *file = *module;
    }
    auto oldText = readFile(oldFile), newText = readFile(newFile);
    if (!oldText || !newText)
      return llvm::joinErrors(oldText.takeError(), newText.takeError());
    if (*oldText == *newText) {
      result.note = "same tuned module";
      return llvm::Error::success();
    }
  }
  return measure(target, *payload, oldFile, newFile, result);
}

CaseResult BuildComparison::run(const Row &row, const Case &target) {
  CaseResult result = beginResult(target);
  result.isTuned = builds.modules != ComparedModules::Default;
  if (llvm::Error error = fill(row, target, result))
    result.error = llvm::toString(std::move(error));
  return result;
}
