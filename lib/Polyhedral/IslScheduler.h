//===- IslScheduler.h - Runs isl's scheduler --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_POLYHEDRAL_ISLSCHEDULER_H
#define BACO_LIB_POLYHEDRAL_ISLSCHEDULER_H

#include <isl/cpp.h>
#include <isl/options.h>

namespace baco::polyhedral {

/// Options of isl's scheduler.
struct IslSchedulerOptions {
  /// Loops of strongly connected components aren't fused.
  bool serializeComponents = false;
  /// Bands have as many loops as possible.
  bool maximizeBandDepth = false;
  /// All components are scheduled at once, so that they may share loops.
  bool wholeComponent = false;
  /// Outer loops carry as many dependences as possible, so that inner loops are
  /// parallel (Feautrier, "Some Efficient Solutions to the Affine Scheduling
  /// Problem, Part I", 1992).
  bool carryDependences = false;
};

/// A schedule that respects `constraints`; a null one if isl finds none within
/// a fixed number of its operations, which takes seconds at most.
///
/// If the context has a limit on operations, isl throws where half of that is
/// less than the fixed number and doesn't suffice. isl doesn't tell how many
/// operations it has done: counting starts anew afterwards, with the number
/// that the scheduler might have left.
isl::schedule runIslScheduler(const isl::schedule_constraints &constraints,
                              const IslSchedulerOptions &options);

} // namespace baco::polyhedral

#endif // BACO_LIB_POLYHEDRAL_ISLSCHEDULER_H
