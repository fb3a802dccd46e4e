//===- FinalRows.h - Final comparisons in the tables ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DATABASE_FINALROWS_H
#define BACO_LIB_DATABASE_FINALROWS_H

#include "Sqlite.h"
#include "baco/Database/Final.h"

namespace baco::database {

/// The first version of the schema that has the tables.
inline constexpr int64_t finalsVersion = 3;

/// All final comparisons of a study, oldest first. Corrupt, naming the file, if
/// a row says what can't be.
Result<std::vector<Final>> readFinals(sqlite::Connection &connection,
                                      int64_t study);

/// Adds `finals` behind those that the study has. In a transaction of the
/// caller.
Result<void> insertFinals(sqlite::Connection &connection, int64_t study,
                          const std::vector<Final> &finals);

} // namespace baco::database

#endif // BACO_LIB_DATABASE_FINALROWS_H
