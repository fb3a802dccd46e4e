//===- StudyChoice.cpp - Which studies a command is about -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudyChoice.h"
#include "StudyTables.h"

#include "baco/Report/Units.h"
#include "baco/Support/Complaint.h"

#include <filesystem>

using namespace baco;
using namespace baco::studyreport;
using namespace baco::tool;
using database::Journal;
using database::StudyInfo;

std::vector<StudyInfo> tool::findStudies(const Journal &journal,
                                         const std::string &path,
                                         const std::string &study) {
  std::vector<StudyInfo> studies = need(journal.studies());
  std::erase_if(studies, [&](const StudyInfo &info) {
    return !study.empty() && !isCalled(info, study);
  });
  if (studies.empty() && !study.empty())
    fail({ErrorCode::InvalidArgument,
          "database '" + path + "' has no study '" + study +
              "': 'baco study list' shows its studies"});
  return studies;
}

StudyPlace tool::placeOf(const std::string &word, const std::string &database) {
  size_t hash = word.rfind('#');
  std::error_code missing;
  if (hash == std::string::npos ||
      !std::filesystem::exists(word.substr(0, hash), missing))
    return {database, word};
  return {word.substr(0, hash), word.substr(hash + 1)};
}

Error tool::notOne(const std::string &path,
                   const std::vector<StudyInfo> &studies) {
  std::string names;
  for (const StudyInfo &info : studies)
    names += (names.empty() ? "" : ", ") + shortKey(info) + " (" +
             report::printable(info.name) + ")";
  return {ErrorCode::InvalidArgument,
          "database '" + path + "' has " +
              (names.empty()
                   ? "no study"
                   : "several studies: choose one with --study: " + names)};
}
