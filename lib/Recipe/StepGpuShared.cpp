//===- StepGpuShared.cpp - Tiles in shared memory -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepsOnGpu.h"
#include "TileSize.h"
#include "baco/IR/GpuTarget.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

#include <numeric>

using namespace mlir;
using namespace baco;

//===----------------------------------------------------------------------===//
// GpuSharedAttr
//===----------------------------------------------------------------------===//

/// The extents of the dimensions of an operand's tile.
static FailureOr<SmallVector<TileSize>> listExtents(RecipeAnalysis &state,
                                                    int64_t operand) {
  auto op = cast<linalg::LinalgOp>(state.getOp());
  AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(operand));
  auto list = sizesOfTile(map, [&](unsigned iterator) {
    std::optional<Quantity> extent = findExtent(state, iterator);
    return extent ? std::optional(TileSize(*extent)) : std::nullopt;
  });
  if (!list)
    return state.emitError()
           << "a dimension of operand " << operand
           << " is not indexed by iterators of static extent, or a sum of "
              "multiples of these";
  if (list->empty())
    return state.emitError()
           << "operand " << operand << " has no dimensions to copy";
  return *list;
}

/// The bytes of an element of `operand`.
static int64_t countBytes(OpOperand &operand) {
  return llvm::divideCeil(
      getElementTypeOrSelf(operand.get().getType()).getIntOrFloatBitWidth(), 8);
}

namespace {
/// The conditions of a step.
class SharedConditions {
public:
  SharedConditions(GpuSharedAttr step, RecipeAnalysis &state,
                   ArrayRef<Expression> on)
      : step(step), state(state), on(on), width(orConstant(step.getWidth(), 1)),
        stages(orConstant(step.getStages(), 1)) {}

  LogicalResult require() {
    auto op = cast<linalg::LinalgOp>(state.getOp());
    SmallVector<Attribute> paddings = step.listPaddings();
    for (auto [place, operand] :
         llvm::enumerate(step.getOperands().asArrayRef())) {
      if (operand >= op.getNumDpsInputs())
        return state.emitError() << "the op has no input " << operand;
      Quantity padding =
          orConstant(paddings.empty() ? Attribute() : paddings[place], 0);
      if (failed(addOperand(op->getOpOperand(operand), padding)))
        return failure();
    }
    if (llvm::any_of(state.getLaterSteps(), llvm::IsaPred<GpuMmaAttr>) &&
        failed(requireMatrices()))
      return failure();
    int64_t limitBytes = step.getLimit();
    std::optional<GpuLimits> gpu = findGpuLimits(state.getOp());
    if (gpu)
      limitBytes = std::min(limitBytes, gpu->maxShared);
    if (gpu && !gpu->hasAsyncCopies && stages.largest() > 1)
      return state.emitError() << "copies in stages are asynchronous, which "
                               << gpu->name << " can't do; leave out 'stages'";
    std::string limit = std::to_string(limitBytes);
    std::optional<bool> fits;
    if (totalBytes && !stages.isKnob())
      fits = *totalBytes * stages.getConstant() <= limitBytes;
    Expression all = Expression::chain("+", parts);
    if (step.getStages())
      all = stages.expression() * all.enclosed();
    state.share({all,
                 totalBytes && !stages.isKnob()
                     ? std::optional(*totalBytes * stages.getConstant())
                     : std::nullopt,
                 llvm::SmallVector<Expression, 1>(on), limitBytes});
    return demand(fits, all <= limitBytes,
                  "the tiles of a block must fit " + limit +
                      " bytes of shared memory");
  }

private:
  Quantity orConstant(Attribute field, int64_t value) const {
    return Quantity(
        field ? field : Builder(step.getContext()).getI64IntegerAttr(value));
  }

  /// Requires `condition`; `holds` says whether it does where no knob decides.
  LogicalResult demand(std::optional<bool> holds, const Expression &condition,
                       const std::string &reason) {
    if (holds == true)
      return success();
    if (holds == false && on.empty())
      return state.emitError() << reason;
    state.require(Expression::where(on, condition), reason);
    return success();
  }

  /// Whether the rows that a chain computes in shared memory are the input.
  bool isChained(linalg::LinalgOp op, unsigned input) {
    if (!state.has(OpFact::Chained))
      return false;
    FailureOr<BufferedProducers> producers =
        findFusedProducers(state, ProducerScope::Rows);
    return succeeded(producers) &&
           producers->buffers.contains(op->getOperand(input));
  }

  LogicalResult requireMatrices() {
    auto op = cast<linalg::LinalgOp>(state.getOp());
    auto isShared = [&](unsigned input) {
      return llvm::is_contained(step.getOperands().asArrayRef(), input) ||
             isChained(op, input);
    };
    if (!on.empty() || !isShared(0) || !isShared(1))
      return state.emitError()
             << "'gpu_mma' needs both operands, whatever knobs are";
    for (Attribute padding : step.listPaddings())
      if (failed(requireMatrixRows(Quantity(padding))))
        return failure();
    return success();
  }

  /// Tensor cores load rows of 16 bytes.
  LogicalResult requireMatrixRows(const Quantity &padding) {
    int64_t rowElements =
        nvidia::maxAccessBytes / countBytes(state.getOp()->getOpOperand(0));
    bool isAligned = padding.allOf(
        [&](int64_t elements) { return elements % rowElements == 0; });
    return demand(isAligned          ? std::optional(true)
                  : padding.isKnob() ? std::nullopt
                                     : std::optional(false),
                  divides(rowElements, padding.expression()),
                  "rows of matrices for tensor cores begin at multiples of 16 "
                  "bytes");
  }

  /// A row begins where a vector does.
  LogicalResult requireAlignedRows(const Quantity &padding) {
    std::optional<bool> isAligned;
    if (!width.isKnob() && !padding.isKnob())
      isAligned = padding.getConstant() % width.getConstant() == 0;
    return demand(isAligned, divides(width.expression(), padding.expression()),
                  "width " + width.quoted() + " must divide padding " +
                      padding.quoted() + " (rows begin at whole vectors)");
  }

  LogicalResult addOperand(OpOperand &operand, const Quantity &padding) {
    FailureOr<SmallVector<TileSize>> extents =
        listExtents(state, operand.getOperandNumber());
    if (failed(extents))
      return failure();
    int64_t bytes = countBytes(operand);
    TileSize rows = bytes, elements = 1;
    for (const TileSize &extent : ArrayRef(*extents).drop_back())
      rows = rows * extent;
    const TileSize &row = extents->back();
    for (const TileSize &extent : *extents)
      elements = elements * extent;
    TileSize tile = rows * (row + TileSize(padding));
    parts.push_back(tile.expression);
    totalBytes = totalBytes && tile.value
                     ? std::optional(*totalBytes + *tile.value)
                     : std::nullopt;
    if (step.getRun())
      return requireRuns(operand, elements);
    if (failed(requireWholeVectors(operand, row)) ||
        failed(requireAlignedRows(padding)))
      return failure();
    std::optional<bool> isShort;
    if (!width.isKnob())
      isShort = width.getConstant() * bytes <= nvidia::maxAccessBytes;
    if (failed(demand(isShort,
                      width.expression() * bytes <= nvidia::maxAccessBytes,
                      "a vector must have at most 16 bytes")))
      return failure();
    return stages.largest() > 1 ? requireAsync(operand, bytes, row) : success();
  }

  /// A row of the operand's tile consists of whole vectors.
  LogicalResult requireWholeVectors(OpOperand &operand, const TileSize &row) {
    std::string what = "width " + width.quoted() + " of the copy of operand " +
                       std::to_string(operand.getOperandNumber());
    std::string why = "a row is copied by whole vectors";
    if (row.quantity)
      return state.requireDivides(width, {Extent{{}, *row.quantity}}, what, why,
                                  on);
    std::optional<bool> isWhole;
    if (row.value && !width.isKnob())
      isWhole = *row.value % width.getConstant() == 0;
    else if (width.allOf([](int64_t value) { return value == 1; }))
      isWhole = true;
    return demand(isWhole, divides(width.expression(), row.expression),
                  what + " must divide " + row.expression.text() + " (" + why +
                      ")");
  }

  /// Threads have equally many runs of the first operand.
  LogicalResult requireRuns(OpOperand &operand, const TileSize &elements) {
    if (static_cast<int64_t>(operand.getOperandNumber()) !=
        step.getOperands().asArrayRef().front())
      return success();
    Quantity run(step.getRun());
    std::optional<bool> isWhole;
    if (elements.value && !run.isKnob())
      isWhole = *elements.value % run.getConstant() == 0;
    return demand(isWhole, divides(run.expression(), elements.expression),
                  "run " + run.quoted() + " must divide the tile of operand " +
                      std::to_string(operand.getOperandNumber()));
  }

  /// Vectors are such as `cp.async` copies.
  LogicalResult requireAsync(OpOperand &operand, int64_t bytes,
                             const TileSize &row) {
    if (!row.quantity)
      return state.emitError()
             << "tiles of operand " << operand.getOperandNumber()
             << " have borders, which don't begin at whole vectors; leave out "
                "'stages'";
    // A tensor's memref has its shape.
    auto shaped = cast<ShapedType>(operand.get().getType());
    auto type = dyn_cast<MemRefType>(shaped);
    if (!type)
      type = MemRefType::get(shaped.getShape(), shaped.getElementType());
    int64_t offset;
    SmallVector<int64_t> strides;
    if (failed(type.getStridesAndOffset(strides, offset)) ||
        llvm::is_contained(strides, ShapedType::kDynamic) ||
        ShapedType::isDynamic(offset))
      return state.emitError()
             << "the rows of operand " << operand.getOperandNumber()
             << " don't begin at constant distances, which asynchronous copies "
                "need; leave out 'stages'";
    int64_t distance = std::abs(offset);
    for (int64_t stride : ArrayRef(strides).drop_back())
      distance = std::gcd(distance, std::abs(stride));
    auto isGood = [&](int64_t elements) {
      int64_t size = elements * bytes;
      return size >= nvidia::minAsyncBytes &&
             nvidia::maxAccessBytes % size == 0 && distance % elements == 0;
    };
    std::optional<bool> holds;
    if (width.allOf(isGood) || stages.largest() == 2)
      holds = true;
    else if (!width.isKnob() && !stages.isKnob())
      holds = false;
    Expression size = width.expression() * bytes;
    Expression isCopy = size >= nvidia::minAsyncBytes &&
                        divides(size, nvidia::maxAccessBytes) &&
                        divides(width.expression(), distance);
    return demand(holds, stages.expression() <= 2 || isCopy.enclosed(),
                  "copies in more than two stages are asynchronous, of vectors "
                  "of 4, 8 or 16 bytes that rows begin with");
  }

  GpuSharedAttr step;
  RecipeAnalysis &state;
  ArrayRef<Expression> on;
  Quantity width, stages;
  /// The bytes of the tiles, and where no knob is in it, their number.
  SmallVector<Expression> parts;
  std::optional<int64_t> totalBytes = 0;
};
} // namespace

LogicalResult baco::advance(GpuSharedAttr step, RecipeAnalysis &state) {
  auto on = whereOn(step.getEnabled());
  if (!on)
    return success();
  if (step.getStages() && Quantity(step.getStages()).largest() > 1 &&
      !state.has(OpFact::Tiled))
    return state.emitError() << "there is no loop to copy ahead in; put a "
                                "'tile' before it, or leave out 'stages'";
  state.add(OpFact::Shared);
  return SharedConditions(step, state, *on).require();
}

void baco::expand(GpuSharedAttr step, RecipeExpander &expander) {
  OpBuilder &builder = expander.builder;
  using Values = SmallVector<mlir::Value>;
  mlir::Value copies = expander.ifEnabled(
      step.getEnabled(), /*numHandles=*/1,
      [&] { return Values{expander.noOps()}; },
      [&] {
        Number stages = toNumber(expander, step.getStages());
        ArrayRef<int64_t> operands = step.getOperands().asArrayRef();
        auto promote = [&](ArrayRef<int64_t> some, Attribute of) {
          Number padding = toNumber(expander, of);
          return GpuPromoteOp::create(builder, expander.loc, expander.anyOp,
                                      expander.target, some, padding.param,
                                      stages.param, padding.constant,
                                      stages.constant)
              .getResult();
        };
        if (!isa_and_nonnull<ArrayAttr>(step.getPadding()))
          return Values{promote(operands, step.getPadding())};
        Values parts;
        for (auto [operand, of] :
             llvm::zip_equal(operands, step.listPaddings()))
          parts.push_back(promote(operand, of));
        return Values{transform::MergeHandlesOp::create(
            builder, expander.loc, parts, /*deduplicate=*/false)};
      })[0];
  expander.writeSharedCopies = [&expander, copies, step,
                                before = expander.writeSharedCopies] {
    if (before)
      before();
    OpBuilder &builder = expander.builder;
    Attribute field = step.getRun() ? step.getRun() : step.getWidth();
    Number width =
        toNumber(expander, field ? field : builder.getI64IntegerAttr(1));
    GpuCopyOp::create(builder, expander.loc, copies, width.param,
                      width.constant, /*consecutive=*/bool(step.getRun()));
  };
}
