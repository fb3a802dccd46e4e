//===- Schema.h - Tables and versions ---------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a new database and recognizes an old one. docs/Database.md describes
// the tables.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DATABASE_SCHEMA_H
#define BACO_LIB_DATABASE_SCHEMA_H

#include "Sqlite.h"

namespace baco::database {

/// The first version with the column `narrow_miss`.
inline constexpr int64_t narrowMissVersion = 4;
/// The first version with the columns of KernelResources.
inline constexpr int64_t resourcesVersion = 5;
/// The first version with the column `pack_ns`.
inline constexpr int64_t packTimeVersion = 6;
/// The first version with the table `entries`.
inline constexpr int64_t entriesVersion = 7;
/// The first version with the column `metrics`.
inline constexpr int64_t metricsVersion = 8;
/// The first version with the columns `usage` and `cost_beyond_limits`, and the
/// newest one.
inline constexpr int64_t usageVersion = 9;

/// Checks that the file is a database of ours whose schema we know, and returns
/// its version, which may be an earlier one, or 0 if the file is empty; changes
/// nothing. Version 2 added
/// the column `used` of `studies`, version 3 the columns `final_status` and
/// `final_message` of `trials`, and the tables `finals` and `finalists`,
/// version 4 the column `narrow_miss` of `trials`, version 5 `registers` and
/// others, version 6 `pack_ns`, version 7 the table
/// `entries`, version 8 `metrics`, version 9 `usage` and
/// `cost_beyond_limits`. `checksAll`: damage is looked for in the
/// whole file.
int64_t checkSchema(sqlite::Connection &connection, bool checksAll);

/// Makes the tables if the file is empty, else checks it and brings it to the
/// version of today, all or nothing; then sets the
/// connection up for writing and makes sure that it can write.
void prepareForWriting(sqlite::Connection &connection);

} // namespace baco::database

#endif // BACO_LIB_DATABASE_SCHEMA_H
