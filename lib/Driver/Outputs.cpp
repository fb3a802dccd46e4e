//===- Outputs.cpp - Outputs of a tuning run ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/Outputs.h"

#include "baco/Apply/ApplySchedules.h"
#include "baco/Apply/Sequences.h"
#include "baco/Database/Export.h"
#include "baco/Database/Files.h"
#include "baco/Database/StudyKey.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/Bufferization.h"
#include "baco/Report/SummaryJson.h"
#include "baco/Report/Units.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/TransformOps/BacoTransformOps.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;
using transform::NamedSequenceOp;

LogicalResult driver::applyAll(ModuleOp module,
                               ArrayRef<apply::ScheduledKernel> schedules,
                               apply::Interface interface) {
  apply::InterfaceKeeper keeper(module, interface);
  llvm::StringSet<> names;
  for (const apply::ScheduledKernel &one : schedules)
    names.insert(one.function);
  if (failed(apply::applySchedules(module, schedules)))
    return failure();
  return keeper.finish(names);
}

LogicalResult driver::applyBest(ModuleOp module, ArrayRef<TunedKernel> kernels,
                                apply::Interface interface) {
  SmallVector<apply::ScheduledKernel> scheduled;
  for (const TunedKernel &kernel : kernels)
    if (kernel.schedule)
      scheduled.push_back({kernel.summary.name, kernel.schedule.get(),
                           schedule::defaultSequence.str()});
  return applyAll(module, scheduled, interface);
}

OwningOpRef<ModuleOp> driver::makeLibrary(MLIRContext *context,
                                          ArrayRef<TunedKernel> kernels) {
  if (llvm::none_of(kernels, std::mem_fn(&TunedKernel::isSettled)))
    return {};
  SmallVector<const TunedKernel *> tuned;
  for (const TunedKernel &kernel : kernels)
    if (kernel.schedule)
      tuned.push_back(&kernel);
  if (tuned.size() == 1)
    return tuned.front()->schedule.get().clone();

  OwningOpRef<ModuleOp> library = apply::emptyLibrary(context);
  SmallVector<NamedSequenceOp> firsts;
  for (const TunedKernel *kernel : tuned) {
    OwningOpRef<ModuleOp> copy = kernel->schedule.get().clone();
    firsts.push_back(
        apply::addToLibrary(*copy, "tuned." + kernel->summary.name, *library));
  }
  auto builder = OpBuilder::atBlockEnd(library->getBody());
  Location location = library->getLoc();
  auto handle = transform::AnyOpType::get(context);
  auto main = NamedSequenceOp::create(
      builder, location, schedule::defaultSequence, handle, TypeRange(),
      [&](OpBuilder &body, Location, BlockArgument root) {
        mlir::Value module = root;
        for (NamedSequenceOp first : firsts) {
          auto include = transform::IncludeOp::create(
              body, location, first.getFunctionType().getResults(),
              FlatSymbolRefAttr::get(first.getSymNameAttr()),
              transform::FailurePropagationMode::Propagate, ValueRange(module),
              /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
          // One that changes the module as a whole yields the new handle.
          if (include.getNumResults() == 1)
            module = include.getResult(0);
        }
        transform::YieldOp::create(body, location);
      });
  main.setArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName,
                  builder.getUnitAttr());
  return library;
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

/// Whether a file's name means itself to a shell and in a pass's options.
static bool isPlainName(StringRef name) {
  return llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || StringRef("_-.+:@%/").contains(c);
  });
}

/// `word` as one word of a shell command in a comment.
static std::string shellWord(StringRef word) {
  if (isPlainName(word))
    return word.str();
  std::string quoted = "'";
  for (char c : word)
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return report::printable(quoted + "'");
}

std::string driver::outputStem(const std::string &input) {
  return input == "-" ? "stdin" : llvm::sys::path::stem(input).str();
}

/// Whether the kernel's schedule says how LLVM is to compile it.
static bool hasTargetOptions(const TunedKernel &kernel) {
  if (!kernel.schedule)
    return false;
  Operation *sequence = SymbolTable::lookupSymbolIn(kernel.schedule.get(),
                                                    schedule::defaultSequence);
  return sequence && sequence->hasAttr(BacoDialect::kTargetOptions);
}

/// The comment at the head of the schedule.
static std::string scheduleHeader(const std::string &input,
                                  ArrayRef<TunedKernel> kernels,
                                  ArrayRef<std::string> intake) {
  std::string library = outputStem(input) + ".schedule.mlir";
  if (!isPlainName(library))
    library = "\"" + library + "\"";
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto needsOurOps = [](const TunedKernel &kernel) {
    return kernel.schedule && needsBaco(*kernel.schedule);
  };
  bool hasOurOps = llvm::any_of(kernels, needsOurOps);
  bool bufferizes = llvm::any_of(kernels, [](const TunedKernel &kernel) {
    return kernel.schedule && bufferizesBoundaries(kernel.schedule.get());
  });
  bool needsUs = hasOurOps || !intake.empty();
  bool hasOptions = llvm::any_of(kernels, hasTargetOptions);
  stream << "// Made by baco-tune-driver. "
         << (needsUs
                 ? "Needs baco-opt, or mlir-opt with\n"
                   "// --load-dialect-plugin=PATH/libBacoPlugin.so: it has " +
                       std::string(hasOurOps ? "transform.baco ops."
                                             : "passes of baco.")
             : hasOptions ? "Stock tools ignore the target options\n// below, "
                            "which are for baco's own code generation."
                          : "Runs in a stock mlir-opt.")
         << " The command below\n"
         << "// turns the payload, without schedule and baco attributes, into "
            "the tuned one"
         << (bufferizes ? "\n// of --interface=buffers" : "")
         << (hasOptions ? ",\n// except for its baco.target_options:\n" : ":\n")
         << "//   " << (needsUs ? "baco-opt " : "mlir-opt ")
         << shellWord(llvm::sys::path::filename(input)) << " \\\n";
  for (const std::string &pass : intake)
    stream << "//     --" << shellWord(pass) << " \\\n";
  stream << "//     --transform-preload-library="
         << shellWord("transform-library-paths=" + library) << " \\\n"
         << "//     --transform-interpreter\n";
  for (const TunedKernel &kernel : kernels)
    if (kernel.summary.kept == Kept::Plain)
      stream << "// " << report::printable(kernel.summary.name)
             << ": no schedule, because the original code is faster\n";
    else if (kernel.schedule)
      stream << "// " << report::printable(kernel.summary.name) << ": "
             << kernel.summary.configuration << "\n";
  return text;
}

/// The files with the library, and with the part of it for stock tools.
static constexpr StringLiteral librarySuffix = ".library.mlir";
static constexpr StringLiteral stockSuffix = ".stock.mlir";

/// How a stock tool applies the library that is called `file`.
static std::string stockCommand(const std::string &payload,
                                const std::string &file) {
  return "//   mlir-opt " + payload + " \\\n" +
         "//     --transform-preload-library=" +
         shellWord("transform-library-paths=" + file) +
         " --transform-interpreter\n";
}

/// The comment at the head of the tuned library in the file `file`.
static std::string libraryHeader(const std::string &payload,
                                 const std::string &file,
                                 const std::vector<EntryText> &library) {
  std::string text = "// Made by baco-tune-driver: what it found, to be used "
                     "without a search:\n//   baco-opt " +
                     payload + " --baco-apply=" + shellWord("library=" + file) +
                     "\n";
  if (worksInStockTools(library))
    text += "// or, without baco,\n" + stockCommand(payload, file);
  return text;
}

/// The comment at the head of the part of the library `file` that is for stock
/// tools.
static std::string stockHeader(const std::string &payload,
                               const std::string &file,
                               const std::string &stockFile) {
  return "// Made by baco-tune-driver: the entries of " +
         report::printable(file) + " that need nothing of baco:\n" +
         stockCommand(payload, stockFile);
}

Result<std::vector<std::string>>
driver::writeLibrary(const std::string &path, const std::string &input,
                     const std::vector<EntryText> &entries) {
  std::string payload = shellWord(llvm::sys::path::filename(input));
  std::string file = llvm::sys::path::filename(path).str();
  if (auto ok = database::writeFileAtomically(
          path, libraryHeader(payload, file, entries) + joinLibrary(entries));
      !ok)
    return ok.error();
  std::vector<std::string> written = {path};
  StringRef stem = path;
  if (!stem.consume_back(librarySuffix))
    return written;
  std::string stockPath = (stem + stockSuffix).str();
  std::vector<EntryText> stock = stockEntries(entries);
  if (stock.empty() || worksInStockTools(entries)) {
    // That of an earlier library.
    if (llvm::sys::fs::remove(stockPath))
      return Error{ErrorCode::IOError, "'" + stockPath + "' can't be removed"};
    return written;
  }
  std::string stockFile = llvm::sys::path::filename(stockPath).str();
  if (auto ok = database::writeFileAtomically(
          stockPath,
          stockHeader(payload, file, stockFile) + joinLibrary(stock));
      !ok)
    return ok.error();
  written.push_back(std::move(stockPath));
  return written;
}

/// How the names of tuned modules end.
static constexpr StringLiteral tunedSuffix = ".tuned.mlir";

/// A function's name as a part of a file's name: one that is a path must not
/// lead out of the output directory, and a mangled one may be longer than any
/// file's name.
static std::string fileNameOf(StringRef function) {
  constexpr size_t maxLength = 100, numDigits = 8;
  std::string name;
  for (char c : function)
    if (llvm::isAlnum(c) || StringRef("_-.$").contains(c))
      name += c;
    else
      name += "%" + llvm::toHex(StringRef(&c, 1));
  if (name.size() > maxLength)
    name = name.substr(0, maxLength) + "-" +
           database::contentHash(function).substr(0, numDigits);
  return name;
}

namespace {
/// Writes files and remembers which.
class FileWriter {
public:
  FileWriter(StringRef directory, std::string stem)
      : directory(directory), stem(std::move(stem)) {}

  Result<void> write(const Twine &suffix, const std::string &text) {
    std::string path = pathOf(suffix);
    Result<void> written = database::writeFileAtomically(path, text);
    if (written)
      paths.push_back(std::move(path));
    return written;
  }

  std::vector<std::string> paths;

  std::string pathOf(const Twine &suffix) const {
    SmallString<256> path(directory);
    llvm::sys::path::append(path, stem + suffix);
    return path.str().str();
  }

private:
  StringRef directory;
  std::string stem;
};
} // namespace

Result<std::vector<std::string>>
driver::writeOutputs(const std::string &directory, const std::string &input,
                     ModuleOp tuned, const std::vector<EntryText> &library,
                     const TunedKernels &results,
                     ArrayRef<std::string> intake) {
  ArrayRef<TunedKernel> kernels = results.kernels;
  FileWriter files(directory, outputStem(input));
  OwningOpRef<ModuleOp> schedules = makeLibrary(tuned.getContext(), kernels);
  if (schedules) {
    if (Result<void> ok = files.write(tunedSuffix, print(tuned)); !ok)
      return ok.error();
    if (Result<void> ok = files.write(".schedule.mlir",
                                      scheduleHeader(input, kernels, intake) +
                                          print(*schedules));
        !ok)
      return ok.error();
    auto written = writeLibrary(files.pathOf(librarySuffix), input, library);
    if (!written)
      return written.error();
    llvm::append_range(files.paths, *written);
  }
  std::vector<report::KernelSummary> summaries;
  for (const TunedKernel &kernel : kernels) {
    summaries.push_back(kernel.summary);
    if (!kernel.summary.sameAs.empty())
      continue;
    std::string infix =
        kernels.size() > 1 ? "." + fileNameOf(kernel.summary.name) : "";
    if (Result<void> ok = files.write(
            infix + ".trials.jsonl",
            database::writeTrialsJsonl(kernel.trials, kernel.summary.name));
        !ok)
      return ok.error();
  }
  Result<std::string> json =
      report::writeSummaryJson(summaries, results.programs);
  if (!json)
    return json.error();
  if (Result<void> ok = files.write(".summary.json", *json); !ok)
    return ok.error();
  return std::move(files.paths);
}

Result<std::string> driver::writeTuned(const std::string &directory,
                                       const std::string &input,
                                       ModuleOp tuned) {
  FileWriter files(directory, outputStem(input));
  if (Result<void> ok = files.write(tunedSuffix, print(tuned)); !ok)
    return ok.error();
  return std::move(files.paths.front());
}
