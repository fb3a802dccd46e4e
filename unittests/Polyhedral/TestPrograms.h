//===- TestPrograms.h - Loop nests for tests ------------------ -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_POLYHEDRAL_TESTPROGRAMS_H
#define BACO_UNITTESTS_POLYHEDRAL_TESTPROGRAMS_H

#include "baco/Polyhedral/Context.h"
#include "baco/Polyhedral/Program.h"

#include <string>
#include <vector>

namespace baco::polyhedral::test {

/// A statement in isl's notation: `S[i] : 0 <= i < 4`, `0, i, 0`, ...
struct StatementText {
  std::string instance;
  std::string condition;
  std::string schedule;
  std::vector<std::string> reads;
  std::vector<std::string> writes;
  bool isReduction = false;
};

/// Arrays are square: `rank` dimensions of elements 0 ... extent - 1.
struct ArrayText {
  std::string name;
  unsigned rank;
  std::string extent;
};

inline Program makeProgram(const Context &context,
                           const std::vector<StatementText> &statements,
                           const std::vector<ArrayText> &arrays,
                           const std::string &parameters = "",
                           const std::string &known = "") {
  isl::ctx ctx = context.get();
  std::string prefix = "[" + parameters + "] -> ";
  Program program;
  program.context =
      isl::set(ctx, prefix + "{ : " + (known.empty() ? "" : known) + " }");
  for (const StatementText &text : statements) {
    Statement statement;
    statement.domain = isl::set(ctx, prefix + "{ " + text.instance + " : " +
                                         text.condition + " }");
    statement.schedule = isl::map(ctx, prefix + "{ " + text.instance + " -> [" +
                                           text.schedule + "] }");
    // As in source code: what is read comes first.
    for (const auto &[list, isWrite] :
         {std::pair{&text.reads, false}, std::pair{&text.writes, true}})
      for (const std::string &access : *list)
        statement.accesses.push_back(
            {isl::map(ctx,
                      prefix + "{ " + text.instance + " -> " + access + " }"),
             isWrite});
    if (text.isReduction)
      statement.reduction = statement.accesses.size() - 1;
    program.statements.push_back(statement);
  }
  for (const ArrayText &text : arrays) {
    std::string dims, bounds;
    for (unsigned d = 0; d < text.rank; ++d) {
      std::string x = "x" + std::to_string(d);
      dims += (d ? ", " : "") + x;
      bounds += (d ? " and 0 <= " : " : 0 <= ") + x + " < " + text.extent;
    }
    program.arrays.push_back({text.name,
                              isl::set(ctx, prefix + "{ " + text.name + "[" +
                                                dims + "]" + bounds + " }"),
                              8});
  }
  return program;
}

/// C[i, j] += A[i, k] * B[k, j] with loops j, k, i, as in Table 1 of Tiwari et
/// al., IPDPS 2009. `n`: extent, a number or a parameter.
inline Program matmul(const Context &context, const std::string &n,
                      const std::string &parameters = "",
                      const std::string &known = "") {
  std::string bounds =
      "0 <= i < " + n + " and 0 <= j < " + n + " and 0 <= k < " + n;
  return makeProgram(context,
                     {{"S0[j, k, i]",
                       bounds,
                       "0, j, 0, k, 0, i, 0",
                       {"C[i, j]", "A[i, k]", "B[k, j]"},
                       {"C[i, j]"},
                       true}},
                     {{"A", 2, n}, {"B", 2, n}, {"C", 2, n}}, parameters,
                     known);
}

/// B[i, j] -= B[k, j] * A[i, k] with loops j, k, i, as in Table 1.
inline Program triangularSolve(const Context &context, const std::string &n) {
  return makeProgram(
      context,
      {{"S0[j, k, i]",
        "0 <= j < " + n + " and 0 <= k < " + n + " and k < i < " + n,
        "0, j, 0, k, 0, i, 0",
        {"B[i, j]", "B[k, j]", "A[i, k]"},
        {"B[i, j]"}}},
      {{"A", 2, n}, {"B", 2, n}});
}

/// LU without pivoting: an imperfect nest.
inline Program lu(const Context &context, const std::string &n) {
  std::string k = "0 <= k < " + n + " and k < i < " + n;
  return makeProgram(context,
                     {{"S0[k, i]",
                       k,
                       "0, k, 0, i, 0, 0, 0",
                       {"A[i, k]", "A[k, k]"},
                       {"A[i, k]"}},
                      {"S1[k, i, j]",
                       k + " and k < j < " + n,
                       "0, k, 1, i, 0, j, 0",
                       {"A[i, j]", "A[i, k]", "A[k, j]"},
                       {"A[i, j]"}}},
                     {{"A", 2, n}});
}

/// Two arrays, one step to the other and back.
inline Program jacobi1d(const Context &context, const std::string &steps,
                        const std::string &n) {
  std::string bounds = "0 <= t < " + steps + " and 1 <= i < " + n + " - 1";
  return makeProgram(context,
                     {{"S0[t, i]",
                       bounds,
                       "0, t, 0, i, 0",
                       {"A[i - 1]", "A[i]", "A[i + 1]"},
                       {"B[i]"}},
                      {"S1[t, i]",
                       bounds,
                       "0, t, 1, i, 0",
                       {"B[i - 1]", "B[i]", "B[i + 1]"},
                       {"A[i]"}}},
                     {{"A", 1, n}, {"B", 1, n}});
}

/// One sweep in three dimensions, as in Table 1.
inline Program jacobi3d(const Context &context, const std::string &n) {
  return makeProgram(context,
                     {{"S0[k, j, i]",
                       "1 <= i < " + n + " - 1 and 1 <= j < " + n +
                           " - 1 and 1 <= k < " + n + " - 1",
                       "0, k, 0, j, 0, i, 0",
                       {"B[i - 1, j, k]", "B[i + 1, j, k]", "B[i, j - 1, k]",
                        "B[i, j + 1, k]", "B[i, j, k - 1]", "B[i, j, k + 1]"},
                       {"A[i, j, k]"}}},
                     {{"A", 3, n}, {"B", 3, n}});
}

/// Gauss-Seidel in place: legal to tile only when skewed.
inline Program seidel2d(const Context &context, const std::string &steps,
                        const std::string &n) {
  return makeProgram(context,
                     {{"S0[t, i, j]",
                       "0 <= t < " + steps + " and 1 <= i < " + n +
                           " - 1 and 1 <= j < " + n + " - 1",
                       "0, t, 0, i, 0, j, 0",
                       {"A[i - 1, j - 1]", "A[i - 1, j]", "A[i - 1, j + 1]",
                        "A[i, j - 1]", "A[i, j]", "A[i, j + 1]",
                        "A[i + 1, j - 1]", "A[i + 1, j]", "A[i + 1, j + 1]"},
                       {"A[i, j]"}}},
                     {{"A", 2, n}});
}

/// C[i, j] += A[i, k] * A[j, k] for j <= i, after C[i, j] *= beta.
inline Program syrk(const Context &context, const std::string &n) {
  std::string triangle = "0 <= i < " + n + " and 0 <= j <= i";
  return makeProgram(
      context,
      {{"S0[i, j]", triangle, "0, i, 0, j, 0, 0, 0", {"C[i, j]"}, {"C[i, j]"}},
       {"S1[i, k, j]",
        triangle + " and 0 <= k < " + n,
        "0, i, 1, k, 0, j, 0",
        {"C[i, j]", "A[i, k]", "A[j, k]"},
        {"C[i, j]"},
        true}},
      {{"A", 2, n}, {"C", 2, n}});
}

/// Fig. 3 (a) of Tiwari et al., IPDPS 2009: an imperfect nest whose cycle of
/// dependences forbids distribution. The extent is that of the figure's arrays
/// plus one, for Fortran's subscripts from 1.
inline Program figure3(const Context &context, const std::string &n) {
  std::string outer = "2 <= i < " + n;
  return makeProgram(
      context,
      {{"S0[i]", outer, "0, i, 0, 0, 0", {}, {"SUM[i]"}},
       {"S1[i, j]",
        outer + " and 1 <= j < i",
        "0, i, 1, j, 0",
        {"SUM[i]", "A[j, i]", "B[j]"},
        {"SUM[i]"}},
       {"S2[i]", outer, "0, i, 2, 0, 0", {"B[i]", "SUM[i]"}, {"B[i]"}}},
      {{"A", 2, n}, {"B", 1, n}, {"SUM", 1, n}});
}

} // namespace baco::polyhedral::test

#endif // BACO_UNITTESTS_POLYHEDRAL_TESTPROGRAMS_H
