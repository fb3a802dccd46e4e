//===- AccessBounds.h - Accesses outside of memrefs -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_ACCESSBOUNDS_H
#define BACO_LIB_SCHEDULE_ACCESSBOUNDS_H

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace baco::schedule {

/// An op that accesses an element which its memref doesn't have.
struct BadAccess {
  mlir::Operation *op;
  /// A description of the error.
  std::string why;
};

/// The first affine access in `nest` that is certainly out of bounds in some
/// iteration. Unknown extents and bounds count as valid.
std::optional<BadAccess> findBadAccess(mlir::Operation *nest);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_ACCESSBOUNDS_H
