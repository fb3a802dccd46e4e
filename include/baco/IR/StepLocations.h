//===- StepLocations.h - Where the steps of recipes are ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes have no location, but an error about a step of a long recipe
// should point at the step. So the parser notes where each list of steps is.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_STEPLOCATIONS_H
#define BACO_IR_STEPLOCATIONS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"

#include <mutex>

namespace baco {

/// The notes of the parser in this context. Thread-safe.
class StepLocations : public mlir::DialectInterface::Base<StepLocations> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StepLocations)
  explicit StepLocations(mlir::Dialect *dialect) : Base(dialect) {}

  /// Notes that a text of `steps` has step i at `places[i]`.
  void note(mlir::ArrayAttr steps,
            llvm::SmallVector<mlir::FileLineColLoc> places) const;

  /// The location of step `index` of the recipe of an op at `location`. The
  /// same steps may be in the file several times: takes the first ones behind
  /// `location` or, if these are an alias, the last ones before it. Returns
  /// `location` if the file has none.
  mlir::Location find(mlir::Location location, mlir::ArrayAttr steps,
                      size_t index) const;

private:
  mutable std::mutex mutex;
  mutable llvm::DenseMap<
      mlir::ArrayAttr,
      llvm::SmallVector<llvm::SmallVector<mlir::FileLineColLoc>, 1>>
      texts;
};

/// The same for `op`.
mlir::Location locationOfStep(mlir::Operation *op, mlir::ArrayAttr steps,
                              size_t index);

} // namespace baco

#endif // BACO_IR_STEPLOCATIONS_H
