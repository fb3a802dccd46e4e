//===- HandMadeReport.h - A small database to report on ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_STUDYREPORT_HANDMADEREPORT_H
#define BACO_UNITTESTS_STUDYREPORT_HANDMADEREPORT_H

#include "../Database/TestHelpers.h"
#include "HandMadeStudy.h"
#include "baco/StudyReport/WriteReport.h"

namespace baco::test {

/// A database in a temporary folder. A study with a final comparison has an
/// entry of a library, too.
class HandMadeDatabase {
public:
  void add(const database::StudyInfo &info,
           const std::vector<database::Trial> &trials,
           const std::vector<database::Final> &finals = {}) {
    Result<database::Journal> journal = database::Journal::open(path);
    ASSERT_TRUE(journal) << journal.error().message;
    Result<database::StudyJournal> study = journal->openStudy(info);
    ASSERT_TRUE(study) << study.error().message;
    Result<void> done = study->replaceTrials(trials, finals);
    ASSERT_TRUE(done) << done.error().message;
    if (finals.empty())
      return;
    EntryText entry =
        splitLibrary("\n  transform.named_sequence @" + std::string(entryName) +
                     "() attributes {baco.entry = {fingerprint = \"1\", "
                     "function = \"f\", structure = \"s\"}} {\n  }\n")
            .front();
    entry.study = info.key;
    ASSERT_TRUE(journal->storeEntries({entry}));
  }

  studyreport::ReportFacts gather() const {
    Result<database::Journal> journal = database::Journal::openReadOnly(path);
    EXPECT_TRUE(journal);
    Result<studyreport::ReportFacts> facts =
        studyreport::gatherReport(*journal, "hand.db", *journal->studies());
    if (!facts) {
      ADD_FAILURE() << facts.error().message;
      return {};
    }
    return std::move(*facts);
  }

  static constexpr const char *entryName = "tuned_entry";
  const std::string &file() const { return path; }

private:
  TemporaryFolder folder;
  std::string path = folder.file("hand.db");
};

} // namespace baco::test

#endif // BACO_UNITTESTS_STUDYREPORT_HANDMADEREPORT_H
