//===- BufferedProducers.cpp - Ops whose results one op reads -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/BufferedProducers.h"

#include "baco/Analysis/MatrixProduct.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace baco;

/// The memref that `value` is a part of.
static Value rootOf(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

static bool isAllocation(Value value) {
  return value.getDefiningOp<memref::AllocOp>() != nullptr;
}

namespace {
class Finder {
public:
  Finder(linalg::LinalgOp consumer, Operation *position, ProducerScope scope)
      : consumer(consumer), position(position), scope(scope) {}

  llvm::Expected<BufferedProducers> find() {
    if (scope == ProducerScope::Rows && consumer.getNumDpsInputs() > 0)
      inputs.insert(rootOf(consumer.getDpsInputs()[0]));
    else
      addInputs(consumer);
    for (Operation *op = position->getPrevNode(); op; op = op->getPrevNode())
      if (llvm::Error error = visit(op))
        return error;
    if (found.ops.empty())
      return fail("no linalg op before it computes one of its inputs in a "
                  "buffer that the function allocates");
    std::reverse(found.ops.begin(), found.ops.end());
    if (llvm::Error error = checkUsers())
      return error;
    if (llvm::Error error = checkOrder())
      return error;
    return std::move(found);
  }

private:
  static llvm::Error fail(const Twine &text) {
    return llvm::createStringError(text);
  }
  static llvm::Error fail(Operation *op, const Twine &text) {
    return fail("'" + op->getName().getStringRef() +
                "', which computes an "
                "input in a buffer, " +
                text);
  }

  void addInputs(linalg::LinalgOp op) {
    for (Value input : op.getDpsInputs())
      inputs.insert(rootOf(input));
  }

  /// Adds an op that writes an input.
  llvm::Error visit(Operation *op) {
    auto producer = dyn_cast<linalg::LinalgOp>(op);
    if (!producer || !producer.hasPureBufferSemantics())
      return llvm::Error::success();
    auto isInput = [&](Value value) {
      return inputs.contains(rootOf(value)) && isAllocation(rootOf(value));
    };
    auto results = producer.getDpsInits();
    if (llvm::none_of(results, isInput))
      return llvm::Error::success();
    if (!llvm::all_of(results, isInput))
      return fail(op, "writes other memory, too");
    for (OpOperand &result : producer.getDpsInitsMutable()) {
      AffineMap map = producer.getMatchingIndexingMap(&result);
      if (!isAllocation(result.get()) || !map.isProjectedPermutation() ||
          map.getNumResults() != producer.getNumParallelLoops())
        return fail(op, "does not write each element of it by one iteration of "
                        "its parallel iterators");
      found.buffers.insert(result.get());
    }
    if (llvm::any_of(producer.getStaticLoopRanges(), ShapedType::isDynamic))
      return fail(op, "has a dynamic shape");
    found.ops.push_back(producer);
    if (scope == ProducerScope::Rows && matchMatrixProduct(producer))
      for (Value input : producer.getDpsInputs())
        kept.insert(rootOf(input));
    else
      addInputs(producer);
    return llvm::Error::success();
  }

  bool isProducer(Operation *op) const {
    return llvm::is_contained(found.ops, op);
  }

  /// Nobody else reads the buffers, and they are read as a whole.
  llvm::Error checkUsers() {
    for (Value buffer : found.buffers) {
      if (llvm::is_contained(llvm::map_range(consumer.getDpsInits(), rootOf),
                             buffer))
        return fail("the op writes a buffer that it reads");
      for (Operation *user : buffer.getUsers())
        if (!isProducer(user) && !position->isAncestor(user) &&
            !isa<memref::DeallocOp>(user))
          return fail("'" + user->getName().getStringRef() +
                      "' uses a buffer that an input is computed in, too");
    }
    return llvm::Error::success();
  }

  /// The producers' inputs stay the same until `position`, and while the
  /// consumer runs.
  llvm::Error checkOrder() {
    auto isRead = [&](Value value) {
      Value root = rootOf(value);
      return (inputs.contains(root) || kept.contains(root)) &&
             !found.buffers.contains(root);
    };
    if (llvm::any_of(consumer.getDpsInits(), [&](Value result) {
          return llvm::any_of(found.ops, [&](linalg::LinalgOp producer) {
            return llvm::is_contained(
                llvm::map_range(producer.getDpsInputs(), rootOf),
                rootOf(result));
          });
        }))
      return fail("it writes what an op that computes an input reads");
    for (Operation *op = found.ops.front()->getNextNode(); op != position;
         op = op->getNextNode()) {
      if (isProducer(op) || isMemoryEffectFree(op) || isa<memref::AllocOp>(op))
        continue;
      if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
        if (isRead(dealloc.getMemref()))
          return fail("what an op that computes an input reads is freed before "
                      "it");
        continue;
      }
      auto other = dyn_cast<linalg::LinalgOp>(op);
      if (!other || llvm::any_of(other.getDpsInits(), isRead))
        return fail("'" + op->getName().getStringRef() +
                    "' before it may change what an op that computes an input "
                    "reads");
    }
    return llvm::Error::success();
  }

  linalg::LinalgOp consumer;
  Operation *position;
  BufferedProducers found;
  ProducerScope scope;
  /// The memrefs that the consumer and the producers read, and those of them
  /// whose producers stay where they are.
  llvm::SetVector<Value> inputs, kept;
};
} // namespace

llvm::Expected<BufferedProducers>
baco::findBufferedProducers(linalg::LinalgOp consumer, Operation *position,
                            ProducerScope scope) {
  return Finder(consumer, position, scope).find();
}

SmallVector<linalg::LinalgOp> baco::listFusedProducers(linalg::LinalgOp op,
                                                       RecipeAttr recipe) {
  for (Attribute step : recipe.getSteps()) {
    auto chain = dyn_cast<GpuChainAttr>(step);
    if (!chain && !isa<GpuFuseAttr>(step))
      continue;
    auto producers = findBufferedProducers(
        op, op, chain ? scopeOf(chain) : ProducerScope::Inputs);
    if (!llvm::errorToBool(producers.takeError()))
      return std::move(producers->ops);
  }
  return {};
}
