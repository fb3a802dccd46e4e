//===- PartialTileSeparation.h - Full steps of loops ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unrolled loops and vectors run steps of another loop. Code for full steps is
// separated from the rest.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_POLYHEDRAL_PARTIALTILESEPARATION_H
#define BACO_LIB_POLYHEDRAL_PARTIALTILESEPARATION_H

#include "ScannedLoops.h"

#include "baco/Polyhedral/ScheduleState.h"

#include <map>
#include <string>

namespace baco::polyhedral {

/// The iterations in which all loops of a statement that run steps are full.
class PartialTileSeparation {
public:
  /// \param counts  { [c0, ...] } of all scanned loops
  /// \param loops  { [c0, ...] -> [L1, ..., Ld] }
  PartialTileSeparation(const Entry &entry, const isl::set &counts,
                        const isl::multi_aff &loops,
                        const std::vector<ScannedLoop> &scanned);

  /// The full steps in terms of the counts of the scanned loops among the
  /// outermost `level`; null if there is none or nothing to gain.
  isl::set at(unsigned level) const;

private:
  /// A loop that runs steps, the one over the steps, and the condition that
  /// makes a value part of a step. From 0.
  struct Step {
    unsigned loop, over;
    std::string isIn;
  };

  /// The number of scanned loops among the outermost `level`.
  unsigned numScanned(unsigned level) const;
  /// The iterations that meet `condition`, which is in terms of L1, ..., Ld.
  isl::set where(const std::string &condition) const;
  void findOwn(const std::vector<Step> &steps);

  isl::multi_aff loops;
  /// The levels of the scanned loops.
  std::vector<unsigned> levels;
  /// Places of the outermost loop over steps and, if some step isn't full, of
  /// the outermost loop that runs one.
  unsigned firstOver = 0, firstStep = 0;
  /// All iterations, and those of the loops outside of all steps in which
  /// steps are full.
  isl::set counts, full;
  /// If it is known of each loop over steps, from the loops outside of it and
  /// itself, whether its steps are full, whatever those of others are: where
  /// they are. Then also the rest of one loop has full steps of another.
  std::map<unsigned, isl::set> ownFull;
};

} // namespace baco::polyhedral

#endif // BACO_LIB_POLYHEDRAL_PARTIALTILESEPARATION_H
