//===- ContiguousOrder.h - Loops that walk along memory ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loop interchange for locality, for a nest that isn't tuned: no tiles and no
// knobs, one choice by the strides of its accesses.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_CONTIGUOUSORDER_H
#define BACO_LOOPNEST_CONTIGUOUSORDER_H

#include "mlir/IR/Operation.h"

namespace baco::loopnest {

/// Moves, where dependences allow, that loop of each statement of `nest`
/// innermost along which its accesses are contiguous or invariant; statements
/// that prevent this get their own loops. Each element gets its values, and
/// each sum its terms, in the order that they had. `nest` is a loop of the
/// affine or scf dialect, at best of static bounds and memrefs.
///
/// Returns whether it was replaced. No diagnostics if not: it has no better
/// order, can't be analyzed, or the analysis took too many steps. Its loops may
/// have become affine ones that carry values in memory.
bool makeInnermostContiguous(mlir::Operation *nest);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_CONTIGUOUSORDER_H
