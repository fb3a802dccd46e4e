//===- EntryTimesJson.cpp - The file of measured entries ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/EntryTimes.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace baco;
using namespace baco::driver;

/// Raised when the meaning of a field changes.
static constexpr int64_t formatVersion = 1;

namespace {
/// The optional numbers and ratios of a record, for writing and for reading.
template <typename EntryT>
auto timeFields(EntryT &entry) {
  using Field = std::pair<StringLiteral, decltype(&entry.timeNs)>;
  return std::array<Field, 3>{Field{"time_ns", &entry.timeNs},
                              {"default_ns", &entry.defaultNs},
                              {"plain_ns", &entry.plainNs}};
}

template <typename EntryT>
auto ratioFields(EntryT &entry) {
  using Field =
      std::tuple<StringLiteral, StringLiteral, decltype(&entry.speedup)>;
  return std::array<Field, 2>{
      Field{"speedup", "speedup_interval", &entry.speedup},
      {"speedup_over_plain", "speedup_over_plain_interval",
       &entry.speedupOverPlain}};
}
} // namespace

static void write(json::OStream &json, const EntryTime &entry) {
  json.attribute("function", entry.function);
  json.attribute("fingerprint", entry.fingerprint);
  json.attribute("outcome", StringRef(keptName(entry.kept)));
  json.attribute("configuration", entry.configuration);
  for (auto [name, ns] : timeFields(entry))
    if (*ns)
      json.attribute(name, **ns);
  for (auto [name, intervalName, ratio] : ratioFields(entry)) {
    if (!*ratio)
      continue;
    json.attribute(name, (*ratio)->ratio);
    if ((*ratio)->interval)
      json.attributeArray(intervalName, [&, interval = *(*ratio)->interval] {
        json.value(interval.first);
        json.value(interval.second);
      });
  }
}

std::string driver::writeEntryTimes(const EntryTimes &times) {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream json(stream, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", formatVersion);
    json.attribute("baco", times.versions.baco);
    json.attribute("llvm", times.versions.llvm);
    json.attribute("pipeline", times.versions.pipeline);
    json.attribute("cpu", times.machine.cpu);
    json.attribute("isa", times.machine.isa);
    json.attribute("host", times.machine.host);
    json.attribute("gpu", times.machine.gpu);
    json.attributeArray("entries", [&] {
      for (const EntryTime &entry : times.entries)
        json.object([&] { write(json, entry); });
    });
    json.attributeArray("programs", [&] {
      for (const ProgramTime &program : times.programs)
        json.object([&] {
          json.attribute("name", program.name);
          if (program.timeNs)
            json.attribute("time_ns", *program.timeNs);
          if (program.plainNs)
            json.attribute("plain_ns", *program.plainNs);
        });
    });
  });
  return text + "\n";
}

static bool readEntry(const json::Value &value, EntryTime &entry,
                      json::Path path) {
  json::ObjectMapper fields(value, path);
  std::string outcome;
  if (!fields || !fields.map("function", entry.function) ||
      !fields.map("fingerprint", entry.fingerprint) ||
      !fields.map("outcome", outcome) ||
      !fields.map("configuration", entry.configuration))
    return false;
  std::optional<Kept> kept = parseKept(outcome);
  if (!kept) {
    path.field("outcome").report("expected tuned, default or plain");
    return false;
  }
  entry.kept = *kept;
  for (auto [name, ns] : timeFields(entry)) {
    if (!fields.mapOptional(name, *ns))
      return false;
    if (*ns && !apply::isRatio(**ns)) {
      path.field(name).report("expected a positive number");
      return false;
    }
  }
  for (auto [name, intervalName, speedup] : ratioFields(entry)) {
    std::optional<double> ratio;
    std::optional<std::vector<double>> interval;
    if (!fields.mapOptional(name, ratio) ||
        !fields.mapOptional(intervalName, interval))
      return false;
    if (ratio && !apply::isRatio(*ratio)) {
      path.field(name).report("expected a positive number");
      return false;
    }
    if (interval &&
        (!ratio || interval->size() != 2 ||
         !apply::isRatioInterval(interval->front(), interval->back()))) {
      path.field(intervalName)
          .report("expected two positive numbers, the smaller one first, and a "
                  "ratio");
      return false;
    }
    if (ratio)
      *speedup = {*ratio, interval ? std::optional(std::pair((*interval)[0],
                                                             (*interval)[1]))
                                   : std::nullopt};
  }
  return true;
}

static bool readPrograms(const json::Array &array, EntryTimes &times,
                         json::Path path) {
  for (size_t i = 0; i < array.size(); ++i) {
    ProgramTime &program = times.programs.emplace_back();
    json::ObjectMapper fields(array[i], path.index(i));
    if (!fields || !fields.map("name", program.name) ||
        !fields.mapOptional("time_ns", program.timeNs) ||
        !fields.mapOptional("plain_ns", program.plainNs))
      return false;
  }
  return true;
}

static bool readAll(const json::Value &value, EntryTimes &times,
                    json::Path path) {
  json::ObjectMapper fields(value, path);
  int64_t version = 0;
  if (!fields || !fields.map("version", version))
    return false;
  if (version != formatVersion) {
    path.field("version").report("written by another version of baco");
    return false;
  }
  const json::Object &object = *value.getAsObject();
  const json::Array *entries = object.getArray("entries");
  if (!fields.map("baco", times.versions.baco) ||
      !fields.map("llvm", times.versions.llvm) ||
      !fields.map("pipeline", times.versions.pipeline) ||
      !fields.map("cpu", times.machine.cpu) ||
      !fields.map("isa", times.machine.isa) ||
      !fields.map("host", times.machine.host) ||
      !fields.map("gpu", times.machine.gpu))
    return false;
  if (!entries) {
    path.field("entries").report("expected array");
    return false;
  }
  // Older files have none.
  if (const json::Array *programs = object.getArray("programs");
      programs && !readPrograms(*programs, times, path.field("programs")))
    return false;
  StringSet<> known;
  json::Path list = path.field("entries");
  for (size_t i = 0; i < entries->size(); ++i) {
    json::Path place = list.index(i);
    EntryTime &entry = times.entries.emplace_back();
    if (!readEntry((*entries)[i], entry, place))
      return false;
    if (!known.insert(entry.function + " " + entry.fingerprint).second) {
      place.report("there is an entry of this function before");
      return false;
    }
  }
  return true;
}

Result<EntryTimes> driver::readEntryTimes(StringRef text,
                                          const std::string &file) {
  auto corrupt = [&](llvm::Error error) {
    return baco::Error{ErrorCode::Corrupt, "'" + file +
                                               "' is no file of --remeasure: " +
                                               toString(std::move(error))};
  };
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return corrupt(value.takeError());
  json::Path::Root root("times");
  EntryTimes times;
  if (!readAll(*value, times, root))
    return corrupt(root.getError());
  return times;
}
