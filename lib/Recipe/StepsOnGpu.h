//===- StepsOnGpu.h - Blocks and threads ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_RECIPE_STEPSONGPU_H
#define BACO_LIB_RECIPE_STEPSONGPU_H

#include "Product.h"
#include "Steps.h"
#include "baco/Analysis/BufferedProducers.h"
#include "baco/IR/GpuTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace baco {

/// Why a block has no more threads.
std::string threadsReason(const GpuLimits &limits);

/// The distributed iterators of `sizes`, x first.
llvm::SmallVector<int64_t> listIterators(mlir::ArrayAttr sizes);

/// The reduction of whose terms each thread has some; nullopt if there is none.
std::optional<int64_t> findSlicedSum(const RecipeAnalysis &state,
                                     GpuThreadsAttr step);

/// Checks that threads can have parts of the sum along `iterator`, and requires
/// what their sizes must fulfil.
mlir::LogicalResult requireSlices(RecipeAnalysis &state, GpuThreadsAttr step,
                                  int64_t iterator);

/// Checks that iterations along the distributed iterators are independent, and
/// that there is a number of them.
mlir::LogicalResult checkIterators(RecipeAnalysis &state,
                                   mlir::ArrayAttr sizes);

/// Requires that there are at most `limit` tiles of `sizes` in all of
/// `iterators` together.
mlir::LogicalResult requireTiles(RecipeAnalysis &state, mlir::ArrayAttr sizes,
                                 llvm::ArrayRef<int64_t> iterators,
                                 int64_t limit, const std::string &reason);

/// Requires that `divisor` divides `size`, which `what` names.
mlir::LogicalResult requireMultiple(RecipeAnalysis &state, Quantity size,
                                    int64_t divisor, llvm::StringRef what);

/// The ops that become a part of the op's kernel; an error if there are none,
/// or if one has a recipe.
mlir::FailureOr<BufferedProducers>
findFusedProducers(RecipeAnalysis &state,
                   ProducerScope scope = ProducerScope::Inputs);

/// Entries as numbers for transform ops.
llvm::SmallVector<mlir::OpFoldResult> mix(RecipeExpander &expander,
                                          mlir::ArrayAttr entries);

/// A number as transform ops take it: one of both is null, or both if there is
/// none.
struct Number {
  mlir::Value param;
  mlir::IntegerAttr constant;
};

/// The number that `field` is, if it is given.
Number toNumber(RecipeExpander &expander, mlir::Attribute field);

/// Makes loops over tiles of `sizes`, the last `numMapped` iterators of which
/// are mapped by `Mapping`: those before y to z together.
template <typename Mapping>
void tileAndMap(RecipeExpander &expander,
                llvm::ArrayRef<mlir::OpFoldResult> sizes, size_t numMapped) {
  using Id = mlir::gpu::MappingId;
  const Id ids[] = {Id::DimX, Id::DimY, Id::DimZ};
  llvm::SmallVector<mlir::Attribute> mapping;
  for (size_t place = numMapped; place-- > 0;)
    mapping.push_back(Mapping::get(expander.builder.getContext(),
                                   ids[std::min<size_t>(place, 2)]));
  auto op = mlir::transform::TileUsingForallOp::create(
      expander.builder, expander.loc, expander.target, sizes,
      mlir::transform::TileSizesSpec(), expander.builder.getArrayAttr(mapping));
  expander.target = op.getTiledOp();
  expander.innermostLoop = op.getForallOp();
}

/// Makes an op of type `Op`, which replaces the target by a launch, with
/// `fields` as its numbers.
template <typename Op>
void expandToLaunch(RecipeExpander &expander,
                    llvm::ArrayRef<mlir::Attribute> fields) {
  llvm::SmallVector<int64_t> numbers;
  llvm::SmallVector<mlir::Value> params;
  for (mlir::Attribute field : fields) {
    mlir::OpFoldResult number = expander.mixed(field);
    if (auto param = llvm::dyn_cast<mlir::Value>(number))
      params.push_back(param);
    numbers.push_back(
        mlir::getConstantIntValue(number).value_or(mlir::ShapedType::kDynamic));
  }
  Op::create(expander.builder, expander.loc, expander.target, params, numbers);
  expander.target = mlir::Value();
}

/// Makes a launch of the loops over blocks and threads, and distributes copies
/// to shared memory.
void mapLoops(RecipeExpander &expander);

} // namespace baco

#endif // BACO_LIB_RECIPE_STEPSONGPU_H
