//===- RowFusionGroup.h - Nests over the same rows --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_ROWFUSIONGROUP_H
#define BACO_LIB_LOOPPLANNER_ROWFUSIONGROUP_H

#include "PlanStrategies.h"

namespace baco::polyhedral {

/// Nests of a program, from the first on.
///
/// Whether they may share their rows is asked of the dependences, not of isl's
/// scheduler (LoopSchedule::findBand). A group fuses its loops as they are,
/// while a band may come with shifts, which peel rows off. And most of what is
/// to be found out is not about a band: the order of statements within a row,
/// some of which have no loop along it, and how many nests belong to the group,
/// for which the scheduler would have to run once for each.
class RowFusionGroup {
public:
  RowFusionGroup(const NestModel &model, const LoopSchedule &original);

  /// How many nests may share their rows and gain by it; less than 2: none.
  size_t count() const;
  /// Does one more statement belong to rows like those of the others?
  bool fits(unsigned statement) const;
  bool hasLoop(unsigned statement) const {
    return model.statements[statement].depth() > outer;
  }
  /// Does it sum a small window for each element of a row, with further loops
  /// inside that along the row? A pooling does, and a depthwise convolution.
  bool hasWindow(unsigned statement) const;
  /// Do both use some array? If `alongRows`, do both move along its rows?
  bool shareArray(unsigned first, unsigned second, bool alongRows) const;
  /// Must `source` run before `sink` in some row?
  bool depends(unsigned source, unsigned sink) const {
    Result<bool> depends = original.depends(source, sink, outer);
    return !depends || *depends;
  }

  const NestModel &model;
  const LoopSchedule &original;
  /// Loops over rows; 0: there is a single row, whose loop is shared.
  unsigned outer = 0;
};

/// Writes the plan of all nests of `state` as one group. `mayRunAhead` offers
/// that the first loop along a row runs for the next row. Fails, by an
/// exception, if they can't take turns.
void writeRowFusion(PlanState &state, const RowFusionGroup &group,
                    bool mayRunAhead);

/// The same as a plan for `host`, whose threads the rows are distributed over.
Result<LoopPlan> planRowFusion(const RowFusionGroup &group,
                               const MachineSizes &host);

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_ROWFUSIONGROUP_H
