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

#ifndef BACO_ANALYSIS_ITERATIONGRAPH_H
#define BACO_ANALYSIS_ITERATIONGRAPH_H

#include "baco/Sparse/Storage.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

#include <tuple>

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
  /// Splits a loop: it keeps its number and visits tiles of `size` elements,
  /// which divides its extent, and a new one, which gets the next number,
  /// visits the elements of a tile. If there is only one tile, the new loop
  /// takes the place of the loop, which visits nothing. Otherwise a loop that
  /// indexes the sparse operand visits one level for tiles, and the new one one
  /// for elements.
  void split(int64_t loop, int64_t size);
  struct Split {
    int64_t loop, size;
    /// The one that visits the elements.
    int64_t inner;
    /// Whether the loop visits nothing, as there is one tile.
    bool isTrivial;
  };
  /// The calls of split(), in order.
  llvm::ArrayRef<Split> getSplits() const { return splits; }
  /// Whether the loop, which may be one that split() made, indexes the sparse
  /// operand.
  bool isSparseLoop(int64_t loop) const {
    return llvm::any_of(parts,
                        [&](const Part &part) { return part.loop == loop; });
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
  /// of matrices and its own fix the order of levels, others don't. Where loops
  /// are split, the former have two levels of the same kind in place of one,
  /// and the latter as many levels in all as there are parts.
  llvm::Expected<Offer> findFormat(llvm::StringRef name) const;
  /// A dimension, or what a loop of a split one visits of it.
  struct Part {
    int64_t loop;
    size_t dimension;
    /// As those of a level.
    int64_t divisor = 1, modulus = 0;

    bool isOf(const sparse::Level &level) const {
      return std::tuple(dimension, divisor, modulus) ==
             std::tuple(level.dimension, level.divisor, level.modulus);
    }
    /// Makes `level` one of this part.
    void assignTo(sparse::Level &level) const {
      level.dimension = dimension;
      level.divisor = divisor;
      level.modulus = modulus;
    }
  };
  /// The dimensions that a level may store. Without split(), its dimensions in
  /// their order.
  llvm::ArrayRef<Part> getParts() const { return parts; }
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
  /// The order that it has for the op as it is: that of the iterators if the op
  /// is marked as `sorted`. Only before split().
  llvm::SmallVector<int64_t> plainOrder() const;

private:
  IterationGraph(mlir::linalg::LinalgOp op, mlir::BlockArgument tensor)
      : op(op), tensor(tensor) {}

  mlir::linalg::LinalgOp op;
  mlir::BlockArgument tensor;
  sparse::StorageFormat format;
  llvm::SmallVector<Part> parts;
  llvm::SmallVector<Split> splits;
  llvm::SmallVector<bool> isParallel;
};

/// Whether an operand or a result of `op` is a sparse tensor.
bool hasSparseTensors(mlir::Operation *op);

} // namespace baco

#endif // BACO_ANALYSIS_ITERATIONGRAPH_H
