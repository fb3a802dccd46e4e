//===- Factorizations.h - Factorizations that plans are tested on *- C++ -*===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_POLYHEDRAL_FACTORIZATIONS_H
#define BACO_UNITTESTS_POLYHEDRAL_FACTORIZATIONS_H

#include "PlanPrograms.h"

namespace plantest {

/// PolyBench's lu: row by row.
inline std::vector<Text> lu() {
  return {{"S0[i, j, k] : 0 <= k < j < i < N",
           "0, i, 0, j, 0, k, 0",
           "A[i, j]",
           {"A[i, j]", "A[i, k]", "A[k, j]"},
           true},
          {"S1[i, j] : 0 <= j < i < N",
           "0, i, 0, j, 1, 0, 0",
           "A[i, j]",
           {"A[i, j]", "A[j, j]"}},
          {"S2[i, j, k] : 0 <= k < i <= j < N",
           "0, i, 1, j, 0, k, 0",
           "A[i, j]",
           {"A[i, j]", "A[i, k]", "A[k, j]"},
           true}};
}

/// The same with all of a step at once.
inline std::vector<Text> luLooksRight() {
  return {{"S0[k, i] : 0 <= k < i < N",
           "0, k, 0, i, 0, 0, 0",
           "A[i, k]",
           {"A[i, k]", "A[k, k]"}},
          {"S1[k, i, j] : 0 <= k < i, j and i, j < N",
           "0, k, 0, i, 1, j, 0",
           "A[i, j]",
           {"A[i, j]", "A[i, k]", "A[k, j]"},
           true}};
}

/// The same with steps in the middle.
inline std::vector<Text> luRowByRow() {
  return {{"S0[i, k] : 0 <= k < i < N",
           "0, i, 0, k, 0, 0, 0",
           "A[i, k]",
           {"A[i, k]", "A[k, k]"}},
          {"S1[i, k, j] : 0 <= k < i, j and i, j < N",
           "0, i, 0, k, 1, j, 0",
           "A[i, j]",
           {"A[i, j]", "A[i, k]", "A[k, j]"},
           true}};
}

/// PolyBench's cholesky: row by row, with the diagonal on its own.
inline std::vector<Text> cholesky() {
  return {
      {"S0[i, j, k] : 0 <= k < j < i < N",
       "0, i, 0, j, 0, k, 0",
       "A[i, j]",
       {"A[i, j]", "A[i, k]", "A[j, k]"},
       true},
      {"S1[i, j] : 0 <= j < i < N",
       "0, i, 0, j, 1, 0, 0",
       "A[i, j]",
       {"A[i, j]", "A[j, j]"}},
      {"S2[i, k] : 0 <= k < i < N",
       "0, i, 1, k, 0, 0, 0",
       "A[i, i]",
       {"A[i, i]", "A[i, k]", "A[i, k]"},
       true},
      {"S3[i] : 0 <= i < N", "0, i, 2, 0, 0, 0, 0", "A[i, i]", {"A[i, i]"}}};
}

/// Column by column, of the upper triangle, with the diagonal like the rest.
inline std::vector<Text> choleskyUpper() {
  return {{"S0[k] : 0 <= k < N", "0, k, 0, 0, 0, 0, 0", "U[k, k]", {"U[k, k]"}},
          {"S1[k, j] : 0 <= k < j < N",
           "0, k, 1, j, 0, 0, 0",
           "U[k, j]",
           {"U[k, j]", "U[k, k]"}},
          {"S2[k, i, j] : 0 <= k < i <= j < N",
           "0, k, 2, i, 0, j, 0",
           "U[i, j]",
           {"U[i, j]", "U[k, i]", "U[k, j]"},
           true}};
}

} // namespace plantest

#endif // BACO_UNITTESTS_POLYHEDRAL_FACTORIZATIONS_H
