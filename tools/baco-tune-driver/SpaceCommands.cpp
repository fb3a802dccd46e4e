//===- SpaceCommands.cpp - Show a kernel's search space -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "Complaint.h"

#include "baco/Database/Files.h"
#include "baco/Format/ChoiceText.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Schedule/KnobTable.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace baco::driver;

/// The space of the only kernel; nullopt after an error.
static std::optional<baco::Space>
extractOnlySpace(llvm::ArrayRef<Kernel> kernels, const CommandLine &line) {
  if (kernels.size() > 1) {
    complain(badInput, "the module has " + llvm::Twine(kernels.size()) +
                           " kernels: choose one with --entry, or show all "
                           "with --emit-space=table");
    return std::nullopt;
  }
  FailureOr<baco::Space> space =
      extractSpace(kernels.front(), line.tuning.ignoreAdvisory);
  return succeeded(space) ? std::optional(*space) : std::nullopt;
}

int explainKnobs(llvm::ArrayRef<Kernel> kernels, const CommandLine &line) {
  std::optional<baco::Space> space = extractOnlySpace(kernels, line);
  if (!space)
    return badInput;
  auto choice = baco::readChoice(*space, *line.explain);
  if (!choice)
    return complain(badInput, "--explain: " + choice.error().message);
  auto explanation = baco::explainChoice(*space, *choice);
  if (!explanation)
    return complain(badInput, "--explain: " + explanation.error().message);
  llvm::outs() << describeChoice(*space, *choice, *explanation);
  return explanation->isAllowed ? allDone : nothingWorks;
}

/// Prints the knobs of each kernel.
static int printKnobTables(llvm::ArrayRef<Kernel> kernels,
                           const CommandLine &line) {
  for (const Kernel &kernel : kernels) {
    FailureOr<baco::Space> space =
        extractSpace(kernel, line.tuning.ignoreAdvisory);
    if (failed(space))
      return badInput;
    auto choices = baco::schedule::Choices::collect(
        *kernel.schedule, baco::schedule::defaultSequence);
    if (failed(choices))
      return badInput;
    llvm::outs() << baco::schedule::writeKnobTable(kernel.name, *space,
                                                   *choices);
  }
  return allDone;
}

int writeSpaceFile(llvm::ArrayRef<Kernel> kernels, const CommandLine &line) {
  const std::string &emitSpace = *line.emitSpace;
  if (emitSpace == "table")
    return printKnobTables(kernels, line);
  std::optional<baco::Space> space = extractOnlySpace(kernels, line);
  if (!space)
    return badInput;
  baco::Result<std::string> text = baco::writeSpace(*space);
  if (!text)
    return complain(badInput, text.error().message);
  if (emitSpace == "-") {
    llvm::outs() << *text;
    return allDone;
  }
  for (const std::string &read : {line.inputFile, line.kernels.scheduleFile})
    if (llvm::sys::fs::equivalent(emitSpace, read))
      return complain(badInput, "--emit-space: '" + emitSpace +
                                    "' is an input file: choose another name");
  if (auto written = baco::database::writeFileAtomically(emitSpace, *text);
      !written)
    return complain(badEnvironment, written.error().message);
  return allDone;
}
