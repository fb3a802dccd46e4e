//===- Permutation.h - Orders and their distances ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranks of permutations in lexicographic order, and the semimetrics of BaCO
// (Hellsten et al. 2023, section 4.1) before they are scaled.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_EXPRESSION_PERMUTATION_H
#define BACO_EXPRESSION_PERMUTATION_H

#include "baco/Expression/Value.h"

namespace baco {

/// The longest permutation whose rank fits 64 bits.
inline constexpr int maxPermutationSize = 20;

/// n!, for 0 <= n <= 20.
uint64_t factorial(int n);

/// Whether `p` holds each of 0 ... p.size()-1 once.
bool isPermutation(const Permutation &p);

/// Place of `p` in the lexicographic order of all permutations of its size,
/// from 0. Needs isPermutation(p) and at most 20 elements.
uint64_t rankOf(const Permutation &p);

/// The inverse of rankOf: needs rank < n! and 0 <= n <= 20.
Permutation permutationAt(int n, uint64_t rank);

/// The place of each element: inverse(p)[p[k]] = k.
Permutation inverse(const Permutation &p);

/// The distances compare positions: "pi_i = j" of the paper means that loop i
/// gets place j, which is inverse(p) for our p[position] = loop. Both arguments
/// have the same size n.

/// Number of pairs of elements whose order differs; at most n(n-1)/2.
int64_t kendallDistance(const Permutation &p, const Permutation &q);
/// Sum of squared movements of the elements; at most n(n^2-1)/3.
int64_t spearmanDistance(const Permutation &p, const Permutation &q);
/// Number of elements that have moved; at most n.
int64_t hammingDistance(const Permutation &p, const Permutation &q);

} // namespace baco

#endif // BACO_EXPRESSION_PERMUTATION_H
