//===- TrialRows.h - Trials as rows -----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DATABASE_TRIALROWS_H
#define BACO_LIB_DATABASE_TRIALROWS_H

#include "Sqlite.h"

#include "baco/Database/Trial.h"

#include <vector>

namespace baco::database {

/// The trials of the study with this id, in their order, from a database whose
/// schema has this version. Corrupt if a row says what can't be.
Result<std::vector<Trial>> readTrials(sqlite::Connection &connection,
                                      int64_t study, int64_t version);

} // namespace baco::database

#endif // BACO_LIB_DATABASE_TRIALROWS_H
