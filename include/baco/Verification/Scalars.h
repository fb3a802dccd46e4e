//===- Scalars.h - The values of integer arguments --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the sizes, offsets and flags with which a kernel is called, by a
// search that asks whether the kernel may run with given values: lib/Target
// answers by analysis, the worker by running it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_VERIFICATION_SCALARS_H
#define BACO_VERIFICATION_SCALARS_H

#include "baco/Protocol/Candidate.h"

#include <functional>
#include <vector>

namespace baco::runtime {

/// The value of each argument of a signature; those of arguments other than
/// integer scalars mean nothing.
using ScalarValues = std::vector<int64_t>;

/// Whether the kernel stays in bounds and ends with these values.
using MayRun = std::function<bool(const ScalarValues &)>;

/// The largest value that a search tries. A scalar that may be so large has no
/// bound, and gets `unboundedScalar`.
inline constexpr int64_t largestSearched = int64_t{1} << 20;

/// The value of a structural scalar without a bound, such as a number of time
/// steps: large enough to enter all loops of a schedule, and small enough to be
/// fast.
inline constexpr int64_t unboundedScalar = 16;

/// The value of a scalar that is only computed with, and isn't structural.
inline constexpr int64_t datumScalar = 3;

bool isIntegerScalar(const Argument &argument);

/// The first values of all arguments, and datumScalar for scalars that have
/// none.
ScalarValues timedValues(const Signature &signature);

/// Gives each structural scalar without values the largest one, at most
/// `limit`, at which the kernel may run, and further values to verify it with;
/// the others, which have no bounds, get values, too. Given values stay, and
/// get further ones. False, and no change, if
/// no values are found at which the kernel may run.
///
/// Where scalars limit each other (n + m <= 256), first the largest value is
/// sought that all of them can have, then each is raised in turn. One value
/// must not be allowed where a smaller positive one isn't, or a smaller one may
/// be found. O(scalars * log(limit)) calls of `mayRun`.
bool chooseScalars(Signature &signature, const MayRun &mayRun,
                   int64_t limit = largestSearched);

} // namespace baco::runtime

#endif // BACO_VERIFICATION_SCALARS_H
