//===- Diagram.h - Trees with shared subtrees -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree of a group: each path from the root to a leaf is a feasible choice
// for the group's parameters, one level per parameter; equal subtrees are
// stored once, and edges carry counts of leaves.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_DIAGRAM_H
#define BACO_LIB_SPACE_DIAGRAM_H

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace baco {

class Random;

__extension__ using Count = unsigned __int128;

/// In decimal.
std::string toDecimal(Count count);
/// Uniform in {0, ..., bound - 1}; bound > 0.
Count drawBelow(Random &random, Count bound);

/// A choice for a group is a list of indices of values, one per level.
class Diagram {
public:
  /// Without levels: one leaf.
  Diagram() = default;

  /// Parameters (indices into those of the space), one per level.
  std::vector<size_t> levels;

  /// An edge to a subtree that has at least one leaf.
  struct Edge {
    uint32_t value;
    /// The node beneath; 0 at the last level.
    uint32_t child;
    /// Leaves beneath this and earlier edges of the same node.
    Count cumulative;
  };

  /// Adds a node with these edges, by increasing value; returns its index.
  /// Children come before parents; the root is added last.
  uint32_t addNode(const std::vector<Edge> &edges);

  size_t numNodes() const { return firstEdges.size(); }
  size_t numEdges() const { return values.size(); }

  /// Number of leaves, of all or beneath a node.
  Count count() const;
  Count countOf(uint32_t node) const { return cumulative[end(node) - 1]; }
  bool contains(std::span<const uint32_t> choice) const;
  /// The k-th leaf, k < count(), in lexicographic order.
  void at(Count k, std::span<uint32_t> choice) const;
  /// The inverse of `at`; the choice is in the tree.
  Count rank(std::span<const uint32_t> choice) const;

  /// The values that a level has, increasing, in the leaves that agree with
  /// `fixed` wherever that holds a value (one entry per level).
  std::vector<uint32_t>
  valuesAt(size_t level, std::span<const std::optional<uint32_t>> fixed) const;

  /// The nearest value above (or below) the choice's own at a level with which
  /// the choice is in the tree, its other values being kept.
  std::optional<uint32_t> nextValue(std::span<const uint32_t> choice,
                                    size_t level, bool upward) const;

  /// The leaf with the least sum of costs, by best-first search and, if that
  /// takes long, by looking at all edges: exact for any costs >= 0.
  /// `cost(level, value)`; infinity forbids a value. False if no leaf has a
  /// finite cost. Ties are resolved in a fixed order.
  bool cheapest(const std::function<double(size_t, uint32_t)> &cost,
                std::span<uint32_t> choice) const;

private:
  size_t begin(uint32_t node) const { return firstEdges[node]; }
  size_t end(uint32_t node) const {
    return node + 1 < firstEdges.size() ? firstEdges[node + 1] : values.size();
  }
  bool cheapestOfAll(const std::function<double(size_t, uint32_t)> &cost,
                     std::span<uint32_t> choice) const;
  /// The edge of a node with a value; the node's end if there is none.
  size_t find(uint32_t node, uint32_t value) const;
  /// Whether the choice's values from a level on lead from `node` to a leaf.
  bool leads(uint32_t node, std::span<const uint32_t> choice,
             size_t level) const;
  /// Calls `visit(edge)` for the edges of a node that agree with a fixed value.
  template <typename Visit>
  void forEdges(uint32_t node, std::optional<uint32_t> fixed,
                Visit visit) const;
  /// The node that the choice's values before a level lead to.
  std::optional<uint32_t> descend(std::span<const uint32_t> choice,
                                  size_t level) const;
  uint32_t root() const { return static_cast<uint32_t>(numNodes()) - 1; }

  // Per node.
  std::vector<uint32_t> firstEdges;
  // Per edge.
  std::vector<uint32_t> values, children;
  std::vector<Count> cumulative;
};

} // namespace baco

#endif // BACO_LIB_SPACE_DIAGRAM_H
