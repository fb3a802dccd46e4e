//===- MemoryRoots.h - Memory behind memrefs --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The allocation, global or argument behind a memref, and whether two memrefs,
// or two arguments of a function, may be the same memory.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_MEMORYROOTS_H
#define BACO_ANALYSIS_MEMORYROOTS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace baco {

/// The memory behind a memref: its allocation, global or function argument.
/// Null if it could be any.
mlir::Value memoryRoot(mlir::Value memref);

/// Whether the memory behind `memref` holds the same in each call of the
/// function: it is an argument with `baco.constant`, or a constant global.
bool isConstantMemory(mlir::Value memref);

/// Whether two known roots are the same memory, as globals of one name are.
bool isSameRoot(mlir::Value a, mlir::Value b);

/// Whether two memrefs show parts of one memref that have no element in common,
/// in any iteration.
bool areDisjointViews(mlir::Value memref, mlir::Value other);

/// Whether two memrefs may share memory. Different known roots are taken to be
/// distinct, as upstream's affine analysis does, unless they are globals of one
/// name; so are subviews of one memref with constant offsets, sizes and strides
/// that have no element in common. This relation isn't transitive.
bool mayOverlap(mlir::Value memref, mlir::Value other);

/// Positions of two arguments of a function.
using ArgumentPair = std::pair<unsigned, unsigned>;

/// A use of a function's symbol that may pass memory which overlaps.
struct OverlappingUse {
  mlir::Operation *user;
  ArgumentPair arguments;
  /// Else something takes the function's address.
  bool isCall;
};

/// The first use of `function` in its module that may pass memory which
/// overlaps for the arguments of one of `pairs`: a call with such operands, or
/// any other use, as what takes the function's address may pass anything.
/// Different arguments of a caller count as distinct, and calls from outside of
/// the module are assumed to pass distinct memory.
std::optional<OverlappingUse>
findOverlappingUse(mlir::FunctionOpInterface function,
                   llvm::ArrayRef<ArgumentPair> pairs);

} // namespace baco

#endif // BACO_ANALYSIS_MEMORYROOTS_H
