//===- StepsOnGpu.cpp - Blocks and threads --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps that distribute an op over the blocks and threads of a GPU. The
// limits are those of all NVIDIA GPUs, but for the size of shared memory, which
// the step and the target say.
//
//===----------------------------------------------------------------------===//

#include "StepsOnGpu.h"

#include "baco/IR/GpuTarget.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SMT/IR/SMTOps.h"
#include "llvm/ADT/APSInt.h"

#include <functional>

using namespace mlir;
using namespace baco;

static std::string gridReason(const GpuLimits &limits) {
  return "a grid has at most " + std::to_string(limits.maxGridExtents[1]) +
         " blocks along y and z";
}

std::string baco::threadsReason(const GpuLimits &limits) {
  return "a block has at most " + std::to_string(limits.maxThreads) +
         " threads";
}

static std::string threadsZReason(const GpuLimits &limits) {
  return "a block has at most " + std::to_string(limits.maxBlockExtents[2]) +
         " threads along z";
}

ArrayRef<Attribute> RecipeAnalysis::getLaterSteps() const {
  return recipe.getSteps().getValue().drop_front(position + 1);
}

ArrayRef<Attribute> RecipeAnalysis::getEarlierSteps() const {
  return recipe.getSteps().getValue().take_front(position);
}

//===----------------------------------------------------------------------===//
// What the steps share
//===----------------------------------------------------------------------===//

SmallVector<int64_t> baco::listIterators(ArrayAttr sizes) {
  SmallVector<int64_t> iterators;
  for (auto [iterator, size] : llvm::enumerate(sizes))
    if (makesLoop(size))
      iterators.insert(iterators.begin(), iterator);
  return iterators;
}

LogicalResult baco::checkIterators(RecipeAnalysis &state, ArrayAttr sizes) {
  if (failed(state.needEntries(sizes)))
    return failure();
  for (int64_t iterator : listIterators(sizes)) {
    if (failed(state.needParallel(iterator)))
      return failure();
    const Extents &extents = state.getExtents()[iterator];
    if (extents.size() != 1 || !extents.front().count ||
        extents.front().isPartial)
      return state.emitError() << "the extent of iterator " << iterator
                               << " is not one static number";
  }
  return success();
}

LogicalResult baco::requireTiles(RecipeAnalysis &state, ArrayAttr sizes,
                                 ArrayRef<int64_t> iterators, int64_t limit,
                                 const std::string &reason) {
  Product extents, tiles(limit);
  for (int64_t iterator : iterators) {
    extents.multiply(*state.getExtents()[iterator].front().count);
    tiles.multiply(Quantity(sizes[iterator]));
  }
  return requireAtMost(state, extents, tiles, reason);
}

/// Requires that tiles of `size` of `extent` are spread evenly over `workers`,
/// `parts` of whom work on one extent, if there is a tile for each.
static LogicalResult requireEven(RecipeAnalysis &state, Quantity size,
                                 Quantity workers, Quantity extent,
                                 Product parts, StringRef what) {
  Product together = Product(size).multiply(workers);
  Product all = parts.multiply(extent);
  std::string reason = "tiles of " + size.quoted() +
                       " must be spread evenly over the " + what.str();
  if (!together.isConstant() || !all.isConstant())
    state.require(together.expression() > all.expression() ||
                      divides(together.expression(), all.expression()),
                  reason);
  else if (together.getConstant() <= all.getConstant() &&
           all.getConstant() % together.getConstant() != 0)
    return state.emitError() << reason;
  return success();
}

/// The larger of two numbers, or the smaller one.
static mlir::Value choose(RecipeExpander &expander, bool larger, mlir::Value a,
                          mlir::Value b) {
  // (a + b + |a - b|) / 2
  using namespace ::mlir::smt;
  OpBuilder &builder = expander.builder;
  Location loc = expander.loc;
  mlir::Value difference =
      IntAbsOp::create(builder, loc, IntSubOp::create(builder, loc, a, b));
  mlir::Value sum = IntAddOp::create(builder, loc, ValueRange{a, b});
  mlir::Value twice =
      larger ? IntAddOp::create(builder, loc, ValueRange{sum, difference})
                   .getResult()
             : IntSubOp::create(builder, loc, sum, difference).getResult();
  mlir::Value two = IntConstantOp::create(
      builder, loc,
      IntegerAttr::get(builder.getContext(), llvm::APSInt::get(2)));
  return IntDivOp::create(builder, loc, twice, two);
}

/// A number that follows from `quantities`: computed now if these are
/// constants, else by `write` where knobs have values.
static OpFoldResult
compute(RecipeExpander &expander, ArrayRef<Quantity> quantities,
        function_ref<int64_t(ArrayRef<int64_t>)> ofConstants,
        function_ref<mlir::Value(ValueRange)> write) {
  if (llvm::any_of(quantities, std::mem_fn(&Quantity::isKnob)))
    return expander.compute(quantities, write);
  return expander.builder.getIndexAttr(
      ofConstants(llvm::map_to_vector(quantities, [](const Quantity &quantity) {
        return quantity.getConstant();
      })));
}

SmallVector<OpFoldResult> baco::mix(RecipeExpander &expander,
                                    ArrayAttr entries) {
  return llvm::map_to_vector(
      entries, [&](Attribute entry) { return expander.mixed(entry); });
}

Number baco::toNumber(RecipeExpander &expander, Attribute field) {
  if (!field)
    return {};
  OpFoldResult number = expander.mixed(field);
  if (auto param = dyn_cast<mlir::Value>(number))
    return {param, nullptr};
  return {nullptr, cast<IntegerAttr>(cast<Attribute>(number))};
}

/// Makes sequential loops of `sizes`, `numLoops` of which aren't 0.
static void tileInOrder(RecipeExpander &expander, ArrayRef<OpFoldResult> sizes,
                        size_t numLoops) {
  SmallVector<Type> loopTypes(numLoops, expander.anyOp);
  auto op = transform::TileUsingForOp::create(expander.builder, expander.loc,
                                              TypeRange(loopTypes),
                                              expander.target, sizes);
  expander.target = op.getTiledLinalgOp();
  expander.innermostLoop = op.getLoops().back();
}

//===----------------------------------------------------------------------===//
// GpuBlocksAttr
//===----------------------------------------------------------------------===//

/// Requires that the threads of a grid are those of whole blocks.
static LogicalResult requireWholeBlocks(RecipeAnalysis &state, Quantity global,
                                        Quantity local) {
  // Factor by factor, if there are as many.
  SmallVector<std::pair<Quantity, Quantity>> pairs = {{global, local}};
  if (global.getFactors().size() == local.getFactors().size()) {
    pairs.clear();
    for (auto [of, by] :
         llvm::zip_equal(global.getFactors(), local.getFactors()))
      pairs.push_back({Quantity(of), Quantity(by)});
  }
  for (const auto &[of, by] : pairs) {
    std::string reason = "local size " + by.quoted() +
                         " must divide global size " + of.quoted() +
                         " (a grid has whole blocks)";
    if (of.isKnob() || by.isKnob())
      state.require(divides(by.expression(), of.expression()), reason);
    else if (of.getConstant() % by.getConstant() != 0)
      return state.emitError() << reason;
  }
  return success();
}

LogicalResult baco::advance(GpuBlocksAttr step, RecipeAnalysis &state) {
  if (failed(checkIterators(state, step.getSizes())))
    return failure();
  if (llvm::none_of(state.getLaterSteps(),
                    llvm::IsaPred<GpuThreadsAttr, GpuMmaAttr>))
    return state.emitError() << "no 'gpu_threads' follows, which says what one "
                                "thread does";
  GpuLimits limits = launchLimits(state.getOp());
  SmallVector<int64_t> iterators = listIterators(step.getSizes());
  if (llvm::any_of(state.getLaterSteps(), llvm::IsaPred<GpuSplitAttr>)) {
    if (iterators.size() > 2 || step.getGlobal())
      return state.emitError()
             << "'gpu_split' follows, whose parts are along z of the grid: at "
                "most two sizes are not 0, and there is no 'global'";
    for (auto [name, isLater] :
         {std::pair("gpu_fuse", llvm::any_of(state.getLaterSteps(),
                                             llvm::IsaPred<GpuFuseAttr>)),
          std::pair("gpu_chain", llvm::any_of(state.getLaterSteps(),
                                              llvm::IsaPred<GpuChainAttr>))})
      if (isLater)
        return state.emitError()
               << "'gpu_split' and '" << name << "' can't both follow";
  }
  for (int64_t iterator : iterators) {
    Quantity size(step.getSizes()[iterator]);
    Quantity extent = *state.getExtents()[iterator].front().count;
    if (step.getGlobal()) {
      Quantity global(step.getGlobal()[iterator]),
          local(step.getLocal()[iterator]);
      if (failed(requireWholeBlocks(state, global, local)) ||
          failed(requireEven(state, size, global, extent, local, "blocks")))
        return failure();
      if (iterator != iterators.front() &&
          failed(requireAtMost(
              state, global, Product(limits.maxGridExtents[1]).multiply(local),
              gridReason(limits))))
        return failure();
    }
  }
  // Along y, and along z together.
  ArrayRef<int64_t> all(iterators);
  if (!step.getGlobal())
    for (ArrayRef<int64_t> dimension :
         {all.drop_front().take_front(1),
          all.drop_front(std::min<size_t>(all.size(), 2))})
      if (!dimension.empty() &&
          failed(requireTiles(state, step.getSizes(), dimension,
                              limits.maxGridExtents[1], gridReason(limits))))
        return failure();
  return state.parallelize(step.getSizes().getValue(), /*threads=*/{});
}

void baco::expand(GpuBlocksAttr step, RecipeExpander &expander) {
  SmallVector<OpFoldResult> sizes = mix(expander, step.getSizes()),
                            blocks = sizes;
  size_t count = listIterators(step.getSizes()).size();
  for (int64_t iterator : listIterators(step.getSizes())) {
    if (!step.getGlobal())
      break;
    // The part of the extent that a block has, but at least one tile.
    blocks[iterator] = compute(
        expander,
        {Quantity(step.getSizes()[iterator]),
         Quantity(step.getGlobal()[iterator]),
         Quantity(step.getLocal()[iterator]),
         *expander.state.getExtents()[iterator].front().count},
        [](ArrayRef<int64_t> in) {
          return std::max(in[0], in[3] * in[2] / in[1]);
        },
        [&](ValueRange in) {
          using namespace ::mlir::smt;
          mlir::Value all = IntMulOp::create(expander.builder, expander.loc,
                                             ValueRange{in[3], in[2]});
          mlir::Value share =
              IntDivOp::create(expander.builder, expander.loc, all, in[1]);
          return choose(expander, /*larger=*/true, in[0], share);
        });
  }
  tileAndMap<mlir::gpu::GPUBlockMappingAttr>(expander, blocks, count);
  if (step.getGlobal())
    tileInOrder(expander, sizes, count);
}

void baco::mapLoops(RecipeExpander &expander) {
  if (expander.writeInBlock)
    expander.writeInBlock();
  GpuMapOp::create(expander.builder, expander.loc, expander.function);
  // There is no loop any more.
  expander.innermostLoop = mlir::Value();
  if (expander.writeSharedCopies)
    expander.writeSharedCopies();
}

//===----------------------------------------------------------------------===//
// GpuThreadsAttr
//===----------------------------------------------------------------------===//

/// The sizes of a thread's tile, where the sum is not distributed.
static ArrayAttr sizesOfThread(const RecipeAnalysis &state,
                               GpuThreadsAttr step) {
  SmallVector<Attribute> sizes(step.getSizes().getValue());
  if (std::optional<int64_t> sum = findSlicedSum(state, step))
    sizes[*sum] = IntegerAttr::get(
        IntegerType::get(step.getContext(), /*width=*/64), /*value=*/0);
  return ArrayAttr::get(step.getContext(), sizes);
}

LogicalResult baco::advance(GpuThreadsAttr step, RecipeAnalysis &state) {
  ArrayAttr ofTile = sizesOfThread(state, step);
  if (failed(checkIterators(state, ofTile)))
    return failure();
  GpuLimits limits = launchLimits(state.getOp());
  SmallVector<int64_t> iterators = listIterators(ofTile);
  bool isZUsed = iterators.size() == 3;
  if (std::optional<int64_t> sum = findSlicedSum(state, step)) {
    if (failed(requireSlices(state, step, *sum)))
      return failure();
    state.add(OpFact::Sliced);
    iterators.push_back(*sum);
    isZUsed = true;
  }
  if (step.getLocal()) {
    Product threads;
    for (int64_t iterator : iterators) {
      Quantity local(step.getLocal()[iterator]);
      threads.multiply(local);
      if (failed(requireEven(state, Quantity(step.getSizes()[iterator]), local,
                             *state.getExtents()[iterator].front().count,
                             Product(), "threads")))
        return failure();
    }
    if (failed(requireAtMost(state, threads, limits.maxThreads,
                             threadsReason(limits))) ||
        (iterators.size() == 3 &&
         failed(
             requireAtMost(state, Quantity(step.getLocal()[iterators.back()]),
                           limits.maxBlockExtents[2], threadsZReason(limits)))))
      return failure();
    return state.parallelize(step.getSizes().getValue(), /*threads=*/{});
  }
  if (failed(requireTiles(state, step.getSizes(), iterators, limits.maxThreads,
                          threadsReason(limits))))
    return failure();
  if (isZUsed &&
      failed(requireTiles(state, step.getSizes(), iterators.back(),
                          limits.maxBlockExtents[2], threadsZReason(limits))))
    return failure();
  return state.parallelize(step.getSizes().getValue(), /*threads=*/{});
}

void baco::expand(GpuThreadsAttr step, RecipeExpander &expander) {
  ArrayAttr ofTile = sizesOfThread(expander.state, step);
  SmallVector<OpFoldResult> sizes = mix(expander, ofTile);
  SmallVector<int64_t> iterators = listIterators(ofTile);
  if (step.getLocal()) {
    // The part that the threads do together, but at most all.
    SmallVector<OpFoldResult> turns = sizes;
    for (int64_t iterator : iterators)
      turns[iterator] = compute(
          expander,
          {Quantity(step.getSizes()[iterator]),
           Quantity(step.getLocal()[iterator]),
           *expander.state.getExtents()[iterator].front().count},
          [](ArrayRef<int64_t> in) { return std::min(in[0] * in[1], in[2]); },
          [&](ValueRange in) {
            mlir::Value together = ::mlir::smt::IntMulOp::create(
                expander.builder, expander.loc, ValueRange{in[0], in[1]});
            return choose(expander, /*larger=*/false, together, in[2]);
          });
    tileInOrder(expander, turns, iterators.size());
  }
  tileAndMap<mlir::gpu::GPUThreadMappingAttr>(expander, sizes,
                                              iterators.size());
  if (std::optional<int64_t> sum = findSlicedSum(expander.state, step)) {
    Number size = toNumber(expander, step.getSizes()[*sum]);
    GpuSliceOp::create(expander.builder, expander.loc, expander.target,
                       size.param, *sum, size.constant);
  }
  mapLoops(expander);
  bool isChained = expander.state.has(OpFact::Chained);
  if (expander.state.has(OpFact::Shared) || isChained)
    expander.atEnd([isChained](RecipeExpander &expander) {
      GpuInterleaveOp::create(expander.builder, expander.loc, expander.function,
                              /*rows=*/isChained);
    });
}
