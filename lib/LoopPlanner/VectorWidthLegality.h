//===- VectorWidthLegality.h - Legal vector widths --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `A[i] = A[i - 4]` can be computed on vectors, but on none of more than four
// elements.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_VECTORWIDTHLEGALITY_H
#define BACO_LIB_LOOPPLANNER_VECTORWIDTHLEGALITY_H

#include "baco/LoopPlanner/LoopPlan.h"
#include "baco/Polyhedral/LoopSchedule.h"

namespace baco::polyhedral {

/// Constrains knobs for the widths of vectors, in the commands of `plan` from
/// number `first` on, to what is legal; where that excludes all of a knob's
/// values, it gets one that is legal. `before` is the schedule that those
/// before them have made. False if no width is legal.
bool restrictVectorWidths(LoopPlan &plan, size_t first,
                          const LoopSchedule &before);

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_VECTORWIDTHLEGALITY_H
