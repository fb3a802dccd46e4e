//===- RandomForest.cpp - Regression forests ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/RandomForest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace baco;
using namespace baco::search;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace baco::search {

/// Grows one tree after the other into the forest's list of nodes.
class TreeBuilder {
public:
  TreeBuilder(RandomForest &forest, const MatrixXd &x, const VectorXd &y,
              const VectorXd &weights, const ForestOptions &options,
              Random &random)
      : forest(forest), x(x), y(y), weights(weights), options(options),
        random(random), rows(x.rows()), values(x.rows()),
        ranks(x.cols(), x.rows()), sums(x.cols()) {
    std::iota(rows.begin(), rows.end(), 0);
    for (int row : rows)
      rank(row);
  }

  void grow() {
    samples.resize(y.size());
    for (size_t i = 0; i < samples.size(); ++i)
      samples[i] = options.bootstrap ? random.below(samples.size()) : i;
    forest.roots.push_back(forest.nodes.size());
    growNode(0, samples.size());
  }

private:
  /// Weighted sums over some samples.
  struct Sums {
    double weight = 0, first = 0, second = 0;
    int count = 0;
    void add(double w, double value) {
      ++count;
      weight += w;
      first += w * value;
      second += w * value * value;
    }
    /// The score of a split: the larger, the smaller the squared error.
    double score() const { return weight > 0 ? first * first / weight : 0; }
  };

  struct Split {
    int row = -1;
    double threshold = 0;
    double score = 0;
  };

  bool goesLeft(int row, double threshold, int sample) const {
    double value = x(row, sample);
    return forest.isLabel[row] ? value == threshold : value <= threshold;
  }

  // Depth is at most the number of samples, and far less in practice.
  void growNode(size_t begin, size_t end) {
    Sums total;
    double low = y[samples[begin]], high = low;
    for (size_t i = begin; i < end; ++i) {
      total.add(weights[samples[i]], y[samples[i]]);
      low = std::min(low, y[samples[i]]);
      high = std::max(high, y[samples[i]]);
    }
    size_t index = forest.nodes.size();
    forest.nodes.emplace_back();
    Split split;
    if (low < high && end - begin >= size_t(options.minSamplesSplit))
      split = choose(begin, end, total);
    if (split.row < 0) {
      double mean = total.first / total.weight;
      forest.nodes[index].threshold = mean;
      forest.nodes[index].variance =
          std::max(total.second / total.weight - mean * mean, 0.0);
      return;
    }
    auto middle = std::partition(
        samples.begin() + begin, samples.begin() + end,
        [&](int s) { return goesLeft(split.row, split.threshold, s); });
    size_t border = middle - samples.begin();
    forest.nodes[index].row = split.row;
    forest.nodes[index].threshold = split.threshold;
    growNode(begin, border);
    forest.nodes[index].right = static_cast<int32_t>(forest.nodes.size());
    growNode(border, end);
  }

  /// The best split of a random choice of rows; of further rows while none of
  /// these splits anything.
  Split choose(size_t begin, size_t end, const Sums &total) {
    size_t wanted = std::max<size_t>(
        1, std::lround(options.maxFeatures * double(rows.size())));
    Split best;
    for (size_t k = 0; k < rows.size(); ++k) {
      if (k >= wanted && best.row >= 0)
        break;
      std::swap(rows[k], rows[k + random.below(rows.size() - k)]);
      tryRow(rows[k], begin, end, total, best);
    }
    return best;
  }

  void tryRow(int row, size_t begin, size_t end, const Sums &total,
              Split &best) {
    // Knobs have few values: to add up by value is faster than to sort samples.
    present.clear();
    for (size_t i = begin; i < end; ++i) {
      Sums &here = sums[ranks(samples[i], row)];
      if (here.count == 0)
        present.push_back(ranks(samples[i], row));
      here.add(weights[samples[i]], y[samples[i]]);
    }
    std::sort(present.begin(), present.end());
    bool isLabel = forest.isLabel[row];
    // A label is split from all others; but the last value has none above it.
    size_t numSplits = present.size() - (isLabel && present.size() > 1 ? 0 : 1);
    double weight = 0, first = 0;
    for (size_t i = 0; i < numSplits; ++i) {
      const Sums &here = sums[present[i]];
      weight = here.weight + (isLabel ? 0 : weight);
      first = here.first + (isLabel ? 0 : first);
      double score = Sums{weight, first}.score() +
                     Sums{total.weight - weight, total.first - first}.score();
      if (best.row >= 0 && score <= best.score)
        continue;
      double low = values[row][present[i]];
      best = {row, isLabel ? low : between(low, values[row][present[i + 1]]),
              score};
    }
    for (int32_t each : present)
      sums[each] = Sums();
  }

  double between(double low, double high) {
    // Below `high`, whatever the rounding, so that both sides get samples.
    double value = random.uniform(low, high);
    return value < high ? value : low;
  }

  /// Numbers the values of a row in their order.
  void rank(int row) {
    std::vector<double> &distinct = values[row];
    for (Index i = 0; i < x.cols(); ++i)
      distinct.push_back(x(row, i));
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()),
                   distinct.end());
    for (Index i = 0; i < x.cols(); ++i)
      ranks(i, row) = static_cast<int32_t>(
          std::lower_bound(distinct.begin(), distinct.end(), x(row, i)) -
          distinct.begin());
  }

  RandomForest &forest;
  const MatrixXd &x;
  const VectorXd &y;
  const VectorXd &weights;
  const ForestOptions &options;
  Random &random;
  std::vector<int> rows;
  std::vector<int> samples;
  /// The values of each row, ascending, and the place in them of each sample
  /// and row.
  std::vector<std::vector<double>> values;
  Eigen::MatrixX<int32_t> ranks;
  /// The sums by place, of samples with places in `present`; else zeros.
  std::vector<Sums> sums;
  std::vector<int32_t> present;
};

} // namespace baco::search

RandomForest::RandomForest(const FeatureLayout &layout, const MatrixXd &x,
                           const VectorXd &y, const VectorXd &weights,
                           const ForestOptions &options, Random &random)
    : isLabel(layout.numRows, false) {
  assert(y.size() > 0 && "a forest needs samples");
  for (const FeatureBlock &block : layout.blocks)
    if (block.isLabel)
      isLabel[block.begin] = true;
  TreeBuilder builder(*this, x, y, weights, options, random);
  for (int tree = 0; tree < options.numTrees; ++tree)
    builder.grow();
}

const RandomForest::Node &RandomForest::leaf(size_t tree,
                                             const double *point) const {
  size_t index = roots[tree];
  while (nodes[index].row >= 0) {
    const Node &node = nodes[index];
    double value = point[node.row];
    bool left =
        isLabel[node.row] ? value == node.threshold : value <= node.threshold;
    index = left ? index + 1 : node.right;
  }
  return nodes[index];
}

VectorXd RandomForest::predictMean(const MatrixXd &x) const {
  VectorXd mean = VectorXd::Zero(x.cols());
  for (size_t tree = 0; tree < roots.size(); ++tree)
    for (Index i = 0; i < x.cols(); ++i)
      mean[i] += leaf(tree, x.col(i).data()).threshold;
  return mean / double(roots.size());
}

Prediction RandomForest::predict(const MatrixXd &x) const {
  VectorXd first = VectorXd::Zero(x.cols()), second = first;
  for (size_t tree = 0; tree < roots.size(); ++tree)
    for (Index i = 0; i < x.cols(); ++i) {
      const Node &node = leaf(tree, x.col(i).data());
      first[i] += node.threshold;
      second[i] += node.variance + node.threshold * node.threshold;
    }
  Prediction prediction;
  prediction.mean = first / double(roots.size());
  prediction.variance =
      (second / double(roots.size()) - prediction.mean.cwiseAbs2())
          .cwiseMax(0.0);
  return prediction;
}
