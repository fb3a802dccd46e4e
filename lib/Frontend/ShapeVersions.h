//===- ShapeVersions.h - Versions of functions for their calls --*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Versions of functions have the shapes that callers pass, and memory that is
// distinct. Upstream's bufferization makes arguments of results, for which
// callers allocate memory; if the shape of a result is dynamic, they can't:
// such functions are inlined.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_SHAPEVERSIONS_H
#define BACO_LIB_FRONTEND_SHAPEVERSIONS_H

#include "baco/Frontend/RequestedShapes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace baco::frontend {

/// The extents of each argument of a function, ShapedType::kDynamic where they
/// are unknown, and openExtent(N) where they stay dynamic. Arguments that are
/// neither memrefs nor ranked tensors have none.
using Extents = llvm::SmallVector<llvm::SmallVector<int64_t>>;

/// The number of extents that stay dynamic.
int64_t countOpenExtents(const Extents &extents);

/// The extents in the types of the arguments.
Extents extentsOf(mlir::func::FuncOp function);

/// Whether `value` is a memref or tensor that has a rank, but not all extents.
bool isDynamic(mlir::Value value);

/// Whether all are known.
bool areKnown(const Extents &extents);

/// Adds the extents that linalg ops on the arguments require: both operands of
/// a product have as many terms, for example. The error names the
/// contradiction.
llvm::Error deduceExtents(mlir::func::FuncOp function, Extents &extents);

/// The product of all known extents, as far as it fits.
int64_t sizeOf(const Extents &extents);

/// The extents of the arguments of dynamic shape, unknown and open ones
/// included.
RequestedShape shapeOf(mlir::func::FuncOp function, const Extents &extents);

/// The option that requests these: `--shape=f:0=512x64,1=64x?,2=128?x8`.
std::string writeOption(mlir::func::FuncOp function, const Extents &extents);

/// `extents` with examples for the unknown ones: `scale` times usual extents.
Extents exampleExtents(mlir::func::FuncOp function, Extents extents,
                       int64_t scale);

/// The type of an argument of type `type` that has these extents: contiguous if
/// `type` allows it.
mlir::Type withExtents(mlir::Type type, llvm::ArrayRef<int64_t> extents);

/// Gives functions to tune for which a use in `module` may pass memory twice
/// that they write (findOverlappingUse) a version for other calls, as schedules
/// assume that arguments are different memory. Functions with recipes stay: who
/// wrote them knows what they assume. A remark says why one can't have a
/// version; it isn't tuned.
void separateBuffers(mlir::ModuleOp module);

/// Inlines all functions of `module` but those in `kept`, and folds.
llvm::LogicalResult inlineAndFold(mlir::ModuleOp module,
                                  const llvm::StringSet<> &kept);

/// The different extents with which calls in the module of `functions` call
/// each, as far as upstream's inliner and folders show them; what a call leaves
/// unknown is deduced, or the call left out. The largest come first.
/// `versions`, whose own types are static, aren't inlined.
llvm::SmallVector<llvm::SmallVector<Extents>>
findCallerShapes(llvm::ArrayRef<mlir::func::FuncOp> functions,
                 llvm::ArrayRef<mlir::func::FuncOp> versions);

/// Whether `function` has a body that returns tensors of dynamic shape.
bool returnsDynamicTensors(mlir::func::FuncOp function);

/// Whether calls of `function` can be replaced by its body: it has one block,
/// and doesn't call itself.
bool canInline(mlir::func::FuncOp function);

/// Replaces calls in `caller` of functions that return tensors of dynamic shape
/// by what these functions do, as far as canInline. Returns whether there were
/// any. The caller isn't folded.
bool inlineDynamicResults(mlir::func::FuncOp caller);

/// Does the same in all functions of `module`, and erases private functions
/// that nothing calls then. Returns the changed callers.
llvm::SmallVector<mlir::func::FuncOp>
inlineDynamicResults(mlir::ModuleOp module);

/// Gives `version` the `baco.extents` of its arguments, and makes loops of its
/// linalg ops with operands of dynamic shape, whose schedules need static ones.
/// Extents that are measured alike become one value. The error says what can't
/// be: tensors, and other ops on memory of dynamic shape.
llvm::Error openVersion(mlir::func::FuncOp version, const Extents &extents);

/// Calls `action` with each dynamic extent of the arguments of `version`: the
/// number of the argument, the dimension, and what it is in trials.
void forEachOpenExtent(
    mlir::func::FuncOp version,
    llvm::function_ref<void(unsigned, unsigned, int64_t)> action);

/// A private copy of `function`, behind `previous`, whose arguments have these
/// extents, all known, with what follows from them folded. The error says why
/// there can be none.
llvm::Expected<mlir::func::FuncOp> makeVersion(mlir::func::FuncOp function,
                                               const Extents &extents,
                                               mlir::func::FuncOp previous);

/// The same, of a version that can be a kernel; the error may also say why it
/// can't.
llvm::Expected<mlir::func::FuncOp> makeKernel(mlir::func::FuncOp function,
                                              const Extents &extents,
                                              mlir::func::FuncOp previous);

/// Lets linalg ops use memory itself in place of casts of it, which upstream's
/// folders do for some of them only.
void foldMemoryCasts(mlir::func::FuncOp function);

/// Runs upstream's folders, which make shapes static that constants, casts and
/// other extents tell.
llvm::LogicalResult foldShapes(mlir::func::FuncOp function);

/// Lets `function` call the first of `versions` whose types suit its arguments,
/// and which writes to no memory that it is passed twice, and run what it does
/// now if there is none.
void dispatch(mlir::func::FuncOp function,
              llvm::ArrayRef<mlir::func::FuncOp> versions);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_SHAPEVERSIONS_H
