//===- GenerateStatements.cpp - Instances of statements -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GenerateStatements.h"
#include "ExtractIndices.h"

#include "baco/Analysis/MemoryRoots.h"
#include "baco/IR/ConstantArgument.h"
#include "baco/LoopNest/FunctionMemory.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;
using polyhedral::GeneratedAccess;
using polyhedral::GeneratedInstance;
using polyhedral::ScheduledStatement;

void StatementWriter::allocateBuffers(Location loc) {
  for (const polyhedral::Buffer &buffer : schedule.buffers()) {
    Value array = memref(buffer.array);
    Type element = cast<MemRefType>(array.getType()).getElementType();
    buffers.push_back(allocateInFunction(
        builder, loc, MemRefType::get(buffer.shape, element)));
    if (isConstantMemory(array))
      buffers.back().getDefiningOp()->setAttr(kCopyBuffer,
                                              builder.getUnitAttr());
  }
}

void StatementWriter::eraseBuffers() {
  for (Value buffer : buffers)
    eraseWithUsers(buffer.getDefiningOp());
}

SmallVector<NestBuffer> StatementWriter::takeBuffers() {
  SmallVector<NestBuffer> result;
  for (auto [memref, buffer] : llvm::zip_equal(buffers, schedule.buffers()))
    result.push_back({memref, buffer.loop});
  return result;
}

Value StatementWriter::memref(const std::string &name) const {
  for (auto [index, buffer] : llvm::enumerate(schedule.buffers()))
    if (buffer.name == name)
      return index < buffers.size() ? buffers[index] : Value();
  for (auto [index, array] : llvm::enumerate(nest.arrays))
    if (name == "A" + std::to_string(index))
      return array.memref;
  return {};
}

FailureOr<AffineMap>
StatementWriter::subscripts(const GeneratedAccess &access, Location loc,
                            SmallVector<Value> &operands) const {
  SmallVector<AffineExpr> expressions;
  if (access.subscripts) {
    for (const isl::ast_expr &subscript : *access.subscripts) {
      expressions.push_back(names.affine(subscript));
      if (!expressions.back())
        return emitError(loc) << "the new order needs the subscript "
                              << subscript.to_C_str() << ", which isn't affine";
    }
  }
  AffineMap map = names.map(expressions);
  operands.assign(names.operands().begin(), names.operands().end());
  compose(map, operands);
  return map;
}

LogicalResult StatementWriter::write(const GeneratedInstance &instance,
                                     Location loc) {
  const ScheduledStatement &statement =
      schedule.statements()[instance.statement];
  if (statement.kind == ScheduledStatement::Kind::Original)
    return writeOriginal(nest.statements[statement.origin], instance);
  return writeCopy(instance, loc);
}

LogicalResult StatementWriter::writeCopy(const GeneratedInstance &instance,
                                         Location loc) {
  const GeneratedAccess &read = instance.accesses[0];
  const GeneratedAccess &write = instance.accesses[1];
  SmallVector<Value> readOperands, writeOperands;
  FailureOr<AffineMap> readMap = subscripts(read, loc, readOperands);
  FailureOr<AffineMap> writeMap = subscripts(write, loc, writeOperands);
  if (failed(readMap) || failed(writeMap))
    return failure();
  Value element = affine::AffineLoadOp::create(builder, loc, memref(read.array),
                                               *readMap, readOperands);
  affine::AffineStoreOp::create(builder, loc, element, memref(write.array),
                                *writeMap, writeOperands);
  return success();
}

/// Folds what computes the subscripts of a cloned load or store into its map.
void StatementWriter::composeSubscripts(Operation *op) {
  auto composeAccess = [](auto access) {
    AffineMap map = access.getAffineMap();
    SmallVector<Value> operands(access.getMapOperands());
    compose(map, operands);
    access->setAttr(access.getMapAttrStrName(), AffineMapAttr::get(map));
    access.getIndicesMutable().assign(operands);
  };
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    composeAccess(load);
  else if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    composeAccess(store);
}

/// Lets the clone of an access refer to a buffer.
LogicalResult StatementWriter::redirect(const NestAccess &access,
                                        const GeneratedAccess &generated,
                                        IRMapping &mapping) {
  // A read that stands for a possible write is not an operation.
  if (access.isWrite != isStore(access.op))
    return success();
  Operation *clone = mapping.lookup(access.op);
  if (!generated.subscripts) {
    // A copy of the whole array has each element at its place.
    clone->replaceUsesOfWith(addressOf(clone)->memref, memref(generated.array));
    return success();
  }
  SmallVector<Value> operands;
  FailureOr<AffineMap> map = subscripts(generated, clone->getLoc(), operands);
  if (failed(map))
    return failure();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(clone);
  Value buffer = memref(generated.array);
  Operation *redirected =
      isStore(clone) ? affine::AffineStoreOp::create(builder, clone->getLoc(),
                                                     storedValue(clone), buffer,
                                                     *map, operands)
                           .getOperation()
                     : affine::AffineLoadOp::create(builder, clone->getLoc(),
                                                    buffer, *map, operands);
  clone->replaceAllUsesWith(redirected);
  clone->erase();
  return success();
}

LogicalResult
StatementWriter::writeOriginal(const NestStatement &statement,
                               const GeneratedInstance &instance) {
  IRMapping mapping;
  SmallVector<Operation *> iterators;
  for (auto [iterator, expression] :
       llvm::zip_equal(statement.iterators, instance.iterators)) {
    Value value = names.value(builder, statement.location, expression);
    if (!value)
      return emitError(statement.location)
             << "the new order needs the iterator " << expression.to_C_str()
             << ", which isn't affine";
    mapping.map(iterator, value);
    if (Operation *def = value.getDefiningOp())
      iterators.push_back(def);
  }
  for (Operation *op : statement.ops)
    composeSubscripts(builder.clone(*op, mapping));
  for (auto [index, access] : llvm::enumerate(statement.accesses)) {
    const GeneratedAccess &generated = instance.accesses[index];
    if (generated.array == "A" + std::to_string(access.array))
      continue;
    if (failed(redirect(access, generated, mapping)))
      return failure();
  }
  for (Operation *def : llvm::reverse(iterators))
    if (isOpTriviallyDead(def))
      def->erase();
  return success();
}
