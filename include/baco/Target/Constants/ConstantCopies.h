//===- ConstantCopies.h - Copies of constant arguments ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that copies parts of a weight to a buffer in each iteration of loops
// around it can find all of these copies made if it is given memory with one
// buffer for each iteration.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CONSTANTS_CONSTANTCOPIES_H
#define BACO_TARGET_CONSTANTS_CONSTANTCOPIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <vector>

namespace baco::target {

/// Whether nothing writes to `memory` or a view of it.
bool isOnlyRead(mlir::Value memory);

/// Ops of one block that fill a buffer, and those behind them that read it.
struct BufferFill {
  mlir::TypedValue<mlir::MemRefType> buffer;
  llvm::SmallVector<mlir::Operation *> writers, readers;
  /// The loops and branches around them, outermost first.
  llvm::SmallVector<mlir::Operation *> around;
  /// Induction variables of these loops on which the contents depend, and how
  /// many values each takes at most, outermost first.
  llvm::SmallVector<mlir::Value> iterators;
  llvm::SmallVector<int64_t> counts;
  /// Where the copies begin in the memory for all, and the distance of the
  /// buffers of two iterations, in bytes.
  int64_t offset = 0, pitch = 0;

  int64_t bytes() const;
};

/// The fills of a function whose results depend on constant data alone.
class ConstantCopies {
public:
  /// Where the data come from.
  enum class From { Arguments, Globals };

  ConstantCopies(mlir::func::FuncOp function, From from);

  bool empty() const { return fills.empty(); }
  /// The memrefs that are copied: arguments of the function, or results of
  /// `memref.get_global` in it.
  llvm::ArrayRef<mlir::Value> sources() const { return allSources; }
  /// Of sources that are arguments, their numbers, which increase.
  llvm::SmallVector<unsigned> argumentNumbers() const;
  /// The bytes of the memory for all copies.
  int64_t bytes() const { return size; }

  /// Writes ops that make all copies at the insertion point of `builder`.
  /// `memory` has `bytes()` bytes, `values` stand for sources().
  void writeCopies(mlir::OpBuilder &builder, mlir::Value memory,
                   mlir::ValueRange values) const;

  /// Lets the function, which may be used no more by this object, read `memory`
  /// in place of the buffers.
  void useCopies(mlir::Value memory);

private:
  bool add(mlir::memref::AllocOp buffer);

  mlir::func::FuncOp function;
  From from;
  std::vector<BufferFill> fills;
  llvm::SmallVector<mlir::Value> allSources;
  int64_t size = 0;
};

} // namespace baco::target

#endif // BACO_TARGET_CONSTANTS_CONSTANTCOPIES_H
