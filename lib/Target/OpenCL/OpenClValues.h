//===- OpenClValues.h - SSA values as expressions in OpenCL C ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenCL C has vectors of 2, 4, 8 and 16 elements only. So a value consists of
// pieces, each of which is a scalar or such a vector: the rows of a vector of
// several dimensions, the longest pieces first. Ops that only move elements
// choose among lanes, and mostly need no code.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_OPENCL_OPENCLVALUES_H
#define BACO_LIB_TARGET_OPENCL_OPENCLVALUES_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace baco::target {

/// How OpenCL C holds the values of a type.
struct PieceLayout {
  mlir::Type element;
  /// The elements of each piece: 1, 2, 4, 8 or 16.
  llvm::SmallVector<int64_t> widths;

  int64_t countLanes() const;
};

/// That of `type`, a scalar or a vector of static shape; nothing for others.
std::optional<PieceLayout> layoutOf(mlir::Type type);

/// The type of `width` elements in registers: `int4`. A truth value is an
/// `int`, 0 or 1; in vectors 0 or -1, as OpenCL compares them. Empty if OpenCL
/// C has no such type.
std::string nameType(mlir::Type element, int64_t width = 1);

/// The type of an element in memory: truth values take a byte.
std::string nameInMemory(mlir::Type element);

/// Bits of a scalar; 64 for an index.
unsigned widthOf(mlir::Type element);

/// A literal of the type; in parentheses where it isn't one token.
std::string writeInteger(const llvm::APInt &value, mlir::Type element);
std::string writeFloat(const llvm::APFloat &value, mlir::Type element);

/// A value: its pieces, or, for a memref, a pointer to its first element.
struct ClValue {
  llvm::SmallVector<std::string, 1> pieces;
  /// Of a pointer: `__global `, `__local `, `__constant ` or nothing.
  llvm::StringRef space;
};

/// One element of a value.
struct Lane {
  std::string piece;
  /// The elements of the piece, and which of them it is.
  int64_t width, index;

  /// As a scalar.
  std::string text(mlir::Type element) const;
};

/// All elements of a value, in order.
llvm::SmallVector<Lane> lanesOf(const ClValue &value,
                                const PieceLayout &layout);

/// The value that has `lanes`: pieces that are there already stay as they are.
ClValue fromLanes(llvm::ArrayRef<Lane> lanes, const PieceLayout &layout);

/// A scalar as a lane.
inline Lane scalarLane(std::string text) { return {std::move(text), 1, 0}; }

} // namespace baco::target

#endif // BACO_LIB_TARGET_OPENCL_OPENCLVALUES_H
