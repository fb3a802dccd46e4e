//===- StepSparsify.cpp - The format of a sparse operand ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparsifyRules.h"
#include "baco/IR/RecipeExpander.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/TeamOptions.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

/// Checks a string, or a knob over strings. With `possible`, of these.
static LogicalResult verifyText(EmitError emitError, StringRef what,
                                Attribute field,
                                ArrayRef<StringRef> possible = {}) {
  auto knob = dyn_cast<KnobAttr>(field);
  auto domain = knob ? dyn_cast<CategoricalAttr>(knob.getDomain()) : nullptr;
  bool isText =
      isa<StringAttr>(field) ||
      (domain && llvm::all_of(domain.getValues(), llvm::IsaPred<StringAttr>));
  if (!isText)
    return emitError() << what << " must be a string, or a knob over strings, "
                       << "but is " << field;
  if (possible.empty())
    return success();
  for (StringRef text : textsOf(field))
    if (!llvm::is_contained(possible, text))
      return emitError() << what << " must be one of '"
                         << llvm::join(possible, "', '") << "', but is '"
                         << text << "'";
  return success();
}

/// Checks a number or a knob all of whose values are `possible`.
static LogicalResult verifyNumber(EmitError emitError, StringRef what,
                                  Attribute field,
                                  function_ref<bool(int64_t)> isPossible,
                                  StringRef possible) {
  if (!field)
    return success();
  if (failed(verifyQuantity(emitError, what, field, /*minimum=*/0,
                            /*knobMinimum=*/0)))
    return failure();
  if (Quantity(field).allOf(isPossible))
    return success();
  return emitError() << what << " must be " << possible << ", but is " << field;
}

LogicalResult SparsifyAttr::verify(
    EmitError emitError, Attribute format, Attribute order, ArrayAttr tiles,
    Attribute positions, Attribute coordinates, Attribute vl, Attribute simd32,
    Attribute peel, Attribute factor, Attribute parallel, Attribute threads,
    Attribute schedule, Attribute chunk, Attribute unroll) {
  auto upTo = [](int64_t most) {
    return [most](int64_t value) { return value <= most; };
  };
  auto isWidth = [](int64_t bits) {
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
  };
  auto verifySwitch = [&](StringRef what, Attribute field) {
    return verifyNumber(
        emitError, what, field, [](int64_t isOn) { return isOn <= 1; },
        "0 or 1");
  };
  constexpr StringLiteral widths = "8, 16, 32 or 64";
  if (tiles)
    for (Attribute tile : tiles)
      if (failed(verifyQuantity(emitError, "a size in 'tiles'", tile,
                                /*minimum=*/0, /*knobMinimum=*/1)))
        return failure();
  return failure(
      failed(verifyText(emitError, "'format'", format)) ||
      failed(verifyOrder(emitError, order, /*count=*/std::nullopt)) ||
      failed(
          verifyNumber(emitError, "'positions'", positions, isWidth, widths)) ||
      failed(verifyNumber(emitError, "'coordinates'", coordinates, isWidth,
                          widths)) ||
      failed(verifyNumber(emitError, "'vl'", vl,
                          upTo(SparsifierOptions::longestVector),
                          "from 0 to 1024")) ||
      failed(verifyNumber(emitError, "'threads'", threads,
                          upTo(TeamOptions::maxThreads), "from 0 to 64")) ||
      failed(verifyNumber(emitError, "'chunk'", chunk,
                          upTo(TeamOptions::largestChunk), "from 0 to 2^30")) ||
      failed(verifyNumber(emitError, "'unroll'", unroll,
                          upTo(SparsifierOptions::largestUnroll),
                          "from 0 to 64")) ||
      (schedule && failed(verifyText(emitError, "'schedule'", schedule,
                                     {"static", "dynamic", "guided"}))) ||
      failed(verifySwitch("'simd32'", simd32)) ||
      failed(verifySwitch("'peel'", peel)) ||
      failed(verifySwitch("'factor'", factor)) ||
      (parallel && failed(verifyText(emitError, "'parallel'", parallel,
                                     {"none", "dense-outer-loop",
                                      "any-storage-outer-loop"}))));
}

/// Finds the loops that get tiles.
static LogicalResult findTiles(SparsifyAttr step, const IterationGraph &graph,
                               SmallVectorImpl<TiledLoop> &found,
                               RecipeState &state) {
  ArrayAttr tiles = step.getTiles();
  if (!tiles)
    return success();
  size_t numLoops = graph.getNumLoops();
  if (tiles.size() != numLoops)
    return state.emitError()
           << "'tiles' has " << tiles.size() << " sizes, but the op has "
           << numLoops << " iterators";
  for (auto [iterator, tile] : llvm::enumerate(tiles)) {
    Quantity size(tile);
    if (!size.isKnob() && size.getConstant() == 0)
      continue;
    std::string name = "iterator " + std::to_string(iterator);
    bool isSparse = graph.isSparseLoop(iterator);
    if (isSparse && size.smallest() < 2)
      return state.emitError()
             << name << " can't have tiles of one element, as "
             << "it indexes the sparse operand";
    const Extents &extents = state.getExtents()[iterator];
    if (extents.size() != 1 || !extents.front().isStatic())
      return state.emitError()
             << name << " can't have tiles, as its extent is dynamic";
    if (failed(state.requireDivides(size, extents, name,
                                    "its tiles must be full")))
      return failure();
    found.push_back({static_cast<int64_t>(iterator), size,
                     extents.front().count->getConstant(), isSparse});
  }
  return success();
}

LogicalResult SparsifyAttr::advance(RecipeState &state) const {
  if (failed(state.needOp()) || failed(state.needTensors()))
    return failure();
  bool isFirst = !state.hasLoops();
  for (size_t i = 0; isFirst && i < state.getNumIterators(); ++i)
    isFirst = state.getOrigin(i) == static_cast<int64_t>(i);
  if (!isFirst || !llvm::all_of(state.getLaterSteps(), llvm::IsaPred<LLVMAttr>))
    return state.emitError() << "no step but 'llvm' can be beside it";
  auto graph = IterationGraph::create(state.getOp());
  if (!graph)
    return state.emitError()
           << "the op can't be: " << llvm::toString(graph.takeError());
  SmallVector<TiledLoop> tiles;
  if (failed(findTiles(*this, *graph, tiles, state)) ||
      failed(verifyOrder([&] { return state.emitError(); }, getOrder(),
                         graph->getNumLoops() + tiles.size())))
    return failure();
  return stateSparsifyRules(*this, *graph, tiles, state);
}

void SparsifyAttr::expand(RecipeExpander &expander) const {
  OpBuilder &builder = expander.builder;
  OperationState sparsify(expander.loc, "transform.baco.sparsify");
  sparsify.addOperands(expander.target);
  sparsify.addTypes(expander.anyOp);
  NamedAttrList bindings;
  auto add = [&](StringRef name, Attribute field) {
    if (!field)
      return;
    Attribute value = expander.bound(name, field, bindings);
    if (FailureOr<SmallVector<int64_t>> list = getIntegerList(value);
        succeeded(list))
      value = builder.getDenseI64ArrayAttr(*list);
    sparsify.addAttribute(name, value);
  };
  add("format", getFormat());
  add("order", getOrder());
  if (ArrayAttr tiles = getTiles())
    sparsify.addAttribute(
        "tiles", builder.getDenseI64ArrayAttr(
                     expander.boundList("tiles", tiles.getValue(), bindings)));
  add("positions", getPositions());
  add("coordinates", getCoordinates());
  add("vl", getVl());
  add("simd32", getSimd32());
  add("peel", getPeel());
  add("factor", getFactor());
  add("parallel", getParallel());
  add("threads", getThreads());
  add("schedule", getSchedule());
  add("chunk", getChunk());
  add("unroll", getUnroll());
  Operation *op = builder.create(sparsify);
  RecipeExpander::setBindings(op, bindings);
  expander.target = op->getResult(0);
}
