//===- LibraryText.h - The text of tuned libraries --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tuned library is a module of transform sequences. Each entry of one that
// baco has printed is text that stands by itself: it can be found without
// parsing the others, be kept in a database, and be put into another library.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FORMAT_LIBRARYTEXT_H
#define BACO_FORMAT_LIBRARYTEXT_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace baco {

/// How a stock mlir-opt finds the function of an entry.
enum class MatcherKind : uint8_t {
  /// Not at all: the schedule needs baco, or there is none.
  None,
  /// By its only op, a named linalg op, with its shapes and types.
  Structure,
  /// By its `baco.fingerprint`.
  Fingerprint
};

/// The value of the field `stock`; empty for None.
std::string_view matcherKindName(MatcherKind match);

/// Prefixes of an entry's name in the names of its matchers: `match.` finds
/// ops, `only.` compares them.
inline constexpr std::string_view kMatchPrefix = "match.";
inline constexpr std::string_view kGuardPrefix = "only.";

/// An entry: a sequence with `baco.entry`, and those after it without one.
struct EntryText {
  /// As it is printed, without the `@`. No two entries of a library have the
  /// same.
  std::string name;
  /// Fields of the entry: see apply::Entry.
  std::string function, fingerprint, structure;
  bool isAsWritten = false;
  /// It has a schedule that changes the function.
  bool isScheduled = false;
  MatcherKind stock = MatcherKind::None;
  /// Without a line break at the end.
  std::string text;
  /// The line of the file in which `text` begins, from 1.
  size_t line = 1;
  /// The key of the database's study that made the entry; empty if there is
  /// none.
  std::string study = {};
};

/// An entry in the text of a library.
struct EntrySpan {
  /// In the text of the library; the fingerprint as it is printed.
  std::string_view text, fingerprint;
  bool isAsWritten = false;
  size_t line = 1;
};

/// The entries of a library as joinLibrary writes it, in their order; none if
/// `text` isn't that of one, such as a part or one with marks of a merge
/// conflict. Much faster than reading them all.
std::vector<EntrySpan> findEntries(std::string_view text);

EntryText readEntry(const EntrySpan &span);

/// The text of an entry without the matchers that stock tools find its function
/// by.
std::string withoutMatchers(const EntryText &entry);

/// The field `name` of an entry if it is there and a text; else empty.
std::string entryField(const EntryText &entry, std::string_view name);

/// The entries in any text, complete or not.
std::vector<EntryText> splitLibrary(std::string_view text);

/// `before`, with each entry of the same name replaced by that of `entries`,
/// and the others of `entries` after them.
std::vector<EntryText> replaceEntries(std::vector<EntryText> before,
                                      const std::vector<EntryText> &entries);

/// Whether a stock mlir-opt can read all schedules, and there is one.
bool worksInStockTools(const std::vector<EntryText> &entries);

/// The entries with a schedule that a stock mlir-opt can apply.
std::vector<EntryText> stockEntries(const std::vector<EntryText> &entries);

/// The library of `entries`. If it works in stock tools, it has a sequence
/// `@__transform_main` that applies each schedule to its functions.
std::string joinLibrary(const std::vector<EntryText> &entries);

} // namespace baco

#endif // BACO_FORMAT_LIBRARYTEXT_H
