//===- StepsOnGpu.cpp - Blocks, shared memory, threads --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps that distribute an op over the blocks and threads of a GPU. The
// limits are those of all NVIDIA GPUs, but for the size of shared memory, which
// the step says.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/RecipeExpander.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;
using GpuLevel = RecipeState::GpuLevel;

static constexpr int64_t maxGridYZ = 65535;
static constexpr int64_t maxThreads = 1024, maxThreadsZ = 64;
static constexpr int64_t maxVectorBytes = 16;

ArrayRef<Attribute> RecipeState::getLaterSteps() const {
  return recipe.getSteps().getValue().drop_front(position + 1);
}

LogicalResult RecipeState::distribute(ArrayRef<Attribute> sizes,
                                      GpuLevel level) {
  gpuLevel = level;
  return parallelize(sizes, /*threads=*/{});
}

//===----------------------------------------------------------------------===//
// What the steps share
//===----------------------------------------------------------------------===//

static LogicalResult verifySizes(EmitError emitError, ArrayAttr sizes) {
  if (failed(verifyEntries(emitError, "a tile size", sizes)))
    return failure();
  if (int64_t count = llvm::count_if(sizes, makesLoop); count > 3)
    return emitError() << count
                       << " sizes are not 0, but a GPU has three "
                          "dimensions";
  return success();
}

/// The distributed iterators of `sizes`, x first.
static SmallVector<int64_t> listIterators(ArrayAttr sizes) {
  SmallVector<int64_t> iterators;
  for (auto [iterator, size] : llvm::enumerate(sizes))
    if (makesLoop(size))
      iterators.insert(iterators.begin(), iterator);
  return iterators;
}

/// Checks that iterations along the distributed iterators are independent, and
/// that there is a number of them.
static LogicalResult checkIterators(RecipeState &state, ArrayAttr sizes) {
  if (failed(state.needOp()) || failed(state.needMemRefs()) ||
      failed(state.needEntries(sizes)))
    return failure();
  for (int64_t iterator : listIterators(sizes)) {
    if (failed(state.needParallel(iterator)))
      return failure();
    const Extents &extents = state.getExtents()[iterator];
    if (extents.size() != 1 || !extents.front().count ||
        extents.front().isPartial)
      return state.emitError() << "the extent of iterator " << iterator
                               << " is not one static number";
  }
  return success();
}

/// A product of numbers, for a condition.
struct Product {
  int64_t constant = 1;
  SmallVector<Quantity> knobs;

  void multiply(Quantity factor) {
    if (factor.isKnob())
      knobs.push_back(factor);
    else
      constant *= factor.getConstant();
  }
  std::string str() const {
    SmallVector<std::string> factors;
    if (constant != 1 || knobs.empty())
      factors.push_back(std::to_string(constant));
    for (Quantity knob : knobs)
      factors.push_back(knob.str());
    return llvm::join(factors, " * ");
  }
  int64_t smallest() const {
    int64_t product = constant;
    for (Quantity knob : knobs)
      product *= knob.smallest();
    return product;
  }
  int64_t largest() const {
    int64_t product = constant;
    for (Quantity knob : knobs)
      product *= knob.largest();
    return product;
  }
};

/// Requires that `smaller` is at most `larger`. Fails with an error if it can't
/// be.
static LogicalResult requireAtMost(RecipeState &state, const Product &smaller,
                                   const Product &larger,
                                   const std::string &reason) {
  if (smaller.largest() <= larger.smallest())
    return success();
  if (smaller.smallest() > larger.largest())
    return state.emitError() << reason;
  state.require(smaller.str() + " <= " + larger.str(), reason);
  return success();
}

/// Requires that there are at most `limit` tiles of `sizes` in all of
/// `iterators` together.
static LogicalResult requireTiles(RecipeState &state, ArrayAttr sizes,
                                  ArrayRef<int64_t> iterators, int64_t limit,
                                  const std::string &reason) {
  Product extents, tiles;
  tiles.constant = limit;
  for (int64_t iterator : iterators) {
    extents.multiply(*state.getExtents()[iterator].front().count);
    tiles.multiply(Quantity(sizes[iterator]));
  }
  return requireAtMost(state, extents, tiles, reason);
}

/// Makes loops of `sizes` that are mapped by `Mapping`.
template <typename Mapping, typename Id>
static void tile(RecipeExpander &expander, ArrayAttr sizes, ArrayRef<Id> ids) {
  size_t count = listIterators(sizes).size();
  SmallVector<Attribute> mapping;
  for (Id id : llvm::reverse(ids.take_front(count)))
    mapping.push_back(Mapping::get(expander.builder.getContext(), id));
  SmallVector<OpFoldResult> numbers = llvm::map_to_vector(
      sizes, [&](Attribute size) { return expander.mixed(size); });
  auto op = transform::TileUsingForallOp::create(
      expander.builder, expander.loc, expander.target, numbers,
      transform::TileSizesSpec(), expander.builder.getArrayAttr(mapping));
  expander.target = op.getTiledOp();
  expander.innermostLoop = op.getForallOp();
  expander.forgetFused();
}

//===----------------------------------------------------------------------===//
// GpuBlocksAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuBlocksAttr::verify(EmitError emitError, ArrayAttr sizes) {
  return verifySizes(emitError, sizes);
}

bool GpuBlocksAttr::needsFullTiles() const { return true; }

LogicalResult GpuBlocksAttr::advance(RecipeState &state) const {
  if (failed(checkIterators(state, getSizes())))
    return failure();
  if (state.isParallel())
    return state.emitError() << "an earlier step has distributed the op";
  if (llvm::none_of(state.getLaterSteps(), llvm::IsaPred<GpuThreadsAttr>))
    return state.emitError() << "no 'gpu_threads' follows, which says what one "
                                "thread does";
  for (int64_t iterator : ArrayRef(listIterators(getSizes())).drop_front())
    if (failed(requireTiles(state, getSizes(), iterator, maxGridYZ,
                            "a grid has at most 65535 blocks along y and z")))
      return failure();
  return state.distribute(getSizes().getValue(), GpuLevel::Blocks);
}

void GpuBlocksAttr::expand(RecipeExpander &expander) const {
  using Id = mlir::gpu::MappingId;
  tile<mlir::gpu::GPUBlockMappingAttr, Id>(expander, getSizes(),
                                           {Id::DimX, Id::DimY, Id::DimZ});
}

//===----------------------------------------------------------------------===//
// GpuSharedAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuSharedAttr::verify(EmitError emitError,
                                    DenseI64ArrayAttr operands, Attribute width,
                                    Attribute padding, int64_t limit,
                                    Attribute enabled) {
  if (operands.empty())
    return emitError() << "at least one operand must be copied";
  for (auto [index, operand] : llvm::enumerate(operands.asArrayRef())) {
    if (operand < 0)
      return emitError() << "operand index " << operand << " is negative";
    if (llvm::is_contained(operands.asArrayRef().take_front(index), operand))
      return emitError() << "operand " << operand << " is copied twice";
  }
  if (width && failed(verifyQuantity(emitError, "the width of copies", width,
                                     /*minimum=*/1)))
    return failure();
  if (padding && failed(verifyQuantity(emitError, "the padding", padding,
                                       /*minimum=*/0, /*knobMinimum=*/0)))
    return failure();
  if (limit < 1)
    return emitError() << "the limit of shared memory is " << limit
                       << " bytes, but must be positive";
  return verifySwitch(emitError, enabled);
}

bool GpuSharedAttr::needsFullTiles() const { return true; }

/// The extents of the dimensions of an operand.
static FailureOr<SmallVector<Quantity>> listExtents(RecipeState &state,
                                                    int64_t operand) {
  auto op = cast<linalg::LinalgOp>(state.getOp());
  SmallVector<Quantity> list;
  for (AffineExpr expression :
       op.getMatchingIndexingMap(&op->getOpOperand(operand)).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expression);
    const Extents *found = nullptr;
    for (auto [iterator, extents] : llvm::enumerate(state.getExtents()))
      if (dim && state.getOrigin(iterator) == dim.getPosition())
        found = &extents;
    if (!found || found->size() != 1 || !found->front().count ||
        found->front().isPartial)
      return state.emitError()
             << "a dimension of operand " << operand
             << " is not indexed by one iterator of static extent";
    list.push_back(*found->front().count);
  }
  if (list.empty())
    return state.emitError()
           << "operand " << operand << " has no dimensions to copy";
  return list;
}

LogicalResult GpuSharedAttr::advance(RecipeState &state) const {
  if (failed(state.needOp()) || failed(state.needMemRefs()))
    return failure();
  if (state.getGpuLevel() != GpuLevel::Blocks)
    return state.emitError()
           << "the step belongs between 'gpu_blocks' and 'gpu_threads'";
  if (state.isShared())
    return state.emitError()
           << "an earlier 'gpu_shared' has copied operands; list all there";
  std::optional<std::string> on = whereOn(getEnabled());
  if (!on)
    return success();
  // Requires `condition`; `holds` says whether it does where no knob decides.
  auto demand = [&](std::optional<bool> holds, const std::string &condition,
                    const std::string &reason) -> LogicalResult {
    if (holds == true)
      return success();
    if (holds == false && on->empty())
      return state.emitError() << reason;
    state.require(on->empty() ? condition : "!(" + *on + ") || " + condition,
                  reason);
    return success();
  };
  Builder builder(getContext());
  Quantity width(getWidth() ? getWidth() : builder.getI64IntegerAttr(1));
  Quantity padding(getPadding() ? getPadding() : builder.getI64IntegerAttr(0));
  auto op = cast<linalg::LinalgOp>(state.getOp());
  std::string total;
  // The sum where no knob is in it.
  std::optional<int64_t> totalBytes = 0;
  for (int64_t operand : getOperands().asArrayRef()) {
    if (operand >= op.getNumDpsInputs())
      return state.emitError() << "the op has no input " << operand;
    FailureOr<SmallVector<Quantity>> extents = listExtents(state, operand);
    if (failed(extents))
      return failure();
    int64_t bytes =
        llvm::divideCeil(getElementTypeOrSelf(op->getOperand(operand).getType())
                             .getIntOrFloatBitWidth(),
                         8);
    Product rows;
    rows.constant = bytes;
    for (Quantity extent : ArrayRef(*extents).drop_back())
      rows.multiply(extent);
    Quantity row = extents->back();
    total += (total.empty() ? "" : " + ") + rows.str() + " * (" + row.str() +
             " + " + padding.str() + ")";
    if (!rows.knobs.empty() || row.isKnob() || padding.isKnob())
      totalBytes.reset();
    else if (totalBytes)
      *totalBytes +=
          rows.constant * (row.getConstant() + padding.getConstant());
    std::optional<bool> isShort;
    if (!width.isKnob())
      isShort = width.getConstant() * bytes <= maxVectorBytes;
    if (failed(state.requireDivides(width, {Extent{"", row}},
                                    "width " + width.quoted() +
                                        " of the copy of operand " +
                                        std::to_string(operand),
                                    "a row is copied by whole vectors", *on)) ||
        failed(demand(isShort,
                      width.str() + " * " + std::to_string(bytes) +
                          " <= " + std::to_string(maxVectorBytes),
                      "a vector must have at most 16 bytes")))
      return failure();
  }
  std::optional<bool> fits, isAligned;
  if (totalBytes)
    fits = *totalBytes <= getLimit();
  if (!width.isKnob() && !padding.isKnob())
    isAligned = padding.getConstant() % width.getConstant() == 0;
  std::string limit = std::to_string(getLimit());
  if (failed(demand(fits, total + " <= " + limit,
                    "the tiles of a block must fit " + limit +
                        " bytes of shared memory")) ||
      failed(demand(isAligned,
                    "divides(" + width.str() + ", " + padding.str() + ")",
                    "width " + width.quoted() + " must divide padding " +
                        padding.quoted() + " (rows begin at whole vectors)")))
    return failure();
  state.setShared();
  return success();
}

void GpuSharedAttr::expand(RecipeExpander &expander) const {
  OpBuilder &builder = expander.builder;
  using Values = SmallVector<mlir::Value>;
  Attribute one = builder.getI64IntegerAttr(1);
  expander.sharedCopies = expander.ifEnabled(
      getEnabled(), /*numHandles=*/1, [&] { return Values{expander.noOps()}; },
      [&] {
        // By name, for the op is defined in a library that this one doesn't
        // need.
        OperationState promote(expander.loc, "transform.baco.gpu_promote");
        promote.addOperands(expander.target);
        promote.addAttribute("operands", getOperands());
        if (getPadding()) {
          OpFoldResult padding = expander.mixed(getPadding());
          if (auto param = dyn_cast<mlir::Value>(padding))
            promote.addOperands(param);
          else
            promote.addAttribute("padding", cast<Attribute>(padding));
        }
        promote.addTypes(expander.anyOp);
        return Values{builder.create(promote)->getResult(0)};
      })[0];
  expander.sharedWidth = getWidth() ? getWidth() : one;
}

//===----------------------------------------------------------------------===//
// GpuThreadsAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuThreadsAttr::verify(EmitError emitError, ArrayAttr sizes) {
  return verifySizes(emitError, sizes);
}

bool GpuThreadsAttr::needsFullTiles() const { return true; }

LogicalResult GpuThreadsAttr::advance(RecipeState &state) const {
  if (failed(checkIterators(state, getSizes())))
    return failure();
  if (state.getGpuLevel() == GpuLevel::None)
    return state.emitError() << "no 'gpu_blocks' comes before";
  if (state.getGpuLevel() == GpuLevel::Threads)
    return state.emitError() << "an earlier 'gpu_threads' has distributed the "
                                "op; give all sizes there";
  SmallVector<int64_t> iterators = listIterators(getSizes());
  if (failed(requireTiles(state, getSizes(), iterators, maxThreads,
                          "a block has at most 1024 threads")))
    return failure();
  if (iterators.size() == 3 &&
      failed(requireTiles(state, getSizes(), iterators.back(), maxThreadsZ,
                          "a block has at most 64 threads along z")))
    return failure();
  return state.distribute(getSizes().getValue(), GpuLevel::Threads);
}

void GpuThreadsAttr::expand(RecipeExpander &expander) const {
  OpBuilder &builder = expander.builder;
  using Id = mlir::gpu::MappingId;
  tile<mlir::gpu::GPUThreadMappingAttr, Id>(expander, getSizes(),
                                            {Id::DimX, Id::DimY, Id::DimZ});
  OperationState map(expander.loc, "transform.baco.gpu_map");
  map.addOperands(expander.function);
  builder.create(map);
  // There is no loop any more.
  expander.innermostLoop = mlir::Value();
  if (!expander.sharedCopies)
    return;
  OperationState copy(expander.loc, "transform.baco.gpu_copy");
  copy.addOperands(expander.sharedCopies);
  OpFoldResult width = expander.mixed(expander.sharedWidth);
  if (auto param = dyn_cast<mlir::Value>(width))
    copy.addOperands(param);
  else
    copy.addAttribute("width", cast<Attribute>(width));
  builder.create(copy);
}
