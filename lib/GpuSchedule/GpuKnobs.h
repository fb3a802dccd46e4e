//===- GpuKnobs.h - Choices in recipes for GPUs -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that the planners of recipes for GPUs share. Sizes are divisors of
// extents, which may be padded, since steps for GPUs need full tiles; defaults
// are near to usual sizes, and satisfy the requirements of the steps.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GPUSCHEDULE_GPUKNOBS_H
#define BACO_LIB_GPUSCHEDULE_GPUKNOBS_H

#include "baco/Analysis/MatrixProduct.h"
#include "baco/Analysis/PlacedOp.h"
#include "baco/IR/BacoAttributes.h"
#include "baco/Support/GpuLimits.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>

namespace baco::schedule {

using Numbers = llvm::SmallVector<int64_t>;

/// Accumulators of a thread, in bytes: half of its registers.
inline constexpr int64_t maxAccumulatorBytes = 512;
/// Accumulators of a block, in bytes: half of the registers of a
/// multiprocessor.
inline constexpr int64_t maxBlockAccumulatorBytes =
    nvidia::multiprocessorRegisters * 4 / 2;

/// The divisors of `extent` that are multiples of `unit`, from `least` to
/// `most`, or to `most` if there are none from `least` on.
Numbers divisorsWithin(int64_t extent, int64_t least, int64_t most,
                       int64_t unit = 1);

/// The extent that an iterator of `extent` gets so that powers of two divide
/// it: the multiple of the largest one, up to `maxUnit`, that adds at most a
/// sixteenth, or for 32 a sixth.
int64_t roundUp(int64_t extent, int64_t maxUnit);

/// Extents of products are multiples of at most this.
inline constexpr int64_t maxExtentUnit = 128;

/// The extent, a multiple of `unit`, that an iterator of `extent` gets: tiles
/// of several sizes divide it if it is padded, unless it is that of a small
/// one.
int64_t roundForMma(int64_t extent, int64_t unit);

/// The choices of a size, which are a knob if there are several.
struct NamedSizes {
  llvm::StringRef name;
  const Numbers &values;
};

/// Makes recipes and their fields, which are integers and knobs.
struct RecipeBuilder : mlir::Builder {
  using Builder::Builder;

  /// A choice whose default is `chosen`: a knob, or a number if there is one
  /// value.
  mlir::Attribute knob(llvm::StringRef name, llvm::ArrayRef<int64_t> values,
                       int64_t chosen);
  /// `count` sizes that are 0.
  llvm::SmallVector<mlir::Attribute> zeros(size_t count);
  TileAttr tile(llvm::ArrayRef<mlir::Attribute> sizes);
  /// Tiles of `size` along one iterator of `op`.
  TileAttr tileAlong(mlir::linalg::LinalgOp op, unsigned iterator,
                     mlir::Attribute size);
  /// Lets `op` have `extents` before `steps`, if these are others than its own.
  void pad(llvm::SmallVectorImpl<mlir::Attribute> &steps,
           mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> extents);
  /// Makes the epilogue of `op`, if it has one, a part of its kernel, before
  /// `steps`.
  void addEpilogue(llvm::SmallVectorImpl<mlir::Attribute> &steps,
                   mlir::linalg::LinalgOp op);
  /// Adds the constraint to `where` that accumulators, as many as the product
  /// of `sizes`, are at most `most`, if larger sizes can be chosen.
  void limitSums(llvm::SmallVectorImpl<ConstraintAttr> &where,
                 llvm::ArrayRef<NamedSizes> sizes, int64_t most,
                 llvm::StringRef holder);
  /// Adds the constraint that tiles of threads, of `ofThread`, leave a warp for
  /// a block's, of `ofBlock`, if those of threads can be chosen.
  void needWarp(llvm::SmallVectorImpl<ConstraintAttr> &where,
                llvm::ArrayRef<NamedSizes> ofThread,
                llvm::ArrayRef<NamedSizes> ofBlock);
  /// The step that copies tiles of both inputs of `op`, of which there are
  /// `numTiles` along the sum, to shared memory, ahead of time where `gpu` can.
  /// `rows`: the lengths of their rows; `padding`: behind these.
  GpuSharedAttr copyAhead(mlir::linalg::LinalgOp op,
                          std::array<int64_t, 2> rows, int64_t numTiles,
                          mlir::Attribute padding, const GpuLimits &gpu);
  RecipeAttr recipe(llvm::ArrayRef<mlir::Attribute> steps,
                    llvm::ArrayRef<ConstraintAttr> where = {});
};

/// The point of `domains` that is nearest to `targets`, in ratios, among those
/// for which `holds`; empty if there is none.
Numbers nearest(llvm::ArrayRef<Numbers> domains,
                llvm::ArrayRef<int64_t> targets,
                llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> holds);

/// The extents of an operand's tile where `tile` has those of iterators: those
/// of a window have a border. Only for sums of multiples of iterators.
Numbers extentsOf(mlir::linalg::LinalgOp op, int64_t operand,
                  llvm::ArrayRef<int64_t> tile);

/// The bytes of an element of `type`.
int64_t countBytes(mlir::Type type);

/// Whether `divisors` of `extent`, sizes of tiles, leave most threads of a warp
/// without work, or no choice of whole parts of warps.
bool isPoor(const Numbers &divisors, int64_t extent);

/// The recipe of a matrix product, also a general one, or of many: on tensor
/// cores if they can do it, else tiles in shared memory and in registers. Null
/// if it isn't one.
RecipeAttr planProduct(mlir::linalg::LinalgOp op, const GpuLimits &gpu);

/// Sizes of a step for rows and columns of the result; 1 for the batch.
mlir::ArrayAttr sizesOf(mlir::linalg::LinalgOp op, const MatrixProduct &product,
                        mlir::Attribute rows, mlir::Attribute columns);

/// The paddings of rows of both inputs in shared memory, from which tensor
/// cores read them.
mlir::Attribute padForMma(mlir::linalg::LinalgOp op,
                          const MatrixProduct &product);

/// Whether `op` is a product of so few short sums that threads are done with
/// elements of their own before tiles are in shared memory.
bool isShortProduct(mlir::linalg::LinalgOp op);

/// The recipe of a convolution with several filters: tiles in shared
/// memory and in registers. Null if it isn't one, or has too few threads.
RecipeAttr planConvolution(mlir::linalg::LinalgOp op, const GpuLimits &gpu);

/// Whether `op` is such a product or convolution with an epilogue, which its
/// recipe makes a part of its kernel.
bool hasFusedEpilogue(mlir::linalg::LinalgOp op);

/// The recipe of a product, of f32, f16 or bf16, whose rows another product
/// computes and ops, such as a softmax, that need whole rows: all in one
/// kernel. Null if it isn't one, or if several kernels are faster.
RecipeAttr planChain(mlir::linalg::LinalgOp op, const GpuLimits &gpu);

/// The ops that compute the rows of such a product of f16 or bf16; empty if it
/// isn't one.
llvm::SmallVector<mlir::linalg::LinalgOp> listChain(mlir::linalg::LinalgOp op);

/// Whether inputs are read through windows, as those of stencils.
bool hasWindows(mlir::linalg::LinalgOp op);

/// Whether `op` has fewer elements than hide the latency of their sums, of
/// which blocks can have parts.
bool canSplitSum(mlir::linalg::LinalgOp op, const GpuLimits &gpu);

/// Whether `op` adds up rows of matrices of which neighbors in memory are
/// summed apart, at least those that a warp has.
bool sumsAcrossRows(mlir::linalg::LinalgOp op);

/// The recipe of an op with parallel iterators: tiles of the up to three that
/// are longest. With `isShared`, inputs that are read through windows are in
/// shared memory; with `isPadded`, extents that few sizes divide are longer.
/// Null if there are no sizes, or if those that divide the extents are poor.
RecipeAttr planTiles(mlir::linalg::LinalgOp op, const GpuLimits &gpu,
                     bool isShared, bool isPadded);

/// The recipe of a reduction of rows with a group of ops that need them, if
/// lanes of a warp can have a row; else null.
RecipeAttr planRows(mlir::linalg::LinalgOp op, const GpuLimits &gpu);

/// Whether `planRows` has one.
bool hasRows(mlir::linalg::LinalgOp op);

/// The ops of that group; empty if there is none.
llvm::SmallVector<PlacedOp> listRows(mlir::linalg::LinalgOp op);

} // namespace baco::schedule

#endif // BACO_LIB_GPUSCHEDULE_GPUKNOBS_H
