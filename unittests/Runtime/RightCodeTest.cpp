//===- RightCodeTest.cpp - Kernels that are right in another way ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule may do, over many seeds, sizes and types: none of it is taken
// for wrong.
//
//===----------------------------------------------------------------------===//

#include "SignatureHelpers.h"
#include "WrongCode.h"

using namespace baco;
using namespace baco::runtime;
using namespace baco::runtime::test;
using namespace baco::runtime::wrongcode;

namespace {
/// Inner products c[i] += sum of a[i][k] * x[k], computed in a float type.
struct Sums {
  ElementType type;
  int64_t rows, terms;
  std::vector<double> a, x, c;

  enum Order { Forward, Backward, Lanes, Tree, Fused, Wide, Tiles };
  static constexpr Order orders[] = {Forward, Backward, Lanes, Tree,
                                     Fused,   Wide,     Tiles};

  template <typename T>
  std::vector<std::byte> compute(Order order) const {
    std::vector<T> results;
    for (int64_t i = 0; i < rows; ++i)
      results.push_back(makeFloat<T>(element<T>(order, i)));
    std::vector<std::byte> bytes((results.size() * sizeof(T) + 63) / 64 * 64);
    std::memcpy(bytes.data(), results.data(), results.size() * sizeof(T));
    return bytes;
  }

private:
  /// Doubles hold products and sums of the shorter types well enough for one
  /// rounding to be the only one.
  template <typename T>
  static double rounded(double value) {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(value);
    else
      return roundTo(formatOf<T>, value);
  }
  template <typename T>
  double product(int64_t i, int64_t k) const {
    return rounded<T>(a[i * terms + k] * x[k]);
  }
  template <typename T>
  double tree(int64_t i, int64_t begin, int64_t end) const {
    if (end - begin == 1)
      return product<T>(i, begin);
    int64_t middle = (begin + end) / 2;
    return rounded<T>(tree<T>(i, begin, middle) + tree<T>(i, middle, end));
  }
  /// Partial sums of every `stride`-th term.
  template <typename T>
  double lanes(int64_t i, int64_t count, int64_t stride, int64_t skip) const {
    double total = 0;
    for (int64_t lane = 0; lane < count; ++lane) {
      double sum = 0;
      for (int64_t k = lane * skip; k < terms; k += stride) {
        sum = rounded<T>(sum + product<T>(i, k));
        if (stride == 1 && k + 1 == (lane + 1) * skip)
          break;
      }
      total = rounded<T>(total + sum);
    }
    return total;
  }
  template <typename T>
  double element(Order order, int64_t i) const {
    double sum = c[i];
    switch (order) {
    case Forward:
      for (int64_t k = 0; k < terms; ++k)
        sum = rounded<T>(sum + product<T>(i, k));
      return sum;
    case Backward:
      for (int64_t k = terms; k-- > 0;)
        sum = rounded<T>(sum + product<T>(i, k));
      return sum;
    case Fused:
      for (int64_t k = 0; k < terms; ++k)
        sum = rounded<T>(std::fma(a[i * terms + k], x[k], sum));
      return sum;
    case Wide:
      for (int64_t k = 0; k < terms; ++k)
        sum += a[i * terms + k] * x[k];
      return rounded<T>(sum);
    case Lanes:
      return rounded<T>(sum + lanes<T>(i, 8, 8, 1));
    case Tiles:
      return rounded<T>(sum + lanes<T>(i, (terms + 127) / 128, 1, 128));
    case Tree:
      return rounded<T>(sum + tree<T>(i, 0, terms));
    }
    return sum;
  }
};
} // namespace

/// Whether sums in all orders pass, on inputs of a kind. Type by type, so that
/// a failure says which.
template <typename T>
static void expectRight(ElementType type, int64_t rows, int64_t terms,
                        uint64_t seed, InputKind kind, bool isPositive) {
  Signature signature;
  signature.arguments = {{type, true, {rows, terms}, false},
                         {type, true, {terms}, false},
                         {type, true, {rows}, true}};
  signature.reductionLength = terms;
  auto inputs = generateInputs(signature, seed, kind);
  auto sumsOf = [&] {
    return Sums{type,
                rows,
                terms,
                toDoubles<T>(inputs[0]),
                toDoubles<T>(inputs[1]),
                toDoubles<T>(inputs[2])};
  };
  Reference reference;
  std::vector<ArgumentData> original = inputs;
  makeAbsolute(signature, inputs);
  reference.magnitude = sumsOf().template compute<T>(Sums::Forward);
  if (!isPositive)
    inputs = original;
  Sums sums = sumsOf();
  reference.expected = sums.compute<T>(Sums::Forward);
  if (!isFinite(signature, reference, inputs))
    return;
  for (Sums::Order order : Sums::orders)
    EXPECT_EQ(findMismatch(signature, reference, sums.compute<T>(order).data()),
              std::nullopt)
        << elementTypeName(type) << ", " << terms << " terms, seed " << seed
        << ", kind " << int(kind) << ", order " << order;
}

static void expectRight(int64_t rows, int64_t terms, uint64_t seed) {
  for (InputKind kind : {InputKind::Grid, InputKind::DenseGrid, InputKind::Edge,
                         InputKind::Moderate, InputKind::Rough})
    for (bool isPositive : {false, true}) {
      expectRight<Float16>(ElementType::F16, rows, terms, seed, kind,
                           isPositive);
      expectRight<BFloat16>(ElementType::BF16, rows, terms, seed, kind,
                            isPositive);
      expectRight<float>(ElementType::F32, rows, terms, seed, kind, isPositive);
      expectRight<double>(ElementType::F64, rows, terms, seed, kind,
                          isPositive);
    }
}

TEST(RightCodeTest, SumsInAnyOrder) {
  for (uint64_t seed = 0; seed < 20; ++seed)
    for (int64_t terms : {1, 2, 3, 17, 128})
      expectRight(5, terms, seed);
  for (uint64_t seed = 0; seed < 2; ++seed)
    for (int64_t terms : {1000, 5000})
      expectRight(4, terms, seed);
}

TEST(RightCodeTest, LongSumsInAnyOrder) {
  for (uint64_t seed = 0; seed < 2; ++seed)
    for (InputKind kind : {InputKind::Grid, InputKind::Edge, InputKind::Rough})
      for (bool isPositive : {false, true})
        expectRight<float>(ElementType::F32, 4, 100000, seed, kind, isPositive);
}
