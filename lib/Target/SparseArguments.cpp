//===- SparseArguments.cpp - Sparse arguments as buffers ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What upstream's pass `sparse-assembler` does, but in one function, so that
// sizes fold, and for all formats that lib/Sparse packs.
//
//===----------------------------------------------------------------------===//

#include "SparseArguments.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/IR/Walk.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace mlir::sparse_tensor;
using baco::encodingOf;

static bool isSparse(Type type) { return encodingOf(type) != nullptr; }

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
       llvm::zip(block.getArguments(), op->getOperands())) {
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

/// Puts what ops with regions compute of entries in their place. What they
/// compute where there are none doesn't matter: on a dense tensor, each element
/// is an entry.
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

LogicalResult baco::target::makeDense(ModuleOp module) {
  inlineSemiring(module);
  LogicalResult known =
      visitAll<Operation *>(module, [](Operation *op) -> LogicalResult {
        // What ends a region belongs to the op around it.
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

/// The types of the buffers, the values' last.
static SmallVector<Type> bufferTypes(RankedTensorType tensor) {
  SparseTensorEncodingAttr encoding = encodingOf(tensor);
  SmallVector<Type> types;
  auto add = [&](Type element) {
    types.push_back(RankedTensorType::get({ShapedType::kDynamic}, element));
  };
  for (LevelType level : encoding.getLvlTypes()) {
    if (level.isWithPosLT())
      add(encoding.getPosElemType());
    if (level.isWithCrdLT())
      add(encoding.getCrdElemType());
  }
  add(tensor.getElementType());
  return types;
}

/// The first dimension that blocks of `format` don't divide: code accesses
/// whole blocks, of dense operands, too.
static std::optional<size_t>
findRemainder(RankedTensorType type,
              const baco::sparse::StorageFormat &format) {
  for (const baco::sparse::Level &level : format.levels)
    if (type.getDimSize(level.dimension) %
            (level.divisor * std::max<int64_t>(level.modulus, 1)) !=
        0)
      return level.dimension;
  return std::nullopt;
}

/// Replaces argument `number` by buffers.
static void assemble(func::FuncOp function, unsigned number) {
  BlockArgument argument = function.getArgument(number);
  auto type = cast<RankedTensorType>(argument.getType());
  Location location = argument.getLoc();
  SmallVector<Value> buffers;
  for (auto [i, buffer] : llvm::enumerate(bufferTypes(type))) {
    unsigned at = number + 1 + i;
    // It can't fail: functions of the dialect `func` take any type.
    (void)function.insertArgument(at, buffer, DictionaryAttr(), location);
    buffers.push_back(function.getArgument(at));
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  auto whole = AssembleOp::create(
      builder, location, type, ValueRange(buffers).drop_back(), buffers.back());
  argument.replaceAllUsesWith(whole);
  (void)function.eraseArgument(number);
}

LogicalResult baco::target::assembleArguments(func::FuncOp function) {
  auto formats = sparseFormats(function);
  if (!formats)
    return function.emitError() << llvm::toString(formats.takeError());
  if (llvm::any_of(function.getResultTypes(), isSparse))
    return function.emitError()
           << "returns a sparse tensor, which isn't supported; return a dense "
              "one, as of the entries' values";
  if (!SymbolTable::symbolKnownUseEmpty(function, function->getParentRegion()))
    return function.emitError()
           << "takes a sparse tensor, and is called, which isn't supported; "
              "make it private, or inline it";
  auto format = formats->rbegin();
  for (unsigned number = function.getNumArguments(); number-- > 0;) {
    auto type =
        dyn_cast<RankedTensorType>(function.getArgument(number).getType());
    if (!type || !isSparse(type))
      continue;
    if (!type.hasStaticShape())
      return function.emitError()
             << "argument " << number << " is sparse, and its shape is "
             << "dynamic; make its extents static";
    if (std::optional<size_t> dimension = findRemainder(type, *format))
      return function.emitError()
             << "argument " << number << " is sparse, and the blocks of its "
             << "format don't divide dimension " << *dimension
             << ", whose extent is " << type.getDimSize(*dimension)
             << "; pad it, or change the format";
    assemble(function, number);
    ++format;
  }
  return success();
}
