//===- GpuEpilogue.cpp - Elementwise ops on accumulators ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that stores elements of a result has them in registers: there, ops
// that follow are done on them. So it doesn't matter which thread has which
// elements, or how they were computed.
//
//===----------------------------------------------------------------------===//

#include "GpuViews.h"
#include "TargetError.h"

#include "baco/Analysis/Epilogue.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace baco;

//===----------------------------------------------------------------------===//
// gpu_epilogue
//===----------------------------------------------------------------------===//

/// The type of `result` under the name by which accesses to it are found: with
/// a layout of strides. A cast to an equal type would be folded.
static MemRefType nameType(Value result) {
  auto type = cast<MemRefType>(result.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), offset, strides),
      type.getMemorySpace());
}

/// Whether `op` gives a result its name.
static bool isName(UnrealizedConversionCastOp op) {
  if (op.getNumOperands() != 1 || op.getNumResults() != 1)
    return false;
  auto type = dyn_cast<MemRefType>(op.getOperand(0).getType());
  return type && type.getLayout().isIdentity() &&
         op.getResult(0).getType() == nameType(op.getOperand(0));
}

/// Lets `op` write its result, or the padded view of it, by a name of its own.
static void nameResult(RewriterBase &rewriter, linalg::LinalgOp op,
                       Value result) {
  OpOperand *use = op.getDpsInitOperand(0);
  if (use->get() != result)
    use = &use->get().getDefiningOp()->getOpOperand(0);
  rewriter.setInsertionPoint(use->getOwner());
  auto name = UnrealizedConversionCastOp::create(
      rewriter, op.getLoc(), nameType(result), ValueRange(result));
  rewriter.modifyOpInPlace(use->getOwner(),
                           [&] { use->set(name.getResult(0)); });
}

/// Computes `value` before `position`.
static void moveBefore(RewriterBase &rewriter, Value value,
                       Operation *position) {
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getBlock() != position->getBlock() ||
      definition->isBeforeInBlock(position))
    return;
  for (Value operand : definition->getOperands())
    moveBefore(rewriter, operand, position);
  rewriter.moveOpBefore(definition, position);
}

DiagnosedSilenceableFailure
GpuEpilogueOp::apply(transform::TransformRewriter &rewriter,
                     transform::TransformResults &results,
                     transform::TransformState &state) {
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    auto op = dyn_cast<linalg::LinalgOp>(payload);
    Epilogue epilogue = op ? findEpilogue(op) : Epilogue();
    if (epilogue.isEmpty())
      return refuseTarget(
          *this, payload,
          llvm::createStringError(
              "no elementwise op is next to it that sets or reads its result"));
    for (const ElementwiseOp &one : epilogue.after) {
      llvm::SetVector<Value> used(one.op->operand_begin(),
                                  one.op->operand_end());
      getUsedValuesDefinedAbove(one.op->getRegions(), used);
      // The views of gpu_pad are before the op.
      for (Value value : used)
        moveBefore(rewriter, value, op);
    }
    nameResult(rewriter, op, epilogue.result);
  }
  return DiagnosedSilenceableFailure::success();
}

void GpuEpilogueOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}

//===----------------------------------------------------------------------===//
// gpu_inline
//===----------------------------------------------------------------------===//

/// Whether `value` is computed from `variable`.
static bool dependsOn(Value value, Value variable) {
  if (value == variable)
    return true;
  Operation *definition = value.getDefiningOp();
  return definition && definition->getNumRegions() == 0 &&
         llvm::any_of(definition->getOperands(), [&](Value operand) {
           return dependsOn(operand, variable);
         });
}

namespace {
/// The load or store of an element, or of some along the last dimension.
struct Access {
  Operation *op;
  /// What the op accesses, and where.
  Value part;
  SmallVector<Value> indices;
  /// What is stored; null for a load.
  Value stored;

  Type type() const {
    return stored ? stored.getType() : op->getResultTypes()[0];
  }
};
} // namespace

/// Nothing if `user` isn't a load from `part` or a store to it.
static std::optional<Access> asAccess(Operation *user, Value part) {
  if (auto load = dyn_cast<memref::LoadOp>(user))
    return Access{user, part, SmallVector<Value>(load.getIndices()), Value()};
  if (auto load = dyn_cast<vector::LoadOp>(user);
      load && load.getVectorType().getRank() == 1)
    return Access{user, part, SmallVector<Value>(load.getIndices()), Value()};
  if (auto store = dyn_cast<memref::StoreOp>(user);
      store && store.getMemRef() == part)
    return Access{user, part, SmallVector<Value>(store.getIndices()),
                  store.getValue()};
  if (auto store = dyn_cast<vector::StoreOp>(user);
      store && store.getVectorType().getRank() == 1)
    return Access{user, part, SmallVector<Value>(store.getIndices()),
                  store.getValueToStore()};
  return std::nullopt;
}

namespace {
class EpilogueWriter {
public:
  EpilogueWriter(RewriterBase &builder, UnrealizedConversionCastOp name,
                 Epilogue epilogue)
      : builder(builder), name(name), epilogue(std::move(epilogue)),
        launch(name->getParentOfType<gpu::LaunchOp>()),
        shape(cast<MemRefType>(name.getResult(0).getType()).getShape()) {}

  /// The error says what isn't as it must be.
  llvm::Error write() {
    parts = listParts(name);
    for (Operation *part : parts)
      if (isa<UnrealizedConversionCastOp>(part))
        shape = cast<MemRefType>(part->getResult(0).getType()).getShape();
    if (llvm::Error why = findAccesses())
      return why;
    if (llvm::Error why = checkAccesses())
      return why;
    findNeeded();
    for (const Access &load : loads)
      replaceLoad(load);
    for (const Access &store : stores)
      replaceStore(store);
    for (Operation *part : llvm::reverse(parts))
      builder.eraseOp(part);
    removeOps();
    return llvm::Error::success();
  }

private:
  llvm::Error findAccesses() {
    for (Operation *part : parts)
      for (Operation *user : part->getUsers()) {
        if (llvm::is_contained(parts, user))
          continue;
        std::optional<Access> access = asAccess(user, part->getResult(0));
        if (!access)
          return llvm::createStringError(
              "'" + user->getName().getStringRef() +
              "' accesses the result, which must be in registers");
        (access->stored ? stores : loads).push_back(std::move(*access));
      }
    return llvm::Error::success();
  }

  /// Each element is stored once, after it was loaded.
  llvm::Error checkAccesses() {
    for (const Access &store : stores)
      for (Operation *around = store.op->getParentOp(); around != launch;
           around = around->getParentOp())
        if (auto loop = dyn_cast<scf::ForOp>(around);
            loop &&
            llvm::none_of(store.indices,
                          [&](Value index) {
                            return dependsOn(index, loop.getInductionVar());
                          }) &&
            !dependsOn(store.part, loop.getInductionVar()))
          return llvm::createStringError(
              "a loop stores elements of the result in each iteration: it "
              "must be in registers until all are done");
    for (const Access &load : loads) {
      bool isFirst = false;
      for (const Access &store : stores)
        if (store.op->getBlock() == load.op->getBlock()) {
          isFirst = load.op->isBeforeInBlock(store.op);
          if (!isFirst)
            break;
        }
      if (!isFirst)
        return llvm::createStringError(
            "elements of the result are loaded after some were stored");
    }
    return llvm::Error::success();
  }

  SmallVector<ElementwiseOp> all() const {
    SmallVector<ElementwiseOp> list;
    if (epilogue.before)
      list.push_back(*epilogue.before);
    llvm::append_range(list, epilogue.after);
    return list;
  }

  SmallVector<unsigned> identity() const {
    return llvm::to_vector(llvm::seq<unsigned>(0, shape.size()));
  }

  /// `memref`, or a view of it as large as that of the result.
  Value viewOf(Value memref, ArrayRef<unsigned> dims) {
    SmallVector<int64_t> padded =
        llvm::map_to_vector(dims, [&](unsigned dim) { return shape[dim]; });
    for (const View &known : views)
      if (known.memref == memref && known.shape == padded)
        return known.view;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&launch.getBody().front());
    Value view = padView(builder, name.getLoc(), memref, padded);
    views.push_back({memref, padded, view});
    return view;
  }

  /// Finds which of the memrefs that are written others may read.
  void findNeeded() {
    llvm::SmallPtrSet<Operation *, 8> ops;
    for (const ElementwiseOp &one : all())
      ops.insert(one.op);
    auto isReadBehind = [&](Value memref) {
      if (!memref.getDefiningOp<memref::AllocOp>())
        return true;
      SmallVector<Value> parts = {memref};
      while (!parts.empty())
        for (Operation *user : parts.pop_back_val().getUsers())
          if (isa<ViewLikeOpInterface, UnrealizedConversionCastOp>(user))
            parts.push_back(user->getResult(0));
          else if (!ops.contains(user) && !isa<memref::DeallocOp>(user) &&
                   !launch->isAncestor(user))
            return true;
      return false;
    };
    // What was there before stays for the op to add to.
    if (!epilogue.before || isReadBehind(epilogue.result))
      needed.insert(epilogue.result);
    for (const ElementwiseOp &one : epilogue.after)
      for (Value output : linalg::LinalgOp(one.op).getDpsInits())
        if (isReadBehind(output))
          needed.insert(output);
  }

  SmallVector<Value> indicesOf(const Access &access) {
    return indicesInView(builder, loc, name.getResult(0), access.part,
                         access.indices);
  }

  void replaceLoad(const Access &load) {
    builder.setInsertionPoint(load.op);
    loc = load.op->getLoc();
    at = indicesOf(load);
    vector = dyn_cast<VectorType>(load.type());
    Value value = epilogue.before ? compute(*epilogue.before, {})[0]
                                  : read(epilogue.result, identity());
    builder.replaceOp(load.op, value);
  }

  void replaceStore(const Access &store) {
    builder.setInsertionPoint(store.op);
    loc = store.op->getLoc();
    at = indicesOf(store);
    vector = dyn_cast<VectorType>(store.type());
    llvm::MapVector<Value, Value> registers;
    llvm::DenseMap<Value, SmallVector<unsigned>> dims;
    registers[epilogue.result] = store.stored;
    dims[epilogue.result] = identity();
    for (const ElementwiseOp &one : epilogue.after) {
      linalg::LinalgOp op = one.op;
      SmallVector<Value> computed = compute(one, registers);
      for (auto [output, value] :
           llvm::zip_equal(op.getDpsInitsMutable(), computed)) {
        registers[output.get()] = value;
        dims[output.get()] = one.dims[output.getOperandNumber()];
      }
    }
    for (auto [memref, value] : registers)
      if (needed.contains(memref))
        write(value, memref, dims[memref]);
    builder.eraseOp(store.op);
  }

  /// `type`, or a vector of it as long as the access.
  Type widen(Type type) const {
    return vector ? VectorType::get(vector.getShape(), type) : type;
  }

  Value widen(Value scalar) {
    return vector ? vector::BroadcastOp::create(builder, loc,
                                                widen(scalar.getType()), scalar)
                        .getResult()
                  : scalar;
  }

  /// What `one` computes from `registers`, and from memory for what isn't
  /// there.
  SmallVector<Value> compute(const ElementwiseOp &one,
                             const llvm::MapVector<Value, Value> &registers) {
    linalg::LinalgOp op = one.op;
    Block *body = op.getBlock();
    IRMapping mapping;
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      if (argument.use_empty())
        continue;
      Value value = operand.get();
      if (const auto *known = registers.find(value); known != registers.end())
        value = known->second;
      else if (isa<MemRefType>(value.getType()))
        value = read(value, one.dims[operand.getOperandNumber()]);
      else
        value = widen(value);
      mapping.map(argument, value);
    }
    auto prepare = [&](ValueRange used) {
      for (Value value : used)
        if (!mapping.contains(value))
          mapping.map(value, widen(value));
    };
    for (Operation &inner : body->without_terminator()) {
      prepare(inner.getOperands());
      Operation *copy = builder.clone(inner, mapping);
      bool isScalar = inner.getNumOperands() == 0;
      for (auto [result, copied] :
           llvm::zip_equal(inner.getResults(), copy->getResults())) {
        if (!isScalar)
          copied.setType(widen(result.getType()));
        mapping.map(result, isScalar ? widen(copied) : Value(copied));
      }
    }
    prepare(body->getTerminator()->getOperands());
    return llvm::map_to_vector(
        body->getTerminator()->getOperands(),
        [&](Value value) { return mapping.lookup(value); });
  }

  /// The place of element `i` of the access in a memref that `dims` index.
  SmallVector<Value> placeIn(ArrayRef<unsigned> dims, int64_t i) {
    SmallVector<Value> place;
    for (unsigned dim : dims) {
      bool isMoved = i > 0 && dim + 1 == shape.size();
      place.push_back(isMoved
                          ? arith::AddIOp::create(
                                builder, loc, at[dim],
                                arith::ConstantIndexOp::create(builder, loc, i))
                                .getResult()
                          : at[dim]);
    }
    return place;
  }

  /// Whether the elements of the access are neighbors in `memref`.
  bool isVectorIn(Value memref, ArrayRef<unsigned> dims) const {
    return vector && !dims.empty() && dims.back() + 1 == shape.size() &&
           cast<MemRefType>(memref.getType()).isLastDimUnitStride();
  }

  Value read(Value memref, ArrayRef<unsigned> dims) {
    Value view = viewOf(memref, dims);
    Type element = cast<MemRefType>(memref.getType()).getElementType();
    if (isVectorIn(memref, dims))
      return vector::LoadOp::create(builder, loc,
                                    cast<VectorType>(widen(element)), view,
                                    placeIn(dims, 0));
    auto load = [&](int64_t i) -> Value {
      return memref::LoadOp::create(builder, loc, view, placeIn(dims, i));
    };
    if (!vector || !llvm::is_contained(dims, shape.size() - 1))
      return widen(load(0));
    SmallVector<Value> elements;
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      elements.push_back(load(i));
    return vector::FromElementsOp::create(
        builder, loc, cast<VectorType>(widen(element)), elements);
  }

  void write(Value value, Value memref, ArrayRef<unsigned> dims) {
    Value view = viewOf(memref, dims);
    if (isVectorIn(memref, dims)) {
      vector::StoreOp::create(builder, loc, value, view, placeIn(dims, 0));
      return;
    }
    for (int64_t i = 0, e = vector ? vector.getNumElements() : 1; i < e; ++i) {
      Value element =
          vector ? vector::ExtractOp::create(builder, loc, value, i).getResult()
                 : value;
      memref::StoreOp::create(builder, loc, element, view, placeIn(dims, i));
    }
  }

  /// Erases the ops, and buffers that nothing uses any more.
  void removeOps() {
    llvm::SetVector<Value> buffers;
    for (linalg::LinalgOp op : epilogue.list()) {
      buffers.insert_range(op->getOperands());
      builder.eraseOp(op);
    }
    for (Value buffer : buffers) {
      auto alloc = buffer.getDefiningOp<memref::AllocOp>();
      if (!alloc ||
          !llvm::all_of(alloc->getUsers(), llvm::IsaPred<memref::DeallocOp>))
        continue;
      for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
        builder.eraseOp(user);
      builder.eraseOp(alloc);
    }
  }

  RewriterBase &builder;
  UnrealizedConversionCastOp name;
  Epilogue epilogue;
  gpu::LaunchOp launch;
  /// The shape of the result, or of the view that is larger.
  ArrayRef<int64_t> shape;
  /// The result under its name, and parts of it.
  SmallVector<Operation *> parts;
  SmallVector<Access> loads, stores;
  /// Of memrefs, with their shapes.
  struct View {
    Value memref;
    SmallVector<int64_t> shape;
    Value view;
  };
  SmallVector<View> views;
  /// Memrefs that must be written.
  llvm::DenseSet<Value> needed;
  /// Of the access that is being replaced: its place in the result, and its
  /// type; null if it has one element.
  SmallVector<Value> at;
  VectorType vector;
  Location loc = name.getLoc();
};
} // namespace

/// The ops around the launch that stores the result with `name`.
static Epilogue findEpilogueOf(UnrealizedConversionCastOp name,
                               gpu::LaunchOp launch) {
  Value result = name.getOperand(0);
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(launch.getBody(), used);
  SmallVector<Value> inputs;
  for (Value value : used)
    if (isa<MemRefType>(value.getType()) && value != result)
      inputs.push_back(value);
  return findEpilogue(launch, result, inputs);
}

DiagnosedSilenceableFailure
GpuInlineOp::apply(transform::TransformRewriter &rewriter,
                   transform::TransformResults &results,
                   transform::TransformState &state) {
  for (Operation *function : state.getPayloadOps(getTarget())) {
    SmallVector<UnrealizedConversionCastOp> names;
    function->walk([&](UnrealizedConversionCastOp op) {
      if (isName(op) && !op.use_empty() && op->getParentOfType<gpu::LaunchOp>())
        names.push_back(op);
    });
    for (UnrealizedConversionCastOp name : names) {
      auto launch = name->getParentOfType<gpu::LaunchOp>();
      if (llvm::Error why =
              EpilogueWriter(rewriter, name, findEpilogueOf(name, launch))
                  .write())
        return refuseTarget(*this, launch, std::move(why));
    }
  }
  return DiagnosedSilenceableFailure::success();
}

void GpuInlineOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}
