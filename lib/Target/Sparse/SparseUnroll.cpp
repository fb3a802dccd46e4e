//===- SparseUnroll.cpp - Unroll loops over stored coordinates ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By metadata, so that LLVM unrolls after it has vectorized what is inside.
//
//===----------------------------------------------------------------------===//

#include "SparseLoops.h"

#include "baco/IR/SparsifierOptions.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

/// Unrolls by `count`; keeps the loop as it is if that is 1.
static void setUnrollCount(scf::ForOp loop, int64_t count) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, count == 1),
      count == 1 ? IntegerAttr()
                 : IntegerAttr::get(IntegerType::get(context, 32), count),
      {}, {}, {}, {}, {});
  loop->setDiscardableAttr(
      "loop_annotation",
      LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {},
                                    {}, {}, {}, {}, {}, {}, {}));
}

void baco::target::keepOuterLoopsRolled(Operation *root) {
  root->walk([&](scf::ForOp loop) {
    // Rounds that unrolling leaves over would add to memory, while the others
    // keep the sums in registers.
    auto inner = loop.getBody()->getOps<scf::ForOp>();
    if (!loop.getStaticTripCount() && llvm::any_of(inner, [](scf::ForOp each) {
          return each.getStaticTripCount().has_value();
        }))
      setUnrollCount(loop, 1);
  });
}

/// Whether `value` is computed in `loop` of what the loop loads.
static bool isLoadedIn(scf::ForOp loop, Value value) {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody();
  };
  SetVector<Operation *> slice;
  (void)getBackwardSlice(value, &slice, options);
  return llvm::any_of(slice, llvm::IsaPred<memref::LoadOp>);
}

/// Whether `loop` loads elements at coordinates that it loads, and these are
/// too narrow for instructions that do that.
static bool gathersNarrow(scf::ForOp loop) {
  constexpr unsigned narrowest = 32;
  auto loads = loop.getBody()->getOps<memref::LoadOp>();
  return llvm::any_of(loads, [&](memref::LoadOp load) {
    return load.getType().isIntOrFloat() &&
           load.getType().getIntOrFloatBitWidth() < narrowest &&
           llvm::any_of(
               load.getIndices(),
               [&](Value index) { return isLoadedIn(loop, index); });
  });
}

void baco::target::keepAroundGathersRolled(Operation *root) {
  root->walk([](scf::ForOp loop) {
    // LLVM would copy the loop inside, with a load for each of up to 64
    // elements, once for each round that it unrolls.
    if (loop.getStaticTripCount() || !gathersNarrow(loop))
      return;
    for (auto outer = loop->getParentOfType<scf::ForOp>(); outer;
         outer = outer->getParentOfType<scf::ForOp>())
      if (outer.getStaticTripCount())
        setUnrollCount(outer, 1);
  });
}

/// Bytes of the first vector that `loop` carries; 0 if it carries none.
static int64_t carriedBytes(scf::ForOp loop) {
  for (Type type : loop.getResultTypes())
    if (auto vector = dyn_cast<VectorType>(type);
        vector && vector.getElementType().isIntOrFloat())
      // Elements may be smaller than a byte.
      return llvm::divideCeil(
          vector.getNumElements() * vector.getElementTypeBitWidth(), 8);
  return 0;
}

void baco::target::keepSumsRolled(Operation *root) {
  // A quarter of AVX-512's registers, so that there is room for a second
  // operand; and a part of that in each round.
  constexpr int64_t maxBytes = 512, roundBytes = 256;
  root->walk([](scf::ForOp loop) {
    // Unrolled completely, the loop would load all of the row before the
    // entries that use it, and spill it.
    std::optional<APInt> rounds = loop.getStaticTripCount();
    int64_t bytes = carriedBytes(loop);
    if (rounds && bytes > 0 && rounds->sgt(maxBytes / bytes))
      setUnrollCount(loop, std::max<int64_t>(roundBytes / bytes, 1));
  });
}

/// Whether `loop` is over stored coordinates, and none in it is.
static bool isInnermostOverCoordinates(scf::ForOp loop) {
  if (loop.getStaticTripCount())
    return false;
  return !loop.getBody()
              ->walk([](scf::ForOp inner) {
                return inner.getStaticTripCount() ? WalkResult::advance()
                                                  : WalkResult::interrupt();
              })
              .wasInterrupted();
}

void baco::target::unrollRows(Operation *root,
                              const SparsifierOptions &options) {
  if (options.unroll == 0)
    return;
  root->walk([&](scf::ForOp loop) {
    if (!isInnermostOverCoordinates(loop))
      return;
    // That of vectors without masks has been unrolled, and what is left of it
    // has few rounds.
    bool isPeeled = options.peel && !matchPattern(loop.getStep(), m_One());
    setUnrollCount(loop, isPeeled ? 1 : options.unroll);
  });
}
