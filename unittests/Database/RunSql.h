//===- RunSql.h - SQL for tests ---------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_DATABASE_RUNSQL_H
#define BACO_UNITTESTS_DATABASE_RUNSQL_H

#include <string>

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace baco::test {

/// Runs SQL behind the journal's back.
inline void runSql(const std::string &path, const std::string &sql) {
  sqlite3 *handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr),
            SQLITE_OK)
      << sqlite3_errmsg(handle);
  sqlite3_close(handle);
}

} // namespace baco::test

#endif // BACO_UNITTESTS_DATABASE_RUNSQL_H
