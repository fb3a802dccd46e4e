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

#include "ElementCode.h"
#include "GpuViews.h"
#include "TargetError.h"

#include "baco/Analysis/Epilogue.h"
#include "baco/IR/Walk.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
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
    for (const PlacedOp &one : epilogue.after) {
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

//===----------------------------------------------------------------------===//
// gpu_inline
//===----------------------------------------------------------------------===//

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
    removeOps(builder, epilogue.list());
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
            llvm::none_of(
                store.indices,
                [&](Value index) { return dependsOn(index, loop); }) &&
            !dependsOn(store.part, loop))
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
    SmallVector<Operation *> kernel = {launch};
    llvm::append_range(kernel, epilogue.list());
    // What was there before stays for the op to add to.
    if (!epilogue.before || isUsedOutside(epilogue.result, kernel))
      needed.insert(epilogue.result);
    for (const PlacedOp &one : epilogue.after)
      for (Value output : linalg::LinalgOp(one.op).getDpsInits())
        if (isUsedOutside(output, kernel))
          needed.insert(output);
  }

  /// Code at the place of `access`.
  ElementCode codeFor(const Access &access) {
    builder.setInsertionPoint(access.op);
    Location loc = access.op->getLoc();
    return {builder, loc,
            indicesInView(builder, loc, name.getResult(0), access.part,
                          access.indices),
            dyn_cast<VectorType>(access.type())};
  }

  Value read(ElementCode &code, Value memref, ArrayRef<unsigned> dims) {
    return code.read(viewOf(memref, dims), dims);
  }

  void replaceLoad(const Access &load) {
    ElementCode code = codeFor(load);
    Value value = epilogue.before ? compute(code, *epilogue.before, {})[0]
                                  : read(code, epilogue.result, identity());
    builder.replaceOp(load.op, value);
  }

  void replaceStore(const Access &store) {
    ElementCode code = codeFor(store);
    llvm::MapVector<Value, Value> registers;
    llvm::DenseMap<Value, SmallVector<unsigned>> dims;
    registers[epilogue.result] = store.stored;
    dims[epilogue.result] = identity();
    for (const PlacedOp &one : epilogue.after) {
      linalg::LinalgOp op = one.op;
      SmallVector<Value> computed = compute(code, one, registers);
      for (auto [output, value] :
           llvm::zip_equal(op.getDpsInitsMutable(), computed)) {
        registers[output.get()] = value;
        dims[output.get()] = one.dims[output.getOperandNumber()];
      }
    }
    for (auto [memref, value] : registers)
      if (needed.contains(memref))
        code.write(value, viewOf(memref, dims[memref]), dims[memref]);
    builder.eraseOp(store.op);
  }

  /// What `one` computes from `registers`, and from memory for what isn't
  /// there.
  SmallVector<Value> compute(ElementCode &code, const PlacedOp &one,
                             const llvm::MapVector<Value, Value> &registers) {
    return code.compute(one.op, [&](OpOperand &operand) {
      const auto *known = registers.find(operand.get());
      return known != registers.end()
                 ? known->second
                 : read(code, operand.get(),
                        one.dims[operand.getOperandNumber()]);
    });
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
};
} // namespace

DiagnosedSilenceableFailure
GpuInlineOp::apply(transform::TransformRewriter &rewriter,
                   transform::TransformResults &results,
                   transform::TransformState &state) {
  for (Operation *function : state.getPayloadOps(getTarget())) {
    // Views that a kernel has computed again become those of the ops around it.
    DominanceInfo dominance(function);
    eliminateCommonSubExpressions(rewriter, dominance, function);
    SmallVector<UnrealizedConversionCastOp> names;
    function->walk([&](UnrealizedConversionCastOp op) {
      if (isName(op) && !op.use_empty() && op->getParentOfType<gpu::LaunchOp>())
        names.push_back(op);
    });
    for (UnrealizedConversionCastOp name : names) {
      auto launch = name->getParentOfType<gpu::LaunchOp>();
      if (llvm::Error why =
              EpilogueWriter(rewriter, name,
                             findEpilogue(launch, name.getOperand(0)))
                  .write())
        return refuseTarget(*this, launch, std::move(why));
    }
  }
  return DiagnosedSilenceableFailure::success();
}
