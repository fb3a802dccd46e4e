//===- TrialRows.h - Rows of trials and finals ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The database has tables; a row of them is written and read here.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DATABASE_TRIALROWS_H
#define BACO_LIB_DATABASE_TRIALROWS_H

#include "Sqlite.h"
#include "baco/Database/Final.h"
#include "baco/Database/Trial.h"

#include <vector>

namespace baco::database {

/// The trials of the study with this id, in their order, from a database whose
/// schema has this version. Corrupt if a row says what can't be.
std::vector<Trial> readTrials(sqlite::Connection &connection, int64_t study,
                              int64_t version);

/// The first version of the schema that has the tables.
inline constexpr int64_t finalsVersion = 3;

/// All final comparisons of a study, oldest first. Corrupt, naming the file, if
/// a row says what can't be.
std::vector<Final> readFinals(sqlite::Connection &connection, int64_t study);

/// Adds `finals` behind those that the study has. In a transaction of the
/// caller.
void insertFinals(sqlite::Connection &connection, int64_t study,
                  const std::vector<Final> &finals);

} // namespace baco::database

#endif // BACO_LIB_DATABASE_TRIALROWS_H
