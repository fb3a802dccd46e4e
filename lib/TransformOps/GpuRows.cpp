//===- GpuRows.cpp - Ops on rows by lanes of warps ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane has vectors of a row, `lanes` vectors apart, in registers. What is
// read from memory is read once, and what is needed is written at the end.
// Lanes without a row or a vector compute with zeros, so that all take part in
// shuffles and barriers.
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "GpuCopies.h"
#include "GpuViews.h"
#include "IntegerOperand.h"
#include "TargetError.h"

#include "baco/Analysis/RowGroup.h"
#include "baco/Support/NvidiaGpu.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using namespace baco;

namespace {
struct RowWork {
  /// Rows of a block, lanes of a row, and elements of a vector.
  int64_t rows, lanes, width;
};

/// A memref, and the dimensions that index it.
struct Place {
  Value memref;
  SmallVector<unsigned> dims;

  bool operator==(const Place &other) const {
    return memref == other.memref && dims == other.dims;
  }
};

/// What a lane has of it: one value, or one for each turn.
struct Held {
  Place place;
  SmallVector<Value> values;
};
} // namespace

/// The error says why the group can't be done so.
static llvm::Error checkWork(const RowGroup &group, const RowWork &work) {
  if (work.rows < 1 || work.lanes < 1 || work.width < 1)
    return llvm::createStringError("a number is less than 1");
  if (work.lanes > nvidia::maxThreads || !llvm::isPowerOf2_64(work.lanes))
    return llvm::createStringError(
        Twine(work.lanes) +
        " lanes have a row, but only a power of two of at most 1024 can");
  if (work.rows > nvidia::maxThreads / work.lanes)
    return llvm::createStringError("a block has more than 1024 threads");
  if (work.rows * work.lanes % nvidia::warpSize != 0)
    return llvm::createStringError("a block doesn't have whole warps");
  if (group.columns % work.width != 0)
    return llvm::createStringError("vectors of " + Twine(work.width) +
                                   " don't divide rows of " +
                                   Twine(group.columns));
  if (work.lanes < group.leastLanes())
    return llvm::createStringError(
        "a lane has more than " + Twine(maxRowElements) + " elements of a row");
  return llvm::Error::success();
}

namespace {
class RowWriter : IndexWriter {
public:
  RowWriter(RewriterBase &builder, const RowGroup &group, const RowWork &work)
      : IndexWriter(builder, linalg::LinalgOp(group.ops.front().op).getLoc()),
        group(group), work(work), numRows(llvm::product_of(group.rows)),
        numTurns(llvm::divideCeil(group.columns, work.lanes * work.width)) {
    if (group.needsElementsOnce())
      numTurns = std::min(numTurns, maxLoads);
    for (const PlacedOp &placed : group.ops)
      ops.push_back(placed.op);
    if (work.width > 1)
      vector = VectorType::get({work.width}, builder.getI8Type());
  }

  void write() {
    findNeeded();
    builder.setInsertionPoint(ops.back());
    Value one = constant(1);
    launch = gpu::LaunchOp::create(
        builder, loc, constant(llvm::divideCeil(numRows, work.rows)), one, one,
        constant(work.rows * work.lanes), one, one);
    builder.setInsertionPointToStart(&launch.getBody().front());
    Value thread = launch.getThreadIds().x;
    lane = arith::RemUIOp::create(builder, loc, thread, constant(work.lanes));
    writeRow(arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, launch.getBlockIds().x,
                              constant(work.rows)),
        arith::DivUIOp::create(builder, loc, thread, constant(work.lanes))));
    gpu::TerminatorOp::create(builder, loc);
    removeOps(builder, ops);
  }

  /// The same where the ops are, in a block of threads along x, y and z, of
  /// which there are `sizes`. They have some rows at a time, as far as they
  /// fill warps.
  void writeInBlock(ArrayRef<int64_t> sizes) {
    findNeeded();
    SmallVector<Operation *> kernel(ops.begin(), ops.end());
    for (linalg::LinalgOp op : ops)
      for (Value output : op.getDpsInits())
        if (!isUsedBehind(output, kernel))
          needed.erase(output);
    builder.setInsertionPoint(ops.back());
    auto number = [&](gpu::Dimension dimension) -> Value {
      return gpu::ThreadIdOp::create(builder, loc, dimension);
    };
    Threads threads =
        numberThreads(builder, loc,
                      {number(gpu::Dimension::x), number(gpu::Dimension::y),
                       number(gpu::Dimension::z)},
                      sizes);
    gpu::BarrierOp::create(builder, loc);
    {
      OpBuilder::InsertionGuard guard(builder);
      int64_t numLanes = work.rows * work.lanes;
      if (numLanes < threads.count)
        builder.setInsertionPointToStart(
            scf::IfOp::create(builder, loc, isLess(threads.number, numLanes))
                .thenBlock());
      lane = arith::RemUIOp::create(builder, loc, threads.number,
                                    constant(work.lanes));
      Value first = arith::DivUIOp::create(builder, loc, threads.number,
                                           constant(work.lanes));
      auto turns = scf::ForOp::create(
          builder, loc, constant(0),
          constant(llvm::divideCeil(numRows, work.rows) * work.rows),
          constant(work.rows));
      builder.setInsertionPointToStart(turns.getBody());
      writeRow(
          arith::AddIOp::create(builder, loc, turns.getInductionVar(), first));
    }
    gpu::BarrierOp::create(builder, loc);
    removeOps(builder, ops);
  }

private:
  /// Does all ops for `row`, a number of this thread.
  void writeRow(Value row) {
    findPlace(row);
    for (const PlacedOp &placed : group.ops) {
      // Else stores to shared memory would keep a dead kernel.
      if (needed.empty())
        break;
      if (linalg::LinalgOp(placed.op).getNumReductionLoops() > 0)
        reduce(placed);
      else
        compute(placed);
    }
    store();
  }

  void findNeeded() {
    SmallVector<Operation *> kernel(ops.begin(), ops.end());
    for (linalg::LinalgOp op : ops)
      for (Value output : op.getDpsInits())
        if (isUsedOutside(output, kernel))
          needed.insert(output);
  }

  /// Finds the place of `row`, and the columns of a lane.
  void findPlace(Value row) {
    if (numRows % work.rows != 0)
      isRow = isLess(row, numRows);
    at.resize(group.rows.size() + 1);
    for (size_t i = group.rows.size(); i-- > 1;) {
      at[i] =
          arith::RemUIOp::create(builder, loc, row, constant(group.rows[i]));
      row = arith::DivUIOp::create(builder, loc, row, constant(group.rows[i]));
    }
    at[0] = row;
    findColumns();
  }

  /// Columns that the lanes have in all turns.
  int64_t ofTurns() const { return numTurns * work.lanes * work.width; }

  /// Finds the columns of a lane from `begin` on, a multiple of those of all
  /// turns that is in the row.
  void findColumns(Value begin = {}) {
    columns.clear();
    isColumn.clear();
    for (int64_t turn = 0; turn < numTurns; ++turn) {
      Value vectors = arith::AddIOp::create(builder, loc, lane,
                                            constant(turn * work.lanes));
      Value column =
          arith::MulIOp::create(builder, loc, vectors, constant(work.width));
      if (begin)
        column = arith::AddIOp::create(builder, loc, begin, column);
      columns.push_back(column);
      bool isFull = begin
                        ? group.columns % ofTurns() == 0
                        : (turn + 1) * work.lanes * work.width <= group.columns;
      isColumn.push_back(isFull ? Value() : isLess(column, group.columns));
    }
  }

  bool hasColumns(ArrayRef<unsigned> dims) const {
    return llvm::is_contained(dims, group.rows.size());
  }

  /// Code for the elements of a turn, or for a row.
  ElementCode codeFor(std::optional<int64_t> turn) {
    ElementCode code = {builder, loc, at, turn ? vector : VectorType()};
    if (turn)
      code.at.back() = columns[*turn];
    return code;
  }

  /// What a lane has of `place` in a turn, or of a row.
  Value valueOf(const Place &place, std::optional<int64_t> turn) {
    const auto *known = llvm::find_if(
        held, [&](const Held &one) { return one.place == place; });
    if (known == held.end()) {
      held.push_back({place, load(place)});
      known = &held.back();
    }
    if (hasColumns(place.dims))
      return known->values[*turn];
    return codeFor(turn).widen(known->values.front());
  }

  SmallVector<Value> load(const Place &place) {
    if (!hasColumns(place.dims)) {
      if (!place.dims.empty())
        readRows.insert(place.memref);
      return {
          loadIf(place.dims.empty() ? Value() : isRow, place, std::nullopt)};
    }
    SmallVector<Value> values;
    bool ofRow = place.dims.size() > 1;
    for (int64_t turn = 0; turn < numTurns; ++turn)
      values.push_back(
          loadIf(both(ofRow ? isRow : Value(), isColumn[turn]), place, turn));
    return values;
  }

  /// Zeros if `condition` doesn't hold.
  Value loadIf(Value condition, const Place &place,
               std::optional<int64_t> turn) {
    ElementCode code = codeFor(turn);
    if (!condition)
      return code.read(place.memref, place.dims);
    Type type =
        code.widen(cast<MemRefType>(place.memref.getType()).getElementType());
    auto choice = scf::IfOp::create(builder, loc, TypeRange(type), condition,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    scf::YieldOp::create(builder, loc, code.read(place.memref, place.dims));
    builder.setInsertionPointToStart(choice.elseBlock());
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    scf::YieldOp::create(builder, loc, zero);
    return choice.getResult(0);
  }

  Place placeOf(const PlacedOp &placed, OpOperand &operand) {
    return {operand.get(), placed.dims[operand.getOperandNumber()]};
  }

  void hold(Place place, SmallVector<Value> values) {
    llvm::erase_if(held, [&](const Held &one) {
      return one.place.memref == place.memref;
    });
    if (!llvm::is_contained(written, place))
      written.push_back(place);
    held.push_back({std::move(place), std::move(values)});
  }

  void compute(const PlacedOp &placed) {
    linalg::LinalgOp op = placed.op;
    loc = op.getLoc();
    SmallVector<SmallVector<Value>> results(op.getNumDpsInits());
    bool ofColumns = op.getNumLoops() > group.rows.size();
    for (int64_t turn = 0; turn < (ofColumns ? numTurns : 1); ++turn) {
      auto where = ofColumns ? std::optional(turn) : std::nullopt;
      // Loads come first.
      for (OpOperand &operand : op->getOpOperands())
        if (isa<MemRefType>(operand.get().getType()) &&
            op.payloadUsesValueFromOperand(&operand))
          valueOf(placeOf(placed, operand), where);
      SmallVector<Value> computed =
          codeFor(where).compute(op, [&](OpOperand &operand) {
            return valueOf(placeOf(placed, operand), where);
          });
      for (auto [list, value] : llvm::zip_equal(results, computed))
        list.push_back(value);
    }
    for (auto [output, values] :
         llvm::zip_equal(op.getDpsInitsMutable(), results))
      hold(placeOf(placed, output), std::move(values));
  }

  Value combine(Operation *combiner, Value a, Value b) {
    Operation *copy = builder.clone(*combiner);
    copy->setOperands({a, b});
    return copy->getResult(0);
  }

  /// What the lane at `distance` has.
  Value shuffle(Value value, int64_t distance) {
    // Lanes exchange 32 bits.
    unsigned bits = value.getType().getIntOrFloatBitWidth();
    if (bits < 32) {
      Value asBits = arith::BitcastOp::create(
          builder, loc, builder.getIntegerType(bits), value);
      Value other = shuffle(
          arith::ExtUIOp::create(builder, loc, builder.getI32Type(), asBits),
          distance);
      return arith::BitcastOp::create(
          builder, loc, value.getType(),
          arith::TruncIOp::create(builder, loc, asBits.getType(), other));
    }
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
    };
    return gpu::ShuffleOp::create(builder, loc, value, number(distance),
                                  number(nvidia::warpSize),
                                  gpu::ShuffleMode::XOR)
        .getShuffleResult();
  }

  /// `all` with the elements that the lane has in all turns.
  Value addTurns(const PlacedOp &placed, Value all) {
    linalg::LinalgOp op = placed.op;
    OpOperand *output = op.getDpsInitOperand(0);
    for (int64_t turn = 0; turn < numTurns; ++turn) {
      Value next = codeFor(turn).compute(op, [&](OpOperand &operand) {
        return &operand == output ? all
                                  : valueOf(placeOf(placed, operand), turn);
      })[0];
      all = isColumn[turn] ? arith::SelectOp::create(builder, loc,
                                                     isColumn[turn], next, all)
                                 .getResult()
                           : next;
    }
    return all;
  }

  /// Combines the values of `lanes` lanes of a warp next to each other.
  Value combineLanes(Operation *combiner, Value value, int64_t lanes) {
    for (int64_t distance = lanes / 2; distance > 0; distance /= 2)
      value = combine(combiner, value, shuffle(value, distance));
    return value;
  }

  /// Combines what the warps of a row have, each of which has one value.
  Value combineWarps(Operation *combiner, Value ofWarp) {
    int64_t warps = work.lanes / nvidia::warpSize;
    auto space = gpu::AddressSpaceAttr::get(
        builder.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
    // A buffer for each reduction needs one barrier.
    Value buffer = launch.addWorkgroupAttribution(
        MemRefType::get({work.rows, warps}, ofWarp.getType(),
                        MemRefLayoutAttrInterface(), space),
        loc);
    Value row = arith::DivUIOp::create(builder, loc, launch.getThreadIds().x,
                                       constant(work.lanes));
    Value warpSize = constant(nvidia::warpSize);
    Value ofFirst =
        isLess(arith::RemUIOp::create(builder, loc, lane, warpSize), 1);
    storeIf(ofFirst, [&] {
      Value warp = arith::DivUIOp::create(builder, loc, lane, warpSize);
      memref::StoreOp::create(builder, loc, ofWarp, buffer,
                              ValueRange{row, warp});
    });
    gpu::BarrierOp::create(builder, loc);
    Value warp = arith::RemUIOp::create(builder, loc, lane, constant(warps));
    Value other =
        memref::LoadOp::create(builder, loc, buffer, ValueRange{row, warp});
    return combineLanes(combiner, other, warps);
  }

  void reduce(const PlacedOp &placed) {
    linalg::LinalgOp op = placed.op;
    loc = op.getLoc();
    Operation *combiner = findRowCombiner(op);
    OpOperand *output = op.getDpsInitOperand(0);
    ElementCode code = codeFor(0);
    Value all =
        code.widen(arith::ConstantOp::create(
                       builder, loc, *arith::getNeutralElement(combiner))
                       .getResult());
    if (ofTurns() < group.columns) {
      auto loop =
          scf::ForOp::create(builder, loc, constant(0), constant(group.columns),
                             constant(ofTurns()), all);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      findColumns(loop.getInductionVar());
      // An iteration's loads can't be used behind the loop.
      SmallVector<Held> before = held;
      scf::YieldOp::create(builder, loc,
                           addTurns(placed, loop.getRegionIterArg(0)));
      held = std::move(before);
      all = loop.getResult(0);
    } else {
      all = addTurns(placed, all);
    }
    if (vector) {
      Value elements = all;
      all = vector::ExtractOp::create(builder, loc, elements, 0);
      for (int64_t i = 1; i < work.width; ++i)
        all = combine(combiner, all,
                      vector::ExtractOp::create(builder, loc, elements, i));
    }
    all = combineLanes(combiner, all, std::min(work.lanes, nvidia::warpSize));
    if (work.lanes > nvidia::warpSize)
      all = combineWarps(combiner, all);
    Place place = placeOf(placed, *output);
    Value before = valueOf(place, std::nullopt);
    hold(place, {combine(combiner, before, all)});
  }

  void storeIf(Value condition, function_ref<void()> write) {
    OpBuilder::InsertionGuard guard(builder);
    if (condition)
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, loc, condition).thenBlock());
    write();
  }

  void store() {
    // One lane writes what all lanes of its row have read.
    if (work.lanes > 1 && llvm::any_of(written, [&](const Place &place) {
          return needed.contains(place.memref) &&
                 readRows.contains(place.memref);
        }))
      gpu::BarrierOp::create(builder, loc);
    for (const Place &place : written) {
      if (!needed.contains(place.memref))
        continue;
      const Held &has = *llvm::find_if(
          held, [&](const Held &one) { return one.place == place; });
      if (!hasColumns(place.dims)) {
        storeIf(both(isRow, work.lanes > 1 ? isLess(lane, 1) : Value()), [&] {
          codeFor(std::nullopt)
              .write(has.values.front(), place.memref, place.dims);
        });
        continue;
      }
      for (int64_t turn = 0; turn < numTurns; ++turn)
        storeIf(both(isRow, isColumn[turn]), [&] {
          codeFor(turn).write(has.values[turn], place.memref, place.dims);
        });
    }
  }

  /// Loads of a lane at a time, of elements that are needed once.
  static constexpr int64_t maxLoads = 8;

  const RowGroup &group;
  const RowWork &work;
  int64_t numRows, numTurns;
  SmallVector<linalg::LinalgOp> ops;
  gpu::LaunchOp launch;
  /// Memrefs that others may read.
  llvm::DenseSet<Value> needed;
  /// Null if vectors have one element.
  VectorType vector;
  Value lane;
  /// Whether the lane has a row, or in each turn columns; null if it has.
  Value isRow;
  SmallVector<Value> isColumn;
  /// The lane's row, and its first column in each turn.
  SmallVector<Value> at, columns;
  SmallVector<Held> held;
  SmallVector<Place> written;
  /// Memrefs with one element for each row that were loaded.
  llvm::DenseSet<Value> readRows;
};
} // namespace

DiagnosedSilenceableFailure
GpuRowsOp::apply(transform::TransformRewriter &rewriter,
                 transform::TransformResults &results,
                 transform::TransformState &state) {
  SmallVector<int64_t> numbers;
  DiagnosedSilenceableFailure read =
      readIntegers(*this, getParams(), getNumbers(), state, numbers);
  if (!read.succeeded())
    return read;
  RowWork work{numbers[0], numbers[1], numbers[2]};
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    auto op = dyn_cast<linalg::LinalgOp>(payload);
    if (!op)
      return refuseTarget(*this, payload,
                          llvm::createStringError("it is no linalg op"));
    llvm::Expected<RowGroup> group = findRowGroup(op);
    if (!group)
      return refuseTarget(*this, payload, group.takeError());
    if (llvm::Error why = checkWork(*group, work))
      return refuseTarget(*this, payload, std::move(why));
    RowWriter(rewriter, *group, work).write();
  }
  return DiagnosedSilenceableFailure::success();
}

LogicalResult GpuRowsOp::verify() {
  return verifyIntegers(*this, getParams(), getNumbers(), 3,
                        "three numbers: rows, lanes, width");
}

//===----------------------------------------------------------------------===//
// gpu_compute_rows
//===----------------------------------------------------------------------===//

/// How `numThreads` threads share rows of `group`, whose lanes are `lanes`; the
/// error says why they can't.
static llvm::Expected<RowWork> shareRows(const RowGroup &group, int64_t lanes,
                                         int64_t numThreads) {
  if (lanes > nvidia::warpSize)
    return llvm::createStringError(Twine(lanes) +
                                   " lanes have a row, but a warp has " +
                                   Twine(nvidia::warpSize));
  if (numThreads < nvidia::warpSize)
    return llvm::createStringError("the " + Twine(numThreads) +
                                   " threads of a block don't fill a warp");
  int64_t maxBytes = 1;
  for (const PlacedOp &placed : group.ops)
    for (Type type : placed.op->getOperandTypes())
      maxBytes = std::max<int64_t>(
          maxBytes, llvm::divideCeil(
                        getElementTypeOrSelf(type).getIntOrFloatBitWidth(), 8));
  RowWork work{numThreads / nvidia::warpSize * nvidia::warpSize / lanes, lanes,
               std::gcd(nvidia::maxAccessBytes / maxBytes, group.columns)};
  if (llvm::Error why = checkWork(group, work))
    return why;
  return work;
}

DiagnosedSilenceableFailure
GpuComputeRowsOp::apply(transform::TransformRewriter &rewriter,
                        transform::TransformResults &results,
                        transform::TransformState &state) {
  std::optional<int64_t> lanes;
  DiagnosedSilenceableFailure read = readInteger(
      *this, "number of lanes", getLanes(), getLanesParam(), state, lanes);
  if (!read.succeeded())
    return read;
  SmallVector<linalg::LinalgOp> ops;
  scf::ForallOp block;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    auto op = dyn_cast<linalg::LinalgOp>(payload);
    block = payload->getParentOfType<scf::ForallOp>();
    if (!op || !op.hasPureBufferSemantics() || !block)
      return refuseTarget(*this, payload,
                          llvm::createStringError(
                              "only linalg ops on memrefs in the 'scf.forall' "
                              "of a block can be distributed"));
    ops.push_back(op);
  }
  if (ops.empty())
    return DiagnosedSilenceableFailure::success();
  llvm::Expected<SmallVector<int64_t>> sizes = countThreads(block);
  if (!sizes)
    return refuseTarget(*this, block, sizes.takeError());
  llvm::Expected<RowGroup> group = groupRows(ops);
  if (!group)
    return refuseTarget(*this, ops.front(), group.takeError());
  llvm::Expected<RowWork> work =
      shareRows(*group, *lanes, llvm::product_of(*sizes));
  if (!work)
    return refuseTarget(*this, ops.front(), work.takeError());
  RowWriter(rewriter, *group, *work).writeInBlock(*sizes);
  return DiagnosedSilenceableFailure::success();
}

LogicalResult GpuComputeRowsOp::verify() {
  return verifyInteger(*this, "lanes", getLanes(), getLanesParam(), "by",
                       /*isNeeded=*/true);
}
