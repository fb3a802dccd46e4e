//===- IterationGraph.h - Loops over a sparse operand -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of a linalg op with one sparse operand, and which orders of them
// the operand's format allows: Kjolstad, Kamil, Chou, Lugato and Amarasinghe,
// "The Tensor Algebra Compiler" (OOPSLA 2017), section 4. Loops that index only
// dense operands may be anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_ITERATIONGRAPH_H
#define BACO_IR_ITERATIONGRAPH_H

#include "baco/Sparse/Storage.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

namespace baco {

/// How a recipe calls the format that the type of the operand says.
inline constexpr llvm::StringLiteral kGivenFormat = "given";

class IterationGraph {
public:
  /// The graph of `op`: a linalg op on tensors with one sparse operand, which
  /// is an argument of its function that nothing else computes with. The error
  /// says what stands in the way.
  static llvm::Expected<IterationGraph> create(mlir::Operation *op);

  mlir::linalg::LinalgOp getOp() const { return op; }
  size_t getNumLoops() const { return isParallel.size(); }
  /// Splits a loop that only indexes dense operands: it keeps its number and
  /// visits tiles, and a new one, which gets the next number, visits the
  /// elements of a tile.
  void split(int64_t loop);
  /// For each loop that split() made the one that it is a part of, in order.
  llvm::ArrayRef<int64_t> getSplits() const { return splits; }
  /// Whether the loop indexes the sparse operand.
  bool isSparseLoop(int64_t loop) const {
    return llvm::is_contained(loops, loop);
  }
  /// Whether iterations of the loop don't depend on each other: it reduces
  /// nothing.
  bool isParallelLoop(int64_t loop) const { return isParallel[loop]; }

  /// The sparse operand.
  mlir::BlockArgument getTensor() const { return tensor; }
  llvm::ArrayRef<int64_t> getShape() const;
  /// The format that its type says.
  const sparse::StorageFormat &getOwnFormat() const { return format; }
  /// A format that the operand may get.
  struct Offer {
    sparse::StorageFormat format;
    /// Whether its levels are in the order in which loops visit them.
    bool isArranged;
  };
  /// The format of that name (sparse::namedFormat), or `given`, its own. Those
  /// of matrices and its own fix the order of levels, others don't.
  llvm::Expected<Offer> findFormat(llvm::StringRef name) const;
  /// For each of its dimensions the loop that indexes it.
  llvm::ArrayRef<int64_t> getLoops() const { return loops; }
  /// How many entries it has when it is timed, if that is known.
  std::optional<int64_t> getNumEntries() const;

  /// The loops that visit the levels of `format`, in their order.
  llvm::SmallVector<int64_t>
  loopsOfLevels(const sparse::StorageFormat &format) const;
  /// Whether loops in `order`, the outermost first, visit the levels of
  /// `format` from the outermost to the innermost one. Upstream's sparsifier
  /// crashes on other orders.
  bool isLegal(llvm::ArrayRef<int64_t> order,
               const sparse::StorageFormat &format) const;
  /// `format` with its levels in the order in which `order` visits them.
  sparse::StorageFormat arrange(sparse::StorageFormat format,
                                llvm::ArrayRef<int64_t> order) const;
  /// The order that upstream's sparsifier chooses for `format`, which follows
  /// dense operands, too, as far as that is possible. Only before split().
  llvm::SmallVector<int64_t>
  naturalOrder(const sparse::StorageFormat &format) const;

private:
  IterationGraph(mlir::linalg::LinalgOp op, mlir::BlockArgument tensor)
      : op(op), tensor(tensor) {}

  mlir::linalg::LinalgOp op;
  mlir::BlockArgument tensor;
  sparse::StorageFormat format;
  llvm::SmallVector<int64_t> loops;
  llvm::SmallVector<int64_t> splits;
  llvm::SmallVector<bool> isParallel;
};

/// Whether an operand or a result of `op` is a sparse tensor.
bool hasSparseTensors(mlir::Operation *op);

} // namespace baco

#endif // BACO_IR_ITERATIONGRAPH_H
