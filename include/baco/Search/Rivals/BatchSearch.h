//===- BatchSearch.h - Searching in batches of points -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Techniques that evaluate some points, then decide about the next ones:
// simplex methods, pattern search, mutation. They are written as if known
// points were free; the queue returns only new ones.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_BATCHSEARCH_H
#define BACO_SEARCH_RIVALS_BATCHSEARCH_H

#include "baco/Search/Rivals/Evaluations.h"

#include <memory>

namespace baco::search {

/// A technique that alternates between a batch of points and a decision.
class BatchSearch {
public:
  virtual ~BatchSearch();

  /// The feasible points to evaluate next, in the order of urgency; they may be
  /// known or equal. Called at first, and when the costs of all points of the
  /// last batch are known, or isDecided.
  virtual std::vector<Point> next(const Evaluations &known, Random &random) = 0;

  /// Whether the decision doesn't need the rest of the batch. Never, unless
  /// overridden.
  virtual bool isDecided(const Evaluations &known) const;
};

/// Hands the points of a BatchSearch out one by one.
class BatchQueue {
public:
  explicit BatchQueue(std::unique_ptr<BatchSearch> search)
      : search(std::move(search)) {}

  /// A point that wasn't asked for; nullopt if the search waits for costs, or
  /// found nothing new in many batches.
  std::optional<Point> next(const Evaluations &known, Random &random);

  /// Points that were asked for, but whose costs the search won't look at.
  std::vector<Point> unwanted(const Evaluations &known) const;

private:
  std::unique_ptr<BatchSearch> search;
  std::vector<Point> batch;
  /// The rest of earlier batches, where the decision didn't need it.
  std::vector<Point> abandoned;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_BATCHSEARCH_H
