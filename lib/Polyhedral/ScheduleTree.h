//===- ScheduleTree.h - Schedule trees for code generation ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_POLYHEDRAL_SCHEDULETREE_H
#define BACO_LIB_POLYHEDRAL_SCHEDULETREE_H

#include "ConvexLoopBounds.h"
#include "PartialTileSeparation.h"
#include "ScannedLoops.h"

#include "baco/Polyhedral/ScheduleState.h"

#include <map>
#include <optional>

namespace baco::polyhedral {

/// A statement's iterators and references, as functions of the counts of its
/// scanned loops.
struct InstanceFunctions {
  /// { S[c0, ...] -> the statement's iterators }.
  isl::map iterators;
  /// { S[c0, ...] -> A[x] }, for each access.
  std::vector<isl::map> accesses;
  /// The same as numbers, if all of them are affine.
  struct Rows {
    std::vector<Row> iterators;
    std::vector<std::vector<Row>> accesses;
  };
  std::optional<Rows> rows;
};

/// Builds the schedule tree, and later gives the meaning of its loops. Its
/// domain is the counts of the scanned loops of each statement, { S[c0, ...] },
/// but for inner ones.
class ScheduleTree {
public:
  ScheduleTree(isl::ctx ctx, const std::vector<Entry> &entries);

  isl::schedule build();

  unsigned statement(const std::string &name) const { return byName.at(name); }
  /// Loops of a statement, outermost first: one for each band around it, and
  /// then the inner ones.
  const std::vector<ScannedLoop> &scanned(unsigned s) const {
    return parts[s].scanned;
  }
  const ConvexLoopBounds &inner(unsigned s) const { return *parts[s].inner; }
  const InstanceFunctions &functions(unsigned s) const {
    return parts[s].functions;
  }

private:
  /// A statement's part in the tree.
  struct Part {
    /// { [L1, ..., Ld] }.
    isl::set values;
    std::vector<KnownValue> known;
    std::vector<ScannedLoop> scanned;
    /// Number of bands that it shares with other statements, and whether it
    /// runs in each iteration of the innermost of those.
    unsigned numShared = 0;
    bool isEverywhere = true;
    std::optional<ConvexLoopBounds> inner;
    /// The iterations with full steps, by scanned loop that isn't an inner one,
    /// where they are worth separating; see fullCounts.
    std::map<unsigned, isl::set> full;
    InstanceFunctions functions;
    isl::set domain;
  };

  isl::schedule build(const std::vector<unsigned> &group, unsigned level);
  isl::schedule leaf(const std::vector<unsigned> &group);
  isl::schedule band(const std::vector<unsigned> &group, unsigned level);
  void share(const std::vector<unsigned> &group, unsigned level);
  void finish(unsigned s, bool isAlone);
  void findFunctions(unsigned s, const isl::multi_aff &loops);
  isl::set fullCounts(const PartialTileSeparation &steps, unsigned s,
                      unsigned depth) const;
  isl::schedule_node isolate(const isl::schedule_node &node) const;

  isl::ctx ctx;
  const std::vector<Entry> &entries;
  /// For each statement.
  std::vector<Part> parts;
  std::map<std::string, unsigned> byName;
  bool anyFull = false;
};

} // namespace baco::polyhedral

#endif // BACO_LIB_POLYHEDRAL_SCHEDULETREE_H
