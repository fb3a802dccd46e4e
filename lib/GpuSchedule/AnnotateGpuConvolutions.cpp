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

#include <numeric>

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

namespace {
/// The iterators of a convolution with several filters.
struct Convolution {
  linalg::LinalgOp op;
  /// The last one of the image, whose neighbors are neighbors in memory or
  /// nearly so, the filter, and the channel that is summed up.
  unsigned place, filter, channel;
  /// The longest of the image's other iterators, or of the batch.
  std::optional<unsigned> other;
  SmallVector<unsigned, 2> window;

  /// The images, of `extents`, that have blocks of their own.
  int64_t countImages(ArrayRef<int64_t> extents);
  /// The shape of an input's tile.
  Numbers shapeOf(int64_t input, int64_t places, int64_t filters,
                  int64_t others, int64_t channels);
  /// Sizes of a step; `rest`: along the other iterators of the result.
  ArrayAttr sizesOf(Attribute places, Attribute filters, Attribute others,
                    int64_t rest = 0);
};
} // namespace

/// `op` as a convolution of floats or integers; nullopt if it isn't one.
static std::optional<Convolution> matchConvolution(linalg::LinalgOp op) {
  std::optional<MatrixProduct> product = matchConvolutionProduct(op);
  if (!product)
    return std::nullopt;
  Convolution convolution{op,         product->m,   product->n,
                          product->k, std::nullopt, product->window};
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  size_t others = product->window.size() - 1;
  for (unsigned iterator :
       ArrayRef(product->batch)
           .take_back(others > 0 ? others : product->batch.size()))
    if (!convolution.other || extents[iterator] > extents[*convolution.other])
      convolution.other = iterator;
  return convolution;
}

int64_t Convolution::countImages(ArrayRef<int64_t> extents) {
  int64_t images = 1;
  for (auto [iterator, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel && iterator != place &&
        iterator != filter && iterator != other)
      images *= extents[iterator];
  return images;
}

Numbers Convolution::shapeOf(int64_t input, int64_t places, int64_t filters,
                             int64_t others, int64_t channels) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  Numbers tile(extents.size(), 1);
  for (unsigned iterator : window)
    tile[iterator] = extents[iterator];
  if (other)
    tile[*other] = others;
  tile[place] = places;
  tile[filter] = filters;
  tile[channel] = channels;
  return extentsOf(op, input, tile);
}

ArrayAttr Convolution::sizesOf(Attribute places, Attribute filters,
                               Attribute others, int64_t rest) {
  RecipeBuilder builder(op.getContext());
  SmallVector<Attribute> sizes = builder.zeros(op.getNumLoops());
  for (auto [iterator, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel)
      sizes[iterator] = builder.getI64IntegerAttr(rest);
  sizes[place] = places;
  sizes[filter] = filters;
  if (other)
    sizes[*other] = others;
  return builder.getArrayAttr(sizes);
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

/// Halves the others or the filters of `block`, down to `leastFilters`, as long
/// as some multiprocessors of `gpu` have no block of `extents`, where `images`
/// have blocks of their own. Returns whether this is so at first.
static bool shrinkBlock(Numbers &block, ArrayRef<int64_t> extents,
                        int64_t images, int64_t leastFilters,
                        const GpuLimits &gpu) {
  auto isFew = [&] {
    int64_t blocks = images;
    for (unsigned i : {BlockPlaces, BlockFilters, BlockOthers})
      blocks *= llvm::divideCeilSigned(extents[i], block[i]);
    return blocks < gpu.multiprocessors;
  };
  bool isFewAtFirst = isFew();
  while (isFew() &&
         (block[BlockOthers] > 1 || block[BlockFilters] > leastFilters))
    (block[BlockOthers] > 1 ? block[BlockOthers] : block[BlockFilters]) /= 2;
  return isFewAtFirst;
}

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
  shrinkBlock(block, {places, filters, others}, images, leastFilters, gpu);
  int64_t sums = std::max<int64_t>(1, llvm::product_of(block) / threads);
  // Filters are a vector of 16 bytes, or else loads that all threads share.
  int64_t ofFilters = std::min(sums, mostSums / 2);
  block.append({std::clamp<int64_t>(sums / ofFilters, 1, mostSums), ofFilters,
                /*step=*/areRows ? 4 : 8, /*turn=*/4});
  return block;
}

/// The step that gives each block a tile, whose sizes are knobs.
static GpuBlocksAttr tileBlock(Convolution &convolution, ArrayRef<Numbers> all,
                               ArrayRef<int64_t> point) {
  RecipeBuilder builder(convolution.op.getContext());
  return GpuBlocksAttr::get(
      builder.getContext(),
      convolution.sizesOf(
          builder.knob("BP", all[BlockPlaces], point[BlockPlaces]),
          builder.knob("BF", all[BlockFilters], point[BlockFilters]),
          builder.knob("BO", all[BlockOthers], point[BlockOthers]),
          /*rest=*/1),
      /*global=*/{}, /*local=*/{});
}

/// The recipe of a convolution on tensor cores: a warp has a tile of places in
/// one row of the image and of filters, whose sums are in registers. Null if
/// the chip or the extents don't allow it, or if channels aren't last.
static RecipeAttr planOnTensorCores(Convolution &convolution,
                                    const GpuLimits &gpu) {
  linalg::LinalgOp op = convolution.op;
  llvm::Expected<MatrixProduct> product = matchTensorCoreProduct(op);
  if (llvm::errorToBool(product.takeError()) || !gpu.hasMmaSync ||
      !isAlongSum(op, *product, 0))
    return {};
  int64_t depth = mma::depthOf(product->element),
          bytes = countBytes(product->element);
  Numbers extents(op.getStaticLoopRanges());
  int64_t &places = extents[convolution.place],
          &filters = extents[convolution.filter],
          channels = extents[convolution.channel], others = 1;
  // Padded channels are copied element by element.
  if (channels % depth != 0)
    return {};
  places = roundForMma(places, mma::m);
  filters = roundForMma(filters, mma::n);
  if (convolution.other) {
    int64_t &extent = extents[*convolution.other];
    others = extent = llvm::alignTo(extent, 2);
  }
  Numbers all[] = {divisorsWithin(places, mma::m, 128, mma::m),
                   divisorsWithin(filters, 32, 256, mma::n),
                   divisorsWithin(others, 1, 16),
                   divisorsWithin(places, mma::m, 64, mma::m),
                   divisorsWithin(filters, 16, 128, mma::n),
                   divisorsWithin(channels, depth, 128 / bytes, depth)};
  constexpr int64_t maxSums = maxAccumulatorBytes / 4 * nvidia::warpSize,
                    maxInBlock = maxBlockAccumulatorBytes / 4, usual = 64;
  Numbers block = {std::min(places, usual), std::min(filters, usual),
                   std::min<int64_t>(others, 4)};
  // Small blocks have more warps then, and fewer steps, which each wait.
  bool areSmall = shrinkBlock(block, {places, filters, others},
                              convolution.countImages(extents),
                              /*leastFilters=*/32, gpu);
  block.append({std::min<int64_t>(block[BlockPlaces], 32),
                std::min<int64_t>(block[BlockFilters], areSmall ? 16 : 32),
                // Copies are ahead of the first step, too.
                std::clamp<int64_t>(llvm::bit_floor<uint64_t>(channels / 2),
                                    depth, (areSmall ? 128 : 64) / bytes)});
  Numbers point = nearest(all, block, [&](ArrayRef<int64_t> p) {
    int64_t warps = p[BlockOthers] * (p[BlockPlaces] / p[Places]) *
                    (p[BlockFilters] / p[Filters]),
            shared = 0;
    for (int64_t input : {0, 1})
      shared += llvm::product_of(convolution.shapeOf(
          input, p[BlockPlaces], p[BlockFilters], p[BlockOthers], p[Step]));
    return p[BlockPlaces] % p[Places] == 0 &&
           p[BlockFilters] % p[Filters] == 0 &&
           warps * nvidia::warpSize <= gpu.maxThreads &&
           p[Places] * p[Filters] <= maxSums &&
           p[BlockOthers] * p[BlockPlaces] * p[BlockFilters] <= maxInBlock &&
           shared * bytes <= gpu.maxShared / 4;
  });
  if (point.empty())
    return {};

  MLIRContext *context = op.getContext();
  RecipeBuilder builder(context);
  std::array<int64_t, 2> rows;
  for (int64_t input : {0, 1})
    rows[input] = convolution
                      .shapeOf(input, point[BlockPlaces], point[BlockFilters],
                               point[BlockOthers], point[Step])
                      .back();
  SmallVector<Attribute> steps = {
      tileBlock(convolution, all, point),
      builder.tileAlong(op, convolution.channel,
                        builder.knob("C", all[Step], point[Step])),
      builder.copyAhead(op, rows, channels / point[Step],
                        padForMma(op, *product), gpu),
      GpuMmaAttr::get(
          context,
          convolution.sizesOf(builder.knob("WP", all[Places], point[Places]),
                              builder.knob("WF", all[Filters], point[Filters]),
                              builder.getI64IntegerAttr(1)))};
  builder.addEpilogue(steps, op);
  builder.pad(steps, op, extents);
  SmallVector<ConstraintAttr> where;
  builder.limitSums(where, {{"WP", all[Places]}, {"WF", all[Filters]}}, maxSums,
                    "thread");
  builder.limitSums(where,
                    {{"BO", all[BlockOthers]},
                     {"BP", all[BlockPlaces]},
                     {"BF", all[BlockFilters]}},
                    maxInBlock, "multiprocessor");
  return builder.recipe(steps, where);
}

/// The recipe of a convolution on threads: tiles in registers.
static RecipeAttr planOnThreads(Convolution &convolution,
                                const GpuLimits &gpu) {
  linalg::LinalgOp op = convolution.op;
  Numbers extents(op.getStaticLoopRanges());
  int64_t &places = extents[convolution.place],
          &filters = extents[convolution.filter],
          &channels = extents[convolution.channel];
  places = roundUp(places, 16);
  filters = roundUp(filters, 64);
  channels = roundUp(channels, 16);
  int64_t others = 1;
  if (convolution.other) {
    int64_t &extent = extents[*convolution.other];
    others = extent = roundUp(extent, 4);
  }
  int64_t bytes = countBytes(op->getOperand(0).getType()),
          sumBytes = countBytes(op.getDpsInits()[0].getType()),
          maxSums = maxAccumulatorBytes / sumBytes;
  int64_t images = convolution.countImages(extents);
  Numbers all[] = {
      divisorsWithin(places, 1, 128), divisorsWithin(filters, 16, 128),
      divisorsWithin(others, 1, 16),  divisorsWithin(places, 1, 16),
      divisorsWithin(filters, 1, 16), divisorsWithin(channels, 4, 32),
      divisorsWithin(channels, 1, 8)};
  // Otherwise channels are.
  bool areRows = op.getMatchingIndexingMap(op.getDpsInputOperand(0))
                     .getResults()
                     .back()
                     .isFunctionOfDim(convolution.place);
  Numbers row;
  auto countShared = [&](ArrayRef<int64_t> p) {
    int64_t elements = 0;
    row.clear();
    for (int64_t input : {0, 1}) {
      Numbers shape = convolution.shapeOf(
          input, p[BlockPlaces], p[BlockFilters], p[BlockOthers], p[Step]);
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
  SmallVector<Attribute> turn = builder.zeros(extents.size());
  for (unsigned iterator : convolution.window)
    turn[iterator] = one;
  turn[convolution.channel] = builder.knob("KU", all[Turn], point[Turn]);
  int64_t longest = nvidia::maxAccessBytes / bytes;
  Attribute width = builder.knob("V", divisorsWithin(longest, 1, longest),
                                 std::gcd(longest, std::gcd(row[0], row[1])));
  SmallVector<Attribute> steps = {
      tileBlock(convolution, all, point),
      builder.tileAlong(op, convolution.channel,
                        builder.knob("C", all[Step], point[Step])),
      GpuSharedAttr::get(
          context, builder.getDenseI64ArrayAttr({0, 1}), width,
          // Threads that read other places want other banks.
          /*padding=*/builder.knob("P", {0, longest}, areRows ? 0 : longest),
          /*run=*/{}, /*stages=*/{}, gpu.maxShared, /*enabled=*/{}),
      GpuThreadsAttr::get(
          context,
          convolution.sizesOf(builder.knob("TP", all[Places], point[Places]),
                              builder.knob("TF", all[Filters], point[Filters]),
                              one),
          /*local=*/{}),
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

RecipeAttr schedule::planConvolution(linalg::LinalgOp op,
                                     const GpuLimits &gpu) {
  std::optional<Convolution> convolution = matchConvolution(op);
  if (!convolution)
    return {};
  if (RecipeAttr recipe = planOnTensorCores(*convolution, gpu))
    return recipe;
  return planOnThreads(*convolution, gpu);
}
