//===- Journal.h - Trials that survive the process --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The database: one SQLite file that holds the trials of any number of studies.
// Schema and guarantees: docs/Database.md.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_JOURNAL_H
#define BACO_DATABASE_JOURNAL_H

#include "baco/Database/Final.h"
#include "baco/Format/LibraryText.h"
#include "baco/Support/Result.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace baco::database {

/// The identity and description of a study.
struct StudyInfo {
  /// Two studies are the same if and only if their keys are (`studyKey`).
  std::string key;
  /// The kernel's name, for display.
  std::string name;
  /// The space as JSON (baco/Format). One key always has the same space.
  std::string space;
  /// Other data of the tool, as JSON.
  std::string metadata;
  /// When the study was made and last used, UTC, `2026-11-20T08:00:00Z`. Set
  /// by the journal; only a new study takes over `created`, if it isn't empty.
  std::string created = {}, used = {};
};

/// Whether the file at `path` is one of SQLite, or empty as one that a tuner is
/// just making. SQLite looks: while this process has a database open, nothing
/// else may open its file, because closing that would give up SQLite's locks
/// (POSIX locks belong to the process). True if it can't be read.
bool isDatabase(const std::string &path);

/// Whether `study` is the study's name, or four or more characters that its key
/// begins with.
bool isCalled(const StudyInfo &info, std::string_view study);

/// A study that is open for writing: no other process can open it until this
/// object or its process is gone. Movable. Not thread safe.
class StudyJournal {
public:
  StudyJournal(StudyJournal &&) noexcept;
  StudyJournal &operator=(StudyJournal &&) noexcept;
  ~StudyJournal();

  /// All trials so far, by number, pending ones included.
  Result<std::vector<Trial>> trials() const;

  /// Sets `StudyInfo::used` to now: a study that is opened, but then refused,
  /// stays as it was. `replaceTrials` does it, too.
  Result<void> markUsed();

  /// Commits new `StudyInfo::metadata`.
  Result<void> setMetadata(const std::string &metadata);

  /// Commits that a trial was asked for; its `outcome` is ignored. IOError if
  /// its number is taken, the file can't be written, or it was deleted or
  /// replaced since the study was opened (`recordOutcome` too).
  Result<void> recordAsk(const Trial &trial);

  /// Commits the outcome of a pending trial, or of a lost one that is measured
  /// again. InvalidArgument if it is neither.
  Result<void> recordOutcome(uint64_t number, const Outcome &outcome);

  /// Commits that a trial which was ok failed in a final comparison: status and
  /// message of `failure`. InvalidArgument if it wasn't ok, or failed before.
  Result<void> recordFailure(uint64_t number, const Outcome &failure);

  /// All final comparisons so far, oldest first.
  Result<std::vector<Final>> finals() const;

  /// Commits the result of a run, in one step.
  Result<void> recordFinal(const Final &final);

  /// Makes `trials` and `finals` those of the study, in one step; trials must
  /// be numbered from 0 without gaps. The old ones are lost. InvalidArgument if
  /// they aren't.
  Result<void> replaceTrials(const std::vector<Trial> &trials,
                             const std::vector<Final> &finals = {});

private:
  friend class Journal;
  struct Impl;
  explicit StudyJournal(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// A database file. Movable; studies that were opened from it may outlive it.
/// Not thread safe.
class Journal {
public:
  /// Opens a database for reading and writing and makes it if there is none;
  /// one that an earlier baco made is brought to the schema of today.
  /// Errors leave the file as it is and name it. IOError: missing directory,
  /// no permission, full disk. Corrupt: not a database of baco, or truncated.
  /// Unsupported: written by a newer baco.
  static Result<Journal> open(const std::string &path);

  /// Opens an existing database without ever changing it.
  static Result<Journal> openReadOnly(const std::string &path);

  /// The same for compilers, which look up a few entries: the file isn't
  /// searched for damage, which would take longer the larger it is. Damage that
  /// a look-up meets is an error of that. In a file that a tuner is just making
  /// nothing is found; to openReadOnly it is InvalidArgument.
  static Result<Journal> openForLookup(const std::string &path);

  Journal(Journal &&) noexcept;
  Journal &operator=(Journal &&) noexcept;
  ~Journal();

  /// All studies, in the order in which they came into the file.
  Result<std::vector<StudyInfo>> studies() const;

  /// All trials of a study, by number, pending ones included. NotFound if
  /// there is no study with this key.
  Result<std::vector<Trial>> trials(std::string_view key) const;

  /// All final comparisons of a study, oldest first. NotFound if there is no
  /// study with this key.
  Result<std::vector<Final>> finals(std::string_view key) const;

  /// Opens a study for writing and makes it if there is none with this key.
  /// IOError if it is open elsewhere. InvalidArgument if the key belongs to
  /// another space.
  Result<StudyJournal> openStudy(const StudyInfo &info);

  /// Whether a study could be opened for writing now, that is, no other process
  /// has it open. This is no guarantee; a command that changes several studies
  /// checks all of them before it changes the first. IOError if it is open
  /// elsewhere. Success if there is none with this key.
  Result<void> checkIdle(std::string_view key) const;

  /// Deletes a study with its trials. IOError if it is open elsewhere; NotFound
  /// if there is none with this key.
  Result<void> removeStudy(std::string_view key);

  /// All entries of tuned libraries, in the order in which they came into the
  /// file; with a key, those of this study.
  Result<std::vector<EntryText>> entries(std::string_view key = {}) const;

  /// The entries with a fingerprint, in that order.
  Result<std::vector<EntryText>>
  entriesWith(std::string_view fingerprint) const;

  /// An entry of a function of this name, or else of this structure.
  Result<std::optional<EntryText>> entryLike(std::string_view function,
                                             std::string_view structure) const;

  /// Whether there are entries of functions as they are written.
  Result<bool> hasEntriesAsWritten() const;

  /// Adds entries in one step; those of the same names are replaced, or, if
  /// `keepsOld`, stay. Returns how many were written.
  Result<size_t> storeEntries(const std::vector<EntryText> &entries,
                              bool keepsOld = false);

  /// Returns the space of deleted rows to the file system. IOError if the
  /// database is in use elsewhere.
  Result<void> compact();

private:
  static Result<Journal> openUnchanged(const std::string &path, bool checksAll);

  struct Impl;
  explicit Journal(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace baco::database

#endif // BACO_DATABASE_JOURNAL_H
