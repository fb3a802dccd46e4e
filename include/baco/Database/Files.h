//===- Files.h - Whole files, safely ----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and replacing text files. A file is replaced in one step, so that a
// reader, or the next run after a crash, sees the old text or the new one.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_FILES_H
#define BACO_DATABASE_FILES_H

#include "baco/Support/Result.h"

#include <string_view>

namespace baco::database {

/// The bytes of a regular file. IOError naming the file and the reason.
Result<std::string> readFile(const std::string &path);

/// Writes `text` beside `path` and renames it over `path`: a failure (no
/// permission, full disk) leaves an old file as it was. A new file gets the
/// permissions that the process gives to new files; an old one keeps its own. A
/// link is followed; what isn't a regular file (a pipe, /dev/null) is written
/// to as it is.
/// IOError naming the file and the reason.
Result<void> writeFileAtomically(const std::string &path,
                                 std::string_view text);

} // namespace baco::database

#endif // BACO_DATABASE_FILES_H
