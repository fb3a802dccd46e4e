//===- GpuPad.cpp - Full tiles at the edges of operands -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operand becomes a view that is larger than its memory, so that all tiles
// are full and of static shape, and everything between copies to shared memory
// and the last stores is the code of whole tiles. In the end, accesses to such
// a view are guarded: by a condition, or where `cp.async` copies, by the number
// of elements that it reads before it fills with zeros.
//
//===----------------------------------------------------------------------===//

#include "GpuViews.h"
#include "TargetError.h"
#include "UnalignedVector.h"

#include "baco/Analysis/MatrixProduct.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace baco;

//===----------------------------------------------------------------------===//
// gpu_pad
//===----------------------------------------------------------------------===//

/// The value of `index`, a sum of multiples of iterators, where these are
/// `extents` - 1; nothing if it is something else.
static std::optional<int64_t> lastIndex(AffineExpr index,
                                        ArrayRef<int64_t> extents) {
  SmallVector<AffineExpr> last;
  for (int64_t extent : extents)
    last.push_back(getAffineConstantExpr(extent - 1, index.getContext()));
  auto value = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(index.replaceDims(last), 0, 0));
  return value ? std::optional(value.getValue()) : std::nullopt;
}

/// The shape of `operand` if iterators have `extents`, where these aren't 0;
/// nothing if its dimensions don't grow with them.
static std::optional<SmallVector<int64_t>>
shapeFor(linalg::LinalgOp op, OpOperand &operand, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> shape(op.getShape(&operand)),
      before(op.getStaticLoopRanges()), after(before);
  for (auto [own, extent] : llvm::zip_equal(after, extents))
    own = extent ? extent : own;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [size, index] : llvm::zip_equal(shape, map.getResults())) {
    std::optional<int64_t> last = lastIndex(index, before),
                           next = lastIndex(index, after);
    if (!last || !next || *next < *last)
      return std::nullopt;
    size += *next - *last;
  }
  return shape;
}

/// Whether zeros at the end of inputs change nothing: `op` adds up products, or
/// the elements of its one input.
static bool isSumOfZeros(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  Operation &first = body.front();
  return linalg::isaContractionOpInterface(op) ||
         (op.getNumDpsInputs() == 1 &&
          isa<arith::AddFOp, arith::AddIOp>(first) &&
          llvm::all_of(first.getOperands(), llvm::IsaPred<BlockArgument>) &&
          first.getOperand(0) != first.getOperand(1) &&
          body.getTerminator()->getOperand(0) == first.getResult(0));
}

llvm::Error baco::checkPadding(linalg::LinalgOp op, ArrayRef<int64_t> extents) {
  if (extents.size() != op.getNumLoops())
    return llvm::createStringError(Twine(extents.size()) +
                                   " extents given for " +
                                   Twine(op.getNumLoops()) + " iterators");
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [iterator, own] : llvm::enumerate(op.getStaticLoopRanges())) {
    int64_t extent = extents[iterator];
    if (ShapedType::isDynamic(own) || (extent != 0 && extent < own))
      return llvm::createStringError(
          "extent " + Twine(extent) + " of iterator " + Twine(iterator) +
          " is smaller than the op's, or that is not static");
    // The element that is written says what is outside.
    bool isInResult = llvm::is_contained(
        result.getResults(), getAffineDimExpr(iterator, op.getContext()));
    if (extent > own && !isInResult && !isSumOfZeros(op))
      return llvm::createStringError(
          "iterator " + Twine(iterator) +
          " doesn't index the result, but has another extent: that is for "
          "sums and products of matrices, which zeros don't change");
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.isScalar(&operand))
      continue;
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    int64_t offset;
    SmallVector<int64_t> strides;
    if (!type || !type.hasStaticShape() ||
        failed(type.getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides) ||
        !shapeFor(op, operand, extents))
      return llvm::createStringError(
          "operand " + Twine(operand.getOperandNumber()) +
          " is no memref of static shape and strides whose dimensions are "
          "indexed by sums of multiples of iterators");
  }
  return llvm::Error::success();
}

DiagnosedSilenceableFailure
GpuPadOp::apply(transform::TransformRewriter &rewriter,
                transform::TransformResults &results,
                transform::TransformState &state) {
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    auto op = dyn_cast<linalg::LinalgOp>(payload);
    if (!op || !op.hasPureBufferSemantics())
      return refuseTarget(
          *this, payload,
          llvm::createStringError("only linalg ops on memrefs can be padded"));
    if (llvm::Error why = checkPadding(op, getExtents()))
      return refuseTarget(*this, payload, std::move(why));
    rewriter.setInsertionPoint(op);
    // The op has its own extents as long as no operand is another one.
    SmallVector<SmallVector<int64_t>> shapes;
    for (OpOperand &operand : op->getOpOperands())
      shapes.push_back(*shapeFor(op, operand, getExtents()));
    for (auto [operand, shape] : llvm::zip_equal(op->getOpOperands(), shapes)) {
      if (op.isScalar(&operand))
        continue;
      Value view = padView(rewriter, op.getLoc(), operand.get(), shape);
      if (view != operand.get())
        rewriter.modifyOpInPlace(op, [&] { operand.set(view); });
    }
  }
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// gpu_guard
//===----------------------------------------------------------------------===//

/// Whether `view` is an operand that gpu_pad made larger than its memory.
static bool isPaddedView(UnrealizedConversionCastOp view) {
  if (view.getNumOperands() != 1 || view.getNumResults() != 1)
    return false;
  auto source = dyn_cast<MemRefType>(view.getOperand(0).getType()),
       type = dyn_cast<MemRefType>(view.getResult(0).getType());
  return source && type && source.hasStaticShape() && type.hasStaticShape() &&
         source.getRank() == type.getRank() &&
         source.getShape() != type.getShape() &&
         llvm::all_of(llvm::zip_equal(source.getShape(), type.getShape()),
                      [](auto sizes) {
                        return std::get<0>(sizes) <= std::get<1>(sizes);
                      });
}

namespace {
/// Guards the accesses to one view.
class GuardWriter : IndexWriter {
public:
  GuardWriter(RewriterBase &builder, UnrealizedConversionCastOp view)
      : IndexWriter(builder, view.getLoc()), view(view),
        memory(view.getOperand(0)),
        bounds(cast<MemRefType>(memory.getType()).getShape()),
        shape(cast<MemRefType>(view.getResult(0).getType()).getShape()) {}

  /// The error says which use of the view can't be guarded.
  llvm::Error write() {
    SmallVector<Operation *> parts = listParts(view);
    guardTogether(parts);
    for (Operation *part : parts)
      for (OpOperand &use :
           llvm::make_early_inc_range(part->getResult(0).getUses()))
        if (!llvm::is_contained(parts, use.getOwner()))
          if (llvm::Error why = guard(use))
            return why;
    for (Operation *part : llvm::reverse(parts))
      builder.eraseOp(part);
    return llvm::Error::success();
  }

  /// Whether the view is larger than its memory along `dim`.
  bool isPadded(size_t dim) const { return bounds[dim] < shape[dim]; }

  /// Whether the element at `indices` of a part of the view is inside along
  /// `dim`.
  Value isInside(Value part, ValueRange indices, size_t dim) {
    loc = part.getLoc();
    return isLess(indicesInView(part, indices)[dim], bounds[dim]);
  }

  bool isPart(Value value) {
    while (value != view.getResult(0)) {
      Operation *definition = value.getDefiningOp();
      if (!isa_and_present<memref::SubViewOp, memref::CastOp>(definition))
        return false;
      value = definition->getOperand(0);
    }
    return true;
  }

  /// The load or store of an element, which is inside, accesses the memory.
  void accessInside(Operation *op) {
    builder.setInsertionPoint(op);
    loc = op->getLoc();
    if (auto load = dyn_cast<memref::LoadOp>(op))
      builder.replaceOp(
          op, this->load(load.getType(),
                         indicesInView(load.getMemRef(), load.getIndices())));
    else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      this->store(store.getValue(),
                  indicesInView(store.getMemRef(), store.getIndices()));
      builder.eraseOp(op);
    }
  }

private:
  /// A load of elements that a thread keeps, or a store of them.
  struct Element {
    Operation *op;
    Value part;
    SmallVector<Value> indices;
    Value stored;
  };

  static std::optional<Element> asElement(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return Element{op, use.get(), load.getIndices(), {}};
    if (auto load = dyn_cast<vector::LoadOp>(op);
        load && load.getVectorType().getRank() <= 1 && !isForShared(op))
      return Element{op, use.get(), load.getIndices(), {}};
    if (auto store = dyn_cast<memref::StoreOp>(op);
        store && store.getMemRef() == use.get())
      return Element{op, use.get(), store.getIndices(), store.getValue()};
    if (auto store = dyn_cast<vector::StoreOp>(op);
        store && store.getBase() == use.get() &&
        store.getVectorType().getRank() <= 1)
      return Element{op, use.get(), store.getIndices(),
                     store.getValueToStore()};
    return std::nullopt;
  }

  /// Lets loads between which nothing accesses memory have one branch for the
  /// case that all of them are inside, and stores, too: then loads wait
  /// together.
  void guardTogether(ArrayRef<Operation *> parts) {
    llvm::MapVector<Operation *, Element> elements;
    SetVector<Block *> blocks;
    for (Operation *part : parts)
      for (OpOperand &use : part->getResult(0).getUses())
        if (std::optional<Element> element = asElement(use)) {
          elements[use.getOwner()] = *element;
          blocks.insert(use.getOwner()->getBlock());
        }
    for (Block *block : blocks) {
      SmallVector<SmallVector<Element>> groups(1);
      for (Operation &op : *block) {
        auto *found = elements.find(&op);
        bool isNew = found == elements.end() ? !isMemoryEffectFree(&op)
                     : groups.back().empty() ? false
                                             : !groups.back().back().stored !=
                                                   !found->second.stored;
        if (isNew && !groups.back().empty())
          groups.emplace_back();
        if (found != elements.end())
          groups.back().push_back(found->second);
      }
      for (ArrayRef<Element> group : groups)
        if (group.size() > 1)
          guardTogether(group);
    }
  }

  void guardTogether(ArrayRef<Element> group) {
    bool isStore = group[0].stored != nullptr;
    Operation *place = isStore ? group.back().op : group.front().op;
    loc = place->getLoc();
    builder.setInsertionPoint(place);
    Value inside;
    SmallVector<SmallVector<Value>> at;
    SmallVector<Type> types;
    for (const Element &element : group) {
      for (Value index : element.indices)
        moveBefore(builder, index, place);
      at.push_back(indicesInView(element.part, element.indices));
      Type type =
          isStore ? element.stored.getType() : element.op->getResultTypes()[0];
      inside = both(inside, both(isRowInside(at.back()),
                                 areInside(at.back(), lengthOf(type))));
      types.push_back(type);
    }
    if (!inside)
      return;
    auto choice = scf::IfOp::create(builder, loc,
                                    isStore ? TypeRange() : TypeRange(types),
                                    inside, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    for (bool isInside : {true, false}) {
      Block *block = isInside ? choice.thenBlock() : choice.elseBlock();
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(block);
      SmallVector<Value> loaded;
      for (auto [element, here, type] : llvm::zip_equal(group, at, types)) {
        if (isStore)
          isInside ? store(element.stored, here)
                   : storeInside(element.stored, here);
        else
          loaded.push_back(isInside ? load(type, here)
                                    : loadInside(type, here));
      }
      builder.setInsertionPointToEnd(block);
      scf::YieldOp::create(builder, loc, loaded);
    }
    for (auto [i, element] : llvm::enumerate(group)) {
      if (!isStore)
        element.op->replaceAllUsesWith(
            ValueRange(choice.getResult(static_cast<unsigned>(i))));
      builder.eraseOp(element.op);
    }
  }

  llvm::Error guard(OpOperand &use) {
    Operation *user = use.getOwner();
    builder.setInsertionPoint(user);
    loc = user->getLoc();
    if (auto load = dyn_cast<memref::LoadOp>(user))
      replaceLoad(load, use.get(), load.getIndices());
    else if (auto store = dyn_cast<memref::StoreOp>(user);
             store && store.getMemRef() == use.get())
      replaceStore(store, store.getValue(), use.get(), store.getIndices());
    else if (auto load = dyn_cast<vector::LoadOp>(user);
             load && load.getVectorType().getRank() <= 1)
      replaceLoad(load, use.get(), load.getIndices());
    else if (auto store = dyn_cast<vector::StoreOp>(user);
             store && store.getVectorType().getRank() <= 1)
      replaceStore(store, store.getValueToStore(), use.get(),
                   store.getIndices());
    else if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(user);
             copy && copy.getSrc() == use.get() && !copy.getSrcElements())
      limitCopy(copy);
    else
      return llvm::createStringError(
          "'" + user->getName().getStringRef() +
          "' accesses an operand that 'gpu_pad' made larger, but it can't be "
          "guarded");
    return llvm::Error::success();
  }

  /// The indices of an element of a part of the view in the view.
  SmallVector<Value> indicesInView(Value part, ValueRange indices) {
    return baco::indicesInView(builder, loc, view.getResult(0), part, indices);
  }

  /// Whether all dimensions but the last are inside; null if they always are.
  Value isRowInside(ArrayRef<Value> at) {
    Value inside;
    for (size_t dim = 0; dim + 1 < at.size(); ++dim)
      if (isPadded(dim))
        inside = both(inside, isLess(at[dim], bounds[dim]));
    return inside;
  }

  /// Whether `length` elements along the last dimension are inside; null if
  /// they always are.
  Value areInside(ArrayRef<Value> at, int64_t length) {
    return isPadded(shape.size() - 1)
               ? isLess(at.back(),
                        std::max<int64_t>(0, bounds.back() - length + 1))
               : Value();
  }

  /// How many elements along the last dimension an access of `type` has.
  static int64_t lengthOf(Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getNumElements() : 1;
  }

  /// Whether vectors of `length` elements may be inside in part.
  bool canBeSplit(int64_t length) const {
    return isPadded(shape.size() - 1) && bounds.back() % length != 0;
  }

  Value zero(Type type) {
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  }

  Value load(Type type, ArrayRef<Value> at) {
    if (auto vector = dyn_cast<VectorType>(type))
      return vector::LoadOp::create(builder, loc, vector, memory, at);
    return memref::LoadOp::create(builder, loc, memory, at);
  }

  /// What `then` makes if `condition` holds, else what `otherwise` does.
  Value choose(Value condition, function_ref<Value()> then,
               function_ref<Value()> otherwise) {
    auto build = [](function_ref<Value()> make) {
      return [=](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, make());
      };
    };
    OpBuilder::InsertionGuard guard(builder);
    return scf::IfOp::create(builder, loc, condition, build(then),
                             build(otherwise))
        .getResult(0);
  }

  /// Whether what `op` loads is copied to shared memory. Then nobody writes
  /// what it loads from.
  static bool isForShared(Operation *op) {
    return llvm::all_of(op->getUsers(), [](Operation *user) {
      auto store = dyn_cast<vector::StoreOp>(user);
      return store && gpu::GPUDialect::isWorkgroupMemoryAddressSpace(
                          store.getMemRefType().getMemorySpace());
    });
  }

  /// Loads something that is inside in any case, so that no branch is between
  /// loads, which then wait together, and chooses where it is stored. `row`
  /// says whether all dimensions but the last are inside.
  void loadAnyway(Operation *op, Value row, ArrayRef<Value> at,
                  int64_t length) {
    Type type = op->getResult(0).getType();
    SmallVector<Value> inside(at), loaded, conditions;
    for (size_t dim = 0; dim + 1 < at.size(); ++dim)
      if (isPadded(dim))
        inside[dim] = arith::MinUIOp::create(builder, loc, at[dim],
                                             constant(bounds[dim] - 1));
    auto vector = dyn_cast<VectorType>(type);
    if (vector && canBeSplit(length) &&
        UnalignedVector::canLoad(cast<MemRefType>(memory.getType()), vector))
      return loadUnaligned(op, row, at, inside);
    // Vectors that may be inside in part are loaded element by element.
    int64_t each = canBeSplit(length) ? 1 : length;
    for (int64_t i = 0; i < length; i += each) {
      SmallVector<Value> here = advance(at, i);
      conditions.push_back(both(row, areInside(here, each)));
      inside.back() = here.back();
      if (isPadded(at.size() - 1))
        inside.back() = arith::MinUIOp::create(builder, loc, here.back(),
                                               constant(bounds.back() - each));
      loaded.push_back(
          load(each == length ? type : getElementTypeOrSelf(type), inside));
    }
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      builder.setInsertionPoint(use.getOwner());
      SmallVector<Value> chosen;
      for (auto [value, condition] : llvm::zip_equal(loaded, conditions))
        chosen.push_back(arith::SelectOp::create(builder, loc, condition, value,
                                                 zero(value.getType())));
      use.set(each == length ? chosen[0]
                             : vector::FromElementsOp::create(
                                   builder, loc, cast<VectorType>(type), chosen)
                                   .getResult());
    }
    builder.eraseOp(op);
  }

  /// The same for a vector that may be inside in part. `inside` is `at` with
  /// all indices but the last inside.
  void loadUnaligned(Operation *op, Value row, ArrayRef<Value> at,
                     ArrayRef<Value> inside) {
    auto type = cast<VectorType>(op->getResult(0).getType());
    int64_t length = type.getNumElements();
    UnalignedVector loaded(builder, loc, memory, type, inside);
    Value whole = both(both(row, areInside(at, length)), loaded.isLoaded());
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      builder.setInsertionPoint(use.getOwner());
      Value value = loaded.value(builder, loc);
      use.set(choose(
          whole, [&] { return value; },
          [&] {
            return choose(
                loaded.isLoaded(), [&] { return keepInside(value, row, at); },
                [&] { return loadEach(type, row, at); });
          }));
    }
    builder.eraseOp(op);
  }

  /// `vector` with zeros for what is outside.
  Value keepInside(Value vector, Value row, ArrayRef<Value> at) {
    SmallVector<Value> chosen;
    int64_t length = lengthOf(vector.getType());
    for (int64_t i = 0; i < length; ++i) {
      Value element = vector::ExtractOp::create(builder, loc, vector, i);
      SmallVector<Value> one = advance(at, i);
      chosen.push_back(
          arith::SelectOp::create(builder, loc, both(row, areInside(one, 1)),
                                  element, zero(element.getType())));
    }
    return vector::FromElementsOp::create(
        builder, loc, cast<VectorType>(vector.getType()), chosen);
  }

  /// Element by element, those that are inside.
  Value loadEach(Type type, Value row, ArrayRef<Value> at) {
    Value all = zero(type);
    Type element = getElementTypeOrSelf(type);
    for (int64_t i = 0, length = lengthOf(type); i < length; ++i) {
      SmallVector<Value> one = advance(at, i);
      Value value = choose(
          both(row, areInside(one, 1)), [&] { return load(element, one); },
          [&] { return zero(element); });
      all = vector::InsertOp::create(builder, loc, value, all, i);
    }
    return all;
  }

  /// The indices of the element that is `distance` behind `at` in its row.
  SmallVector<Value> advance(ArrayRef<Value> at, int64_t distance) {
    SmallVector<Value> other(at);
    if (distance != 0)
      other.back() =
          arith::AddIOp::create(builder, loc, at.back(), constant(distance));
    return other;
  }

  void replaceLoad(Operation *op, Value part, ValueRange indices) {
    SmallVector<Value> at = indicesInView(part, indices);
    Type type = op->getResult(0).getType();
    int64_t length = lengthOf(type);
    Value row = isRowInside(at);
    if (both(row, areInside(at, length)) && isForShared(op))
      return loadAnyway(op, row, at, length);
    builder.replaceOp(op, loadInside(type, at));
  }

  /// The elements at `at` that are inside, and zeros for others.
  Value loadInside(Type type, ArrayRef<Value> at) {
    int64_t length = lengthOf(type);
    Value row = isRowInside(at);
    Value whole = both(row, areInside(at, length));
    if (!whole)
      return load(type, at);
    return choose(
        whole, [&] { return load(type, at); },
        [&] {
          return canBeSplit(length) ? loadEach(type, row, at) : zero(type);
        });
  }

  void store(Value value, ArrayRef<Value> at) {
    if (isa<VectorType>(value.getType()))
      vector::StoreOp::create(builder, loc, value, memory, at);
    else
      memref::StoreOp::create(builder, loc, value, memory, at);
  }

  void storeIf(Value condition, Value value, ArrayRef<Value> at) {
    OpBuilder::InsertionGuard guard(builder);
    if (condition)
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, loc, condition).thenBlock());
    store(value, at);
  }

  void replaceStore(Operation *op, Value value, Value part,
                    ValueRange indices) {
    storeInside(value, indicesInView(part, indices));
    builder.eraseOp(op);
  }

  /// Stores what is inside.
  void storeInside(Value value, ArrayRef<Value> at) {
    int64_t length = lengthOf(value.getType());
    Value row = isRowInside(at);
    Value whole = both(row, areInside(at, length));
    if (!whole || !canBeSplit(length))
      return storeIf(whole, value, at);
    OpBuilder::InsertionGuard guard(builder);
    auto choice = scf::IfOp::create(builder, loc, whole,
                                    /*withElseRegion=*/true);
    builder.setInsertionPointToStart(choice.thenBlock());
    store(value, at);
    builder.setInsertionPointToStart(choice.elseBlock());
    for (int64_t i = 0; i < length; ++i) {
      SmallVector<Value> one = advance(at, i);
      storeIf(both(row, areInside(one, 1)),
              vector::ExtractOp::create(builder, loc, value, i), one);
    }
  }

  void limitCopy(nvgpu::DeviceAsyncCopyOp copy) {
    SmallVector<Value> at = indicesInView(copy.getSrc(), copy.getSrcIndices());
    int64_t length = copy.getDstElements().getSExtValue();
    Value row = isRowInside(at);
    Value count = constant(length);
    if (canBeSplit(length)) {
      Value left = arith::SubIOp::create(builder, loc, constant(bounds.back()),
                                         at.back());
      Value some = arith::MaxSIOp::create(builder, loc, left, constant(0));
      count = arith::MinSIOp::create(builder, loc, some, count);
    } else {
      row = both(row, areInside(at, length));
    }
    if (row)
      count = arith::SelectOp::create(builder, loc, row, count, constant(0));
    builder.modifyOpInPlace(copy, [&] {
      copy.getSrcMutable().assign(memory);
      copy.getSrcIndicesMutable().assign(at);
      if (row || canBeSplit(length))
        copy.getSrcElementsMutable().assign(count);
    });
  }

  UnrealizedConversionCastOp view;
  Value memory;
  ArrayRef<int64_t> bounds, shape;
};
} // namespace

/// Makes loops of `op`, on parts of `views`, which run for what is inside only.
static LogicalResult guardLoops(RewriterBase &builder, linalg::LinalgOp op,
                                MutableArrayRef<GuardWriter> views) {
  builder.setInsertionPoint(op);
  FailureOr<linalg::LinalgLoops> loops = linalg::linalgOpToLoops(builder, op);
  if (failed(loops))
    return failure();
  SmallVector<Value> variables;
  for (Operation *loop : *loops)
    variables.push_back(cast<scf::ForOp>(loop).getInductionVar());
  auto viewOf = [&](Value value) {
    return llvm::find_if(views,
                         [&](GuardWriter &view) { return view.isPart(value); });
  };
  // Iterators that are padded, and a place where that is known. Windows are
  // inside where their elements of the result are.
  struct Place {
    Value part;
    GuardWriter *view;
    size_t dim;
  };
  llvm::MapVector<unsigned, Place> padded;
  for (OpOperand &operand : op->getOpOperands())
    if (GuardWriter *view = viewOf(operand.get()); view != views.end())
      for (auto [dim, index] :
           llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        if (auto iterator = dyn_cast<AffineDimExpr>(index);
            iterator && view->isPadded(dim))
          padded[iterator.getPosition()] = {operand.get(), view, dim};
  unsigned level = 0;
  for (const auto &[iterator, place] : padded)
    level = std::max(level, iterator);
  Block *body = cast<scf::ForOp>((*loops)[level]).getBody();
  Operation *first = &body->front();
  builder.setInsertionPoint(first);
  Value inside;
  for (const auto &[iterator, place] : padded) {
    SmallVector<Value> indices;
    auto type = cast<MemRefType>(place.part.getType());
    Value zero = arith::ConstantIndexOp::create(builder, op.getLoc(), 0);
    indices.assign(type.getRank(), zero);
    indices[place.dim] = variables[iterator];
    Value here = place.view->isInside(place.part, indices, place.dim);
    inside = inside ? arith::AndIOp::create(builder, op.getLoc(), inside, here)
                    : here;
  }
  auto choice = scf::IfOp::create(builder, op.getLoc(), inside);
  Block *then = choice.thenBlock();
  then->getOperations().splice(then->begin(), body->getOperations(),
                               first->getIterator(),
                               body->getTerminator()->getIterator());
  SmallVector<Operation *> accesses;
  choice->walk([&](Operation *access) { accesses.push_back(access); });
  for (Operation *access : accesses)
    if (isa<memref::LoadOp, memref::StoreOp>(access)) {
      Value memory = isa<memref::LoadOp>(access) ? access->getOperand(0)
                                                 : access->getOperand(1);
      if (GuardWriter *view = viewOf(memory); view != views.end())
        view->accessInside(access);
    }
  builder.eraseOp(op);
  return success();
}

DiagnosedSilenceableFailure
GpuGuardOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  for (Operation *function : state.getPayloadOps(getTarget())) {
    SmallVector<GuardWriter> views;
    llvm::SetVector<linalg::LinalgOp> ops;
    function->walk([&](UnrealizedConversionCastOp view) {
      if (!isPaddedView(view))
        return;
      views.emplace_back(rewriter, view);
      for (Operation *part : listParts(view))
        for (Operation *user : part->getUsers())
          if (auto op = dyn_cast<linalg::LinalgOp>(user))
            ops.insert(op);
    });
    for (linalg::LinalgOp op : ops)
      if (failed(guardLoops(rewriter, op, views)))
        return refuseTarget(
            *this, op,
            llvm::createStringError("loops can't be made of the op"));
    for (GuardWriter &view : views)
      if (llvm::Error why = view.write())
        return refuseTarget(*this, function, std::move(why));
  }
  return DiagnosedSilenceableFailure::success();
}
