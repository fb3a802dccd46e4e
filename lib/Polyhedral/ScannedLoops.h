//===- ScannedLoops.h - The loops that code is made of ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// isl makes code for sets of small dimension without floors several times as
// fast. So it scans not the iterators of a statement but its loops, leaves out
// those whose value the loops outside of them tell, and counts tiles and steps
// instead of visiting each size-th value.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_POLYHEDRAL_SCANNEDLOOPS_H
#define BACO_LIB_POLYHEDRAL_SCANNEDLOOPS_H

#include <isl/cpp.h>

#include <cstdint>
#include <vector>

namespace baco::polyhedral {

/// The loop has the values origin + stride * count. 0 <= origin < stride.
struct Steps {
  int64_t stride = 1, origin = 0;
  bool operator==(const Steps &) const = default;
};

/// The value of a loop as the other loops determine it.
struct KnownValue {
  /// Whether the loops outside and the parameters determine the value. If so:
  /// their coefficients, and the constant.
  bool isTold = false;
  std::vector<int64_t> coefficients;
  int64_t constant = 0;
  /// The steps of all values.
  Steps steps;

  bool isToldAs(const KnownValue &other) const {
    return isTold && other.isTold && coefficients == other.coefficients &&
           constant == other.constant;
  }
};

/// The known value of each loop in `values`, { [L1, ..., Ld] }.
std::vector<KnownValue> findLoopValues(const isl::set &values);

/// A loop that is scanned.
struct ScannedLoop {
  /// From 0.
  unsigned level = 0;
  Steps steps;
};

/// The outermost `numLoops` loops as a function of the counts of the loops
/// that are scanned, which are those among them: { [c0, ...] -> [L1, ...] }.
/// \param values  of all loops of the statement, whose `known` this is.
isl::multi_aff loopsFromCounts(const isl::set &values,
                               const std::vector<KnownValue> &known,
                               const std::vector<ScannedLoop> &scanned,
                               unsigned numLoops);

} // namespace baco::polyhedral

#endif // BACO_LIB_POLYHEDRAL_SCANNEDLOOPS_H
