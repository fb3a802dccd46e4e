//===- MemoryAccess.h - Where operations access memory ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar and vector loads and stores as boxes of elements whose first one has
// affine subscripts, and what two of them have in common.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_MEMORYACCESS_H
#define BACO_LOOPNEST_MEMORYACCESS_H

#include "baco/Analysis/MemoryRoots.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace baco::loopnest {

/// A memref and subscripts.
struct Address {
  mlir::Value memref;
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> operands;
};

/// Whether `op` loads or stores one element by the affine or memref dialect.
bool isLoad(mlir::Operation *op);
bool isStore(mlir::Operation *op);

/// The address of such an `op`, composed down to induction variables and
/// symbols; nothing for other operations.
std::optional<Address> addressOf(mlir::Operation *op);

/// The address of an affine, memref or vector load or store of elements that
/// follow each other, as it is written; nothing for other operations.
std::optional<Address> writtenAddressOf(mlir::Operation *op);

/// Composes `map` with the maps of its operands, and canonicalizes it.
void compose(mlir::AffineMap &map,
             llvm::SmallVectorImpl<mlir::Value> &operands);

/// `a` - `b`, if that is a constant.
std::optional<int64_t> constantDifference(mlir::AffineExpr a,
                                          mlir::AffineExpr b, unsigned numDims,
                                          unsigned numSymbols = 0);

/// `map` with `offset` added to its last result.
mlir::AffineMap offsetLast(mlir::AffineMap map, int64_t offset);

/// A load or a store.
struct MemoryAccess {
  mlir::Operation *op = nullptr;
  bool isWrite = false;
  mlir::Value memref;
  /// The allocation, global or argument that `memref` views; null if unknown.
  mlir::Value root;
  /// First element, over the dimensions that the reader gave to index values.
  /// Nothing if unknown: the access may be to any element.
  std::optional<llvm::SmallVector<mlir::AffineExpr>> subscripts;
  /// Elements per subscript, >= 1.
  llvm::SmallVector<int64_t> extents;
  /// The type of the loaded or stored value.
  mlir::Type type;
  /// The mask of a masked access; else null.
  mlir::Value mask;
  /// The value of a masked load where the mask is false; else null.
  mlir::Value passThrough;
  /// The operand of a store that is stored; else null.
  mlir::OpOperand *storedOperand = nullptr;

  mlir::Value stored() const { return storedOperand->get(); }
};

enum class Overlap { None, Same, Unknown };

/// Reads accesses, of one function, into a common form. It stores index values
/// and loops, which must outlive it, except that operations may be erased if no
/// index values are created afterwards.
class AccessReader {
public:
  /// The access of an `op` that has an address (writtenAddressOf); nothing for
  /// other operations.
  std::optional<MemoryAccess> read(mlir::Operation *op);

  /// The overlap of two accesses, if index values that both use have the same
  /// values for both. Bounds of affine loops show where others are distinct.
  /// `Same`: all elements, in the same order, and the same mask. Memory with
  /// different known roots is taken to be distinct, as upstream's affine
  /// analysis does.
  Overlap overlap(const MemoryAccess &a, const MemoryAccess &b);

private:
  /// The range of a difference; nothing where no bound is known.
  struct Range {
    std::optional<int64_t> least, most;
  };
  Range difference(mlir::AffineExpr a, mlir::AffineExpr b);
  /// The results of `map`, over the dimensions of index values.
  llvm::SmallVector<mlir::AffineExpr> expressions(mlir::AffineMap map,
                                                  mlir::ValueRange operands);
  /// A lower bound of `expr`. Bounds of at most `steps` loops are substituted.
  std::optional<int64_t> minValue(mlir::AffineExpr expr, unsigned steps);

  llvm::DenseMap<mlir::Value, unsigned> dimensions;
  llvm::SmallVector<mlir::Value> values;
  /// Cached results of `difference` for expressions without constant terms.
  llvm::DenseMap<std::pair<mlir::AffineExpr, mlir::AffineExpr>, Range>
      differences;
};

/// Calls `onAccess` for every access in `op` and its regions, and `onUnknown`
/// for every other operation there that may read or write memory.
void forEachAccess(mlir::Operation *op, AccessReader &reader,
                   llvm::function_ref<void(const MemoryAccess &)> onAccess,
                   llvm::function_ref<void(mlir::Operation *)> onUnknown);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_MEMORYACCESS_H
