//===- Sources.h - Studies to learn from ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the studies in journals that a search is to learn from, and keeps what
// it learns from them: a search that continues must see the same trials, also
// if these studies have grown since, or are gone.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDY_SOURCES_H
#define BACO_STUDY_SOURCES_H

#include "baco/Search/TransferSource.h"

#include <string_view>

namespace baco::study {

/// The studies that `text` names, with their informative trials
/// (search::informativeTrials). It is a list, separated by commas, of
///   STUDY       the studies of this name in the file `database`, or the one
///               whose key begins so (4 digits or more);
///   FILE        all studies of another database;
///   FILE#STUDY  some of them;
///   auto        the studies in `database` whose parameters have the names of
///               those of `space`, the four that were used last.
/// Left out are the study with the key `own`, studies that were named before,
/// and those without a parameter in common with `space` or without a trial that
/// works. Errors: InvalidArgument if a part other than `auto` names no study;
/// those of Journal::openReadOnly.
Result<std::vector<search::TransferSource>>
findSources(std::string_view text, const std::string &database,
            std::string_view own, const Space &space);

/// The sources as JSON on one line. Errors: those of writeSpace.
Result<std::string>
writeSources(const std::vector<search::TransferSource> &sources);

/// The inverse. Corrupt if it isn't one.
Result<std::vector<search::TransferSource>> readSources(std::string_view json);

} // namespace baco::study

#endif // BACO_STUDY_SOURCES_H
