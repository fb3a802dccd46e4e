//===- CommandLine.cpp - Options of the tuner -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "Complaint.h"

#include "baco/Driver/OptionTable.h"
#include "baco/Driver/TunedLibrary.h"
#include "baco/StudyReport/WriteReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

#include <functional>
#include <memory>
#include <vector>

using namespace baco::driver;
namespace cl = llvm::cl;

static cl::OptionCategory files("Input and output");
static cl::OptionCategory questions("Instead of tuning");

static cl::opt<std::string> inputFile(cl::Positional,
                                      cl::desc("<input .mlir file>"),
                                      cl::init("-"), cl::cat(files));
static cl::opt<bool> allowUnregisteredDialect(
    "allow-unregistered-dialect",
    cl::desc("Read ops of dialects that MLIR doesn't have; functions with such "
             "ops stay as they are"),
    cl::cat(files));
static cl::opt<std::string> outputDir(
    "output-dir",
    cl::desc(
        "Directory for the results; created if it doesn't exist (default: .)"),
    cl::value_desc("dir"), cl::init("."), cl::cat(files));
static cl::opt<bool> quiet(
    "quiet",
    cl::desc("Show no progress and no plan: only the results, and diagnostics"),
    cl::cat(files));
static cl::opt<std::string> live(
    "live",
    cl::desc("Serve a page on this machine that follows the search until its "
             "end, and print its address (default port: one that is free)"),
    cl::value_desc("port"), cl::ValueOptional, cl::cat(files));
static cl::opt<std::string> reportFile(
    "report",
    cl::desc("Write a report of the kernels' studies to this file at the end: "
             "a page with plots (FILE.html), JSON (FILE.json), or text, as "
             "baco report does"),
    cl::value_desc("file"), cl::cat(files));
static cl::opt<std::string> jsonProgress(
    "json-progress",
    cl::desc("Write a line of JSON to this file for each evaluation and each "
             "phase, as they come; see docs/UserGuide.md"),
    cl::value_desc("file"), cl::cat(files));
static cl::opt<std::string>
    emitSpace("emit-space",
              cl::desc("Write the search space of the kernel as JSON to this "
                       "file (- for standard output), or print the knobs of "
                       "each kernel with what they mean (table), and stop"),
              cl::value_desc("file|-|table"), cl::cat(questions));
static cl::opt<std::string>
    explain("explain",
            cl::desc("Print whether the kernel's knobs may have these values, "
                     "with other knobs free, and why not if they may not; then "
                     "stop, with exit code 3 if they may not. With --apply, "
                     "without values: say at each kernel which entries there "
                     "are, and which is used"),
            cl::value_desc("knob=value,..."), cl::ValueOptional,
            cl::cat(questions));
static cl::opt<std::string> applied(
    "apply",
    cl::desc("Apply what these tuned libraries, NAME.library.mlir, and the "
             "database of --db have for the functions of the file, write the "
             "tuned module, and stop: nothing is searched or measured"),
    cl::value_desc("file,..."), cl::ValueOptional, cl::cat(questions));
static cl::opt<std::string> applyMode(
    "apply-mode",
    cl::desc(
        "With --apply: frozen fails at each kernel without a valid "
        "entry, warn leaves it as it is, tune tunes it, and adds it to the "
        "first library and the database (default: frozen)"),
    cl::value_desc("mode"), cl::init("frozen"), cl::cat(questions));
static cl::opt<std::string>
    targetCpu("target-cpu",
              cl::desc("With --apply: the CPU to apply for, as LLVM names it "
                       "(default: this one)"),
              cl::value_desc("cpu"), cl::cat(questions));
static cl::opt<std::string> remeasured(
    "remeasure",
    cl::desc("Measure what these tuned libraries have for the functions of the "
             "file against the default, write the times to NAME.times.json, "
             "and stop"),
    cl::value_desc("file,..."), cl::cat(questions));
static cl::opt<std::string> checkedTimes(
    "check-times",
    cl::desc("With --apply: fail at each function that has become slower than "
             "its entry says, by this file of --remeasure; nothing is "
             "measured"),
    cl::value_desc("file"), cl::cat(questions));

namespace {
/// LLVM takes nothing for 0.
class NumberParser : public cl::parser<double> {
public:
  using parser::parser;
  bool parse(cl::Option &option, llvm::StringRef name, llvm::StringRef text,
             double &value) {
    if (text.trim().empty())
      return option.error("'' is not a number: write one after the '='");
    return cl::parser<double>::parse(option, name, text, value);
  }
};

/// Joins the values of several occurrences.
class JoiningParser : public cl::parser<std::string> {
public:
  using parser::parser;
  bool parse(cl::Option &, llvm::StringRef, llvm::StringRef text,
             std::string &value) {
    all += (all.empty() ? "" : separator) + text.str();
    value = all;
    return false;
  }
  std::string separator;

private:
  std::string all;
};

template <typename Value>
struct ParserOf {
  using Type = cl::parser<Value>;
};
template <>
struct ParserOf<double> {
  using Type = NumberParser;
};

/// The options that the driver shares with --baco-autotune, on LLVM's command
/// line.
class SharedOptions {
public:
  SharedOptions();

  OptionValues read() const;
  bool isGiven(llvm::StringRef argument) const;
  llvm::ArrayRef<const cl::OptionCategory *> categories() const {
    return headings;
  }

private:
  template <typename Value>
  void add(const TuneOption &row, Value *initial);
  void addJoining(const TuneOption &row, const std::string &initial);
  cl::OptionCategory &categoryOf(llvm::StringRef heading);

  llvm::SmallVector<const cl::OptionCategory *> headings = {&files, &questions};
  std::vector<std::unique_ptr<cl::OptionCategory>> categoriesOfTable;
  std::vector<std::unique_ptr<cl::Option>> options;
  std::vector<std::function<void(OptionValues &)>> readers;
};
} // namespace

SharedOptions::SharedOptions() {
  OptionValues initial;
  // LLVM's libraries define options of their own, one of which is --threads.
  auto &known = cl::getRegisteredOptions();
  for (const TuneOption &row : tuneOptions())
    if (auto other = known.find(row.argument); other != known.end())
      other->second->removeArgument();
  for (const TuneOption &row : tuneOptions())
    if (!row.separator.empty())
      addJoining(row, *std::get<std::string *>(row.member(initial)));
    else
      std::visit([&](auto *member) { add(row, member); }, row.member(initial));
}

void SharedOptions::addJoining(const TuneOption &row,
                               const std::string &initial) {
  using Opt = cl::opt<std::string, /*ExternalStorage=*/false, JoiningParser>;
  auto option = std::make_unique<Opt>(
      llvm::StringRef(row.argument), cl::desc(row.description),
      cl::value_desc(row.valueName), cl::init(initial), cl::ZeroOrMore,
      cl::cat(categoryOf(row.group)));
  option->getParser().separator = row.separator.str();
  readers.push_back([&row, option = option.get()](OptionValues &values) {
    *std::get<std::string *>(row.member(values)) = option->getValue();
  });
  options.push_back(std::move(option));
}

template <typename Value>
void SharedOptions::add(const TuneOption &row, Value *initial) {
  using Opt =
      cl::opt<Value, /*ExternalStorage=*/false, typename ParserOf<Value>::Type>;
  auto option = std::make_unique<Opt>(
      llvm::StringRef(row.argument), cl::desc(row.description),
      cl::value_desc(row.valueName), cl::init(*initial),
      cl::cat(categoryOf(row.group)));
  readers.push_back([&row, option = option.get()](OptionValues &values) {
    *std::get<Value *>(row.member(values)) = option->getValue();
  });
  options.push_back(std::move(option));
}

cl::OptionCategory &SharedOptions::categoryOf(llvm::StringRef heading) {
  if (heading == files.getName())
    return files;
  for (const auto &category : categoriesOfTable)
    if (heading == category->getName())
      return *category;
  categoriesOfTable.push_back(std::make_unique<cl::OptionCategory>(heading));
  headings.push_back(categoriesOfTable.back().get());
  return *categoriesOfTable.back();
}

OptionValues SharedOptions::read() const {
  OptionValues values;
  for (const auto &reader : readers)
    reader(values);
  return values;
}

bool SharedOptions::isGiven(llvm::StringRef argument) const {
  return llvm::any_of(options, [&](const auto &option) {
    return option->ArgStr == argument && option->getNumOccurrences() > 0;
  });
}

/// The error in the option remeasure; empty if there is none.
static std::string readRemeasured(const OptionValues &values,
                                  CommandLine &line) {
  if (remeasured.getNumOccurrences() == 0)
    return "";
  if (line.apply)
    return "--remeasure: leave --apply out";
  if (!values.kernels.scheduleFile.empty())
    return "--remeasure: it applies the schedules of entries: leave --schedule "
           "out";
  if (!values.tuning.isEvaluatedBy(baco::driver::EvaluatorKind::Jit))
    return "--remeasure: it measures by running: leave --evaluator out";
  auto options = applyOptions(line.kernels, remeasured, /*database=*/"",
                              baco::apply::ApplyMode::Frozen, /*cpu=*/"");
  if (!options)
    return "--remeasure: " + toString(options.takeError());
  line.apply = std::move(*options);
  line.remeasures = true;
  return "";
}

/// The error in the options; empty if there is none.
static std::string findMistake(const SharedOptions &shared,
                               OptionValues &values, CommandLine &line) {
  auto kernels = values.kernelOptions();
  if (!kernels)
    return "--" + toString(kernels.takeError());
  line.kernels = std::move(*kernels);
  if (applied.getNumOccurrences() > 0) {
    auto mode = baco::apply::parseApplyMode(applyMode);
    if (!mode)
      return "--apply: " + mode.error().message;
    auto options = applyOptions(line.kernels, applied, values.tuning.database,
                                *mode, targetCpu);
    if (!options)
      return "--apply: " + toString(options.takeError());
    line.apply = std::move(*options);
    line.apply->explains = line.explain.has_value();
    if (line.explain && !line.explain->empty())
      return "--explain: with --apply, leave its values out";
    line.explain.reset();
    // Missing kernels may resemble kernels in the libraries.
    bool learns = !shared.isGiven("like") || !values.tuning.like.empty();
    if (line.apply->mode == baco::apply::ApplyMode::Tune && learns &&
        llvm::StringRef(values.tuning.optimizer).starts_with("baco"))
      values.tuning.libraries = line.apply->libraries;
  } else if (applyMode.getNumOccurrences() + targetCpu.getNumOccurrences() +
                 checkedTimes.getNumOccurrences() >
             0) {
    return "--apply-mode, --target-cpu and --check-times: give --apply, too";
  }
  if (std::string mistake = readRemeasured(values, line); !mistake.empty())
    return mistake;
  if (shared.isGiven("stop") && values.tuning.stop.empty())
    return "--stop: write a condition, such as duration(10min)";
  if (shared.isGiven("shape") && values.kernels.shapes.empty())
    return "--shape: write FUNCTION:N=EXTENTS, such as f:0=512x64,1=64x64";
  if (shared.isGiven("arg") && values.kernels.inputs.empty())
    return "--arg: write FUNCTION:N=VALUE, such as f:0=512";
  if (line.emitSpace && line.emitSpace->empty())
    return "--emit-space: name a file, or - for standard output";
  return "";
}

/// The value of an option that was given.
static std::optional<std::string> given(const cl::opt<std::string> &option) {
  if (option.getNumOccurrences() == 0)
    return std::nullopt;
  return option.getValue();
}

int readCommandLine(int argc, char **argv, CommandLine &line) {
  if (argc == 1) {
    // Without arguments it would wait for standard input, which is confusing.
    llvm::errs()
        << "usage: baco-tune-driver [options] FILE.mlir\nTunes the kernels of "
           "FILE.mlir ('-' is standard input); --help lists the options.\n";
    return badInput;
  }
  // LLVM's command line refers to them to the end of the program.
  static SharedOptions shared;
  cl::HideUnrelatedOptions(shared.categories());
  cl::SetVersionPrinter([](llvm::raw_ostream &stream) {
    stream << "baco-tune-driver " BACO_VERSION_STRING
              " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  cl::ParseCommandLineOptions(
      argc, argv,
      "Tunes the kernels of an MLIR file and writes the tuned file, "
      "the\nschedules, all trials and a summary.\n\nTimes must be above 0 "
      "(unless the option says what 0 means) and at most a day.\nExit codes: 0 "
      "tuned, 1 the input is wrong, 2 the environment fails,\n3 no candidate "
      "works (--explain: forbidden), 130 interrupted (results so far\nare "
      "written)\n");
  OptionValues values = shared.read();
  if (auto complete = values.complete(shared.isGiven("budget")); !complete)
    return complain(complete.error());
  if (auto valid = values.tuning.validate(); !valid)
    return complain(valid.error());
  bool tunes = applied.getNumOccurrences() == 0 || applyMode == "tune";
  const baco::driver::TuneOptions &tuning = values.tuning;
  if (auto valid = checkTarget(tuning.target, tuning.evaluator);
      tunes && !valid)
    return complain(badInput, valid.error().message);
  line.listsMachines = tuning.isClustered() && tuning.machines == "list";
  if (line.listsMachines) {
    line.tuning = values.tuning;
    return allDone;
  }
  auto announce = [](const std::string &text) { llvm::errs() << text << "\n"; };
  if (auto met = values.tuning.meetWorkers(announce); !met)
    return complain(met.error());
  line.inputFile = inputFile;
  line.allowsUnregisteredDialects = allowUnregisteredDialect;
  line.outputDir = outputDir;
  line.emitSpace = given(emitSpace);
  line.explain = given(explain);
  line.checkedTimes = given(checkedTimes);
  std::string mistake = findMistake(shared, values, line);
  if (!mistake.empty())
    return complain(badInput, mistake);
  bool searches = tunes && !line.emitSpace && !line.explain;
  for (const llvm::cl::Option *option :
       std::initializer_list<const llvm::cl::Option *>{&live, &reportFile})
    if (option->getNumOccurrences() > 0 && !searches)
      return complain(badInput, "--" + option->ArgStr.str() +
                                    ": nothing is tuned with these options");
  if (live.getNumOccurrences() > 0) {
    uint16_t port = 0;
    if (!live.empty() && llvm::StringRef(live).getAsInteger(10, port))
      return complain(badInput, "--live: '" + live +
                                    "' is no port, a number up to 65535");
    line.livePort = port;
  }
  if (std::optional<std::string> file = given(reportFile)) {
    if (file->empty())
      return complain(badInput, "--report: name a file, such as report.html");
    if (auto possible = baco::studyreport::checkFormat(
            baco::studyreport::formatOfFile(*file));
        !possible)
      return complain(badEnvironment, "--report: " + possible.error().message);
    line.reportFile = *file;
  }
  line.progress.isQuiet = quiet;
  if (auto opened = line.progress.openJson(jsonProgress); !opened)
    return complain(badEnvironment, opened.error().message);
  line.tuning = values.tuning;
  return allDone;
}
