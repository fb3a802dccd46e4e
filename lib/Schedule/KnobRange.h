//===- KnobRange.h - Options of a knob as a dictionary ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two spellings of dictionaries of options are in use, `{lb, ub, step}` and
// `{options, lower_bound, upper_bound, divisible_by, divides}`; both are read.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_KNOBRANGE_H
#define BACO_LIB_SCHEDULE_KNOBRANGE_H

#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

#include <variant>

namespace baco::schedule {

/// lower, lower + step, ..., up to upper.
struct KnobRange {
  int64_t lower, upper, step;
};

/// The range or list of integers (at least one) in a dictionary of options.
/// Fails with a diagnostic at the knob.
mlir::FailureOr<std::variant<KnobRange, llvm::SmallVector<mlir::Attribute>>>
readDictionary(mlir::transform::tune::KnobOp knob,
               mlir::DictionaryAttr dictionary);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_KNOBRANGE_H
