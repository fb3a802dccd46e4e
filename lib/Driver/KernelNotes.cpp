//===- KernelNotes.cpp - Notes for the user about a kernel ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelNotes.h"

#include "baco/IR/ArgumentInput.h"
#include "baco/Report/Units.h"
#include "baco/Search/FirstPoints.h"
#include "baco/Sparse/TensorSource.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace baco;
using namespace baco::driver;

/// The short name of the contents: the text of a generator, or a file without
/// its folders.
static llvm::StringRef nameContents(const runtime::Source &source) {
  llvm::StringRef text = source.file;
  if (source.kind != runtime::Source::Kind::Tensor)
    return llvm::sys::path::filename(text);
  std::string_view file = sparse::fileOfSource(source.file);
  return file.empty() ? text : llvm::sys::path::filename(llvm::StringRef(file));
}

std::optional<std::string>
driver::noteInputs(const runtime::Signature &signature) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    bool hasFile = argument.source && !argument.source->file.empty();
    if (argument.values.empty() && !hasFile)
      continue;
    stream << (text.empty() ? "timed with " : "; with ");
    if (hasFile)
      stream << "the contents of " << nameContents(*argument.source);
    else
      stream << argument.values.front();
    stream << " for argument " << i;
    if (argument.values.size() <= 1)
      continue;
    stream << ", verified with ";
    llvm::interleaveComma(llvm::drop_begin(argument.values), stream);
    stream << ", too";
  }
  return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<std::string>
driver::noteNarrowMisses(const std::vector<database::Trial> &trials,
                         double tolerance) {
  double least = std::numeric_limits<double>::infinity();
  for (const database::Trial &trial : trials) {
    if (!trial.outcome)
      continue;
    const Outcome &outcome = *trial.outcome;
    if (outcome.status == Status::Ok)
      return std::nullopt;
    if (outcome.status != Status::WrongResult)
      continue;
    if (!(outcome.narrowMiss > 0))
      return std::nullopt;
    least = std::min(least, outcome.narrowMiss);
  }
  if (!std::isfinite(least))
    return std::nullopt;
  return llvm::formatv("all candidates that ran are nearly right, the best one "
                       "within {0:F1} times the tolerance; if that is precise "
                       "enough, pass --tolerance={1:F1}",
                       least, least * tolerance)
      .str();
}

std::optional<std::string>
driver::noteIgnoredAdvice(const Kernel &kernel, const Configuration &winner) {
  // Its warnings aren't about the space that was searched.
  mlir::ScopedDiagnosticHandler quiet(
      kernel.payload.get().getContext(),
      [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::FailureOr<Space> advised =
      extractSpace(kernel, /*ignoreAdvisory=*/false);
  if (mlir::failed(advised))
    return std::nullopt;
  std::string text;
  for (size_t violated : advised->violated(winner)) {
    const Constraint &constraint = advised->constraints()[violated];
    text +=
        (text.empty() ? "the winner is outside the advised space: " : "; ") +
        constraint.expression.text();
    if (!constraint.reason.empty())
      text += " (" + constraint.reason + ")";
  }
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string driver::describeKernel(mlir::func::FuncOp function,
                                   llvm::StringRef machine) {
  std::string types;
  llvm::raw_string_ostream stream(types);
  llvm::SmallVector<mlir::Type> seen;
  for (mlir::Type type : function.getArgumentTypes()) {
    if (llvm::is_contained(seen, type))
      continue;
    stream << (seen.empty() ? "of " : ", ");
    seen.push_back(type);
    if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type)) {
      for (int64_t extent : shaped.getShape())
        stream << (mlir::ShapedType::isDynamic(extent) ? "?"
                                                       : std::to_string(extent))
               << "x";
      type = shaped.getElementType();
    }
    stream << type;
  }
  constexpr size_t most = 60;
  if (types.size() > most)
    types = types.substr(0, types.rfind(", ", most)) + ", ...";
  if (!machine.empty())
    types += (types.empty() ? "on " : " on ") + machine.str();
  return types;
}

std::string
driver::noteSources(const Space &space,
                    const std::vector<search::TransferSource> &sources) {
  std::string taught = search::describeTransfer(sources, space);
  return taught.empty() ? "learned from no other study: none has a knob of "
                          "this kernel and a trial that works"
                        : "tried first: " + taught;
}

std::string driver::noteSlowPlain(const Outcome &plain,
                                  const runtime::Limits &limits) {
  std::string note = "the time of the plain lowering is unknown: it takes "
                     "longer than ";
  if (plain.status == Status::Cancelled)
    return "the time of the plain lowering is unknown: it is measured before "
           "the final comparison, which is missing";
  // It wasn't tried.
  if (plain.message.empty())
    return "the time of the plain lowering is unknown: its loops take " +
           report::formatTime(plain.runNs) +
           " even in a better order; raise --plain-timeout";
  double limitNs = 1e6 * static_cast<double>(limits.plainTimeoutMs);
  if (plain.runNs < limitNs)
    return note + "the set-up may; raise --setup-timeout";
  return note + report::formatTime(limitNs) + "; raise --plain-timeout";
}

void driver::warnOfRanges(const Kernel &kernel,
                          const runtime::Signature &signature) {
  mlir::ModuleOp payload = kernel.payload.get();
  auto function = payload.lookupSymbol<mlir::func::FuncOp>(kernel.name);
  for (mlir::BlockArgument value : function.getArguments()) {
    unsigned number = value.getArgNumber();
    const std::optional<runtime::IntegerRange> &range =
        signature.arguments[number].range;
    std::optional<ArgumentInput> input = inputOf(value);
    using Kind = ArgumentInput::Kind;
    if (!input || !range ||
        (input->kind != Kind::Range && input->kind != Kind::Uniform) ||
        (input->least >= range->least && input->greatest <= range->greatest))
      continue;
    std::string used =
        std::to_string(range->least) + ".." + std::to_string(range->greatest);
    emitWarning(kernel.location)
        << "argument " << number << " holds " << used << " only, not "
        << input->least << ".." << input->greatest
        << " as given: others are out of bounds of what they index, or not "
           "defined; write --arg="
        << kernel.name << ":" << number << "=" << used
        << ", or mend the type of the memory";
  }
}
