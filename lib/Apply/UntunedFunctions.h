//===- UntunedFunctions.h - Functions outside of the kernels ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule written by hand may match ops everywhere in its file, not only in
// the kernel that was run.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_APPLY_UNTUNEDFUNCTIONS_H
#define BACO_LIB_APPLY_UNTUNEDFUNCTIONS_H

#include "baco/Apply/ApplySchedules.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace baco::apply {

/// The functions of a module that are neither kernels nor called by one, as
/// they were when this was made, but bufferized if schedules of kernels
/// bufferize the whole module.
class UntunedFunctions {
public:
  UntunedFunctions(mlir::ModuleOp module,
                   llvm::ArrayRef<ScheduledKernel> kernels);

  /// Warns about each that is another one now.
  void warnOfChanges();

private:
  mlir::ModuleOp module;
  mlir::OwningOpRef<mlir::ModuleOp> before;
  std::vector<std::string> names;
};

} // namespace baco::apply

#endif // BACO_LIB_APPLY_UNTUNEDFUNCTIONS_H
