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
        random(random), rows(x.rows()) {
    std::iota(rows.begin(), rows.end(), 0);
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
    void add(double w, double value) {
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
    sorted.clear();
    for (size_t i = begin; i < end; ++i)
      sorted.emplace_back(x(row, samples[i]), samples[i]);
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front().first == sorted.back().first)
      return;
    Sums left;
    for (size_t i = 0; i + 1 < sorted.size(); ++i) {
      left.add(weights[sorted[i].second], y[sorted[i].second]);
      if (sorted[i].first == sorted[i + 1].first)
        continue;
      Sums right{total.weight - left.weight, total.first - left.first, 0};
      double score = left.score() + right.score();
      if (best.row < 0 || score > best.score)
        best = {row, threshold(row, sorted[i].first, sorted[i + 1].first),
                score};
      if (forest.isLabel[row])
        left = Sums();
    }
    if (!forest.isLabel[row])
      return;
    // The last label against the others (the loop did the ones before).
    left = Sums();
    for (size_t i = sorted.size(); i-- > 0;) {
      if (sorted[i].first != sorted.back().first)
        break;
      left.add(weights[sorted[i].second], y[sorted[i].second]);
    }
    Sums right{total.weight - left.weight, total.first - left.first, 0};
    if (left.score() + right.score() > best.score)
      best = {row, sorted.back().first, left.score() + right.score()};
  }

  double threshold(int row, double low, double high) {
    if (forest.isLabel[row])
      return low;
    // Below `high`, whatever the rounding, so that both sides get samples.
    double value = random.uniform(low, high);
    return value < high ? value : low;
  }

  RandomForest &forest;
  const MatrixXd &x;
  const VectorXd &y;
  const VectorXd &weights;
  const ForestOptions &options;
  Random &random;
  std::vector<int> rows;
  std::vector<int> samples;
  std::vector<std::pair<double, int>> sorted;
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
