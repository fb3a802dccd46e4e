//===- Verify.h - Comparing outputs -----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a candidate computed what the unscheduled kernel computes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_VERIFY_H
#define BACO_RUNTIME_VERIFY_H

#include "baco/Runtime/Inputs.h"

#include <optional>
#include <string>

namespace baco::runtime {

/// The factor c of the tolerance. A sum of K terms in any order is off by at
/// most (K - 1) u sum|terms| to first order (Higham, "Accuracy and Stability of
/// Numerical Algorithms", 2nd edition, section 4.2), u = epsilon / 2, and the
/// products add u sum|terms|; both sides of the comparison may be off that far,
/// which makes K epsilon sum|terms|. The other factor of 2 is for operations
/// around the sum.
inline constexpr double toleranceFactor = 2;

/// What the unscheduled kernel computed, laid out by OutputLayout.
struct Reference {
  std::vector<std::byte> expected;
  /// The outputs on the absolute values of the inputs: sum |terms| of each
  /// element of a float output. Not read for integers.
  std::vector<std::byte> magnitude;
};

/// The first element that differs from the reference, in words: `argument 2
/// differs at [0, 17]: got 1.5, expected 1.25 (tolerance 1e-06)`; nothing if
/// all agree. `outputs` is laid out as the reference.
///
/// Integers must be equal. A float may differ by c K epsilon sum|terms|. NaN
/// and infinities must be where the reference has them. O(elements).
std::optional<std::string> findMismatch(const Signature &signature,
                                        const Reference &reference,
                                        const std::byte *outputs);

} // namespace baco::runtime

#endif // BACO_RUNTIME_VERIFY_H
