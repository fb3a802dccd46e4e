//===- FirstPoints.h - First points from earlier studies --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The best configurations of earlier studies, for a search to begin with.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_FIRSTPOINTS_H
#define BACO_SEARCH_FIRSTPOINTS_H

#include "baco/Search/CommonSpace.h"
#include "baco/Search/TransferSource.h"

namespace baco::search {

/// The matches of a source with a target, one for each reading that differs,
/// shares first; none if they have no parameter in common.
std::vector<CommonSpace> readingsOf(const TransferSource &source,
                                    const Space &target);

/// The trials to learn from: feasible ones, best first, the earlier first of
/// equal ones; at most 256. Half of those are the best ones, the others lie at
/// equal distances of rank behind these.
std::vector<TransferSource::Trial>
informativeTrials(std::vector<TransferSource::Trial> trials);

/// A configuration of a source.
struct Transferred {
  /// The configuration's point in the target.
  Point point;
  /// The index of the source.
  size_t source = 0;
  /// Whether it is the source's first one in the same reading.
  bool isFirst = false;
};

/// The best feasible configurations of the sources as points of `target`,
/// without its default and without repetitions: the best one of each source (in
/// each reading that differs), then their second ones, .... At most four.
std::vector<Transferred> firstPoints(const std::vector<TransferSource> &sources,
                                     const Space &target);

/// Describes the search's first points for people: `4 configurations from
/// matmul (1f2e3d4c)`; empty if there are none.
std::string describeTransfer(const std::vector<TransferSource> &sources,
                             const Space &target);

} // namespace baco::search

#endif // BACO_SEARCH_FIRSTPOINTS_H
