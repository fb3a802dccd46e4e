//===- GpuMap.cpp - Loops mapped to blocks and threads --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's mapping of `scf.forall` to blocks and threads. Upstream wants to
// be told the number of threads, which here follows from the loops; and it
// leaves memory that a block shares as allocations.
//
//===----------------------------------------------------------------------===//

#include "GpuCopies.h"

#include "baco/Support/NvidiaGpu.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/GPU/TransformOps/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/Error.h"

using namespace mlir;
using namespace baco;

/// Static shared memory that every GPU has, in bytes.
static constexpr int64_t maxStaticBytes = 48 * 1024;
/// Buffers of shared memory begin at multiples of this, in bytes.
static constexpr int64_t bufferAlignment = 16;

/// Whether `loop` is mapped to `Mapping`, which is blocks or threads.
template <typename Mapping>
static bool isMappedTo(scf::ForallOp loop) {
  std::optional<ArrayAttr> mapping = loop.getMapping();
  return mapping && !mapping->empty() &&
         llvm::all_of(*mapping, llvm::IsaPred<Mapping>);
}

llvm::Expected<SmallVector<int64_t>> baco::countThreads(scf::ForallOp block) {
  StringRef problem;
  SmallVector<int64_t> threads = {1, 1, 1};
  block->walk([&](scf::ForallOp loop) {
    bool isOfWarps = isMappedTo<gpu::GPUWarpMappingAttr>(loop);
    if (!isOfWarps && !isMappedTo<gpu::GPUThreadMappingAttr>(loop))
      return;
    std::optional<SmallVector<int64_t>> extents =
        getConstantIntValues(loop.getMixedUpperBound());
    if (!extents || !loop.isNormalized()) {
      problem = "a loop over threads has an extent that isn't static";
      return;
    }
    for (auto [mapping, extent] : llvm::zip_equal(
             loop.getMapping()->getAsRange<DeviceMappingAttrInterface>(),
             *extents)) {
      int64_t dim = mapping.getMappingId();
      if (dim > 2) {
        problem = "threads must be mapped to x, y and z";
        return;
      }
      // Warps are along x.
      int64_t each = isOfWarps && dim == 0 ? nvidia::warpSize : 1;
      threads[dim] = std::max(threads[dim], extent * each);
    }
  });
  if (!problem.empty())
    return llvm::createStringError(problem);
  int64_t total = llvm::product_of(threads);
  if (total > nvidia::maxThreads)
    return llvm::createStringError("the loops need " + Twine(total) +
                                   " threads in a block, but it has at most " +
                                   Twine(nvidia::maxThreads));
  return threads;
}

/// Makes the allocations of workgroup memory in `launch` its memory.
static void shareBuffers(RewriterBase &rewriter, gpu::LaunchOp launch) {
  SmallVector<memref::AllocOp> buffers;
  SmallVector<int64_t> offsets;
  int64_t numBytes = 0;
  DataLayout layout = DataLayout::closest(launch);
  launch.walk([&](memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (!gpu::GPUDialect::isWorkgroupMemoryAddressSpace(
            type.getMemorySpace()) ||
        !type.hasStaticShape())
      return;
    buffers.push_back(alloc);
    offsets.push_back(numBytes);
    numBytes += llvm::alignTo(type.getNumElements() *
                                  layout.getTypeSize(type.getElementType()),
                              bufferAlignment);
  });
  if (buffers.empty())
    return;
  if (numBytes <= maxStaticBytes) {
    for (memref::AllocOp buffer : buffers)
      rewriter.replaceOp(buffer, launch.addWorkgroupAttribution(
                                     buffer.getType(), buffer.getLoc()));
    return;
  }
  Location loc = launch.getLoc();
  rewriter.setInsertionPoint(launch);
  Value size = arith::ConstantIntOp::create(rewriter, loc, numBytes,
                                            /*width=*/32);
  launch.getDynamicSharedMemorySizeMutable().assign(size);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  auto bytes = MemRefType::get(
      {ShapedType::kDynamic}, rewriter.getI8Type(), MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(rewriter.getContext(),
                                 gpu::GPUDialect::getWorkgroupAddressSpace()));
  Value all = gpu::DynamicSharedMemoryOp::create(rewriter, loc, bytes);
  for (auto [buffer, offset] : llvm::zip_equal(buffers, offsets)) {
    Value start = arith::ConstantIndexOp::create(rewriter, loc, offset);
    rewriter.replaceOpWithNewOp<memref::ViewOp>(buffer, buffer.getType(), all,
                                                start, ValueRange());
  }
}

/// Computes the views of memory that `launch` uses in it, so that its kernel
/// gets the memory. Casts make a view larger (see GpuPad.cpp).
static void sinkViews(RewriterBase &rewriter, gpu::LaunchOp launch) {
  bool isView = true;
  while (isView) {
    isView = false;
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(launch.getBody(), used);
    rewriter.setInsertionPointToStart(&launch.getBody().front());
    for (Value value : used) {
      Operation *view = value.getDefiningOp();
      if (!isa_and_present<memref::CollapseShapeOp, UnrealizedConversionCastOp>(
              view))
        continue;
      Operation *inside = rewriter.clone(*view);
      rewriter.replaceUsesWithIf(value, inside->getResult(0),
                                 [&](OpOperand &use) {
                                   return launch.getBody().isAncestor(
                                       use.getOwner()->getParentRegion());
                                 });
      if (view->use_empty())
        rewriter.eraseOp(view);
      // Its memory may be a view, too.
      isView = true;
    }
  }
}

/// `block` with at most three dimensions: the first ones, which are mapped to z
/// together, become one.
static scf::ForallOp joinDimensions(RewriterBase &rewriter,
                                    scf::ForallOp block) {
  constexpr size_t most = 3;
  std::optional<SmallVector<int64_t>> extents =
      getConstantIntValues(block.getMixedUpperBound());
  if (!extents || extents->size() <= most || !block.isNormalized() ||
      !block.getOutputs().empty())
    return block;
  size_t numJoined = extents->size() - most + 1;
  ArrayRef<int64_t> joined = ArrayRef(*extents).take_front(numJoined);
  SmallVector<OpFoldResult> bounds = {
      rewriter.getIndexAttr(llvm::product_of(joined))};
  llvm::append_range(
      bounds, ArrayRef(block.getMixedUpperBound()).drop_front(numJoined));
  Location loc = block.getLoc();
  rewriter.setInsertionPoint(block);
  auto with = scf::ForallOp::create(
      rewriter, loc, bounds, /*outputs=*/ValueRange(),
      rewriter.getArrayAttr(
          block.getMapping()->getValue().drop_front(numJoined - 1)));
  rewriter.eraseOp(with.getTerminator());
  rewriter.setInsertionPointToStart(with.getBody());
  // The last one of those that are joined runs fastest.
  SmallVector<Value> variables = with.getInductionVars();
  Value left = variables.front();
  variables.erase(variables.begin());
  for (size_t place = numJoined; place-- > 0;) {
    Value extent = arith::ConstantIndexOp::create(rewriter, loc, joined[place]);
    Value variable =
        place == 0
            ? left
            : arith::RemUIOp::create(rewriter, loc, left, extent).getResult();
    variables.insert(variables.begin(), variable);
    if (place > 0)
      left = arith::DivUIOp::create(rewriter, loc, left, extent);
  }
  rewriter.mergeBlocks(block.getBody(), with.getBody(), variables);
  rewriter.replaceOp(block, with);
  return with;
}

/// Makes a launch of `block`, a loop that is mapped to blocks.
static DiagnosedSilenceableFailure mapBlock(transform::TransformOpInterface op,
                                            RewriterBase &rewriter,
                                            scf::ForallOp block) {
  llvm::Expected<SmallVector<int64_t>> threads = countThreads(block);
  if (!threads) {
    auto failure = emitSilenceableFailure(op)
                   << llvm::toString(threads.takeError());
    failure.attachNote(block.getLoc()) << "in this loop";
    return failure;
  }
  block = joinDimensions(rewriter, block);
  gpu::LaunchOp launch;
  rewriter.setInsertionPoint(block);
  auto result =
      transform::gpu::createGpuLaunch(rewriter, block.getLoc(), op, launch);
  if (!result.succeeded())
    return result;
  Block &body = launch.getBody().front();
  rewriter.moveOpBefore(block, &body, body.begin());
  SmallVector<int64_t> grid;
  rewriter.setInsertionPointToStart(&body);
  result = transform::gpu::mapForallToBlocksImpl(
      rewriter, op, block, grid,
      transform::gpu::GpuBlockIdBuilder(rewriter.getContext()));
  if (!result.succeeded())
    return result;
  grid.resize(3, 1);
  result = transform::gpu::alterGpuLaunch(rewriter, launch, op, grid[0],
                                          grid[1], grid[2], (*threads)[0],
                                          (*threads)[1], (*threads)[2]);
  if (!result.succeeded())
    return result;
  rewriter.setInsertionPointToStart(&body);
  result = transform::gpu::mapNestedForallToThreadsImpl(
      rewriter, op, launch, *threads, /*warpSize=*/nvidia::warpSize,
      /*syncAfterDistribute=*/false);
  if (!result.succeeded())
    return result;
  shareBuffers(rewriter, launch);
  sinkViews(rewriter, launch);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
GpuMapOp::apply(transform::TransformRewriter &rewriter,
                transform::TransformResults &results,
                transform::TransformState &state) {
  for (Operation *function : state.getPayloadOps(getTarget())) {
    SmallVector<scf::ForallOp> blocks;
    function->walk<WalkOrder::PreOrder>([&](scf::ForallOp loop) {
      if (!isMappedTo<gpu::GPUBlockMappingAttr>(loop))
        return WalkResult::advance();
      blocks.push_back(loop);
      return WalkResult::skip();
    });
    if (blocks.empty()) {
      DiagnosedSilenceableFailure failure =
          emitSilenceableError() << "there is no loop that is mapped to blocks";
      failure.attachNote(function->getLoc()) << "the target is this";
      return failure;
    }
    for (scf::ForallOp block : blocks) {
      auto result = mapBlock(*this, rewriter, block);
      if (!result.succeeded())
        return result;
    }
  }
  return DiagnosedSilenceableFailure::success();
}
