//===- TunedFormats.cpp - Tuned functions for callers' formats ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Coordinates follow from the shape, so that their width was checked when the
// format was chosen. Stored positions are at most the number of entries.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Sparse/TunedFormats.h"

#include "baco/IR/SparseEncoding.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensorType.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using baco::encodingOf;

/// Whether the types differ at most in the encodings of sparse tensors.
static bool areSameButFormats(Type a, Type b) {
  auto first = dyn_cast<RankedTensorType>(a);
  auto second = dyn_cast<RankedTensorType>(b);
  return a == b || (first && second && encodingOf(a) && encodingOf(b) &&
                    first.dropEncoding() == second.dropEncoding());
}

/// The bits of a position; 64 if native.
static unsigned positionWidth(Type type) {
  unsigned width = encodingOf(type).getPosWidth();
  return width == 0 ? 64 : width;
}

/// Whether positions of `type` number all entries: those of dense inner levels
/// share one, or have none.
static bool positionsNumberEntries(Type type) {
  return !sparse_tensor::isDenseLT(encodingOf(type).getLvlTypes().back());
}

/// Whether `tensor` has a position for each entry in `format`; null: surely.
static Value fits(ImplicitLocOpBuilder &builder, Value tensor, Type format) {
  unsigned width = positionWidth(format);
  Type before = tensor.getType();
  // No memory has so many entries, and the shift below would overflow.
  if (width >= 63 ||
      (positionsNumberEntries(before) && width >= positionWidth(before)))
    return {};
  Value entries = sparse_tensor::NumberOfEntriesOp::create(builder, tensor);
  Value most =
      arith::ConstantIndexOp::create(builder, (int64_t(1) << width) - 1);
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::ule, entries,
                               most);
}

/// A type with the shape of `type`, and other kinds of levels.
static RankedTensorType withOtherLevels(RankedTensorType type) {
  sparse_tensor::SparseTensorEncodingAttr encoding = encodingOf(type);
  RankedTensorType list =
      sparse_tensor::SparseTensorType(type).getCOOType(/*ordered=*/true);
  if (encodingOf(list).withoutBitWidths() != encoding.withoutBitWidths())
    return list;
  // The tensor is such a list already. The list of a vector has unique
  // coordinates.
  sparse_tensor::Level rank = encoding.getLvlRank();
  SmallVector<sparse_tensor::LevelType> levels(
      rank,
      *sparse_tensor::buildLevelType(sparse_tensor::LevelFormat::Compressed,
                                     /*ordered=*/true, /*unique=*/rank > 1));
  return type.cloneWithEncoding(sparse_tensor::SparseTensorEncodingAttr::get(
      type.getContext(), levels, encoding.getDimToLvl(), encoding.getLvlToDim(),
      encoding.getPosWidth(), encoding.getCrdWidth()));
}

/// `tensor` in the format of `type`. With its run-time library, upstream lowers
/// no change of widths alone.
static Value convert(ImplicitLocOpBuilder &builder, Value tensor,
                     RankedTensorType type) {
  auto before = cast<RankedTensorType>(tensor.getType());
  if (encodingOf(before).withoutBitWidths() !=
      encodingOf(type).withoutBitWidths())
    return sparse_tensor::ConvertOp::create(builder, type, tensor);
  Value other = sparse_tensor::ConvertOp::create(
      builder, withOtherLevels(before), tensor);
  Value result = sparse_tensor::ConvertOp::create(builder, type, other);
  bufferization::DeallocTensorOp::create(builder, other);
  return result;
}

/// Calls `callee` with arguments in its formats, and returns its results.
static SmallVector<Value> convertAndCall(ImplicitLocOpBuilder &builder,
                                         func::FuncOp callee,
                                         ValueRange arguments) {
  SmallVector<Value> operands, converted;
  for (auto [argument, type] :
       llvm::zip_equal(arguments, callee.getArgumentTypes())) {
    Value operand = argument;
    if (operand.getType() != type) {
      operand = convert(builder, operand, cast<RankedTensorType>(type));
      converted.push_back(operand);
    }
    operands.push_back(operand);
  }
  auto call = func::CallOp::create(builder, callee, operands);
  // The call has returned, and only the program knows tensors longer.
  for (Value copy : converted)
    bufferization::DeallocTensorOp::create(builder, copy);
  return llvm::to_vector_of<Value>(call.getResults());
}

/// Writes the body of the function that callers call.
static void dispatch(func::FuncOp function, func::FuncOp tuned,
                     func::FuncOp original) {
  ImplicitLocOpBuilder builder(function.getLoc(), function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  Value isTuned;
  for (auto [argument, type] :
       llvm::zip_equal(function.getArguments(), tuned.getArgumentTypes())) {
    if (argument.getType() == type)
      continue;
    Value own = fits(builder, argument, type);
    isTuned = own && isTuned ? arith::AndIOp::create(builder, isTuned, own)
              : own          ? own
                             : isTuned;
  }
  auto callIn = [&](func::FuncOp callee) {
    return [&, callee](OpBuilder &branch, Location location) {
      ImplicitLocOpBuilder inner(location, branch);
      scf::YieldOp::create(
          inner, convertAndCall(inner, callee, function.getArguments()));
    };
  };
  SmallVector<Value> results;
  if (isTuned) {
    auto branches =
        scf::IfOp::create(builder, isTuned, callIn(tuned), callIn(original));
    results = llvm::to_vector_of<Value>(branches.getResults());
  } else {
    // Each tensor fits the tuned format, so nothing would call it.
    original.erase();
    results = convertAndCall(builder, tuned, function.getArguments());
  }
  func::ReturnOp::create(builder, results);
}

/// A new function of `symbols` at `place`, with an empty body.
static func::FuncOp addFunction(SymbolTable &symbols, Block::iterator place,
                                Location location, const Twine &name,
                                TypeRange arguments, TypeRange results) {
  OpBuilder builder(location.getContext());
  auto function = func::FuncOp::create(
      location, name.str(), builder.getFunctionType(arguments, results));
  symbols.insert(function, place);
  function.addEntryBlock();
  return function;
}

/// Adds functions around `tuned` for programs that keep a tensor: one that
/// converts those arguments of `function` that `tuned` takes in other formats,
/// and one that frees the tensors that the first one returns.
static void addPacking(SymbolTable &symbols, func::FuncOp function,
                       func::FuncOp tuned, StringRef name) {
  Location location = function.getLoc();
  SmallVector<Type> before, after;
  for (auto [old, type] :
       llvm::zip_equal(function.getArgumentTypes(), tuned.getArgumentTypes()))
    if (old != type) {
      before.push_back(old);
      after.push_back(type);
    }
  func::FuncOp prepare = addFunction(symbols, tuned->getIterator(), location,
                                     name + "_prepare", before, after);
  auto builder =
      ImplicitLocOpBuilder::atBlockBegin(location, &prepare.getBody().front());
  SmallVector<Value> converted;
  for (auto [argument, type] : llvm::zip_equal(prepare.getArguments(), after)) {
    // The program passes the result to the tuned function itself, so nothing
    // can fall back to the original there.
    if (Value own = fits(builder, argument, type))
      cf::AssertOp::create(builder, own,
                           (name +
                            "_prepare: the tensor has more entries than "
                            "positions of the tuned format number; "
                            "call " +
                            name)
                               .str());
    converted.push_back(
        convert(builder, argument, cast<RankedTensorType>(type)));
  }
  func::ReturnOp::create(builder, converted);
  func::FuncOp release = addFunction(symbols, std::next(tuned->getIterator()),
                                     location, name + "_release", after, {});
  builder.setInsertionPointToStart(&release.getBody().front());
  for (Value argument : release.getArguments())
    bufferization::DeallocTensorOp::create(builder, argument);
  func::ReturnOp::create(builder);
}

/// Lets callers of `function` pass the tensors that the schedule has converted
/// for the tuned one as they were before.
static void passUnconverted(func::FuncOp function) {
  function->getParentOfType<ModuleOp>().walk([&](func::CallOp call) {
    if (call.getCallee() != function.getName())
      return;
    for (auto [operand, type] :
         llvm::zip_equal(call->getOpOperands(), function.getArgumentTypes())) {
      auto convert = operand.get().getDefiningOp<sparse_tensor::ConvertOp>();
      if (operand.get().getType() == type || !convert)
        continue;
      // The function converts by itself, at each call.
      operand.set(convert.getSource());
      // Another call may still take the converted tensor.
      if (convert->use_empty())
        convert.erase();
    }
  });
}

bool baco::target::changesFormats(ModuleOp payload, StringRef kernel,
                                  ModuleOp schedule) {
  auto original = payload.lookupSymbol<func::FuncOp>(kernel);
  if (!original || !hasSparseBoundary(original))
    return false;
  OwningOpRef<ModuleOp> copy = payload.clone();
  if (failed(applySchedule(*copy, schedule, "__transform_main", kernel)))
    return false;
  auto tuned = copy->lookupSymbol<func::FuncOp>(kernel);
  return tuned && tuned.getFunctionType() != original.getFunctionType();
}

LogicalResult baco::target::restoreFormats(func::FuncOp tuned,
                                           OwningOpRef<func::FuncOp> original) {
  FunctionType before = original->getFunctionType();
  FunctionType after = tuned.getFunctionType();
  if (before == after)
    return success();
  if (before.getResults() != after.getResults() ||
      !llvm::equal(before.getInputs(), after.getInputs(), areSameButFormats))
    return tuned.emitError() << "the schedule has changed the type of the "
                                "function from "
                             << before << " to " << after
                             << ", but may change formats of sparse tensors "
                                "only";
  auto module = tuned->getParentOfType<ModuleOp>();
  tuned.getContext()
      ->loadDialect<arith::ArithDialect, bufferization::BufferizationDialect,
                    cf::ControlFlowDialect, scf::SCFDialect,
                    sparse_tensor::SparseTensorDialect>();
  auto function =
      cast<func::FuncOp>(original->getOperation()->cloneWithoutRegions());
  StringRef name = original->getName();
  // Symbols that are taken get a number.
  SymbolTable symbols(module);
  // The table finds symbols by their names, so it must not have this one while
  // the name changes.
  symbols.remove(tuned);
  tuned.setName((name + "_tuned").str());
  original->setName((name + "_original").str());
  // Only `function` calls it.
  original->setPrivate();
  symbols.insert(tuned);
  func::FuncOp fallback = original.release();
  symbols.insert(fallback, std::next(tuned->getIterator()));
  symbols.insert(function, tuned->getIterator());
  passUnconverted(function);
  // Programs call public functions only.
  if (function.isPublic())
    addPacking(symbols, function, tuned, name);
  dispatch(function, tuned, fallback);
  return success();
}
