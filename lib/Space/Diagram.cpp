//===- Diagram.cpp - Trees with shared subtrees ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <queue>
#include <unordered_set>
#include <utility>

using namespace baco;

std::string baco::toDecimal(Count count) {
  std::string digits;
  do
    digits += static_cast<char>('0' + static_cast<int>(count % 10));
  while (count /= 10);
  return {digits.rbegin(), digits.rend()};
}

Count baco::drawBelow(Random &random, Count bound) {
  assert(bound > 0 && "nothing to draw from");
  if (bound <= UINT64_MAX)
    return random.below(static_cast<uint64_t>(bound));
  // As many bits as the largest result has; rejects less than half.
  uint64_t high = static_cast<uint64_t>((bound - 1) >> 64);
  int unused = std::countl_zero(std::max<uint64_t>(high, 1));
  for (;;) {
    Count bits = static_cast<Count>(random.next() >> unused) << 64;
    bits |= random.next();
    if (bits < bound)
      return bits;
  }
}

uint32_t Diagram::addNode(const std::vector<Edge> &edges) {
  firstEdges.push_back(static_cast<uint32_t>(values.size()));
  for (const Edge &edge : edges) {
    values.push_back(edge.value);
    children.push_back(edge.child);
    cumulative.push_back(edge.cumulative);
  }
  return root();
}

Count Diagram::count() const { return levels.empty() ? 1 : countOf(root()); }

size_t Diagram::find(uint32_t node, uint32_t value) const {
  auto first = values.begin() + begin(node), last = values.begin() + end(node);
  auto found = std::lower_bound(first, last, value);
  if (found == last || *found != value)
    return end(node);
  return found - values.begin();
}

bool Diagram::leads(uint32_t node, std::span<const uint32_t> choice,
                    size_t level) const {
  for (; level < levels.size(); ++level) {
    size_t edge = find(node, choice[level]);
    if (edge == end(node))
      return false;
    node = children[edge];
  }
  return true;
}

std::optional<uint32_t> Diagram::descend(std::span<const uint32_t> choice,
                                         size_t level) const {
  uint32_t node = root();
  for (size_t i = 0; i < level; ++i) {
    size_t edge = find(node, choice[i]);
    if (edge == end(node))
      return std::nullopt;
    node = children[edge];
  }
  return node;
}

bool Diagram::contains(std::span<const uint32_t> choice) const {
  return levels.empty() || leads(root(), choice, 0);
}

std::optional<uint32_t> Diagram::nextValue(std::span<const uint32_t> choice,
                                           size_t level, bool upward) const {
  std::optional<uint32_t> node = descend(choice, level);
  if (!node)
    return std::nullopt;
  size_t first = begin(*node), last = end(*node);
  // The first edge with a larger value; those below it, but for the choice's
  // own, are smaller.
  size_t above = std::upper_bound(values.begin() + first, values.begin() + last,
                                  choice[level]) -
                 values.begin();
  if (upward) {
    for (size_t edge = above; edge < last; ++edge)
      if (leads(children[edge], choice, level + 1))
        return values[edge];
    return std::nullopt;
  }
  for (size_t edge = above; edge > first; --edge)
    if (values[edge - 1] != choice[level] &&
        leads(children[edge - 1], choice, level + 1))
      return values[edge - 1];
  return std::nullopt;
}

void Diagram::at(Count k, std::span<uint32_t> choice) const {
  assert(k < count() && "no such leaf");
  uint32_t node = levels.empty() ? 0 : root();
  for (size_t level = 0; level < levels.size(); ++level) {
    auto first = cumulative.begin() + begin(node);
    auto last = cumulative.begin() + end(node);
    auto found = std::upper_bound(first, last, k);
    if (found != first)
      k -= *(found - 1);
    size_t edge = found - cumulative.begin();
    choice[level] = values[edge];
    node = children[edge];
  }
}

Count Diagram::rank(std::span<const uint32_t> choice) const {
  assert(contains(choice) && "not in the tree");
  Count rank = 0;
  uint32_t node = levels.empty() ? 0 : root();
  for (size_t level = 0; level < levels.size(); ++level) {
    size_t edge = find(node, choice[level]);
    if (edge != begin(node))
      rank += cumulative[edge - 1];
    node = children[edge];
  }
  return rank;
}

template <typename Visit>
void Diagram::forEdges(uint32_t node, std::optional<uint32_t> fixed,
                       Visit visit) const {
  size_t first = fixed ? find(node, *fixed) : begin(node);
  size_t last = fixed ? std::min(first + 1, end(node)) : end(node);
  for (size_t edge = first; edge < last; ++edge)
    visit(edge);
}

std::vector<uint32_t>
Diagram::valuesAt(size_t level,
                  std::span<const std::optional<uint32_t>> fixed) const {
  assert(level < levels.size() && fixed.size() == levels.size());
  // Beyond the last fixed level every node leads to a leaf.
  size_t end = level + 1;
  for (size_t i = end; i < levels.size(); ++i)
    if (fixed[i])
      end = i + 1;
  // The nodes of each level that the fixed values lead to.
  std::vector<std::vector<uint32_t>> reached(end);
  std::vector<char> mark(numNodes(), 0);
  reached[0] = {root()};
  for (size_t i = 0; i + 1 < end; ++i)
    for (uint32_t node : reached[i])
      forEdges(node, fixed[i], [&](size_t edge) {
        if (!std::exchange(mark[children[edge]], 1))
          reached[i + 1].push_back(children[edge]);
      });
  // Bottom up: the nodes from which the fixed values lead to a leaf are marked.
  auto isAlive = [&](size_t i, size_t edge) {
    return i + 1 == end || mark[children[edge]];
  };
  for (size_t i = end; i-- > level + 1;)
    for (uint32_t node : reached[i]) {
      mark[node] = 0;
      forEdges(node, fixed[i],
               [&](size_t edge) { mark[node] |= isAlive(i, edge); });
    }
  std::vector<uint32_t> values;
  for (uint32_t node : reached[level])
    forEdges(node, fixed[level], [&](size_t edge) {
      if (isAlive(level, edge))
        values.push_back(this->values[edge]);
    });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Children come before the nodes that lead to them.
bool Diagram::cheapestOfAll(const std::function<double(size_t, uint32_t)> &cost,
                            std::span<uint32_t> choice) const {
  size_t depth = levels.size();
  constexpr uint32_t unreached = UINT32_MAX;
  std::vector<uint32_t> levelOf(numNodes(), unreached);
  // By level and value; NaN: not computed yet.
  std::vector<std::vector<double>> costs(depth);
  levelOf[root()] = 0;
  for (uint32_t node = root() + 1; node-- > 0;) {
    if (levelOf[node] == unreached)
      continue;
    size_t level = levelOf[node];
    if (costs[level].size() <= values[end(node) - 1])
      costs[level].resize(values[end(node) - 1] + 1, NAN);
    if (level + 1 < depth)
      for (size_t edge = begin(node); edge < end(node); ++edge)
        levelOf[children[edge]] = level + 1;
  }
  // The least costs from each node to a leaf, and the edges that lead there.
  std::vector<double> least(numNodes(), HUGE_VAL);
  std::vector<size_t> next(numNodes());
  for (uint32_t node = 0; node <= root(); ++node) {
    if (levelOf[node] == unreached)
      continue;
    size_t level = levelOf[node];
    for (size_t edge = begin(node); edge < end(node); ++edge) {
      double &own = costs[level][values[edge]];
      if (std::isnan(own))
        own = cost(level, values[edge]);
      double total = own + (level + 1 < depth ? least[children[edge]] : 0);
      if (total < least[node]) {
        least[node] = total;
        next[node] = edge;
      }
    }
  }
  if (std::isinf(least[root()]))
    return false;
  uint32_t node = root();
  for (size_t level = 0; level < depth; ++level) {
    choice[level] = values[next[node]];
    node = children[next[node]];
  }
  return true;
}

bool Diagram::cheapest(const std::function<double(size_t, uint32_t)> &cost,
                       std::span<uint32_t> choice) const {
  if (levels.empty())
    return true;
  // Most searches end soon. For the others, visiting each edge once is faster
  // than a queue of edges.
  constexpr size_t maxPaths = 1 << 16;
  struct Path {
    double cost;
    uint32_t node;
    uint32_t level;
    /// How it was reached: the path before it, and the value of its last edge.
    size_t previous;
    uint32_t value;
  };
  std::vector<Path> paths = {{0, root(), 0, 0, 0}};
  // By cost; deeper paths first, then in the order of discovery.
  auto later = [&](size_t a, size_t b) {
    if (paths[a].cost != paths[b].cost)
      return paths[a].cost > paths[b].cost;
    if (paths[a].level != paths[b].level)
      return paths[a].level < paths[b].level;
    return a > b;
  };
  std::priority_queue<size_t, std::vector<size_t>, decltype(later)> open(later);
  std::unordered_set<uint32_t> closed;
  open.push(0);
  while (!open.empty()) {
    size_t current = open.top();
    Path path = paths[current];
    open.pop();
    if (path.level == levels.size()) {
      for (size_t level = levels.size(); level > 0; --level) {
        choice[level - 1] = paths[current].value;
        current = paths[current].previous;
      }
      return true;
    }
    if (!closed.insert(path.node).second)
      continue;
    if (paths.size() > maxPaths)
      return cheapestOfAll(cost, choice);
    for (size_t edge = begin(path.node); edge < end(path.node); ++edge) {
      double total = path.cost + cost(path.level, values[edge]);
      if (std::isinf(total))
        continue;
      paths.push_back(
          {total, children[edge], path.level + 1, current, values[edge]});
      open.push(paths.size() - 1);
    }
  }
  return false;
}
