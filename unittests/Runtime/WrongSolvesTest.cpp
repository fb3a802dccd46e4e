//===- WrongSolvesTest.cpp - Triangular solves, right and wrong -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roundings of a solve feed back: all orders of its sums must pass, and what
// lacks a term must not.
//
//===----------------------------------------------------------------------===//

#include "WrongCode.h"

using namespace baco;
using namespace baco::runtime;
using namespace baco::runtime::wrongcode;

static constexpr int rows = 200, columns = 24;

/// Solves row `i`, counted from the last one: subtracts what `rest` has of the
/// rows below.
using Rest = std::function<float(const float *u, const float *b, int i, int j)>;

static Kernel solve(Rest rest) {
  return [rest = std::move(rest)](void **arguments) {
    const float *u = dataOf<float>(arguments, 0);
    float *b = dataOf<float>(arguments, 1);
    for (int i = rows - 1; i >= 0; --i)
      for (int j = 0; j < columns; ++j)
        b[i * columns + j] = rest(u, b, i, j) / u[i * rows + i];
  };
}

static float term(const float *u, const float *b, int i, int j, int k) {
  return u[i * rows + k] * b[k * columns + j];
}

static float ascending(const float *u, const float *b, int i, int j, int begin,
                       int end) {
  float sum = b[i * columns + j];
  for (int k = begin; k < end; ++k)
    sum -= term(u, b, i, j, k);
  return sum;
}

static Rest allTerms = [](auto u, auto b, int i, int j) {
  return ascending(u, b, i, j, i + 1, rows);
};

static Harness solveHarness(uint64_t seed) {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {rows, rows}, false},
                         {ElementType::F32, true, {rows, columns}, true}};
  signature.reductionLength = rows;
  Rest sum = [](auto u, auto b, int i, int j) {
    float sum = std::abs(b[i * columns + j]);
    for (int k = i + 1; k < rows; ++k)
      sum += std::abs(term(u, b, i, j, k));
    return sum;
  };
  return Harness(signature, solve(allTerms), solve(sum), seed);
}

TEST(WrongSolvesTest, OtherOrdersAreRight) {
  std::vector<std::pair<const char *, Rest>> candidates = {
      {"descending",
       [](auto u, auto b, int i, int j) {
         float sum = b[i * columns + j];
         for (int k = rows - 1; k > i; --k)
           sum -= term(u, b, i, j, k);
         return sum;
       }},
      {"sum first",
       [](auto u, auto b, int i, int j) {
         float sum = 0;
         for (int k = i + 1; k < rows; ++k)
           sum += term(u, b, i, j, k);
         return b[i * columns + j] - sum;
       }},
      {"16 sums",
       [](auto u, auto b, int i, int j) {
         float lanes[16] = {};
         for (int k = i + 1; k < rows; ++k)
           lanes[k % 16] += term(u, b, i, j, k);
         float sum = b[i * columns + j];
         for (float lane : lanes)
           sum -= lane;
         return sum;
       }},
      {"in double",
       [](auto u, auto b, int i, int j) {
         double sum = b[i * columns + j];
         for (int k = i + 1; k < rows; ++k)
           sum -= double(u[i * rows + k]) * b[k * columns + j];
         return float(sum);
       }},
      {"fused", [](auto u, auto b, int i, int j) {
         float sum = b[i * columns + j];
         for (int k = i + 1; k < rows; ++k)
           sum = std::fma(-u[i * rows + k], b[k * columns + j], sum);
         return sum;
       }}};
  for (uint64_t seed : {0, 1, 2}) {
    Harness harness = solveHarness(seed);
    EXPECT_EQ(harness.check(solve(allTerms)), "right");
    for (auto &[name, rest] : candidates)
      EXPECT_EQ(harness.check(solve(rest)), "right") << name;
  }
}

TEST(WrongSolvesTest, WhatIsMissingIsNoticed) {
  std::vector<Wrong> candidates = {
      {"the last block is dropped", solve([](auto u, auto b, int i, int j) {
         return ascending(u, b, i, j, i + 1, rows - 8);
       }),
       "argument 1 differs at "},
      {"one term is dropped", solve([](auto u, auto b, int i, int j) {
         return ascending(u, b, i, j, i + 2, rows);
       }),
       "argument 1 differs at "},
      {"the row itself counts", solve([](auto u, auto b, int i, int j) {
         return ascending(u, b, i, j, i, rows);
       }),
       "argument 1 differs at [0, 0]: got "},
      {"blocks of 16 use the right-hand side of their rows",
       solve([](auto u, auto b, int i, int j) {
         return ascending(u, b, i, j, std::min(rows, i / 16 * 16 + 16), rows);
       }),
       "argument 1 differs at "},
      {"terms are added", solve([](auto u, auto b, int i, int j) {
         return 2 * b[i * columns + j] - ascending(u, b, i, j, i + 1, rows);
       }),
       "argument 1 differs at [0, 0]: got "},
      {"the triangle is transposed", solve([](auto u, auto b, int i, int j) {
         float sum = b[i * columns + j];
         for (int k = i + 1; k < rows; ++k)
           sum -= u[k * rows + i] * b[k * columns + j];
         return sum;
       }),
       "argument 1 differs at [0, 0]: got "},
      {"rows aren't divided",
       [](void **arguments) {
         const float *u = dataOf<float>(arguments, 0);
         float *b = dataOf<float>(arguments, 1);
         for (int i = rows - 1; i >= 0; --i)
           for (int j = 0; j < columns; ++j)
             b[i * columns + j] = allTerms(u, b, i, j);
       },
       "argument 1 differs at [0, 0]: got "},
      {"nothing is done", [](void **) {},
       "argument 1 differs at [0, 0]: got "}};
  for (uint64_t seed : {0, 1})
    expectWrong(solveHarness(seed), candidates);
}
