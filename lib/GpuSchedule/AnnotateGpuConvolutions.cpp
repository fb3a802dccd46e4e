//===- AnnotateGpuConvolutions.cpp - Convolutions on GPUs -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At one place of its window, a convolution is a product of places in the image
// and filters, with a sum over channels. A thread has a tile of it in
// registers, as of a product, and goes through the window.
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <numeric>

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

namespace {
/// The iterators of a convolution with several filters.
struct Convolution {
  /// The last one of the image, whose neighbors are neighbors in memory or
  /// nearly so, the filter, and the channel that is summed up.
  unsigned place, filter, channel;
  /// The longest of the image's other iterators, or of the batch.
  std::optional<unsigned> other;
  SmallVector<unsigned, 2> window;
};
} // namespace

/// `op` as a convolution of floats or integers; nullopt if it isn't one.
static std::optional<Convolution> matchConvolution(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !linalg::detail::isContractionBody(
          *op.getBlock(), [](Operation *first, Operation *second) {
            return isa<arith::MulFOp, arith::MulIOp>(first) &&
                   isa<arith::AddFOp, arith::AddIOp>(second);
          }))
    return std::nullopt;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->outputImage.empty() ||
      dims->outputChannel.size() != 1 || dims->inputChannel.size() != 1 ||
      !dims->depth.empty() ||
      op.getStaticLoopRanges()[dims->outputChannel[0]] == 1)
    return std::nullopt;
  Convolution convolution{dims->outputImage.back(), dims->outputChannel[0],
                          dims->inputChannel[0], std::nullopt,
                          dims->filterLoop};
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto consider = [&](unsigned iterator) {
    if (!convolution.other || extents[iterator] > extents[*convolution.other])
      convolution.other = iterator;
  };
  for (unsigned iterator : ArrayRef(dims->outputImage).drop_back())
    consider(iterator);
  for (unsigned iterator : dims->batch)
    if (dims->outputImage.size() == 1)
      consider(iterator);
  return convolution;
}

/// Places, filters and the other iterator of a block, places and filters of a
/// thread, channels of a step, and those that are summed up at once.
enum Size {
  BlockPlaces,
  BlockFilters,
  BlockOthers,
  Places,
  Filters,
  Step,
  Turn
};

/// Sizes near to which the defaults are: as large as leaves few multiprocessors
/// of `gpu` without a block, where `images` have blocks of their own.
/// With `areRows`, places are neighbors in memory, which are copied one by one.
static Numbers chooseTargets(int64_t places, int64_t filters, int64_t others,
                             int64_t images, bool areRows,
                             const GpuLimits &gpu) {
  constexpr int64_t threads = 128, leastFilters = 16, mostSums = 8;
  Numbers block = {std::min<int64_t>(places, areRows ? 64 : 16),
                   std::min<int64_t>(filters, areRows ? 32 : 64),
                   std::min<int64_t>(others, 4)};
  auto isFew = [&] {
    return images * llvm::divideCeilSigned(places, block[0]) *
               llvm::divideCeilSigned(filters, block[1]) *
               llvm::divideCeilSigned(others, block[2]) <
           gpu.multiprocessors;
  };
  while (isFew() && (block[2] > 1 || block[1] > leastFilters))
    (block[2] > 1 ? block[2] : block[1]) /= 2;
  int64_t sums = std::max<int64_t>(1, llvm::product_of(block) / threads);
  // Filters are a vector of 16 bytes, or else loads that all threads share.
  int64_t ofFilters = std::min(sums, mostSums / 2);
  block.append({std::clamp<int64_t>(sums / ofFilters, 1, mostSums), ofFilters,
                /*step=*/areRows ? 4 : 8, /*turn=*/4});
  return block;
}

bool schedule::isConvolution(linalg::LinalgOp op) {
  return matchConvolution(op).has_value();
}

RecipeAttr schedule::planConvolution(linalg::LinalgOp op,
                                     const GpuLimits &gpu) {
  std::optional<Convolution> convolution = matchConvolution(op);
  if (!convolution)
    return {};
  Numbers extents(op.getStaticLoopRanges());
  int64_t &places = extents[convolution->place],
          &filters = extents[convolution->filter],
          &channels = extents[convolution->channel];
  places = roundUp(places, 16);
  filters = roundUp(filters, 64);
  channels = roundUp(channels, 16);
  int64_t others = 1;
  if (convolution->other) {
    int64_t &extent = extents[*convolution->other];
    others = extent = roundUp(extent, 4);
  }
  int64_t bytes = countBytes(op->getOperand(0).getType()),
          sumBytes = countBytes(op.getDpsInits()[0].getType()),
          maxSums = maxAccumulatorBytes / sumBytes;
  int64_t images = 1;
  for (auto [iterator, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel &&
        iterator != convolution->place && iterator != convolution->filter &&
        iterator != convolution->other)
      images *= extents[iterator];
  Numbers all[] = {
      divisorsWithin(places, 1, 128), divisorsWithin(filters, 16, 128),
      divisorsWithin(others, 1, 16),  divisorsWithin(places, 1, 16),
      divisorsWithin(filters, 1, 16), divisorsWithin(channels, 4, 32),
      divisorsWithin(channels, 1, 8)};
  // Otherwise channels are.
  bool areRows = op.getMatchingIndexingMap(op.getDpsInputOperand(0))
                     .getResults()
                     .back()
                     .isFunctionOfDim(convolution->place);
  Numbers row;
  auto countShared = [&](ArrayRef<int64_t> p) {
    Numbers tile(extents.size(), 1);
    for (unsigned iterator : convolution->window)
      tile[iterator] = extents[iterator];
    if (convolution->other)
      tile[*convolution->other] = p[BlockOthers];
    tile[convolution->place] = p[BlockPlaces];
    tile[convolution->filter] = p[BlockFilters];
    tile[convolution->channel] = p[Step];
    int64_t elements = 0;
    row.clear();
    for (int64_t operand : {0, 1}) {
      Numbers shape = extentsOf(op, operand, tile);
      elements += llvm::product_of(shape);
      row.push_back(shape.back());
    }
    return elements * bytes;
  };
  Numbers point = nearest(
      all, chooseTargets(places, filters, others, images, areRows, gpu),
      [&](ArrayRef<int64_t> p) {
        int64_t threads = p[BlockPlaces] / p[Places] *
                          (p[BlockFilters] / p[Filters]) * p[BlockOthers];
        return p[BlockPlaces] % p[Places] == 0 &&
               p[BlockFilters] % p[Filters] == 0 && p[Step] % p[Turn] == 0 &&
               p[Places] * p[Filters] <= maxSums &&
               threads >= nvidia::warpSize && threads <= gpu.maxThreads &&
               countShared(p) <= gpu.maxShared / 2;
      });
  if (point.empty())
    return {};
  countShared(point);

  MLIRContext *context = op.getContext();
  RecipeBuilder builder(context);
  Attribute one = builder.getI64IntegerAttr(1);
  SmallVector<Attribute> blocks = builder.zeros(extents.size()),
                         threads(blocks), step(blocks), turn(blocks);
  blocks[convolution->place] =
      builder.knob("BP", all[BlockPlaces], point[BlockPlaces]);
  blocks[convolution->filter] =
      builder.knob("BF", all[BlockFilters], point[BlockFilters]);
  threads[convolution->place] = builder.knob("TP", all[Places], point[Places]);
  threads[convolution->filter] =
      builder.knob("TF", all[Filters], point[Filters]);
  if (convolution->other) {
    blocks[*convolution->other] =
        builder.knob("BO", all[BlockOthers], point[BlockOthers]);
    threads[*convolution->other] = one;
  }
  // The others have blocks of their own.
  for (auto [iterator, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel &&
        blocks[iterator] == builder.getI64IntegerAttr(0))
      blocks[iterator] = one;
  step[convolution->channel] = builder.knob("C", all[Step], point[Step]);
  for (unsigned iterator : convolution->window)
    turn[iterator] = one;
  turn[convolution->channel] = builder.knob("KU", all[Turn], point[Turn]);
  int64_t longest = nvidia::maxAccessBytes / bytes;
  Attribute width = builder.knob("V", divisorsWithin(longest, 1, longest),
                                 std::gcd(longest, std::gcd(row[0], row[1])));
  SmallVector<Attribute> steps = {
      GpuBlocksAttr::get(context, builder.getArrayAttr(blocks), /*global=*/{},
                         /*local=*/{}),
      builder.tile(step),
      GpuSharedAttr::get(
          context, builder.getDenseI64ArrayAttr({0, 1}), width,
          // Threads that read other places want other banks.
          /*padding=*/builder.knob("P", {0, longest}, areRows ? 0 : longest),
          /*run=*/{}, /*stages=*/{}, gpu.maxShared, /*enabled=*/{}),
      GpuThreadsAttr::get(context, builder.getArrayAttr(threads), /*local=*/{}),
      builder.tile(turn),
      VectorizeAttr::get(context, {}, {}),
      HoistAttr::get(context, {})};
  builder.addEpilogue(steps, op);
  builder.pad(steps, op, extents);
  const NamedSizes ofThread[] = {{"TP", all[Places]}, {"TF", all[Filters]}},
                   ofBlock[] = {{"BO", all[BlockOthers]},
                                {"BP", all[BlockPlaces]},
                                {"BF", all[BlockFilters]}};
  SmallVector<ConstraintAttr> where;
  builder.limitSums(where, ofThread, maxSums, "thread");
  builder.needWarp(where, ofThread, ofBlock);
  builder.limitSums(where, ofBlock, maxBlockAccumulatorBytes / sumBytes,
                    "multiprocessor");
  return builder.recipe(steps, where);
}
