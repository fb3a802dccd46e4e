//===- Steps.cpp - Steps of recipes ---------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace baco;
using enum OpFact;

/// For steps whose rows say all.
template <typename Step>
static LogicalResult advance(Step, RecipeAnalysis &) {
  return success();
}

template <typename Step>
static constexpr StepRow row(StepRule rule) {
  return {rule, [](Attribute step) { return isa<Step>(step); },
          [](Attribute step, RecipeAnalysis &state) {
            return advance(cast<Step>(step), state);
          },
          [](Attribute step, RecipeExpander &expander) {
            expand(cast<Step>(step), expander);
          }};
}

static constexpr Need oneOp = {
    None, Vectorized,
    "an earlier step has turned the op into vector operations; put this step "
    "before 'vectorize'"};
static constexpr Need memRefs = {
    None, OnTensors,
    "the step works on memrefs, but the op is on tensors; put 'bufferize' "
    "before it"};
static constexpr Need inBlocks = {
    InBlocks, None, "the step belongs between 'gpu_blocks' and 'gpu_threads'"};
static constexpr Need noLoops = {None, Looped,
                                 "an earlier step has made loops of the op"};
static constexpr Need unshared = {
    None, Shared,
    "an earlier step has put tiles into shared memory; let one 'gpu_shared' "
    "list all operands, or leave one of the steps out"};

static constexpr Need unchained = {
    None, Chained, "an earlier 'gpu_chain' computes what the op reads"};
static constexpr Need untiled = {
    None, Tiled, "a 'tile' comes before; put it behind this step"};

static constexpr StepRow rows[] = {
    row<TileAttr>({.needs = {oneOp}, .leaves = Looped | Tiled}),
    row<InterchangeAttr>({.needs = {oneOp}, .ends = Named}),
    row<PromoteAttr>(
        {.needs = {oneOp,
                   memRefs,
                   {Looped, None,
                    "there is no loop yet to copy operands in; put a 'tile' "
                    "before it"}}}),
    row<VectorizeAttr>({.needs = {oneOp}, .leaves = Vectorized}),
    row<HoistAttr>(
        {.needs = {{Vectorized, None,
                    "there are no vector transfers to hoist yet; put "
                    "'vectorize' before it"}}}),
    row<BufferizeAttr>(
        {.needs = {{OnTensors, None, "the op is already on memrefs"}},
         .leaves = Bufferized,
         .ends = OnTensors}),
    row<ParallelizeAttr>(
        {.needs = {oneOp,
                   {None, Distributed,
                    "an earlier 'parallelize' has distributed the op; give all "
                    "sizes or threads there"}},
         .leaves = Looped | Distributed}),
    row<LLVMAttr>({}),
    row<GpuBlocksAttr>(
        {.needs = {oneOp,
                   memRefs,
                   {None, Distributed,
                    "an earlier step has distributed the op; give all sizes "
                    "there, or leave one of the steps out"}},
         .leaves = Looped | Distributed | InBlocks}),
    row<GpuSplitAttr>({.needs = {oneOp, memRefs, inBlocks, unshared, untiled}}),
    row<GpuPadAttr>({.needs = {oneOp, memRefs, noLoops}}),
    row<GpuEpilogueAttr>({.needs = {oneOp, memRefs, noLoops}}),
    row<GpuSharedAttr>({.needs = {oneOp, memRefs, inBlocks, unshared}}),
    row<GpuFuseAttr>({.needs = {oneOp, memRefs, inBlocks, unshared, unchained},
                      .leaves = Shared}),
    row<GpuChainAttr>(
        {.needs = {oneOp, memRefs, inBlocks, unshared, unchained, untiled},
         .leaves = Chained}),
    row<GpuThreadsAttr>(
        {.needs = {oneOp,
                   memRefs,
                   {None, InThreads,
                    "an earlier 'gpu_threads' has distributed the op; give all "
                    "sizes there"},
                   {InBlocks, None, "no 'gpu_blocks' comes before"}},
         .leaves = Looped | Distributed | InThreads,
         .ends = InBlocks}),
    row<GpuReduceAttr>({.needs = {oneOp, memRefs, noLoops},
                        .leaves = Looped | Distributed | InThreads}),
    row<GpuRowsAttr>({.needs = {oneOp, memRefs, noLoops},
                      .leaves = Looped | Distributed | InThreads}),
    row<GpuMmaAttr>(
        {.needs = {oneOp,
                   memRefs,
                   {InBlocks | Tiled | Shared, None,
                    "no 'gpu_blocks', 'tile' of the sum and 'gpu_shared' of "
                    "both operands come before"}},
         .leaves = Looped | Distributed | InThreads,
         .ends = InBlocks}),
    row<SparsifyAttr>(
        {.needs = {oneOp,
                   {None, Bufferized,
                    "the step works on tensors; put it before 'bufferize'"},
                   {OnTensors, None,
                    "the step works on tensors, but the op is on memrefs; read "
                    "these by 'bufferization.to_tensor', and write the result "
                    "by 'bufferization.materialize_in_destination'"}}}),
};

const StepRow &baco::findRow(Attribute step) {
  const StepRow *row =
      llvm::find_if(rows, [&](const StepRow &row) { return row.isFor(step); });
  assert(row != std::end(rows) && "each step has a row");
  return *row;
}
