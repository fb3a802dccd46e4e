//===- WinogradError.cpp - Rounding of its results ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results in the precision of the elements are compared with sums of products
// in a higher one.
//
//===----------------------------------------------------------------------===//

#include "WinogradError.h"

#include "WinogradMatrices.h"

#include <cmath>
#include <limits>
#include <random>

using namespace mlir;
using namespace baco;
using namespace baco::globalopt;

namespace {
template <typename T>
struct NumberArithmetic {
  using Value = T;

  T add(T a, T b) { return a + b; }
  T subtract(T a, T b) { return a - b; }
  T scale(double factor, T a) { return T(factor) * a; }
};

/// The window of a channel, and its weights for a feature.
template <typename T>
struct Channel {
  SmallVector<T> window;
  std::array<double, 9> weights;
};
} // namespace

/// The results [y][x] of convolving `channels`, with sums in `Sum`.
template <typename Sum, typename T>
static SmallVector<Sum> convolve(ArrayRef<Channel<T>> channels, int64_t size) {
  SmallVector<Sum> results;
  for (int64_t y = 0; y < size; ++y)
    for (int64_t x = 0; x < size; ++x) {
      Sum sum = 0;
      for (const Channel<T> &channel : channels)
        for (int64_t k = 0; k < 9; ++k)
          sum += Sum(channel.weights[k]) *
                 Sum(channel.window[(y + k / 3) * (size + 2) + x + k % 3]);
      results.push_back(sum);
    }
  return results;
}

/// The same by products of transformed windows and weights.
template <typename T>
static SmallVector<T> convolveByTile(ArrayRef<Channel<T>> channels,
                                     WinogradTile tile) {
  WinogradMatrices matrices(NumberArithmetic<T>{});
  SmallVector<T> products(tile.numProducts(), T(0));
  SmallVector<double> transformed(tile.numProducts());
  for (const Channel<T> &channel : channels) {
    SmallVector<T> factors = matrices.factorsOf(channel.window, tile);
    transformWeights(channel.weights, tile, transformed);
    for (auto [product, factor, weight] :
         llvm::zip_equal(products, factors, transformed))
      product += factor * T(weight);
  }
  return matrices.resultsOf(products, tile);
}

template <typename T, typename Precise>
static double sample(const ConvolutionFilter &filter,
                     std::optional<WinogradTile> tile) {
  constexpr int64_t maxFeatures = 16, numWindows = 8;
  WinogradTile window = tile.value_or(WinogradTile{4});
  std::mt19937_64 random(1);
  double largest = 0, error = 0;
  int64_t step = llvm::divideCeil(filter.features(), maxFeatures);
  for (int64_t f = 0; f < filter.features(); f += step)
    for (int64_t i = 0; i < numWindows; ++i) {
      SmallVector<Channel<T>, 0> channels;
      for (int64_t c = 0; c < filter.channels(); ++c) {
        channels.push_back({{}, filter.weights(c, f)});
        for (int64_t k = 0; k < window.numProducts(); ++k)
          channels.back().window.push_back(
              T(std::ldexp(double(random() >> 11), -52) - 1));
      }
      SmallVector<T> results = tile ? convolveByTile<T>(channels, window)
                                    : convolve<T, T>(channels, window.size);
      for (auto [result, exact] : llvm::zip_equal(
               results, convolve<Precise, T>(channels, window.size))) {
        double difference = std::abs(double(Precise(result) - exact));
        if (!std::isfinite(difference))
          return std::numeric_limits<double>::infinity();
        error = std::max(error, difference);
        largest = std::max(largest, std::abs(double(exact)));
      }
    }
  return largest > 0 ? error / largest : 0;
}

double globalopt::sampleError(const ConvolutionFilter &filter,
                              std::optional<WinogradTile> tile) {
  return filter.elementType().isF32()
             ? sample<float, double>(filter, tile)
             : sample<double, long double>(filter, tile);
}
