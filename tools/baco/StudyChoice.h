//===- StudyChoice.h - Which studies a command is about ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_STUDYCHOICE_H
#define BACO_TOOLS_BACO_STUDYCHOICE_H

#include "baco/Database/Journal.h"

namespace baco::tool {

/// The studies of a database, at `path`, that go by this name, or by a key
/// that begins like that; all, if `study` is empty.
std::vector<database::StudyInfo> findStudies(const database::Journal &journal,
                                             const std::string &path,
                                             const std::string &study);

/// A study by its name, and the file that has it.
struct StudyPlace {
  std::string path, study;
};

/// The place of `STUDY` in `database`, or of `FILE#STUDY` if there is such a
/// file.
StudyPlace placeOf(const std::string &word, const std::string &database);

/// The error if the options don't name one study.
Error notOne(const std::string &path,
             const std::vector<database::StudyInfo> &studies);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_STUDYCHOICE_H
