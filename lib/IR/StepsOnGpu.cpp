//===- StepsOnGpu.cpp - Blocks and threads --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps that distribute an op over the blocks and threads of a GPU. The
// limits are those of all NVIDIA GPUs, but for the size of shared memory, which
// the step and the target say.
//
//===----------------------------------------------------------------------===//

#include "Product.h"
#include "baco/IR/GpuTarget.h"
#include "baco/IR/MatrixProduct.h"
#include "baco/IR/RecipeExpander.h"
#include "baco/Support/NvidiaGpu.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SMT/IR/SMTOps.h"
#include "llvm/ADT/APSInt.h"

#include <functional>

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;
using GpuLevel = RecipeState::GpuLevel;

static const char gridReason[] =
    "a grid has at most 65535 blocks along y and z";
static const char threadsReason[] = "a block has at most 1024 threads";
static const char threadsZReason[] = "a block has at most 64 threads along z";

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

/// Checks an entry for each iterator: 0, or a positive constant, knob or
/// product of these.
static LogicalResult verifyList(EmitError emitError, StringRef what,
                                ArrayAttr entries) {
  for (Attribute entry : entries)
    if (failed(verifyProduct(emitError, what, entry, /*minimum=*/0)))
      return failure();
  if (llvm::none_of(entries, makesLoop))
    return emitError() << "all entries are 0, so that the step does nothing";
  return success();
}

static LogicalResult verifySizes(EmitError emitError, ArrayAttr sizes) {
  if (failed(verifyList(emitError, "a tile size", sizes)))
    return failure();
  if (int64_t count = llvm::count_if(sizes, makesLoop); count > 3)
    return emitError() << count
                       << " sizes are not 0, but a GPU has three "
                          "dimensions";
  return success();
}

/// Checks that `workers`, named `what`, has an entry where `sizes` has one.
static LogicalResult verifyWorkers(EmitError emitError, StringRef what,
                                   ArrayAttr workers, ArrayAttr sizes) {
  if (failed(verifyList(emitError, what, workers)))
    return failure();
  bool isAlike = workers.size() == sizes.size();
  for (size_t i = 0; isAlike && i < sizes.size(); ++i)
    isAlike = makesLoop(workers[i]) == makesLoop(sizes[i]);
  if (!isAlike)
    return emitError() << what
                       << " must be given for each tile size that is "
                          "not 0, and for no other";
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

/// Requires that there are at most `limit` tiles of `sizes` in all of
/// `iterators` together.
static LogicalResult requireTiles(RecipeState &state, ArrayAttr sizes,
                                  ArrayRef<int64_t> iterators, int64_t limit,
                                  const std::string &reason) {
  Product extents, tiles(limit);
  for (int64_t iterator : iterators) {
    extents.multiply(*state.getExtents()[iterator].front().count);
    tiles.multiply(Quantity(sizes[iterator]));
  }
  return requireAtMost(state, extents, tiles, reason);
}

/// Requires that tiles of `size` of `extent` are spread evenly over `workers`,
/// `parts` of whom work on one extent, if there is a tile for each.
static LogicalResult requireEven(RecipeState &state, Quantity size,
                                 Quantity workers, Quantity extent,
                                 Product parts, StringRef what) {
  Product together = Product(size).multiply(workers);
  Product all = parts.multiply(extent);
  std::string reason = "tiles of " + size.quoted() +
                       " must be spread evenly over the " + what.str();
  if (!together.isConstant() || !all.isConstant())
    state.require(together.str() + " > " + all.str() + " || divides(" +
                      together.str() + ", " + all.str() + ")",
                  reason);
  else if (together.getConstant() <= all.getConstant() &&
           all.getConstant() % together.getConstant() != 0)
    return state.emitError() << reason;
  return success();
}

/// The larger of two numbers, or the smaller one.
static mlir::Value choose(RecipeExpander &expander, bool larger, mlir::Value a,
                          mlir::Value b) {
  // (a + b + |a - b|) / 2
  using namespace ::mlir::smt;
  OpBuilder &builder = expander.builder;
  Location loc = expander.loc;
  mlir::Value difference =
      IntAbsOp::create(builder, loc, IntSubOp::create(builder, loc, a, b));
  mlir::Value sum = IntAddOp::create(builder, loc, ValueRange{a, b});
  mlir::Value twice =
      larger ? IntAddOp::create(builder, loc, ValueRange{sum, difference})
                   .getResult()
             : IntSubOp::create(builder, loc, sum, difference).getResult();
  mlir::Value two = IntConstantOp::create(
      builder, loc,
      IntegerAttr::get(builder.getContext(), llvm::APSInt::get(2)));
  return IntDivOp::create(builder, loc, twice, two);
}

/// A number that follows from `quantities`: computed now if these are
/// constants, else by `write` where knobs have values.
static OpFoldResult
compute(RecipeExpander &expander, ArrayRef<Quantity> quantities,
        function_ref<int64_t(ArrayRef<int64_t>)> ofConstants,
        function_ref<mlir::Value(ValueRange)> write) {
  if (llvm::any_of(quantities, std::mem_fn(&Quantity::isKnob)))
    return expander.compute(quantities, write);
  return expander.builder.getIndexAttr(
      ofConstants(llvm::map_to_vector(quantities, [](const Quantity &quantity) {
        return quantity.getConstant();
      })));
}

static SmallVector<OpFoldResult> mix(RecipeExpander &expander,
                                     ArrayAttr entries) {
  return llvm::map_to_vector(
      entries, [&](Attribute entry) { return expander.mixed(entry); });
}

/// Makes loops of `sizes` that are mapped by `Mapping`.
template <typename Mapping>
static void tile(RecipeExpander &expander, ArrayRef<OpFoldResult> sizes,
                 size_t numMapped) {
  using Id = mlir::gpu::MappingId;
  const Id ids[] = {Id::DimX, Id::DimY, Id::DimZ};
  SmallVector<Attribute> mapping;
  for (Id id : llvm::reverse(ArrayRef(ids).take_front(numMapped)))
    mapping.push_back(Mapping::get(expander.builder.getContext(), id));
  auto op = transform::TileUsingForallOp::create(
      expander.builder, expander.loc, expander.target, sizes,
      transform::TileSizesSpec(), expander.builder.getArrayAttr(mapping));
  expander.target = op.getTiledOp();
  expander.innermostLoop = op.getForallOp();
  expander.forgetFused();
}

/// Makes sequential loops of `sizes`, `numLoops` of which aren't 0.
static void tileInOrder(RecipeExpander &expander, ArrayRef<OpFoldResult> sizes,
                        size_t numLoops) {
  SmallVector<Type> loopTypes(numLoops, expander.anyOp);
  auto op = transform::TileUsingForOp::create(expander.builder, expander.loc,
                                              TypeRange(loopTypes),
                                              expander.target, sizes);
  expander.target = op.getTiledLinalgOp();
  expander.innermostLoop = op.getLoops().back();
}

//===----------------------------------------------------------------------===//
// GpuBlocksAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuBlocksAttr::verify(EmitError emitError, ArrayAttr sizes,
                                    ArrayAttr global, ArrayAttr local) {
  if (failed(verifySizes(emitError, sizes)))
    return failure();
  if (static_cast<bool>(global) != static_cast<bool>(local))
    return emitError() << "'global' and 'local' must be given together";
  if (!global)
    return success();
  return failure(
      failed(verifyWorkers(emitError, "a global size", global, sizes)) ||
      failed(verifyWorkers(emitError, "a local size", local, sizes)));
}

bool GpuBlocksAttr::needsFullTiles() const { return true; }

/// Requires that the threads of a grid are those of whole blocks.
static LogicalResult requireWholeBlocks(RecipeState &state, Quantity global,
                                        Quantity local) {
  // Factor by factor, if there are as many.
  SmallVector<std::pair<Quantity, Quantity>> pairs = {{global, local}};
  if (global.getFactors().size() == local.getFactors().size()) {
    pairs.clear();
    for (auto [of, by] :
         llvm::zip_equal(global.getFactors(), local.getFactors()))
      pairs.push_back({Quantity(of), Quantity(by)});
  }
  for (const auto &[of, by] : pairs) {
    std::string reason = "local size " + by.quoted() +
                         " must divide global size " + of.quoted() +
                         " (a grid has whole blocks)";
    if (of.isKnob() || by.isKnob())
      state.require("divides(" + by.str() + ", " + of.str() + ")", reason);
    else if (of.getConstant() % by.getConstant() != 0)
      return state.emitError() << reason;
  }
  return success();
}

LogicalResult GpuBlocksAttr::advance(RecipeState &state) const {
  if (failed(checkIterators(state, getSizes())))
    return failure();
  if (state.isParallel())
    return state.emitError() << "an earlier step has distributed the op";
  if (llvm::none_of(state.getLaterSteps(),
                    llvm::IsaPred<GpuThreadsAttr, GpuMmaAttr>))
    return state.emitError() << "no 'gpu_threads' follows, which says what one "
                                "thread does";
  SmallVector<int64_t> iterators = listIterators(getSizes());
  for (int64_t iterator : iterators) {
    Quantity size(getSizes()[iterator]);
    Quantity extent = *state.getExtents()[iterator].front().count;
    if (getGlobal()) {
      Quantity global(getGlobal()[iterator]), local(getLocal()[iterator]);
      if (failed(requireWholeBlocks(state, global, local)) ||
          failed(requireEven(state, size, global, extent, local, "blocks")))
        return failure();
      if (iterator != iterators.front() &&
          failed(requireAtMost(
              state, global, Product(nvidia::maxGridExtents[1]).multiply(local),
              gridReason)))
        return failure();
    } else if (iterator != iterators.front() &&
               failed(requireTiles(state, getSizes(), iterator,
                                   nvidia::maxGridExtents[1], gridReason))) {
      return failure();
    }
  }
  if (getGlobal())
    state.setTurns();
  return state.distribute(getSizes().getValue(), GpuLevel::Blocks);
}

void GpuBlocksAttr::expand(RecipeExpander &expander) const {
  SmallVector<OpFoldResult> sizes = mix(expander, getSizes()), blocks = sizes;
  size_t count = listIterators(getSizes()).size();
  for (int64_t iterator : listIterators(getSizes())) {
    if (!getGlobal())
      break;
    // What a block has of the extent, but at least one tile.
    blocks[iterator] = compute(
        expander,
        {Quantity(getSizes()[iterator]), Quantity(getGlobal()[iterator]),
         Quantity(getLocal()[iterator]),
         *expander.state.getExtents()[iterator].front().count},
        [](ArrayRef<int64_t> in) {
          return std::max(in[0], in[3] * in[2] / in[1]);
        },
        [&](ValueRange in) {
          using namespace ::mlir::smt;
          mlir::Value all = IntMulOp::create(expander.builder, expander.loc,
                                             ValueRange{in[3], in[2]});
          mlir::Value share =
              IntDivOp::create(expander.builder, expander.loc, all, in[1]);
          return choose(expander, /*larger=*/true, in[0], share);
        });
  }
  tile<mlir::gpu::GPUBlockMappingAttr>(expander, blocks, count);
  if (getGlobal())
    tileInOrder(expander, sizes, count);
}

/// Makes a launch of the loops over blocks and threads, and distributes copies
/// to shared memory.
static void mapLoops(RecipeExpander &expander) {
  OperationState map(expander.loc, "transform.baco.gpu_map");
  map.addOperands(expander.function);
  expander.builder.create(map);
  // There is no loop any more.
  expander.innermostLoop = mlir::Value();
  if (expander.writeSharedCopies)
    expander.writeSharedCopies();
}

//===----------------------------------------------------------------------===//
// GpuThreadsAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuThreadsAttr::verify(EmitError emitError, ArrayAttr sizes,
                                     ArrayAttr local) {
  if (failed(verifySizes(emitError, sizes)))
    return failure();
  return local ? verifyWorkers(emitError, "a local size", local, sizes)
               : success();
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
  if (getLocal()) {
    Product threads;
    for (int64_t iterator : iterators) {
      Quantity local(getLocal()[iterator]);
      threads.multiply(local);
      if (failed(requireEven(state, Quantity(getSizes()[iterator]), local,
                             *state.getExtents()[iterator].front().count,
                             Product(), "threads")))
        return failure();
    }
    if (failed(
            requireAtMost(state, threads, nvidia::maxThreads, threadsReason)) ||
        (iterators.size() == 3 &&
         failed(requireAtMost(state, Quantity(getLocal()[iterators.back()]),
                              nvidia::maxBlockExtents[2], threadsZReason))))
      return failure();
    state.setTurns();
    return state.distribute(getSizes().getValue(), GpuLevel::Threads);
  }
  if (failed(requireTiles(state, getSizes(), iterators, nvidia::maxThreads,
                          threadsReason)))
    return failure();
  if (iterators.size() == 3 &&
      failed(requireTiles(state, getSizes(), iterators.back(),
                          nvidia::maxBlockExtents[2], threadsZReason)))
    return failure();
  return state.distribute(getSizes().getValue(), GpuLevel::Threads);
}

void GpuThreadsAttr::expand(RecipeExpander &expander) const {
  SmallVector<OpFoldResult> sizes = mix(expander, getSizes());
  SmallVector<int64_t> iterators = listIterators(getSizes());
  if (getLocal()) {
    // What the threads do together, but at most all.
    SmallVector<OpFoldResult> turns = sizes;
    for (int64_t iterator : iterators)
      turns[iterator] = compute(
          expander,
          {Quantity(getSizes()[iterator]), Quantity(getLocal()[iterator]),
           *expander.state.getExtents()[iterator].front().count},
          [](ArrayRef<int64_t> in) { return std::min(in[0] * in[1], in[2]); },
          [&](ValueRange in) {
            mlir::Value together = ::mlir::smt::IntMulOp::create(
                expander.builder, expander.loc, ValueRange{in[0], in[1]});
            return choose(expander, /*larger=*/false, together, in[2]);
          });
    tileInOrder(expander, turns, iterators.size());
  }
  tile<mlir::gpu::GPUThreadMappingAttr>(expander, sizes, iterators.size());
  mapLoops(expander);
}

//===----------------------------------------------------------------------===//
// GpuMmaAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuMmaAttr::verify(EmitError emitError, ArrayAttr sizes) {
  return verifySizes(emitError, sizes);
}

bool GpuMmaAttr::needsFullTiles() const { return true; }

/// Requires that `divisor` divides `size`.
static LogicalResult requireMultiple(RecipeState &state, Quantity size,
                                     int64_t divisor, StringRef what) {
  std::string reason = what.str() + " " + size.quoted() +
                       " must be a multiple of " + std::to_string(divisor);
  if (size.allOf([&](int64_t value) { return value % divisor == 0; }))
    return success();
  if (!size.isKnob())
    return state.emitError() << reason;
  state.require("divides(" + std::to_string(divisor) + ", " + size.str() + ")",
                reason);
  return success();
}

/// The iterator of the op as it is now that was `origin` in the payload.
static std::optional<unsigned> findIterator(RecipeState &state,
                                            unsigned origin) {
  for (unsigned i = 0; i < state.getNumIterators(); ++i)
    if (state.getOrigin(i) == origin)
      return i;
  return std::nullopt;
}

LogicalResult GpuMmaAttr::advance(RecipeState &state) const {
  if (failed(checkIterators(state, getSizes())))
    return failure();
  std::optional<MatrixProduct> product;
  auto op = cast<linalg::LinalgOp>(state.getOp());
  if (std::string why = whyNoTensorCores(op, product); !why.empty())
    return state.emitError() << why;
  if (const NvidiaGpu *gpu = findTargetChip(op); gpu && !gpu->hasMmaSync())
    return state.emitError() << "tensor cores need an sm_80 or later, but the "
                                "target is an "
                             << gpu->chip.data();
  if (state.getGpuLevel() != GpuLevel::Blocks || !state.isShared() ||
      state.getLoops().empty())
    return state.emitError()
           << "no 'gpu_blocks', 'tile' of the sum and 'gpu_shared' of both "
              "operands come before";
  if (!llvm::all_of(state.getLaterSteps(), llvm::IsaPred<LLVMAttr>))
    return state.emitError() << "no other step can follow";
  std::optional<unsigned> m = findIterator(state, product->m),
                          n = findIterator(state, product->n),
                          k = findIterator(state, product->k);
  if (!m || !n || !k)
    return state.emitError() << "a knob permutes the iterators";
  ArrayAttr sizes = getSizes();
  if (!makesLoop(sizes[*m]) || !makesLoop(sizes[*n]))
    return state.emitError() << "the sizes of rows and columns must not be 0";
  if (product->batch)
    if (std::optional<unsigned> batch = findIterator(state, *product->batch);
        !batch ||
        !(makesLoop(sizes[*batch]) ? Quantity(sizes[*batch])
                                   : *state.getExtents()[*batch].front().count)
             .allOf([](int64_t size) { return size == 1; }))
      return state.emitError()
             << "a warp has one product of a batch: its size must be 1";
  if (failed(requireMultiple(state, Quantity(sizes[*m]), mma::m,
                             "the rows of a warp")) ||
      failed(requireMultiple(state, Quantity(sizes[*n]), mma::n,
                             "the columns of a warp")) ||
      failed(requireMultiple(state, *state.getExtents()[*k].front().count,
                             mma::depthOf(product->element),
                             "the tile of the sum")) ||
      failed(requireTiles(state, sizes, listIterators(sizes),
                          nvidia::maxThreads / nvidia::warpSize,
                          threadsReason)))
    return failure();
  return state.distribute(sizes.getValue(), GpuLevel::Threads);
}

void GpuMmaAttr::expand(RecipeExpander &expander) const {
  tile<mlir::gpu::GPUWarpMappingAttr>(expander, mix(expander, getSizes()),
                                      listIterators(getSizes()).size());
  mapLoops(expander);
  OperationState multiply(expander.loc, "transform.baco.gpu_mma");
  multiply.addOperands(expander.target);
  expander.builder.create(multiply);
  expander.target = mlir::Value();
}
