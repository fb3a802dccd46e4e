//===- LowerToLoops.h - Steps of the lowering to CPUs -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels on memory become loops and LLVM's ops. What the lowerings to CPUs and
// to GPUs share is here, too.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_LOWERTOLOOPS_H
#define BACO_TARGET_CPU_LOWERTOLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Value.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

namespace baco::target {

/// The names of the globals of `module`.
llvm::StringSet<> namesOfGlobals(mlir::ModuleOp module);

/// Orders, numbers and, if they have no use, removes the globals of `module`
/// that aren't in `before`: those that One-Shot Bufferize makes of constants.
/// It takes functions that don't call each other in the order of their
/// addresses. Nothing changes if one function has all of the globals.
void orderBufferGlobals(mlir::ModuleOp module, const llvm::StringSet<> &before);

/// Whether `a` and `b`, memrefs, are certainly different memory: arguments of a
/// function that nothing calls, allocations and globals are.
bool areApart(mlir::Value a, mlir::Value b);

/// Lets the linalg ops, on memrefs, and the outermost loops of `entry`, be they
/// parallel or not, walk along contiguous memory, where their dependences allow
/// that, or copies of operands do (transposeOperands); some iterations of outer
/// loops share what they load. The terms of sums keep their order. Code that
/// can't be analyzed stays unchanged. Distinct arguments are taken to be
/// distinct memory, as for everything that runs candidates; so `entry` must not
/// be called by others. Returns whether terms of sums are next to each other
/// (assumeDistinctArguments).
bool interchangeForLocality(mlir::func::FuncOp entry);

/// Tells LLVM that the memrefs that `entry`, which nobody calls, takes are
/// distinct memory, so that what iterations share is loaded and stored once.
/// Elsewhere that might let LLVM fuse other products and sums.
void assumeDistinctArguments(mlir::func::FuncOp entry);

/// Whether no op of the module refers to `function`.
bool isNeverCalled(mlir::func::FuncOp function);

/// Adds the passes that CPUs and GPUs share: linalg ops, transfers of vectors
/// and affine loops become scf loops, and views become arithmetic on indices.
void addLoweringToLoops(mlir::OpPassManager &manager);

/// Replaces `copy` by a linalg op, which becomes loops.
void makeCopyLinalg(mlir::memref::CopyOp copy);

/// Whether `op` is a function of the math dialect that baco knows a polynomial
/// for, if it is of f32.
bool hasPolynomial(mlir::Operation *op);

/// Replaces such functions of f32 in `root`, whose results' types `isWanted`
/// accepts, by polynomials with errors of less than 6 units in the last place,
/// and of less than 2 for the exponential function.
llvm::LogicalResult
expandFunctions(mlir::Operation *root,
                llvm::function_ref<bool(mlir::Type)> isWanted);

} // namespace baco::target

#endif // BACO_TARGET_CPU_LOWERTOLOOPS_H
