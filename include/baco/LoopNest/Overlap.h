//===- Overlap.h - Outputs that may be inputs, too --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transformations of structured ops assume that no input changes while the op
// runs. On memrefs this must be checked.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_OVERLAP_H
#define BACO_LOOPNEST_OVERLAP_H

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace baco::loopnest {

/// Whether an output of `op`, on memrefs, may overlap another operand: they are
/// the same or views of the same memory, or they are arguments of the function
/// for which a call in the module passes memory that overlaps.
bool mayOverwriteInputs(mlir::DestinationStyleOpInterface op);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_OVERLAP_H
