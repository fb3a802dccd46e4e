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

#ifndef BACO_VERIFICATION_VERIFY_H
#define BACO_VERIFICATION_VERIFY_H

#include "baco/Verification/Inputs.h"

#include <optional>
#include <string>

namespace baco::runtime {

/// How many epsilon sum|terms| an element that sums `reductionLength` terms may
/// be off: min(2 K, 8 sqrt(K)).
///
/// A sum of K terms in any order is off by at most (K - 1) u sum|terms| to
/// first order (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd
/// edition, section 4.2), u = epsilon / 2, and the products add u sum|terms|;
/// both sides of the comparison may be off that far, which makes K epsilon
/// sum|terms|. The factor of 2 is for operations around the sum. Long sums
/// never come near that bound, under which any output would pass for K = 65536
/// in f32: roundings are as good as independent, and the error grows with
/// sqrt(K) (section 2.8; Higham and Mary, "A New Approach to Probabilistic
/// Rounding Error Analysis", SIAM J. Sci. Comput. 41 (2019)). Sums of one sign
/// come closest, with a deviation of u sqrt(K) sum|terms| / 3 one after the
/// other; 8 sqrt(K) epsilon is fifty times that.
///
/// Where K epsilon >= 1, a long sum can be so much larger than its terms that
/// adding one changes nothing: roundings all go the same way, and the factor is
/// 2 K.
double toleranceFactor(int64_t reductionLength, const FloatFormat &format);

/// The factor where the reference shows that its sums are exact in any order:
/// what is left is for candidates that compute differently, as Winograd's
/// convolution does. It is at most half of the least term.
inline constexpr double exactToleranceFactor = 16;

/// The outputs of the unscheduled kernel, laid out by OutputLayout.
struct Reference {
  std::vector<std::byte> expected;
  /// The outputs on the absolute values of the inputs: sum |terms| of each
  /// element of a float output. Not read for integers.
  std::vector<std::byte> magnitude;
  /// The effect of perturbed roundings on each element of a float output, see
  /// addSpread; empty: unknown.
  std::vector<std::byte> spread;
};

/// An element may be off by so many times its spread, or that of its neighbors.
/// Three samples of it are known, of differences that have about its own
/// distribution, and chance makes them small. CalibrationTest.cpp shows which
/// multiples candidates reach that are right: up to 9.
inline constexpr double spreadFactor = 16;

/// Raises `reference.spread` to the distance of `outputs`, of a run of the
/// kernel with other roundings, from what was expected; infinity where one of
/// them is a number and the other one isn't.
void addSpread(const Signature &signature, const std::byte *outputs,
               Reference &reference);

/// How precise the results are when each may be off by the tolerance of its
/// spread.
enum class Conditioning {
  /// In each output, all but one in sixteen elements keep a third of their
  /// digits at least.
  Good,
  /// In each output, half of the elements have a sign and two digits.
  Poor,
  None
};

/// Whether the magnitudes bound the results at all: sums of absolute values may
/// grow beyond the type where those of the values don't. True without any.
bool areMagnitudesFinite(const Signature &signature,
                         const Reference &reference);

/// Elements are compared with their neighbors where these are larger. `Good`
/// without spreads. Elements that the kernel doesn't change from `inputs` don't
/// count. With `scale` times the tolerance.
Conditioning conditioningOf(const Signature &signature,
                            const Reference &reference,
                            const std::vector<ArgumentData> &inputs,
                            double scale = 1);

/// The first element that differs from the reference, in words: `argument 2
/// differs at [0, 17]: got 1.5, expected 1.25 (tolerance 1e-06)`; nothing if
/// all agree. `outputs` is laid out as the reference.
///
/// Integers must be equal. A float may differ by epsilon sum|terms| times
/// toleranceFactor, or times exactToleranceFactor if that is less and the
/// argument consists of exactSums; `scale` times as much if it is given, so
/// that 0 wants equality; and by spreadFactor times its spread, or that of its
/// neighbors, unless its sums are exact. If some element is larger than its
/// sum|terms|, the kernel is no sum of products, and where it is more, the
/// median size of the nearest 16 elements counts, in that dimension where it is
/// least. Epsilon is that of the least precise type that results are rounded
/// to. To this comes what underflow can cost. NaN and infinities must be where
/// the reference has them, but where an element's terms and its tolerance reach
/// the largest number, and mayOverflowByOrder: there an infinity counts as the
/// least number that is rounded to it; zeros are equal whatever their sign. If
/// a larger `scale` would do, not more than narrowFactor times as large, the
/// text says so at its end, and `narrowMiss` is that scale; else it is 0.
/// O(elements).
std::optional<std::string> findMismatch(const Signature &signature,
                                        const Reference &reference,
                                        const std::byte *outputs,
                                        double scale = 1,
                                        double *narrowMiss = nullptr);

/// An element that is off by more than this many times its tolerance is wrong,
/// not just imprecise.
inline constexpr double narrowFactor = 100;

/// Whether tolerances proportional to the magnitudes are meaningful: all of
/// them are finite, and in each output the largest is at most 64 times as large
/// as the largest element, or up to 1024 times if the tolerance is a thousandth
/// of that element then. Sums of 60,000 terms of either sign are so; if results
/// feed back, this takes inputs with which they hardly grow. Elements that the
/// kernel left unchanged from `inputs` don't count.
bool areMagnitudesTight(const Signature &signature, const Reference &reference,
                        const std::vector<ArgumentData> &inputs);

/// Whether all floats among the expected outputs are finite, but for those that
/// the kernel left as they were in `inputs`.
bool isFinite(const Signature &signature, const Reference &reference,
              const std::vector<ArgumentData> &inputs);

/// The share of the expected floats that are finite; 1 if there are none.
double finiteShare(const Signature &signature, const Reference &reference);

/// Bytes of each argument that the kernel changes on these inputs.
std::vector<size_t> changedBytes(const Signature &signature,
                                 const Reference &reference,
                                 const std::vector<ArgumentData> &inputs);

/// The first output argument that the kernel changes, and whose initial
/// contents would nevertheless pass for its result, were the tolerance `scale`
/// times as large: then comparing it shows nothing. An argument that the kernel
/// leaves as it is is none.
std::optional<size_t> findUnverifiable(const Signature &signature,
                                       const Reference &reference,
                                       const std::vector<ArgumentData> &inputs,
                                       double scale = 1);

} // namespace baco::runtime

#endif // BACO_VERIFICATION_VERIFY_H
