//===- EntrySource.cpp - Where the text of entries is ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntrySource.h"

#include "baco/Database/Journal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace baco;
using namespace baco::apply;
using llvm::StringRef;

// Anchors the vtable.
EntrySource::~EntrySource() = default;

namespace {
class TextSource final : public EntrySource {
public:
  explicit TextSource(std::vector<EntryText> texts)
      : entries(std::move(texts)) {
    for (auto [i, entry] : llvm::enumerate(entries))
      byFingerprint[entry.fingerprint].push_back(i);
  }

  Result<std::vector<EntryText>>
  withFingerprint(StringRef fingerprint) override {
    std::vector<EntryText> found;
    for (size_t i : byFingerprint.lookup(fingerprint))
      found.push_back(entries[i]);
    return found;
  }

  Result<std::optional<EntryText>> like(StringRef function,
                                        StringRef structure) override {
    for (auto member : {&EntryText::function, &EntryText::structure}) {
      StringRef wanted = member == &EntryText::function ? function : structure;
      auto found = llvm::find_if(entries, [&](const EntryText &entry) {
        return entry.*member == wanted;
      });
      if (found != entries.end())
        return std::optional(*found);
    }
    return std::optional<EntryText>();
  }

  Result<bool> hasAsWritten() override {
    return llvm::any_of(entries, std::mem_fn(&EntryText::isAsWritten));
  }

private:
  std::vector<EntryText> entries;
  llvm::StringMap<std::vector<size_t>> byFingerprint;
};

class DatabaseSource final : public EntrySource {
public:
  explicit DatabaseSource(database::Journal journal)
      : journal(std::move(journal)) {}

  Result<std::vector<EntryText>>
  withFingerprint(StringRef fingerprint) override {
    return journal.entriesWith(fingerprint);
  }

  Result<std::optional<EntryText>> like(StringRef function,
                                        StringRef structure) override {
    return journal.entryLike(function, structure);
  }

  Result<bool> hasAsWritten() override { return journal.hasEntriesAsWritten(); }

private:
  database::Journal journal;
};
} // namespace

std::unique_ptr<EntrySource> apply::readEntries(StringRef text) {
  std::vector<EntryText> entries = splitLibrary(text);
  if (entries.empty())
    return nullptr;
  return std::make_unique<TextSource>(std::move(entries));
}

bool apply::isDatabase(StringRef bytes) {
  return bytes.starts_with("SQLite format 3");
}

Result<std::unique_ptr<EntrySource>>
apply::openEntries(const std::string &path) {
  Result<database::Journal> journal = database::Journal::openForLookup(path);
  if (!journal)
    return journal.error();
  return std::unique_ptr<EntrySource>(
      std::make_unique<DatabaseSource>(std::move(*journal)));
}
