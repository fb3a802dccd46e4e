//===- RoundTrip.cpp - Is applied what was measured? ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundTrip.h"

#include "StepRecipes.h"
#include "StockCheck.h"
#include "Template.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/SymbolSize.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

using namespace llvm;
using namespace llvm::object;
using namespace baco;
using namespace baco::benchmarks;

/// What a reference in code leads to.
static Expected<std::string> targetOf(const ObjectFile &file,
                                      const RelocationRef &reference) {
  symbol_iterator symbol = reference.getSymbol();
  if (symbol == file.symbol_end())
    return "";
  Expected<StringRef> name = symbol->getName();
  if (!name)
    return name.takeError();
  if (!name->empty())
    return name->str();
  Expected<section_iterator> section = symbol->getSection();
  if (!section)
    return section.takeError();
  if (*section == file.section_end())
    return "";
  Expected<StringRef> sectionName = (*section)->getName();
  if (!sectionName)
    return sectionName.takeError();
  return sectionName->str();
}

/// The functions and the sections of constants by name, with references to
/// others: places, kinds and targets.
static Expected<std::map<std::string, std::string>> readCode(StringRef object) {
  // It begins with the name of the function to call.
  auto buffer = MemoryBuffer::getMemBufferCopy(object.split('\0').second);
  Expected<std::unique_ptr<ObjectFile>> parsed =
      ObjectFile::createObjectFile(buffer->getMemBufferRef());
  if (!parsed)
    return parsed.takeError();
  const ObjectFile &file = **parsed;
  std::map<std::string, std::string> code;
  for (auto [symbol, size] : computeSymbolSizes(file)) {
    Expected<SymbolRef::Type> type = symbol.getType();
    Expected<StringRef> name = symbol.getName();
    Expected<uint64_t> address = symbol.getAddress();
    Expected<section_iterator> section = symbol.getSection();
    if (!type || !name || !address || !section)
      return joinErrors(joinErrors(type.takeError(), name.takeError()),
                        joinErrors(address.takeError(), section.takeError()));
    if (*type != SymbolRef::ST_Function || *section == file.section_end())
      continue;
    Expected<StringRef> contents = (*section)->getContents();
    if (!contents)
      return contents.takeError();
    uint64_t begin = *address - (*section)->getAddress();
    std::string body = contents->substr(begin, size).str();
    for (const SectionRef &relocated : file.sections()) {
      Expected<section_iterator> place = relocated.getRelocatedSection();
      if (!place)
        return place.takeError();
      if (*place != *section)
        continue;
      for (const RelocationRef &reference : relocated.relocations()) {
        uint64_t offset = reference.getOffset();
        if (offset < begin || offset >= begin + size)
          continue;
        Expected<std::string> target = targetOf(file, reference);
        if (!target)
          return target.takeError();
        body += formatv("\n+{0} {1} {2}", offset - begin, reference.getType(),
                        *target);
      }
    }
    code[name->str()] = std::move(body);
  }
  for (const SectionRef &section : file.sections()) {
    Expected<StringRef> name = section.getName();
    Expected<StringRef> contents = section.getContents();
    if (!name || !contents)
      return joinErrors(name.takeError(), contents.takeError());
    if (section.isData() && name->starts_with(".rodata"))
      code[name->str()] += contents->str();
  }
  return code;
}

Expected<std::string> baco::benchmarks::findCodeDifference(StringRef object,
                                                           StringRef other) {
  auto code = readCode(object);
  if (!code)
    return code.takeError();
  auto otherCode = readCode(other);
  if (!otherCode)
    return otherCode.takeError();
  if (code->empty())
    return createStringError("the object has no code");
  for (const auto &[name, body] : *code) {
    auto found = otherCode->find(name);
    if (found == otherCode->end())
      return "only one has '" + name + "'";
    if (found->second != body)
      return "'" + name + "' is another one";
  }
  for (const auto &[name, body] : *otherCode)
    if (!code->count(name))
      return "only one has '" + name + "'";
  return "";
}

Expected<std::string> RoundTrip::check(const std::string &payload,
                                       const std::string &name,
                                       const Case &target) {
  std::string folder = settings.workDir + "/" + name + ".tuned";
  TuneSettings tune = settings.tune;
  tune.inputs = inputsOf(target);
  Tuned tuned = tunePayload(payload, target.threads, folder, tune);
  if (tuned.hasFailed)
    return createStringError(tuned.why);
  if (!tuned.isTuned())
    return tuned.why;
  std::string library = folder + "/" + name + ".library.mlir";
  std::string applied = settings.workDir + "/" + name + ".applied";
  std::vector<std::string> command = {
      tune.driver, payload, "--apply=" + library, "--output-dir=" + applied};
  if (target.threads > 1)
    command.push_back("--host=threads=" + std::to_string(target.threads));
  if (auto complaint = runLogged(command, applied + ".log"))
    return createStringError("the library doesn't apply: " + *complaint);
  auto text = MemoryBuffer::getFile(library);
  if (!text)
    return createStringError("there is no " + library);
  bool keptPlain = (*text)->getBuffer().contains("outcome = \"plain\"");
  auto measured = keptPlain
                      ? mlir.compile(payload)
                      : mlir.compileChoice(payload, target.threads, tune.inputs,
                                           tuned.configuration);
  if (!measured)
    return measured.takeError();
  std::string module = applied + "/" + name + ".tuned.mlir";
  auto now = mlir.compile(module);
  if (!now)
    return now.takeError();
  auto difference = findCodeDifference(measured->object, now->object);
  if (!difference)
    return difference.takeError();
  if (!difference->empty())
    return createStringError("what is applied isn't what was measured: " +
                             *difference);
  auto stock = StockCheck(settings).check(payload, library, module);
  if (!stock)
    return stock.takeError();
  return "the same machine code" +
         (keptPlain ? std::string(" of the original") : "") + "; " + *stock +
         (keptPlain ? "" : ": " + tuned.configuration);
}

std::vector<CaseResult> RoundTrip::run(const Row &row, const Case &target) {
  std::vector<CaseResult> results;
  auto finish = [&](CaseResult result, Expected<std::string> note) {
    if (note)
      result.note = std::move(*note);
    else
      result.error = toString(note.takeError());
    results.push_back(std::move(result));
  };
  std::string name = caseFileName(row.name, target.name);
  auto payload =
      writePayload(settings.sourceDir, settings.workDir, name, target);
  if (!payload) {
    finish(beginResult(target), payload.takeError());
    return results;
  }
  finish(beginResult(target), check(*payload, name, target));
  CaseResult steps = beginResult(target);
  steps.name += ", steps";
  name += "-steps";
  std::string file = settings.workDir + "/" + name + ".mlir";
  Expected<bool> isWritten = writeWithSteps(*payload, file);
  if (!isWritten)
    finish(std::move(steps), isWritten.takeError());
  else if (*isWritten)
    finish(std::move(steps), check(file, name, target));
  return results;
}
