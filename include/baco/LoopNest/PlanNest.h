//===- PlanNest.h - Commands and knobs for loops in IR ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_PLANNEST_H
#define BACO_LOOPNEST_PLANNEST_H

#include "baco/LoopPlanner/LoopPlan.h"

#include "mlir/IR/Operation.h"

namespace baco::loopnest {

/// Plans the nest of which `outermost` is the outermost loop (affine.for or
/// scf.for). The IR stays as it is: a copy of the function around it is raised
/// and read. Errors: what keeps the nest from being read or planned. A remark
/// tells of each operation that has no form on vectors.
Result<polyhedral::LoopPlan> planNest(mlir::Operation *outermost,
                                      const polyhedral::MachineSizes &host);

/// A plan for a nest for which planNest takes too long (TimedOut): its loops
/// stay in their order. Makes no remarks.
Result<polyhedral::LoopPlan>
planNestSimply(mlir::Operation *outermost,
               const polyhedral::MachineSizes &host);

/// Counts the leading `nests` that may take turns row by row and gain by it
/// (polyhedral::countRowFusionGroup); 0: none. The nests are neighbors in a
/// block; all operations between them can move in front of them. A softmax is a
/// group by itself.
size_t countRowFusionGroup(llvm::ArrayRef<mlir::Operation *> nests,
                           const polyhedral::MachineSizes &host);

/// Plans such nests, all of which countRowFusionGroup has counted, as one.
Result<polyhedral::LoopPlan>
planRowFusion(llvm::ArrayRef<mlir::Operation *> nests,
              const polyhedral::MachineSizes &host);

/// Plans nests, neighbors in a block as above, for high-level synthesis
/// (polyhedral::planDesign).
Result<polyhedral::LoopPlan>
planDesign(llvm::ArrayRef<mlir::Operation *> nests);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_PLANNEST_H
