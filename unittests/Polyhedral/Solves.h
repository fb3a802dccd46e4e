//===- Solves.h - Triangular solves that plans are tested on ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_POLYHEDRAL_SOLVES_H
#define BACO_UNITTESTS_POLYHEDRAL_SOLVES_H

#include "PlanPrograms.h"

namespace plantest {

/// L B' = B, row by row.
inline std::vector<Text> trsm() {
  return {{"S0[i, j, k] : 0 <= i, j < N and 0 <= k < i",
           "0, i, 0, j, 0, k, 0",
           "B[i, j]",
           {"B[i, j]", "L[i, k]", "B[k, j]"},
           true},
          {"S1[i, j] : 0 <= i, j < N",
           "0, i, 0, j, 1, 0, 0",
           "B[i, j]",
           {"B[i, j]", "L[i, i]"}}};
}

/// The same with the loop over columns innermost or outermost, without a
/// division, and for an upper triangle, whose rows are solved from the last one
/// on.
inline std::vector<Text> trsmColumnsInside() {
  return {{"S0[i, k, j] : 0 <= i, j < N and 0 <= k < i",
           "0, i, 0, k, 0, j, 0",
           "B[i, j]",
           {"B[i, j]", "L[i, k]", "B[k, j]"},
           true},
          {"S1[i, j] : 0 <= i, j < N",
           "0, i, 1, j, 0, 0, 0",
           "B[i, j]",
           {"B[i, j]", "L[i, i]"}}};
}

inline std::vector<Text> trsmUnit() {
  return {{"S0[j, i, k] : 0 <= i, j < N and 0 <= k < i",
           "0, j, 0, i, 0, k, 0",
           "B[i, j]",
           {"B[i, j]", "L[i, k]", "B[k, j]"},
           true}};
}

inline std::vector<Text> trsmUpper() {
  return {{"S0[i, j, k] : 0 <= i, j < N and N - i <= k < N",
           "0, i, 0, j, 0, k, 0",
           "B[N - 1 - i, j]",
           {"B[N - 1 - i, j]", "U[N - 1 - i, k]", "B[k, j]"},
           true},
          {"S1[i, j] : 0 <= i, j < N",
           "0, i, 0, j, 1, 0, 0",
           "B[N - 1 - i, j]",
           {"B[N - 1 - i, j]", "U[N - 1 - i, N - 1 - i]"}}};
}

/// X U = B, row by row.
inline std::vector<Text> trsmRight() {
  return {{"S0[i, j, k] : 0 <= i, j < N and 0 <= k < j",
           "0, i, 0, j, 0, k, 0",
           "B[i, j]",
           {"B[i, j]", "U[k, j]", "B[i, k]"},
           true},
          {"S1[i, j] : 0 <= i, j < N",
           "0, i, 0, j, 1, 0, 0",
           "B[i, j]",
           {"B[i, j]", "U[j, j]"}}};
}

/// X L = B, from the last column on.
inline std::vector<Text> trsmRightBackwards() {
  return {{"S0[i, j, k] : 0 <= i, j < N and N - j <= k < N",
           "0, i, 0, j, 0, k, 0",
           "B[i, N - 1 - j]",
           {"B[i, N - 1 - j]", "L[k, N - 1 - j]", "B[i, k]"},
           true},
          {"S1[i, j] : 0 <= i, j < N",
           "0, i, 0, j, 1, 0, 0",
           "B[i, N - 1 - j]",
           {"B[i, N - 1 - j]", "L[N - 1 - j, N - 1 - j]"}}};
}

/// Each row is subtracted from the others as soon as it is solved.
inline std::vector<Text> trsmLooksRight() {
  return {{"S0[k, j] : 0 <= k, j < N",
           "0, k, 0, j, 0, 0, 0",
           "B[k, j]",
           {"B[k, j]", "L[k, k]"}},
          {"S1[k, i, j] : 0 <= k < i < N and 0 <= j < N",
           "0, k, 1, i, 0, j, 0",
           "B[i, j]",
           {"B[i, j]", "L[i, k]", "B[k, j]"},
           true}};
}

/// The same for X L = B, from the last column on, in the loop over rows of B.
inline std::vector<Text> trsmLooksRightBackwards() {
  return {{"S0[k, i] : 0 <= k, i < N",
           "0, k, 0, i, 0, 0, 0",
           "B[i, N - 1 - k]",
           {"B[i, N - 1 - k]", "L[N - 1 - k, N - 1 - k]"}},
          {"S1[k, i, j] : 0 <= k, i < N and 0 <= j < N - 1 - k",
           "0, k, 0, i, 1, j, 0",
           "B[i, j]",
           {"B[i, j]", "L[N - 1 - k, j]", "B[i, N - 1 - k]"},
           true}};
}

/// Two solves in the loop over their rows, and a statement between them that
/// separates their cycles of dependences.
inline std::vector<Text> twoSolves() {
  return {{"S0[i, k, j] : 0 <= i, j < N and 0 <= k < i",
           "0, i, 0, k, 0, j, 0",
           "B[i, j]",
           {"B[i, j]", "L[i, k]", "B[k, j]"},
           true},
          {"S1[i, j] : 0 <= i, j < N",
           "0, i, 1, j, 0, 0, 0",
           "B[i, j]",
           {"B[i, j]", "L[i, i]"}},
          {"S2[i, j] : 0 <= i, j < N",
           "0, i, 2, j, 0, 0, 0",
           "C[i, j]",
           {"B[i, j]"}},
          {"S3[i, k, j] : 0 <= i, j < N and 0 <= k < i",
           "0, i, 3, k, 0, j, 0",
           "C[i, j]",
           {"C[i, j]", "L[i, k]", "C[k, j]"},
           true},
          {"S4[i, j] : 0 <= i, j < N",
           "0, i, 4, j, 0, 0, 0",
           "C[i, j]",
           {"C[i, j]", "L[i, i]"}}};
}

} // namespace plantest

#endif // BACO_UNITTESTS_POLYHEDRAL_SOLVES_H
