//===- Sources.h - Studies to learn from ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the studies in journals and the entries of tuned libraries that a
// search is to learn from, and keeps what it learns from them: a search that
// continues must see the same trials, also if these studies have grown since,
// or are gone.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDY_SOURCES_H
#define BACO_STUDY_SOURCES_H

#include "baco/Search/TransferSource.h"

#include <string_view>

namespace baco::study {

/// The search that learns, and where it looks.
struct Learner {
  const Space &space;
  /// The file of studies that are named without one; empty: none.
  std::string database = {};
  /// The key of its own study; empty: none.
  std::string key = {};
  /// The structure of its kernel, as entries of libraries have it
  /// (EntryText::structure), and studies in their metadata, under `structure`;
  /// empty: unknown.
  std::string structure = {};
  /// Tuned libraries that `auto` stands for, too.
  std::vector<std::string> libraries = {};
};

/// The studies that `text` names, with their informative trials
/// (search::informativeTrials), and entries of libraries. It is a list,
/// separated by commas, of
///   STUDY       the studies of this name in the learner's database, or the one
///               whose key begins so (4 digits or more);
///   FILE        all studies of another database;
///   FILE#STUDY  some of them;
///   FILE.mlir   the entries of a tuned library that are most like the kernel:
///               those of its structure, or else those whose knobs have the
///               same names, or else those with a knob in common;
///   FILE.mlir#FUNCTION
///               the same of those of one function;
///   auto        the studies in the learner's database of its structure, or
///               else those whose parameters have the names of those of the
///               space, the four that were used last;
///               then the entries of the learner's libraries of its structure
///               or whose knobs have the same names, the first four.
/// Left out are the learner's own study, studies that were named before, and
/// those without a parameter in common with the space or without a trial that
/// works. An entry is a study with one trial. Errors: InvalidArgument if a part
/// other than `auto` names nothing; those of Journal::openReadOnly; those of
/// files.
Result<std::vector<search::TransferSource>> findSources(std::string_view text,
                                                        const Learner &learner);

/// The sources as JSON on one line. Errors: those of writeSpace.
Result<std::string>
writeSources(const std::vector<search::TransferSource> &sources);

/// The inverse. Corrupt if it isn't one.
Result<std::vector<search::TransferSource>> readSources(std::string_view json);

} // namespace baco::study

#endif // BACO_STUDY_SOURCES_H
