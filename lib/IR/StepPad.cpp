//===- StepPad.cpp - Pad --------------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that pads partial tiles. Results computed from the padding of a
// parallel iterator are discarded; the padding of a reduction must not change
// the result.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/RecipeExpander.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult PadAttr::verify(EmitError emitError, ArrayAttr multiples,
                              ArrayAttr hoist, Attribute enabled) {
  if (failed(verifySwitch(emitError, enabled)))
    return failure();
  if (hoist)
    for (Attribute level : hoist)
      if (failed(verifyQuantity(emitError, "a hoisting level", level,
                                /*minimum=*/0, /*knobMinimum=*/0)))
        return failure();
  return verifyEntries(emitError, "a multiple", multiples);
}

bool PadAttr::makesFullTiles(int64_t iterator) const {
  return iterator < static_cast<int64_t>(getMultiples().size()) &&
         makesLoop(getMultiples()[iterator]);
}

/// Whether iterator `iterator` of the payload is an index of `operand`.
static bool isIndexed(OpOperand &operand, int64_t iterator) {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  return llvm::is_contained(op.getMatchingIndexingMap(&operand).getResults(),
                            getAffineDimExpr(iterator, op.getContext()));
}

int64_t RecipeState::countInnermostLoops() const {
  return llvm::count_if(loops, [&](const Loop &loop) {
    return loop.numLoopSteps == numLoopSteps;
  });
}

LogicalResult RecipeState::pad(PadAttr step) {
  std::optional<std::string> on = whereOn(step.getEnabled());
  std::optional<std::string> off = whereOff(step.getEnabled());
  if (!on)
    return success();
  for (auto [iterator, attribute] : llvm::enumerate(step.getMultiples())) {
    if (!makesLoop(attribute))
      continue;
    if (extents[iterator].size() != 1)
      return emitError() << "knobs decide over what iterator " << iterator
                         << " runs over";
    std::optional<Quantity> size = extents[iterator].front().count;
    if (!size)
      return emitError() << "the extent of iterator " << iterator
                         << " is not static";
    // A single tile is as large as the extent that it tiles.
    for (const Loop &loop : loops)
      if (loop.iterator == static_cast<int64_t>(iterator) &&
          failed(requireAtLeast(
              loop.extents, Quantity(Builder(op).getI64IntegerAttr(1)),
              loop.step, "a padded tile is at most the extent that it tiles")))
        return failure();
    Quantity multiple(attribute);
    if (multiple == *size)
      continue;
    if (multiple.isKnob() || size->isKnob()) {
      if (failed(requireDivides(multiple, extents[iterator],
                                "multiple " + multiple.quoted() +
                                    " of iterator " + std::to_string(iterator),
                                "the iterator is padded to the size of a tile",
                                *on)))
        return failure();
      continue;
    }
    int64_t padded = llvm::alignTo(size->getConstant(), multiple.getConstant());
    Extents left;
    if (off)
      left = {Extent{*off, size}};
    extents[iterator] = {
        Extent{*on, Quantity(Builder(op).getI64IntegerAttr(padded))}};
    llvm::append_range(extents[iterator], left);
  }
  return success();
}

/// The value with which the inputs of `op` are padded along a reduction, of the
/// type of an element; nothing if there is none.
static std::optional<TypedAttr> findNeutralInput(linalg::LinalgOp op) {
  if (linalg::isaContractionOpInterface(op))
    return Builder(op).getZeroAttr(
        getElementTypeOrSelf(op.getDpsInits()[0].getType()));
  SmallVector<Operation *> combiners;
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      !matchReduction(op.getRegionOutputArgs(), /*redPos=*/0, combiners) ||
      combiners.size() != 1 ||
      !llvm::is_contained(combiners[0]->getOperands(),
                          op.getRegionInputArgs()[0]))
    return std::nullopt;
  return arith::getNeutralElement(combiners[0]);
}

/// Whether an input is copied, hoisted or not.
static bool isPacked(Attribute level) {
  return Quantity(level).isKnob() || Quantity(level).getConstant() > 0;
}

/// Checks that there is a padded tile of each input that is hoisted, and that
/// there are so many loops.
static LogicalResult checkHoisting(RecipeState &state, PadAttr step) {
  auto op = cast<linalg::LinalgOp>(state.getOp());
  if (static_cast<int64_t>(step.getHoist().size()) != op.getNumDpsInputs())
    return state.emitError()
           << step.getHoist().size() << " hoisting levels given for "
           << op.getNumDpsInputs() << " inputs";
  for (auto [input, attribute] : llvm::enumerate(step.getHoist())) {
    if (!isPacked(attribute))
      continue;
    Quantity level(attribute);
    OpOperand &operand = *op.getDpsInputOperand(input);
    if (int64_t most = state.countInnermostLoops(); level.largest() > most)
      return state.emitError()
             << "the copies of input " << input << " can't move out of "
             << level.largest() << " loops, but only of " << most
             << ", the loops that the last step has made";
    bool isPadded = false;
    for (size_t i = 0; i < state.getNumIterators(); ++i)
      isPadded |=
          step.makesFullTiles(i) && isIndexed(operand, *state.getOrigin(i));
    if (!isPadded)
      return state.emitError() << "input " << input
                               << " is not indexed by a padded iterator, so "
                                  "that there is no copy to hoist";
  }
  return success();
}

LogicalResult PadAttr::advance(RecipeState &state) const {
  if (failed(state.needTensors()) || failed(state.needEntries(getMultiples())))
    return failure();
  if (state.hasParts())
    return state.emitError() << "a remainder that is not \"exact\" has cut the "
                                "op into parts, whose tiles are full";
  if (state.isReductionSplit() || state.isPacked())
    return state.emitError() << "an earlier step has replaced the op; put this "
                                "step before 'split_reduction' and 'pack'";
  auto op = cast<linalg::LinalgOp>(state.getOp());
  for (Operation &inner : op.getBlock()->without_terminator())
    if (!isSpeculatable(&inner))
      return state.emitError()
             << "the op computes '" << inner.getName()
             << "', which is undefined for some values that padding may add";
  for (Type type : op->getOperandTypes())
    if (Type element = getElementTypeOrSelf(type);
        !Builder(op).getZeroAttr(element))
      return state.emitError()
             << "upstream has no value of type " << element << " to pad with";
  bool padsReduction = false;
  for (auto [iterator, multiple] : llvm::enumerate(getMultiples())) {
    std::optional<bool> isReduction = state.isReduction(iterator);
    if (!isReduction)
      return state.emitError() << "a knob permutes the iterators; put this "
                                  "step before 'interchange'";
    padsReduction |= makesLoop(multiple) && *isReduction;
  }
  if (padsReduction && !findNeutralInput(op))
    return state.emitError()
           << "padding a reduction needs a contraction, or an operation with a "
              "neutral element on a single input";
  if (getHoist() && failed(checkHoisting(state, *this)))
    return failure();
  return state.pad(*this);
}

/// Moves the copies of an input of `padded` out of as many loops as `level`
/// says.
static void hoistCopies(RecipeExpander &expander, mlir::Value padded,
                        int64_t input, Attribute level) {
  OpBuilder &builder = expander.builder;
  auto hoist = [&] {
    mlir::Value copies =
        transform::GetProducerOfOperand::create(builder, expander.loc,
                                                expander.anyOp, padded, input)
            .getProducer();
    NamedAttrList bindings;
    auto number =
        cast<IntegerAttr>(expander.bound("num_loops", level, bindings));
    auto op = transform::HoistPadOp::create(
        builder, expander.loc, expander.anyOp, copies, number.getInt(),
        /*transpose=*/ArrayRef<int64_t>());
    RecipeExpander::setBindings(op, bindings);
    return SmallVector<mlir::Value>();
  };
  if (Quantity(level).smallest() > 0)
    hoist();
  else if (Quantity(level).largest() > 0)
    expander.either(
        expander.isMoreThan(cast<KnobAttr>(level), /*least=*/0),
        /*numHandles=*/0, [] { return SmallVector<mlir::Value>(); }, hoist);
}

void PadAttr::expand(RecipeExpander &expander) const {
  if (!whereOn(getEnabled()))
    return;
  OpBuilder &builder = expander.builder;
  auto op = cast<linalg::LinalgOp>(expander.state.getOp());
  SmallVector<int64_t> iterators;
  SmallVector<OpFoldResult> multiples;
  for (auto [iterator, multiple] : llvm::enumerate(getMultiples())) {
    if (!makesLoop(multiple))
      continue;
    iterators.push_back(iterator);
    multiples.push_back(expander.mixed(multiple));
  }
  SmallVector<mlir::Value> dynamicMultiples;
  SmallVector<int64_t> staticMultiples;
  dispatchIndexOpFoldResults(multiples, dynamicMultiples, staticMultiples);

  std::optional<TypedAttr> neutral = findNeutralInput(op);
  SmallVector<Attribute> values;
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = getElementTypeOrSelf(operand.get().getType());
    bool isNeutral =
        op.isDpsInput(&operand) && neutral && neutral->getType() == type;
    values.push_back(isNeutral ? *neutral : builder.getZeroAttr(type));
  }
  ArrayRef<Attribute> levels =
      getHoist() ? getHoist().getValue() : ArrayRef<Attribute>();
  // Of full tiles, too: those of inputs that are packed.
  SmallVector<int64_t> isCopied;
  if (llvm::any_of(levels, isPacked)) {
    isCopied = llvm::to_vector_of<int64_t>(llvm::map_range(levels, isPacked));
    isCopied.resize(op->getNumOperands());
  }
  expander.target =
      expander.ifEnabled(getEnabled(), expander.target, [&]() -> mlir::Value {
        mlir::Value padded =
            transform::PadOp::create(
                builder, expander.loc, expander.anyOp, expander.anyOp,
                expander.anyOp, expander.target, builder.getArrayAttr(values),
                builder.getI64ArrayAttr(iterators), dynamicMultiples,
                builder.getDenseI64ArrayAttr(staticMultiples),
                /*nofold_flags=*/builder.getI64ArrayAttr(isCopied),
                /*transpose_paddings=*/builder.getArrayAttr({}),
                builder.getStringAttr(
                    bufferization::MaterializeInDestinationOp::
                        getOperationName()),
                /*use_prescribed_tensor_shapes=*/UnitAttr())
                .getPadded();
        for (auto [input, level] : llvm::enumerate(levels))
          if (isPacked(level))
            hoistCopies(expander, padded, input, level);
        return padded;
      });
  expander.forgetFused();
}
