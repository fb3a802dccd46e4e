//===- ScheduleTree.h - What isl makes code for -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_POLYHEDRAL_SCHEDULETREE_H
#define BACO_LIB_POLYHEDRAL_SCHEDULETREE_H

#include "ScannedLoops.h"
#include "State.h"

#include <exception>
#include <map>

namespace baco::polyhedral {

/// Builds the schedule tree, and later tells what its loops stand for. Its
/// domain is the counts of the scanned loops of each statement, { S[c0, ...] }.
class ScheduleTree {
public:
  ScheduleTree(isl::ctx ctx, const std::vector<Entry> &entries);

  isl::schedule build();

  /// The statements of a union of instances.
  std::vector<unsigned> members(const isl::union_map &instances) const;
  unsigned statement(const std::string &name) const { return byName.at(name); }
  /// Those of a statement, outermost first; one for each band around it.
  const std::vector<ScannedLoop> &scanned(unsigned s) const {
    return parts[s].scanned;
  }
  /// { S[c0, ...] -> [L1, ..., Ld] }.
  const isl::map &loops(unsigned s) const { return parts[s].loops; }

private:
  /// A statement's part in the tree.
  struct Part {
    /// { [L1, ..., Ld] }.
    isl::set values;
    std::vector<LoopValue> known;
    std::vector<ScannedLoop> scanned;
    isl::map loops;
    isl::set domain;
  };

  isl::schedule build(const std::vector<unsigned> &group, unsigned level);
  isl::schedule leaf(const std::vector<unsigned> &group);
  isl::schedule band(const std::vector<unsigned> &group, unsigned level);
  isl::set fullCounts(unsigned s, unsigned depth) const;
  isl_schedule_node *isolate(isl_schedule_node *node);

  isl::ctx ctx;
  const std::vector<Entry> &entries;
  /// For each statement.
  std::vector<Part> parts;
  std::vector<FullSteps> fullSteps;
  std::map<std::string, unsigned> byName;
  std::exception_ptr thrown;
};

} // namespace baco::polyhedral

#endif // BACO_LIB_POLYHEDRAL_SCHEDULETREE_H
