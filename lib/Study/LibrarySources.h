//===- LibrarySources.h - Entries to learn from -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry of a tuned library says which configuration was the best one for a
// function: it is a study with one trial, whose parameters have one value each.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_STUDY_LIBRARYSOURCES_H
#define BACO_LIB_STUDY_LIBRARYSOURCES_H

#include "baco/Study/Sources.h"

namespace baco::study {

/// Whether a file is a library by its name.
bool isLibrary(const std::string &path);

/// The entries of the function, or of all if it is empty, that are most like
/// the learner's kernel: see findSources. InvalidArgument if there is none,
/// naming the file; Corrupt, with the line, if a configuration can't be read;
/// those of readFile.
Result<std::vector<search::TransferSource>>
readLibrarySources(const std::string &path, const std::string &function,
                   const Learner &learner);

/// The entries of the learner's structure, or else with the same knobs. None if
/// there is no such file, or it isn't text as a library has it (a database, or
/// what another tool has printed). Errors: Corrupt and readFile's, as above.
Result<std::vector<search::TransferSource>>
readAlikeEntries(const std::string &path, const Learner &learner);

/// Whether the parameters of two spaces have the same names.
bool haveSameNames(const Space &a, const Space &b);

} // namespace baco::study

#endif // BACO_LIB_STUDY_LIBRARYSOURCES_H
