//===- LibrarySources.cpp - Entries to learn from -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibrarySources.h"

#include "baco/Database/Files.h"
#include "baco/Database/Journal.h"
#include "baco/Format/LibraryText.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Report/Units.h"
#include "baco/Search/CommonSpace.h"
#include "baco/Support/Complaint.h"

#include <algorithm>
#include <unistd.h>

using namespace baco;
using namespace baco::study;
using search::TransferSource;

bool study::isLibrary(const std::string &path) {
  return path.ends_with(".mlir");
}

namespace {

/// How much an entry is like a kernel.
enum class Likeness { None, SomeKnobs, SameKnobs, SameStructure };

struct LikeEntry {
  Likeness likeness;
  TransferSource source;
};

} // namespace

/// A parameter that has this value only.
static Result<Parameter> onlyValue(const std::string &name,
                                   const ParameterValue &value) {
  if (isNumber(value))
    return Parameter::ordinal(name, {value});
  if (const auto *order = std::get_if<Permutation>(&value))
    return Parameter::permutation(name, static_cast<int>(order->size()));
  return Parameter::categorical(name, {value});
}

/// The name of an entry for people: `matmul on znver4`.
static std::string nameOf(const EntryText &entry, const std::string &path) {
  std::string machine = entryField(entry, "cpu");
  if (machine.empty())
    machine = entryField(entry, "gpu");
  return report::printable(entry.function +
                           (machine.empty() ? "" : " on " + machine) + " (" +
                           path.substr(path.rfind('/') + 1) + ")");
}

/// Sets the extents that an entry has; those of older versions have none.
static void readExtents(const EntryText &entry,
                        std::vector<Parameter> &parameters) {
  std::string text = entryField(entry, "extents");
  if (text.empty())
    return;
  auto extents = readAssignment(text);
  if (!extents)
    fail({extents.error().code, "extents: " + extents.error().message});
  for (const auto &[name, extent] : *extents)
    for (Parameter &parameter : parameters)
      if (parameter.name() == name && isNumber(extent))
        parameter.extent = toDouble(extent);
}

/// The configuration of an entry.
static TransferSource readSource(const EntryText &entry,
                                 const std::string &path) {
  auto values = readAssignment(entryField(entry, "configuration"));
  if (!values)
    fail({values.error().code, "configuration: " + values.error().message});
  std::vector<Parameter> parameters;
  Configuration configuration;
  for (auto &[name, value] : *values) {
    parameters.push_back(need(onlyValue(name, value)));
    configuration.push_back(std::move(value));
  }
  readExtents(entry, parameters);
  // Times of entries aren't comparable, and of one nothing depends on it.
  return TransferSource{nameOf(entry, path),
                        need(Space::create(std::move(parameters))),
                        {{std::move(configuration), {1, /*feasible=*/true}}}};
}

static Likeness compare(const EntryText &entry, const TransferSource &source,
                        const Learner &learner) {
  if (search::CommonSpace(source.space, learner.space).isEmpty())
    return Likeness::None;
  if (!entry.structure.empty() && entry.structure == learner.structure)
    return Likeness::SameStructure;
  return haveSameNames(source.space, learner.space) ? Likeness::SameKnobs
                                                    : Likeness::SomeKnobs;
}

/// The entries with a configuration that are most like the learner's kernel,
/// and at least `least`.
static Result<std::vector<TransferSource>>
mostAlike(const std::vector<EntryText> &entries, const std::string &path,
          const Learner &learner, Likeness least) {
  std::vector<LikeEntry> found;
  for (const EntryText &entry : entries) {
    if (!entry.isScheduled || entryField(entry, "configuration").empty())
      continue;
    auto source = attempt([&] { return readSource(entry, path); });
    if (!source)
      return Error{ErrorCode::Corrupt, path + ":" + std::to_string(entry.line) +
                                           ": entry '" + entry.name +
                                           "': " + source.error().message};
    Likeness likeness = compare(entry, *source, learner);
    least = std::max(least, likeness);
    found.push_back({likeness, std::move(*source)});
  }
  std::vector<TransferSource> most;
  for (LikeEntry &entry : found)
    if (entry.likeness == least)
      most.push_back(std::move(entry.source));
  return most;
}

Result<std::vector<TransferSource>>
study::readLibrarySources(const std::string &path, const std::string &function,
                          const Learner &learner) {
  Result<std::string> text = database::readFile(path);
  if (!text)
    return text.error();
  std::vector<EntryText> entries = splitLibrary(*text);
  if (entries.empty())
    return Error{ErrorCode::InvalidArgument,
                 "'" + path +
                     "' is not a tuned library: it has no entry with a "
                     "'baco.entry' as baco prints it"};
  if (!function.empty()) {
    std::erase_if(entries, [&](const EntryText &entry) {
      return entry.function != function;
    });
    if (entries.empty())
      return Error{ErrorCode::InvalidArgument,
                   "library '" + path + "' has no entry of a function '" +
                       function + "'"};
  }
  return mostAlike(entries, path, learner, Likeness::SomeKnobs);
}

Result<std::vector<TransferSource>>
study::readAlikeEntries(const std::string &path, const Learner &learner) {
  if (access(path.c_str(), F_OK) != 0 ||
      (!isLibrary(path) && database::isDatabase(path)))
    return std::vector<TransferSource>();
  Result<std::string> text = database::readFile(path);
  if (!text)
    return text.error();
  return mostAlike(splitLibrary(*text), path, learner, Likeness::SameKnobs);
}
