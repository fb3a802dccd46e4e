//===- PrepareModule.h - Make what can be tuned run alone -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rewrites that a module goes through before its kernels are taken, in
// their order. Tuning a module and applying a tuned library to it must use the
// same rewrites.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_PREPAREMODULE_H
#define BACO_FRONTEND_PREPAREMODULE_H

#include "baco/Frontend/RequestedShapes.h"
#include "baco/GlobalOptimization/ChannelsLast.h"
#include "baco/GlobalOptimization/Winograd.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

#include <functional>
#include <string>
#include <vector>

namespace baco::frontend {

struct PrepareOptions {
  /// The only function of which kernels are made; empty: all.
  std::string entry;
  /// See readShapeOption.
  std::string shapes;
  /// If set, it is told before there are versions for which shapes, and may add
  /// others.
  std::function<mlir::LogicalResult(mlir::ModuleOp, RequestedShapes &)>
      onShapes = {};
  /// See lowerFrontEnds.
  bool hasMemorySpaces = false;
  /// See OutlineOptions.
  bool hasLibraries = false;
  /// See globalopt::convertToChannelsLast.
  globalopt::Layout layout = globalopt::Layout::Auto;
  /// Without `entry`.
  globalopt::WinogradOptions winograd = {};
  /// Sets the tiles of `winograd` if these are to be measured.
  std::function<mlir::LogicalResult(mlir::ModuleOp,
                                    globalopt::WinogradOptions &)>
      onWinograd = {};
  /// Whether to call padResults.
  bool padsResults = true;
  /// See globalopt::convertPointwise.
  bool flattensConvolutions = true;
  /// Whether to call globalopt::transposeConstants.
  bool transposesConstants = true;
  /// Whether to call schedule::decomposeForGpu.
  bool decomposes = false;
  /// Whether to set PreparedModule::source.
  bool keepsSource = false;
};

struct PreparedModule {
  /// The passes that have changed the module, in this order.
  std::vector<std::string> passes;
  /// The functions that may become kernels: with an entry, it and the private
  /// functions that were taken out of it.
  llvm::StringSet<> entries;
  /// The module before it was decomposed, but on memrefs if that has put
  /// tensors into memory; null if decomposition has changed nothing.
  mlir::OwningOpRef<mlir::ModuleOp> source;
};

/// Rewrites `module`, which has no schedule, so that what can be tuned runs
/// alone, with static shapes. Fails with a diagnostic.
mlir::FailureOr<PreparedModule> prepareModule(mlir::ModuleOp module,
                                              const PrepareOptions &options);

} // namespace baco::frontend

#endif // BACO_FRONTEND_PREPAREMODULE_H
