//===- Lookup.cpp - The entry for a function ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/Lookup.h"

#include "baco/Analysis/Fingerprint.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::apply;

/// The order in which entries that fit are preferred; those of the same name
/// come first because equal functions may have been tuned for other inputs.
static auto preference(const Entry &entry, const Machine &machine,
                       const FunctionKey &key) {
  return std::pair(entry.machine == machine, entry.key.name == key.name);
}

FailureOr<Lookup> Lookup::open(ArrayRef<std::string> files, Machine machine,
                               Location location) {
  Lookup lookup(std::move(machine));
  for (const std::string &file : files) {
    FailureOr<std::unique_ptr<Library>> library = Library::open(file, location);
    if (failed(library))
      return failure();
    lookup.libraries.push_back(std::move(*library));
  }
  return std::move(lookup);
}

bool Lookup::hasAsWritten() const {
  return llvm::any_of(libraries, [](const std::unique_ptr<Library> &library) {
    return library->hasAsWritten();
  });
}

static constexpr StringLiteral remedy = "; tune it again";

/// Whether an entry was tuned from another schedule than is written for `key`.
/// Without one, the function takes that of the entry.
static bool isOverridden(const Entry &entry, const FunctionKey &key) {
  return !key.schedule.empty() && entry.key.schedule != key.schedule;
}

/// Says that.
static std::string explainSchedule(const Entry &entry) {
  return entry.key.schedule.empty()
             ? " is stale: it was tuned without the schedule as written, or by "
               "an older baco"
             : " is stale: the schedule as written has changed since it was "
               "tuned";
}

FailureOr<LookupResult> Lookup::find(const FunctionKey &key,
                                     bool isAsWritten) const {
  LookupResult result;
  for (const std::unique_ptr<Library> &library : libraries) {
    FailureOr<std::vector<const StoredEntry *>> found =
        library->withFingerprint(key.fingerprint);
    if (failed(found))
      return failure();
    // Two branches may have tuned the function, and git put their entries
    // together.
    bool isOnlyOne = true;
    for (const StoredEntry *stored : *found) {
      const Entry &entry = stored->entry;
      if (entry.isAsWritten != isAsWritten || !entry.shapes.empty())
        continue;
      if (isOverridden(entry, key) || !fits(entry)) {
        result.isUnfit = true;
        if (result.problem.empty())
          result.problem = explain(key, entry, *library);
      } else if (!result.entry ||
                 preference(entry, machine, key) >
                     preference(result.entry->entry, machine, key)) {
        result.entry = stored;
        isOnlyOne = true;
      } else if (entry.machine == result.entry->entry.machine &&
                 entry.key.name == result.entry->entry.key.name) {
        isOnlyOne = false;
      }
    }
    if (!isOnlyOne) {
      result.problem = "there are two entries of '" +
                       result.entry->entry.key.name + "' for " +
                       result.entry->entry.machine.str() + " in " +
                       library->file() + ": keep one";
      result.entry = nullptr;
      result.isUnfit = true;
      return result;
    }
    if (result.entry)
      return LookupResult{result.entry, library.get(), ""};
  }
  return result.problem.empty() ? explainMissing(key) : std::move(result);
}

/// Says that `key` isn't the function of `entry`, which was tuned.
static std::string explainChange(const FunctionKey &key, const Entry &entry,
                                 const Library &library) {
  std::string change = describeChange(entry.key.parts, key.parts, key.used);
  return "the entry of '" + key.name + "' in " + library.file() +
         " is stale: the function has changed since it was tuned" +
         (change.empty() ? "" : ": " + change) + remedy.str();
}

bool Lookup::fits(const Entry &entry) const {
  return entry.versions == Versions::current() && entry.machine.isLike(machine);
}

FailureOr<std::vector<frontend::RequestedShape>>
Lookup::findShapes(const FunctionKey &key, std::string &problem) const {
  std::vector<frontend::RequestedShape> unfit;
  for (const std::unique_ptr<Library> &library : libraries) {
    FailureOr<std::vector<const StoredEntry *>> found =
        library->withFingerprint(key.fingerprint);
    if (failed(found))
      return failure();
    const Entry *best = nullptr;
    for (const StoredEntry *stored : *found) {
      const Entry &entry = stored->entry;
      if (entry.shapes.empty())
        continue;
      if (!fits(entry)) {
        if (unfit.empty()) {
          unfit = entry.shapes;
          problem = explain(key, entry, *library);
        }
      } else if (!best || preference(entry, machine, key) >
                              preference(*best, machine, key)) {
        best = &entry;
      }
    }
    if (best) {
      problem.clear();
      return best->shapes;
    }
    FailureOr<const Entry *> related = library->relatedTo(key);
    if (failed(related))
      return failure();
    if (problem.empty() && *related && !(*related)->shapes.empty() &&
        (*related)->key.name == key.name)
      problem = explainChange(key, **related, *library);
  }
  return unfit;
}

LogicalResult
Lookup::addShapes(ModuleOp module, frontend::RequestedShapes &shapes,
                  function_ref<void(func::FuncOp, StringRef)> onProblem) const {
  for (auto function : module.getOps<func::FuncOp>()) {
    auto isDynamic = [](Type type) {
      auto shaped = dyn_cast<ShapedType>(type);
      return shaped && !shaped.hasStaticShape();
    };
    if (!mayBeKernel(function) ||
        llvm::none_of(function.getArgumentTypes(), isDynamic))
      continue;
    std::string problem, name = function.getName().str();
    FailureOr<std::vector<frontend::RequestedShape>> found =
        findShapes(FunctionKey::of(function), problem);
    if (failed(found))
      return failure();
    if (onProblem && !problem.empty()) {
      if (!shapes.contains(name))
        onProblem(function, problem);
      continue;
    }
    for (frontend::RequestedShape &shape : *found)
      if (auto &its = shapes[name]; !llvm::is_contained(its, shape))
        its.push_back(std::move(shape));
  }
  return success();
}

std::string Lookup::explain(const FunctionKey &key, const Entry &unfit,
                            const Library &library) const {
  std::string entry = "the entry of '" + key.name + "' in " + library.file();
  if (isOverridden(unfit, key))
    return entry + explainSchedule(unfit) + remedy.str();
  if (unfit.versions != Versions::current())
    return entry + " is stale: it was made by " + unfit.versions.str() +
           ", and this is " + Versions::current().str() + remedy.str();
  return entry + " is for another machine: " + unfit.machine.str() + ", not " +
         machine.str() + "; tune it for this one";
}

FailureOr<LookupResult> Lookup::explainMissing(const FunctionKey &key) const {
  LookupResult result;
  std::string files;
  for (const std::unique_ptr<Library> &library : libraries) {
    FailureOr<const Entry *> related = library->relatedTo(key);
    if (failed(related))
      return failure();
    files += (files.empty() ? "" : ", ") + library->file();
    if (!*related)
      continue;
    const std::string &name = (*related)->key.name;
    if (name == key.name) {
      result.problem = explainChange(key, **related, *library);
      result.changed = *related;
    } else {
      result.problem = "no entry for '" + key.name + "': that of '" + name +
                       "' in " + library->file() +
                       " has the same ops, but other code; tune '" + key.name +
                       "'";
    }
    return result;
  }
  result.problem = "no entry for '" + key.name + "' in " + files +
                   "; tune it, or mark it with baco.no_tune";
  return result;
}

/// Why an entry of `key` isn't `used`.
std::string Lookup::describe(const Entry &entry, const FunctionKey &key,
                             const StoredEntry *used) const {
  if (isOverridden(entry, key))
    return explainSchedule(entry);
  if (entry.versions != Versions::current())
    return " is stale: it was made by " + entry.versions.str() +
           ", and this is " + Versions::current().str();
  const Machine &wanted = entry.machine;
  if (wanted.isLike(machine))
    return used ? " fits, but another one comes first"
                : " fits, but isn't the only one";
  if (!wanted.gpu.empty())
    return " is for a GPU: target=nvvm:" + wanted.gpu + " would use it";
  return " is for another machine: target-cpu=" + wanted.cpu +
         (wanted.host == machine.host ? "" : " host=" + wanted.host) +
         " would use it";
}

FailureOr<std::vector<std::string>>
Lookup::explainAll(const FunctionKey &key, const StoredEntry *used) const {
  std::vector<std::string> lines;
  for (const std::unique_ptr<Library> &library : libraries) {
    FailureOr<std::vector<const StoredEntry *>> found =
        library->withFingerprint(key.fingerprint);
    if (failed(found))
      return failure();
    size_t numBefore = lines.size();
    for (const StoredEntry *stored : *found)
      if (stored->entry.shapes.empty())
        lines.push_back(
            "'@" + stored->sequence + "' in " + library->file() +
            (stored == used ? " is used" : describe(stored->entry, key, used)));
    if (lines.size() > numBefore)
      continue;
    FailureOr<const Entry *> related = library->relatedTo(key);
    if (failed(related))
      return failure();
    lines.push_back(*related && (*related)->key.name == key.name
                        ? explainChange(key, **related, *library)
                        : library->file() + " has no entry for '" + key.name +
                              "'");
  }
  return lines;
}
