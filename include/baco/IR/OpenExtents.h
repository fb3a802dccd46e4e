//===- OpenExtents.h - Extents that stay dynamic ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute `baco.extents` of arguments of functions: an array of i64 with
// the extents that an argument of dynamic shape has while it is measured.
// Dynamic extents of one function that are measured alike are one extent: its
// callers pass the same number for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_OPENEXTENTS_H
#define BACO_IR_OPENEXTENTS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace baco {

inline constexpr llvm::StringLiteral kExtents = "baco.extents";

/// The error says why `extents` can't be the `baco.extents` of an argument of
/// `type`: they are as many as its rank, at least 1, and the static ones of its
/// type.
llvm::Error checkExtents(mlir::Type type, mlir::Attribute extents);

/// The `baco.extents` of an argument; nullopt if it has none that suit it.
std::optional<llvm::ArrayRef<int64_t>>
measuredExtents(mlir::BlockArgument argument);

} // namespace baco

#endif // BACO_IR_OPENEXTENTS_H
