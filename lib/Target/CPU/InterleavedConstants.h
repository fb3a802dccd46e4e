//===- InterleavedConstants.h - Constant rows byte by byte ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_CPU_INTERLEAVEDCONSTANTS_H
#define BACO_LIB_TARGET_CPU_INTERLEAVEDCONSTANTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <map>

namespace baco::target {

/// Copies of constant arrays of bytes whose rows are interleaved by fours, as
/// instructions take them. Such a copy is made before the first call
/// (baco-pack-constants); an interleaving would be computed again for each
/// block of rows that uses it.
class InterleavedConstants {
public:
  explicit InterleavedConstants(mlir::func::FuncOp function)
      : function(function) {}

  /// Loads at the insertion point of `builder` what `vectors` are interleaved:
  /// element i of each, then element i + 1 of each. Null if they aren't of four
  /// rows of a constant array that nothing else uses than loads, the first of
  /// them with a number that four divides, or don't begin at multiples of their
  /// length behind the first column.
  mlir::Value load(mlir::ImplicitLocOpBuilder &builder,
                   llvm::ArrayRef<mlir::Value> vectors);

private:
  /// Parts of an array's rows, each of a vector's length.
  struct Layout {
    mlir::TypedValue<mlir::MemRefType> array;
    /// The dimension of the rows.
    unsigned rows;
    mlir::VectorType vector;
    /// The first column, and how many parts there are.
    int64_t column, numParts;

    /// The shape of the copy: parts, the other dimensions, groups of four rows,
    /// and the bytes of a group's part.
    mlir::MemRefType copyType() const;
    /// The subscripts of the copy for those of the array, which are of the
    /// first row of a group and the first element of a part.
    llvm::SmallVector<mlir::AffineExpr>
    subscripts(llvm::ArrayRef<mlir::AffineExpr> ofArray) const;
  };

  mlir::Value copyOf(const Layout &layout);

  mlir::func::FuncOp function;
  // Never iterated over.
  std::map<std::tuple<void *, unsigned, int64_t, int64_t, int64_t>, mlir::Value>
      copies;
};

} // namespace baco::target

#endif // BACO_LIB_TARGET_CPU_INTERLEAVEDCONSTANTS_H
