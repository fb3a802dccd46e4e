//===- JournalFiles.h - Files of journals in tests --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_DATABASE_JOURNALFILES_H
#define BACO_UNITTESTS_DATABASE_JOURNALFILES_H

#include "baco/Database/Journal.h"

#include <fstream>
#include <iterator>
#include <string>

namespace baco::test {

inline std::string bytesOf(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The message of opening `path`; empty if that works.
inline std::string openError(const std::string &path) {
  Result<database::Journal> journal = database::Journal::open(path);
  return journal ? "" : journal.error().message;
}

} // namespace baco::test

#endif // BACO_UNITTESTS_DATABASE_JOURNALFILES_H
