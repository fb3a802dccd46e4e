//===- StepGpuMma.cpp - Products on tensor cores --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that distributes a product of matrices over the warps of a block.
//
//===----------------------------------------------------------------------===//

#include "StepsOnGpu.h"

#include "baco/Analysis/MatrixProduct.h"
#include "baco/IR/GpuTarget.h"
#include "baco/Support/NvidiaGpu.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <functional>

using namespace mlir;
using namespace baco;

LogicalResult baco::requireMultiple(RecipeAnalysis &state, Quantity size,
                                    int64_t divisor, StringRef what) {
  std::string reason = what.str() + " " + size.quoted() +
                       " must be a multiple of " + std::to_string(divisor);
  if (size.allOf([&](int64_t value) { return value % divisor == 0; }))
    return success();
  if (!size.isKnob())
    return state.emitError() << reason;
  state.require(divides(divisor, size.expression()), reason);
  return success();
}

/// The iterator of the op as it is now that was `origin` in the payload.
static std::optional<unsigned> findIterator(RecipeAnalysis &state,
                                            unsigned origin) {
  for (unsigned i = 0; i < state.getNumIterators(); ++i)
    if (state.getOrigin(i) == origin)
      return i;
  return std::nullopt;
}

/// Requires that the warps that compute rows, along `m` and `n` of a block,
/// compute the result, too: others would have none of its loops.
static LogicalResult requireChainWarps(GpuChainAttr chain, Quantity rows,
                                       Quantity columns, Quantity ofBlock,
                                       RecipeAnalysis &state) {
  const std::string reason = "warps that compute rows compute the result, too";
  Quantity ofChain(chain.getRows());
  if (!(ofChain == rows) && failed(requireAtMost(state, rows, ofChain, reason)))
    return failure();
  return requireAtMost(
      state, Product(Quantity(chain.getColumns())).multiply(columns),
      Product(ofBlock).multiply(Quantity(chain.getRun())), reason);
}

LogicalResult baco::advance(GpuMmaAttr step, RecipeAnalysis &state) {
  if (failed(checkIterators(state, step.getSizes())))
    return failure();
  auto op = cast<linalg::LinalgOp>(state.getOp());
  llvm::Expected<MatrixProduct> product = matchTensorCoreProduct(op);
  if (!product)
    return state.emitError() << llvm::toString(product.takeError());
  if (auto gpu = findGpuLimits(op); gpu && !gpu->hasMmaSync)
    return state.emitError() << "tensor cores need an sm_80 or later, but the "
                                "target is "
                             << gpu->name;
  if (!llvm::all_of(state.getLaterSteps(), llvm::IsaPred<LLVMAttr>))
    return state.emitError() << "no other step can follow";
  std::optional<unsigned> m = findIterator(state, product->m),
                          n = findIterator(state, product->n),
                          k = findIterator(state, product->k);
  if (!m || !n || !k)
    return state.emitError() << "a knob permutes the iterators";
  ArrayAttr sizes = step.getSizes();
  if (!makesLoop(sizes[*m]) || !makesLoop(sizes[*n]))
    return state.emitError() << "the sizes of rows and columns must not be 0";
  for (unsigned origin : product->batch)
    if (std::optional<unsigned> batch = findIterator(state, origin);
        !batch ||
        !(makesLoop(sizes[*batch]) ? Quantity(sizes[*batch])
                                   : *state.getExtents()[*batch].front().count)
             .allOf([](int64_t size) { return size == 1; }))
      return state.emitError() << "a warp has one product of a batch, and one "
                                  "row of an image: the "
                                  "size must be 1";
  if (failed(requireMultiple(state, Quantity(sizes[*m]), mma::m,
                             "the rows of a warp")) ||
      failed(requireMultiple(state, Quantity(sizes[*n]), mma::n,
                             "the columns of a warp")) ||
      failed(requireMultiple(state, *state.getExtents()[*k].front().count,
                             mma::depthOf(product->element),
                             "the tile of the sum")) ||
      failed(requireTiles(state, sizes, listIterators(sizes),
                          nvidia::maxThreads / nvidia::warpSize,
                          threadsReason(launchLimits(state.getOp())))))
    return failure();
  for (Attribute earlier : state.getEarlierSteps())
    if (auto chain = dyn_cast<GpuChainAttr>(earlier);
        chain && failed(requireChainWarps(
                     chain, Quantity(sizes[*m]), Quantity(sizes[*n]),
                     *state.getExtents()[*n].front().count, state)))
      return failure();
  return state.parallelize(sizes.getValue(), /*threads=*/{});
}

void baco::expand(GpuMmaAttr step, RecipeExpander &expander) {
  tileAndMap<mlir::gpu::GPUWarpMappingAttr>(
      expander, mix(expander, step.getSizes()),
      listIterators(step.getSizes()).size());
  mapLoops(expander);
  GpuMmaOp::create(expander.builder, expander.loc, expander.target,
                   /*overwrites=*/false);
  expander.target = mlir::Value();
}
