//===- StepSparsifyRegions.cpp - Formats and loops for regions ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A candidate has to compute what upstream's loops compute for the format of
// the type.
//
//===----------------------------------------------------------------------===//

#include "LoopOrderConstraints.h"
#include "baco/Analysis/SparseRegions.h"

using namespace mlir;
using namespace baco;

LogicalResult SparsifyRules::stateRegions() {
  SparseRegions regions(graph.getOp());
  if (regions.getName().empty())
    return success();
  Share own = storedZeros(graph.getOwnFormat());
  for (StringRef name : textsOf(step.getFormat())) {
    auto offer = graph.findFormat(name);
    assert(offer && "stateFormat() has stated it");
    if (name == kGivenFormat ||
        (own != Share::Some && own == storedZeros(offer->format)))
      continue;
    if (failed(implies({isFormat(name)}, {},
                       "format " + quoted(name) +
                           " stores zeros elsewhere than that of the type, "
                           "and " +
                           quoted(regions.getName()) +
                           " treats them as entries")))
      return failure();
  }
  return regions.hasReduce() ? stateReduce(regions) : success();
}

LogicalResult SparsifyRules::stateReduce(const SparseRegions &regions) {
  // Loops in tiles are inside of loops over tiles, and the more so of others.
  SmallVector<int64_t> result, inResult, reductions;
  for (int64_t loop = 0; loop < static_cast<int64_t>(unsplit.getNumLoops());
       ++loop) {
    if (!regions.isResultLoop(loop)) {
      reductions.push_back(loop);
      continue;
    }
    result.push_back(loop);
    inResult.push_back(loop);
  }
  for (const IterationGraph::Split &split : graph.getSplits())
    if (regions.isResultLoop(split.loop)) {
      result.push_back(split.inner);
      *llvm::find(inResult, split.loop) = split.inner;
    }
  if (reductions.empty() || result.empty())
    return success();
  bool isFilled = regions.isFilledWithIdentity();
  ReduceStart own = regions.startIn(unsplit.plainOrder());
  const std::string begins =
      "upstream begins 'sparse_tensor.reduce' with its identity inside of the "
      "loops of the result";
  if (!isFilled && own == ReduceStart::Never)
    return implies({}, {isInnermost(result)},
                   begins + ", unless one of these is innermost, as for the "
                            "format of the type; fill the result with it");
  for (int64_t outer : inResult)
    for (int64_t inner : reductions) {
      KnobConditions conclusions = {isAround(outer, inner)};
      if (isFilled)
        conclusions.push_back(isInnermost(result));
      const std::string reason =
          begins + ", so that iterator " + std::to_string(inner) +
          " must be inside of iterator " + std::to_string(outer) +
          (isFilled ? ", or one of these innermost" : "");
      if (failed(stateInside(inner, conclusions, reason)))
        return failure();
    }
  return isFilled ? success() : stateVisited(regions);
}

LogicalResult SparsifyRules::stateInside(int64_t inner,
                                         const KnobConditions &conclusions,
                                         const std::string &reason) {
  // A loop over one tile may be anywhere.
  const auto *tiled = llvm::find_if(
      tiles, [&](const TiledLoop &each) { return each.loop == inner; });
  if (tiled == tiles.end() || tiled->isSparse)
    return implies({}, conclusions, reason);
  KnobConditions orWhole = conclusions;
  orWhole.push_back(compare(tiled->size, ">=", tiled->extent));
  return implies({}, orWhole, reason);
}

/// Result elements written by loops over `format` when result loops are
/// outermost, as far as levels say that.
static Share visitedResult(const IterationGraph &graph,
                           const IterationGraph::Offer &offer,
                           llvm::function_ref<bool(int64_t)> isResult) {
  SmallVector<bool> isDense;
  size_t numParts =
      llvm::count_if(graph.getParts(), [&](const IterationGraph::Part &part) {
        return isResult(part.loop);
      });
  if (offer.isArranged) {
    for (const sparse::Level &level :
         ArrayRef(offer.format.levels).take_front(numParts))
      isDense.push_back(level.kind == sparse::LevelKind::Dense);
  } else {
    for (auto [level, loop] : llvm::zip_equal(
             offer.format.levels, graph.loopsOfLevels(offer.format)))
      if (isResult(loop))
        isDense.push_back(level.kind == sparse::LevelKind::Dense);
  }
  if (!llvm::is_contained(isDense, false))
    return Share::All;
  return isDense.back() ? Share::Some : Share::None;
}

LogicalResult SparsifyRules::stateVisited(const SparseRegions &regions) {
  auto isResult = [&](int64_t loop) {
    for (const IterationGraph::Split &split : graph.getSplits())
      if (split.inner == loop)
        return regions.isResultLoop(split.loop);
    return regions.isResultLoop(loop);
  };
  Share own = visitedResult(
      unsplit, {unsplit.getOwnFormat(), /*isArranged=*/false}, isResult);
  for (StringRef name : textsOf(step.getFormat())) {
    if (name == kGivenFormat)
      continue;
    SmallVector<KnobConditions> others;
    for (const LoopVariant &variant : variants) {
      auto offer = variant.graph.findFormat(name);
      // stateFormat() has excluded those that there aren't.
      if (!offer)
        llvm::consumeError(offer.takeError());
      else if (own != Share::Some &&
               own == visitedResult(variant.graph, *offer, isResult))
        continue;
      others.push_back(variant.premises);
    }
    if (others.size() == variants.size())
      others = {KnobConditions()};
    for (KnobConditions &premises : others) {
      premises.push_back(isFormat(name));
      if (failed(implies(premises, {},
                         "format " + quoted(name) +
                             " visits other elements of the result than that "
                             "of the type, and 'sparse_tensor.reduce' sets "
                             "those to its identity; fill the result with it")))
        return failure();
    }
  }
  return success();
}
