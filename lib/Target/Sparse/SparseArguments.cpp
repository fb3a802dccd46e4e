//===- SparseArguments.cpp - Sparse arguments as buffers ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formats of functions that take sparse tensors, and such functions with dense
// ones.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Sparse/TunedFormats.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/IR/Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sparse_tensor;
using baco::isSparse;

bool baco::target::hasSparseBoundary(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(), isSparse) ||
         llvm::any_of(function.getResultTypes(), isSparse);
}

bool baco::target::hasSparseTensors(Operation *root) {
  return baco::contains(root, [](Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    return llvm::any_of(op->getResultTypes(), isSparse) ||
           (function && hasSparseBoundary(function));
  });
}

llvm::Expected<std::vector<baco::sparse::StorageFormat>>
baco::target::sparseFormats(func::FuncOp function) {
  std::vector<sparse::StorageFormat> formats;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (!isSparse(type))
      continue;
    auto format = storageFormat(encodingOf(type));
    if (!format)
      return llvm::createStringError(
          "the format of argument " + llvm::Twine(number) +
          " isn't supported: " + llvm::toString(format.takeError()));
    formats.push_back(std::move(*format));
  }
  return formats;
}

/// `type`, without the encoding of a sparse tensor.
static Type denseType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isSparse(tensor) ? tensor.dropEncoding() : type;
}

/// Puts the body of `region` in place of `op`, whose first operands are its
/// arguments.
static void inlineRegion(Operation *op, Region &region) {
  Block &block = region.front();
  Operation *yield = block.getTerminator();
  Value result = yield->getOperand(0);
  for (auto [argument, operand] :
       // A reduction has one operand more than arguments, its identity.
       llvm::zip(block.getArguments(), op->getOperands())) {
    // A region may yield its argument, and replacing uses doesn't reach this
    // variable.
    if (result == argument)
      result = operand;
    argument.replaceAllUsesWith(operand);
  }
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         block.getOperations(), block.begin(),
                                         yield->getIterator());
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

/// Replaces ops with regions by their computation on entries. Their computation
/// without entries doesn't matter: on a dense tensor, each element is an entry.
static void inlineSemiring(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<UnaryOp, BinaryOp, ReduceOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    // Without it, nothing is computed of entries, and another op refuses that.
    Region &region = op->getRegion(0);
    if (!region.empty())
      inlineRegion(op, region);
  }
}

/// Whether restoreFormats has written `op`, to know if positions number the
/// entries of an argument.
static bool isGuard(NumberOfEntriesOp op) {
  return isa<BlockArgument>(op.getTensor()) && op->hasOneUse() &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           auto compare = dyn_cast<arith::CmpIOp>(user);
           if (!compare || compare.getPredicate() != arith::CmpIPredicate::ule)
             return false;
           std::optional<int64_t> most = getConstantIntValue(compare.getRhs());
           return most && llvm::isMask_64(static_cast<uint64_t>(*most));
         });
}

/// Takes conversions between formats out of `module`: dense tensors have none.
static void dropConversions(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    auto count = dyn_cast<NumberOfEntriesOp>(op);
    if (isa<ConvertOp, bufferization::DeallocTensorOp>(op) ||
        (count && isGuard(count)))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    OpBuilder builder(op);
    if (auto convert = dyn_cast<ConvertOp>(op))
      convert.getResult().replaceAllUsesWith(convert.getSource());
    // The tensor has so few that the tuned function is called.
    if (auto count = dyn_cast<NumberOfEntriesOp>(op))
      count.getResult().replaceAllUsesWith(
          arith::ConstantIndexOp::create(builder, op->getLoc(), 0));
    op->erase();
  }
}

LogicalResult baco::target::makeDense(ModuleOp module) {
  inlineSemiring(module);
  dropConversions(module);
  LogicalResult known =
      visitAll<Operation *>(module, [](Operation *op) -> LogicalResult {
        // The terminator of a region belongs to the op around it.
        if (!isa_and_nonnull<SparseTensorDialect>(op->getDialect()) ||
            isa<sparse_tensor::YieldOp>(op))
          return success();
        return op->emitOpError("isn't supported in kernels on sparse tensors; "
                               "use 'linalg.generic'");
      });
  if (failed(known))
    return failure();
  // Their entries aren't those of dense tensors.
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (encodingOf(function.getArgumentTypes()[i]))
        function.removeArgAttr(i, BacoDialect::kInput);
  AttrTypeReplacer replacer;
  replacer.addReplacement([](Type type) { return denseType(type); });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return success();
}
