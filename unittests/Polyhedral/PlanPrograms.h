//===- PlanPrograms.h - Nests that plans are tested on ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_POLYHEDRAL_PLANPROGRAMS_H
#define BACO_UNITTESTS_POLYHEDRAL_PLANPROGRAMS_H

#include "baco/Polyhedral/Program.h"

#include <map>
#include <string>
#include <vector>

namespace plantest {

struct Text {
  /// `S0[i, j] : 0 <= i < N and 0 <= j < N`; N is replaced.
  std::string domain;
  /// `i, 0, j, 0` and so on: what follows the first constant.
  std::string schedule;
  std::string write;
  std::vector<std::string> reads;
  bool isReduction = false;
};

/// Statements "S<n>[...]" with the dimensions of their domains; arrays have
/// `size` + 2 elements in each dimension, f64.
inline baco::polyhedral::Program
makeProgram(isl::ctx ctx, const std::vector<Text> &texts, int64_t size) {
  using namespace baco::polyhedral;
  Program program;
  program.context = isl::set(ctx, "{ : }");
  auto sized = [&](std::string text) {
    for (size_t at = 0; (at = text.find('N', at)) != std::string::npos;)
      text.replace(at, 1, std::to_string(size));
    return text;
  };
  std::map<std::string, size_t> ranks;
  for (const Text &text : texts) {
    Statement statement;
    statement.domain = isl::set(ctx, sized("{ " + text.domain + " }"));
    std::string tuple = text.domain.substr(0, text.domain.find(']') + 1);
    statement.schedule =
        isl::map(ctx, "{ " + tuple + " -> [" + text.schedule + "] }");
    auto access = [&](const std::string &target, bool isWrite) {
      isl::map relation(ctx, sized("{ " + tuple + " -> " + target + " }"));
      ranks[target.substr(0, target.find('['))] = relation.range_tuple_dim();
      statement.accesses.push_back(
          {relation.intersect_domain(statement.domain), isWrite});
    };
    access(text.write, true);
    for (const std::string &read : text.reads)
      access(read, false);
    if (text.isReduction)
      statement.reduction = 0;
    program.statements.push_back(std::move(statement));
  }
  for (const auto &[name, rank] : ranks) {
    std::string dims, bounds;
    for (size_t d = 0; d < rank; ++d) {
      std::string dim = "x" + std::to_string(d);
      dims += (d ? ", " : "") + dim;
      bounds += (d ? " and " : " : ") + ("0 <= " + dim) + " < N + 2";
    }
    program.arrays.push_back(
        {name,
         isl::set(ctx, sized("{ " + name + "[" + dims + "]" + bounds + " }")),
         8});
  }
  return program;
}

inline std::vector<Text> gemm() {
  return {{"S0[i, j] : 0 <= i, j < N",
           "0, i, 0, j, 0, 0, 0",
           "C[i, j]",
           {"C[i, j]"}},
          {"S1[i, k, j] : 0 <= i, j, k < N",
           "0, i, 1, k, 0, j, 0",
           "C[i, j]",
           {"C[i, j]", "A[i, k]", "B[k, j]"},
           true}};
}

inline std::vector<Text> syrk() {
  return {{"S0[i, j] : 0 <= i < N and 0 <= j <= i",
           "0, i, 0, j, 0, 0, 0",
           "C[i, j]",
           {"C[i, j]"}},
          {"S1[i, k, j] : 0 <= i, k < N and 0 <= j <= i",
           "0, i, 1, k, 0, j, 0",
           "C[i, j]",
           {"C[i, j]", "A[i, k]", "A[j, k]"},
           true}};
}

inline std::vector<Text> trmm() {
  return {{"S0[i, j, k] : 0 <= i, j < N and i < k < N",
           "0, i, 0, j, 0, k, 0",
           "B[i, j]",
           {"B[i, j]", "A[k, i]", "B[k, j]"},
           true},
          {"S1[i, j] : 0 <= i, j < N",
           "0, i, 0, j, 1, 0, 0",
           "B[i, j]",
           {"B[i, j]"}}};
}

/// Products in a batch that read rows that they wrote before, which copies
/// would not have.
inline std::vector<Text> trmmOfOwnRows() {
  return {{"S0[b, i, j, k] : 0 <= b < 3 and 0 <= i, j < N and 0 <= k < i",
           "0, b, 0, i, 0, j, 0, k, 0",
           "B[b, i, j]",
           {"B[b, i, j]", "A[i, k]", "B[b, k, j]"},
           true}};
}

/// Products of a matrix and of its transpose with vectors: two nests.
inline std::vector<Text> mvt() {
  return {{"S0[i, j] : 0 <= i, j < N",
           "0, i, 0, j, 0",
           "x[i]",
           {"x[i]", "A[i, j]", "y[j]"},
           true},
          {"S1[i, j] : 0 <= i, j < N",
           "1, i, 0, j, 0",
           "z[i]",
           {"z[i]", "A[j, i]", "w[j]"},
           true}};
}

inline std::vector<Text> atax() {
  return {{"S0[i] : 0 <= i < N", "0, i, 0, 0, 0", "p[i]", {}},
          {"S1[i, j] : 0 <= i, j < N",
           "0, i, 1, j, 0",
           "p[i]",
           {"p[i]", "A[i, j]", "x[j]"},
           true},
          {"S2[i, j] : 0 <= i, j < N",
           "0, i, 2, j, 0",
           "y[j]",
           {"y[j]", "A[i, j]", "p[i]"},
           true}};
}

inline std::vector<Text> transposedProduct() {
  return {{"S0[i, j] : 0 <= i, j < N",
           "0, i, 0, j, 0",
           "z[i]",
           {"z[i]", "A[j, i]", "w[j]"},
           true}};
}

inline std::vector<Text> doitgen() {
  return {{"S0[r, q, p] : 0 <= r, q, p < N",
           "0, r, 0, q, 0, p, 0, 0, 0",
           "s[p]",
           {}},
          {"S1[r, q, p, k] : 0 <= r, q, p, k < N",
           "0, r, 0, q, 0, p, 1, k, 0",
           "s[p]",
           {"s[p]", "A[r, q, k]", "W[k, p]"},
           true},
          {"S2[r, q, p] : 0 <= r, q, p < N",
           "0, r, 0, q, 1, p, 0, 0, 0",
           "A[r, q, p]",
           {"s[p]"}}};
}

inline std::vector<Text> jacobi2d() {
  auto sweep = [](std::string name, std::string place, std::string to,
                  std::string from) {
    return Text{name + "[t, i, j] : 0 <= t < N and 0 < i, j < N - 1",
                "0, t, " + place + ", i, 0, j, 0",
                to + "[i, j]",
                {from + "[i, j]", from + "[i, j - 1]", from + "[i, j + 1]",
                 from + "[i + 1, j]", from + "[i - 1, j]"}};
  };
  return {sweep("S0", "0", "B", "A"), sweep("S1", "1", "A", "B")};
}

/// A row waits for the one before the last, so two rows can be jammed, but not
/// four.
inline std::vector<Text> everyOtherRow() {
  return {{"S0[t, i, j] : 0 <= t, j < N and 2 <= i < N",
           "0, t, 0, i, 0, j, 0",
           "A[i, j]",
           {"A[i, j]", "B[t, i - 2, j]"}},
          {"S1[t, i, j] : 0 <= t, j < N and 2 <= i < N",
           "0, t, 0, i, 1, j, 0",
           "B[t, i, j]",
           {"A[i, j]"}}};
}

/// An odd row waits for the one before it, so rows can be jammed in pairs if
/// the first of each pair is odd, in tiles of any size.
inline std::vector<Text> oddRowsWait() {
  return {{"S0[t, i, j] : 0 <= t, j < N and 1 <= i < N - 1",
           "0, t, 0, i, 0, j, 0",
           "A[i, j]",
           {"A[i, j]", "A[i + 2, j]", "B[t, i - 1, j]"}},
          {"S1[t, i, j] : 0 <= t, j < N and 1 <= i < N - 1 and i mod 2 = 0",
           "0, t, 0, i, 1, j, 0",
           "B[t, i, j]",
           {"A[i, j]"}}};
}

inline std::vector<Text> seidel2d() {
  return {{"S0[t, i, j] : 0 <= t < N and 0 < i, j < N - 1",
           "0, t, 0, i, 0, j, 0",
           "A[i, j]",
           {"A[i - 1, j - 1]", "A[i - 1, j]", "A[i - 1, j + 1]", "A[i, j - 1]",
            "A[i, j]", "A[i, j + 1]", "A[i + 1, j - 1]", "A[i + 1, j]",
            "A[i + 1, j + 1]"}}};
}

/// Groups within groups read the same matrix.
inline std::vector<Text> nestedGroups() {
  return {{"S0[i, j, k] : 0 < i < N and 0 <= j, k < N",
           "0, i, 0, j, 0, k, 0",
           "X[i, j]",
           {"X[i, j]", "A[i, j, k]", "Y[i - 1, j]"},
           true},
          {"S1[i, j, k] : 0 < i < N and 0 <= j, k < N",
           "0, i, 0, j, 1, k, 0",
           "Y[i, k]",
           {"Y[i, k]", "A[i, j, k]", "X[i, j]"},
           true},
          {"S2[i, j, k] : 0 < i < N and 0 <= j, k < N",
           "0, i, 1, j, 0, k, 0",
           "Z[i, j, k]",
           {"A[i, j, k]", "Y[i, k]"}}};
}

/// The loop over the channel, which runs once, is none of a schedule.
inline std::vector<Text> wavefrontOfOneChannel() {
  return {{"S0[t, i, j, c] : 0 <= t, i, j < N and c = 0",
           "0, t, 0, i, 0, j, 0, c, 0",
           "A[i, c]",
           {"A[i, c]", "B[j]"}}};
}

inline std::vector<Text> jacobi3d() {
  return {{"S0[i, j, k] : 0 < i, j, k < N - 1",
           "0, i, 0, j, 0, k, 0",
           "B[i, j, k]",
           {"A[i, j, k]", "A[i - 1, j, k]", "A[i + 1, j, k]", "A[i, j - 1, k]",
            "A[i, j + 1, k]", "A[i, j, k - 1]", "A[i, j, k + 1]"}}};
}

inline std::vector<Text> fdtd2d() {
  return {
      {"S0[t, j] : 0 <= t, j < N", "0, t, 0, j, 0, 0, 0", "Y[0, j]", {"S[t]"}},
      {"S1[t, i, j] : 0 <= t, j < N and 1 <= i < N",
       "0, t, 1, i, 0, j, 0",
       "Y[i, j]",
       {"Y[i, j]", "H[i, j]", "H[i - 1, j]"}},
      {"S2[t, i, j] : 0 <= t, i < N and 1 <= j < N",
       "0, t, 2, i, 0, j, 0",
       "X[i, j]",
       {"X[i, j]", "H[i, j]", "H[i, j - 1]"}},
      {"S3[t, i, j] : 0 <= t < N and 0 <= i, j < N - 1",
       "0, t, 3, i, 0, j, 0",
       "H[i, j]",
       {"H[i, j]", "X[i, j + 1]", "X[i, j]", "Y[i + 1, j]", "Y[i, j]"}}};
}

/// What one step leaves behind is where the next one starts: no tiles over
/// time.
inline std::vector<Text> fdtd2dWithFeedback() {
  std::vector<Text> texts = fdtd2d();
  texts.push_back({"S4[t] : 0 <= t < N",
                   "0, t, 4, 0, 0, 0, 0",
                   "S[t + 1]",
                   {"H[N - 2, N - 2]"}});
  return texts;
}

inline std::vector<Text> conv2d() {
  return {{"S0[y, x, f, b, a, c] : 0 <= y, x, f, c < N and 0 <= a, b < 3",
           "0, y, 0, x, 0, f, 0, b, 0, a, 0, c, 0",
           "O[y, x, f]",
           {"O[y, x, f]", "I[y + b, x + a, c]", "K[b, a, c, f]"},
           true}};
}

} // namespace plantest

#endif // BACO_UNITTESTS_POLYHEDRAL_PLANPROGRAMS_H
