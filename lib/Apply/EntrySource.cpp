//===- EntrySource.cpp - Where the text of entries is ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntrySource.h"

#include "baco/Apply/Library.h"
#include "baco/Database/Journal.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace baco;
using namespace baco::apply;
using llvm::StringRef;

// Anchors the vtable.
EntrySource::~EntrySource() = default;

namespace {
class TextSource final : public EntrySource {
public:
  explicit TextSource(std::vector<EntrySpan> found) : spans(std::move(found)) {
    for (auto [i, span] : llvm::enumerate(spans))
      byFingerprint[span.fingerprint].push_back(i);
  }

  Result<std::vector<EntryText>>
  withFingerprint(StringRef fingerprint) override {
    std::vector<EntryText> found;
    for (size_t i : byFingerprint.lookup(fingerprint))
      found.push_back(readEntry(spans[i]));
    return found;
  }

  Result<std::optional<EntryText>> like(StringRef function,
                                        StringRef structure) override {
    std::optional<EntryText> found;
    for (const EntrySpan &span : spans) {
      EntryText entry = readEntry(span);
      if (entry.function == function)
        return std::optional(std::move(entry));
      if (!found && entry.structure == structure)
        found = std::move(entry);
    }
    return found;
  }

  Result<bool> hasAsWritten() override {
    return llvm::any_of(spans, std::mem_fn(&EntrySpan::isAsWritten));
  }

private:
  std::vector<EntrySpan> spans;
  llvm::DenseMap<StringRef, llvm::SmallVector<size_t, 1>> byFingerprint;
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

std::unique_ptr<EntrySource> apply::readEntries(StringRef text,
                                                bool mayBeEmpty) {
  std::vector<EntrySpan> spans = findEntries(text);
  if (spans.empty() && !mayBeEmpty)
    return nullptr;
  return std::make_unique<TextSource>(std::move(spans));
}

bool apply::isDatabase(const std::string &path) {
  return !StringRef(path).ends_with(".mlir") && database::isDatabase(path);
}

Result<std::unique_ptr<EntrySource>>
apply::openEntries(const std::string &path) {
  Result<database::Journal> journal = database::Journal::openForLookup(path);
  if (!journal)
    return journal.error();
  return std::unique_ptr<EntrySource>(
      std::make_unique<DatabaseSource>(std::move(*journal)));
}
