//===- ValueSources.h - Where numbers come from -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_KERNELANALYSIS_VALUESOURCES_H
#define BACO_LIB_KERNELANALYSIS_VALUESOURCES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace baco::target {

/// The sources of a number: values, and memory whose elements they are, in the
/// function that computes it.
class ValueSources {
public:
  /// With `isSame`, only sources that have the number's own value.
  explicit ValueSources(bool isSame) : isSame(isSame) {}

  /// Adds the sources of `number`.
  void add(mlir::Value number);

  llvm::SetVector<mlir::Value> values;

private:
  void addElements(mlir::Value memory);
  void addStored(mlir::Operation *user, mlir::Value memory);
  void addArgument(mlir::BlockArgument argument);
  void addResult(mlir::OpResult result);
  void push(mlir::Value value) {
    if (values.insert(value))
      worklist.push_back(value);
  }

  bool isSame;
  llvm::SmallVector<mlir::Value> worklist;
};

} // namespace baco::target

#endif // BACO_LIB_KERNELANALYSIS_VALUESOURCES_H
