//===- FpgaMemory.h - Accesses of a pipeline to memory ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Subscripts as linear functions of loops, and what follows from their
// differences: distances of dependences, banks of memories on the chip,
// transfers to memory off the chip.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_COSTMODEL_FPGAMEMORY_H
#define BACO_LIB_COSTMODEL_FPGAMEMORY_H

#include "baco/Support/FpgaDevice.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace baco::target {

/// A sum of products of values and constants.
struct LinearIndex {
  /// Factors that aren't 0, sorted, so that equal sums have equal lists; the
  /// order means nothing.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> factors;
  int64_t constant = 0;

  int64_t factorOf(mlir::Value value) const;
  void add(mlir::Value value, int64_t factor);
};

/// A load or a store.
struct FpgaAccess {
  mlir::Operation *op = nullptr;
  mlir::TypedValue<mlir::MemRefType> memref;
  bool isWrite = false;
  /// One for each dimension; nothing if one isn't linear: the access may be to
  /// any element.
  std::optional<llvm::SmallVector<LinearIndex>> subscripts;

  bool isOffChip() const { return isa<mlir::BlockArgument>(memref); }
  /// The subscript in a single dimension, if there are subscripts.
  LinearIndex address;
};

/// Reads an affine.load, affine.store, memref.load or memref.store; nothing for
/// other ops.
std::optional<FpgaAccess> readAccess(mlir::Operation *op);

/// The least d >= 0 such that `to`, d iterations of `loop` after `from`, is to
/// the element of `from`; nothing if there is none in the same iteration of the
/// loops around. `isBehind`: `to` comes behind `from` in the body; else d >= 1.
/// The least of these if subscripts don't tell. d is 0 without a loop, which is
/// null then.
std::optional<int64_t> findDistance(const FpgaAccess &from,
                                    const FpgaAccess &to,
                                    mlir::affine::AffineForOp loop,
                                    bool isBehind);

/// How a memory on the chip is cut: element x[d] of `dimension` is in bank x
/// mod `banks`.
struct Banking {
  unsigned dimension = 0;
  int64_t banks = 1;
};

/// `accesses` to one memory without loads of elements that another one loads.
llvm::SmallVector<FpgaAccess> mergeLoads(llvm::ArrayRef<FpgaAccess> accesses);

/// The most of `accesses`, of an iteration, to one bank. Those of which the
/// subscripts don't tell the bank relative to the others' count for each bank.
int64_t countBankAccesses(llvm::ArrayRef<FpgaAccess> accesses, Banking banking);

/// The transfers of an iteration of `loop` by accesses to memory off the chip,
/// all of them in its body. Fractions are transfers that iterations share.
double countTransfers(llvm::ArrayRef<FpgaAccess> accesses,
                      mlir::affine::AffineForOp loop, const FpgaDevice &device);

} // namespace baco::target

#endif // BACO_LIB_COSTMODEL_FPGAMEMORY_H
