//===- Interface.h - Public types of a tuned module -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule that bufferizes turns the tensors in function types into memrefs.
// This keeps the original types for callers outside the module.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_APPLY_INTERFACE_H
#define BACO_APPLY_INTERFACE_H

#include "baco/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

namespace baco::apply {

/// The argument and result types of public functions in a tuned module.
enum class Interface {
  /// The types from before tuning.
  Original,
  /// Memrefs for tensors; memrefs of results follow all arguments.
  Buffers
};

/// `original` or `buffers`; InvalidArgument otherwise.
Result<Interface> parseInterface(llvm::StringRef text);

/// Sees to the interface of a module to which schedules are applied.
class InterfaceKeeper {
public:
  /// `module` is still without schedules.
  InterfaceKeeper(mlir::ModuleOp module, Interface interface);

  /// Schedules were applied to the functions `scheduled`. With
  /// Interface::Original, the public functions have the types that they had: a
  /// scheduled one calls NAME_buffers, which is private and on memrefs; another
  /// one has its original body. With Interface::Buffers, functions that no
  /// schedule has bufferized are on memrefs, too, unless sparse tensors are
  /// among theirs. Fails with a diagnostic if that can't be.
  mlir::LogicalResult finish(const llvm::StringSet<> &scheduled);

private:
  mlir::ModuleOp module;
  Interface interface;
  /// Null if no function takes or returns tensors.
  mlir::OwningOpRef<mlir::ModuleOp> before;
};

} // namespace baco::apply

#endif // BACO_APPLY_INTERFACE_H
