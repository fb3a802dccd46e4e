//===- RowPrograms.h - Nests that take turns on rows ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_POLYHEDRAL_ROWPROGRAMS_H
#define BACO_UNITTESTS_POLYHEDRAL_ROWPROGRAMS_H

#include "PlanPrograms.h"

namespace plantest {

/// Scores, their maxima, weights and sums, weighted sums of values, divided.
inline std::vector<Text> attention() {
  return {{"S0[i, j] : 0 <= i, j < N", "0, i, 0, j, 0, 0, 0", "S[i, j]", {}},
          {"S1[i, j, k] : 0 <= i, j < N and 0 <= k < 4",
           "1, i, 0, j, 0, k, 0",
           "S[i, j]",
           {"S[i, j]", "Q[i, k]", "K[j, k]"},
           true},
          {"S2[i] : 0 <= i < N", "2, i, 0, 0, 0, 0, 0", "m[i]", {}},
          {"S3[i, j] : 0 <= i, j < N",
           "3, i, 0, j, 0, 0, 0",
           "m[i]",
           {"m[i]", "S[i, j]"},
           true},
          {"S4[i, j] : 0 <= i, j < N",
           "4, i, 0, j, 0, 0, 0",
           "S[i, j]",
           {"S[i, j]", "m[i]"}},
          {"S5[i] : 0 <= i < N", "5, i, 0, 0, 0, 0, 0", "s[i]", {}},
          {"S6[i, j] : 0 <= i, j < N",
           "6, i, 0, j, 0, 0, 0",
           "s[i]",
           {"s[i]", "S[i, j]"},
           true},
          {"S7[i, k] : 0 <= i < N and 0 <= k < 4",
           "7, i, 0, k, 0, 0, 0",
           "O[i, k]",
           {}},
          {"S8[i, k, j] : 0 <= i, j < N and 0 <= k < 4",
           "8, i, 0, k, 0, j, 0",
           "O[i, k]",
           {"O[i, k]", "S[i, j]", "V[j, k]"},
           true},
          {"S9[i, k] : 0 <= i < N and 0 <= k < 4",
           "9, i, 0, k, 0, 0, 0",
           "O[i, k]",
           {"O[i, k]", "s[i]"}}};
}

inline std::vector<Text> softmax() {
  return {{"S0[i] : 0 <= i < N", "0, i, 0, 0, 0", "m[i]", {}},
          {"S1[i, j] : 0 <= i, j < N",
           "1, i, 0, j, 0",
           "m[i]",
           {"m[i]", "A[i, j]"},
           true},
          {"S2[i, j] : 0 <= i, j < N",
           "2, i, 0, j, 0",
           "B[i, j]",
           {"A[i, j]", "m[i]"}},
          {"S3[i] : 0 <= i < N", "3, i, 0, 0, 0", "s[i]", {}},
          {"S4[i, j] : 0 <= i, j < N",
           "4, i, 0, j, 0",
           "s[i]",
           {"s[i]", "B[i, j]"},
           true},
          {"S5[i, j] : 0 <= i, j < N",
           "5, i, 0, j, 0",
           "B[i, j]",
           {"B[i, j]", "s[i]"}}};
}

/// Sums of rows, which are scaled before they are used; the last result is used
/// twice.
inline std::vector<Text> normalization() {
  return {{"S0[i, j] : 0 <= i, j < N",
           "0, i, 0, j, 0",
           "s[i]",
           {"s[i]", "A[i, j]"},
           true},
          {"S1[i] : 0 <= i < N", "1, i, 0, 0, 0", "s[i]", {"s[i]"}},
          {"S2[i, j] : 0 <= i, j < N",
           "2, i, 0, j, 0",
           "B[i, j]",
           {"A[i, j]", "s[i]", "g[j]"}},
          {"S3[i, j] : 0 <= i, j < N",
           "3, i, 0, j, 0",
           "C[i, j]",
           {"B[i, j]", "h[j]"}}};
}

} // namespace plantest

#endif // BACO_UNITTESTS_POLYHEDRAL_ROWPROGRAMS_H
