//===- LibraryText.cpp - The text of tuned libraries ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In printed MLIR a line break, two spaces and the name of an op begin an op of
// the module, and strings hold neither quotes nor line breaks.
//
//===----------------------------------------------------------------------===//

#include "baco/Format/LibraryText.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <set>
#include <unordered_map>

using namespace baco;

/// How each sequence begins and ends.
static constexpr std::string_view kBegin = "\n  transform.named_sequence @";
static constexpr std::string_view kEnd = "\n  }";
static constexpr std::string_view kMain = "__transform_main";

std::string_view baco::matcherKindName(MatcherKind match) {
  switch (match) {
  case MatcherKind::None:
    return "";
  case MatcherKind::Structure:
    return "structure";
  case MatcherKind::Fingerprint:
    return "fingerprint";
  }
  return "";
}

/// The offset of `wanted` in `text` at or behind `from`, or npos. Faster than
/// string_view::find, which matters for files of many megabytes.
static size_t findText(std::string_view text, std::string_view wanted,
                       size_t from) {
  const void *found = memmem(text.data() + from, text.size() - from,
                             wanted.data(), wanted.size());
  return found ? static_cast<const char *>(found) - text.data()
               : std::string_view::npos;
}

/// A printed string: `\XX` is the byte with these digits.
static std::string unescape(std::string_view printed) {
  std::string text;
  for (size_t i = 0; i < printed.size(); ++i) {
    unsigned char byte = printed[i];
    if (byte == '\\' && i + 2 < printed.size() &&
        std::from_chars(&printed[i + 1], &printed[i + 1] + 2, byte, 16).ptr ==
            &printed[i + 1] + 2)
      i += 2;
    text += static_cast<char>(byte);
  }
  return text;
}

/// The text of the field `name` as it is printed; empty if there is none.
static std::string_view printedField(std::string_view head,
                                     std::string_view name) {
  std::string start = std::string(name) + " = \"";
  size_t at = findText(head, start, 0);
  if (at == std::string_view::npos)
    return {};
  head.remove_prefix(at + start.size());
  return head.substr(0, head.find('"'));
}

static std::string fieldOf(std::string_view head, std::string_view name) {
  return unescape(printedField(head, name));
}

/// The symbol that `text` begins with, as it is printed.
static std::string_view symbolOf(std::string_view text) {
  if (text.starts_with('"'))
    return text.substr(0, text.find('"', 1) + 1);
  return text.substr(0, text.find('('));
}

/// The attribute of the entry that `text` begins with, and the rest of this
/// line; empty if `text` begins with something else.
static std::string_view headOf(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  size_t at = findText(text, "baco.entry", 0);
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

/// Whether `text` ends like a library, after a sequence.
static bool endsModule(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \r\n") + 1);
  return text.ends_with("\n}") &&
         text.substr(0, text.size() - 2).ends_with(kEnd);
}

namespace {
/// The entries in the text of a library.
struct FoundEntries {
  std::vector<EntrySpan> spans;
  /// The text has nothing but these sequences, as joinLibrary writes it.
  bool isWhole = true;
};
} // namespace

/// Whether `text` is a head as joinLibrary's callers write it before the
/// entries: comments, and the line that begins the module.
static bool beginsModule(std::string_view text) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (text.empty())
      return line.starts_with("module ") && line.ends_with('{');
    if (!line.empty() && !line.starts_with("//"))
      return false;
  }
  return false;
}

static FoundEntries scanEntries(std::string_view text) {
  FoundEntries found;
  std::vector<EntrySpan> &entries = found.spans;
  bool belongsToMain = false;
  size_t line = 1, counted = 0;
  size_t next = findText(text, kBegin, 0);
  found.isWhole =
      next != std::string_view::npos && beginsModule(text.substr(0, next));
  while (next != std::string_view::npos) {
    size_t begin = next + 1;
    next = findText(text, kBegin, begin);
    std::string_view part =
        text.substr(begin, std::min(next, text.size()) - begin);
    found.isWhole &= next == std::string_view::npos ? endsModule(part)
                                                    : part.ends_with(kEnd);
    line += std::count(text.begin() + counted, text.begin() + begin, '\n');
    counted = begin;
    std::string_view head = headOf(part);
    if (!head.empty()) {
      belongsToMain = false;
      // The fields are in the order of their names.
      entries.push_back({part, printedField(head, "fingerprint"),
                         head.starts_with("baco.entry = {as_written,"), line});
      continue;
    }
    belongsToMain |= symbolOf(part.substr(kBegin.size() - 1)) == kMain;
    if (!entries.empty() && !belongsToMain) {
      std::string_view &before = entries.back().text;
      before = {before.data(),
                static_cast<size_t>(part.data() + part.size() - before.data())};
    }
  }
  return found;
}

std::vector<EntrySpan> baco::findEntries(std::string_view text) {
  FoundEntries found = scanEntries(text);
  return found.isWhole ? std::move(found.spans) : std::vector<EntrySpan>();
}

EntryText baco::readEntry(const EntrySpan &span) {
  std::string_view head = headOf(span.text);
  EntryText entry;
  entry.name = symbolOf(span.text.substr(kBegin.size() - 1));
  entry.function = fieldOf(head, "function");
  entry.fingerprint = unescape(span.fingerprint);
  entry.structure = fieldOf(head, "structure");
  entry.isAsWritten = span.isAsWritten;
  std::string outcome = fieldOf(head, "outcome");
  entry.isScheduled = outcome == "tuned" || outcome == "default";
  std::string stock = fieldOf(head, "stock");
  for (MatcherKind match : {MatcherKind::Structure, MatcherKind::Fingerprint})
    if (stock == matcherKindName(match))
      entry.stock = match;
  // The end of the module may follow.
  size_t end = span.text.rfind(kEnd);
  entry.text = span.text.substr(
      0, end == std::string_view::npos ? end : end + kEnd.size());
  entry.line = span.line;
  return entry;
}

std::string baco::entryField(const EntryText &entry, std::string_view name) {
  return fieldOf(headOf(entry.text), name);
}

std::vector<EntryText> baco::splitLibrary(std::string_view text) {
  std::vector<EntryText> entries;
  for (const EntrySpan &span : scanEntries(text).spans)
    entries.push_back(readEntry(span));
  return entries;
}

std::vector<EntryText>
baco::replaceEntries(std::vector<EntryText> before,
                     const std::vector<EntryText> &entries) {
  std::unordered_map<std::string, size_t> places;
  for (size_t i = 0; i < before.size(); ++i)
    places.try_emplace(before[i].name, i);
  for (const EntryText &entry : entries) {
    auto [place, isNew] = places.try_emplace(entry.name, before.size());
    if (isNew)
      before.push_back(entry);
    else
      before[place->second] = entry;
  }
  return before;
}

std::vector<EntryText>
baco::stockEntries(const std::vector<EntryText> &entries) {
  std::vector<EntryText> kept;
  for (const EntryText &entry : entries)
    if (entry.stock != MatcherKind::None)
      kept.push_back(entry);
  return kept;
}

bool baco::worksInStockTools(const std::vector<EntryText> &entries) {
  auto isStock = [](const EntryText &entry) {
    return entry.stock != MatcherKind::None;
  };
  return std::ranges::any_of(entries, isStock) &&
         std::ranges::all_of(entries, [&](const EntryText &entry) {
           return isStock(entry) || !entry.isScheduled;
         });
}

/// A reference to the symbol `prefix` and `name`, which is as it is printed.
static std::string reference(std::string_view prefix, std::string_view name) {
  bool isQuoted = name.starts_with('"');
  return std::string(isQuoted ? "@\"" : "@")
      .append(prefix)
      .append(name.substr(isQuoted ? 1 : 0));
}

/// `pattern` with `$N` replaced by the value with this number.
static std::string fill(std::string_view pattern,
                        std::initializer_list<std::string> values) {
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i)
    if (pattern[i] == '$')
      text += values.begin()[pattern[++i] - '0'];
    else
      text += pattern[i];
  return text;
}

std::string baco::withoutMatchers(const EntryText &entry) {
  if (entry.stock != MatcherKind::Structure)
    return entry.text;
  const std::string match = reference(kMatchPrefix, entry.name),
                    guard = reference(kGuardPrefix, entry.name);
  std::string_view text = entry.text;
  std::string kept;
  size_t end = 0;
  for (size_t begin = 0; begin < text.size(); begin = end + 1) {
    end = std::min(findText(text, kBegin, begin), text.size());
    std::string_view part = text.substr(begin, end - begin);
    std::string symbol =
        "@" + std::string(symbolOf(part.substr(kBegin.size() - 1)));
    if (symbol == match || symbol == guard)
      continue;
    if (!kept.empty())
      kept += '\n';
    kept += part;
  }
  return kept;
}

static constexpr std::string_view kMainBegin =
    R"(  transform.named_sequence @__transform_main(%root0: !transform.any_op {transform.consumed}) {
)";
static constexpr std::string_view kMainEnd = R"(    transform.yield
  }
)";
/// Yields the function that a matcher has found.
static constexpr std::string_view kTake =
    R"(  transform.named_sequence @take_function(%function: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %function : !transform.any_op
  }
)";
/// $0: number of the module's handle, $1: the entry, $2: its place, $3: its
/// fingerprint.
static constexpr std::string_view kByFingerprint =
    R"(    %marked$2 = transform.structured.match ops{["func.func"]} attributes {baco.fingerprint = "$3"} in %root$0 : (!transform.any_op) -> !transform.any_op
    transform.foreach %marked$2 : !transform.any_op {
    ^bb0(%function: !transform.any_op):
      transform.include $1 failures(propagate) (%function) : (!transform.any_op) -> ()
    }
)";
/// $0: number of the module's handle, $1: the entry, $2: its place, $3: number
/// of the next handle, $4 and $5: matcher and guard.
static constexpr std::string_view kByStructure =
    R"(    %root$3, %found$2 = transform.foreach_match in %root$0 $4 -> @take_function : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.foreach %found$2 : !transform.any_op {
    ^bb0(%holder: !transform.any_op):
      %same = transform.sequence %holder : !transform.any_op -> !transform.any_op failures(suppress) {
      ^bb1(%candidate: !transform.any_op):
        %alike = transform.include $5 failures(propagate) (%candidate) : (!transform.any_op) -> !transform.any_op
        transform.yield %alike : !transform.any_op
      }
      transform.foreach %same : !transform.any_op {
      ^bb2(%function: !transform.any_op):
        transform.include $1 failures(propagate) (%function) : (!transform.any_op) -> ()
      }
    }
)";

/// The sequence that applies each of `entries` that is stock, and the sequences
/// that it includes.
static std::string writeMain(const std::vector<EntryText> &entries) {
  std::string text(kMainBegin);
  // Functions with one fingerprint get the schedule of the first.
  std::set<std::string> known;
  // How often the handle to the module has changed.
  size_t numRoots = 0;
  for (const EntryText &entry : entries) {
    if (entry.stock == MatcherKind::None ||
        !known.insert(entry.fingerprint).second)
      continue;
    std::string root = std::to_string(numRoots);
    std::string name = reference("", entry.name);
    std::string place = std::to_string(known.size());
    if (entry.stock == MatcherKind::Fingerprint)
      text += fill(kByFingerprint, {root, name, place, entry.fingerprint});
    else
      text += fill(kByStructure, {root, name, place, std::to_string(++numRoots),
                                  reference(kMatchPrefix, entry.name),
                                  reference(kGuardPrefix, entry.name)});
  }
  text += kMainEnd;
  return numRoots > 0 ? text.append(kTake) : text;
}

std::string baco::joinLibrary(const std::vector<EntryText> &entries) {
  std::string text = "module attributes {transform.with_named_sequence} {\n";
  for (const EntryText &entry : entries)
    text.append(entry.text).append("\n");
  if (worksInStockTools(entries))
    text += writeMain(entries);
  return text + "}\n";
}
