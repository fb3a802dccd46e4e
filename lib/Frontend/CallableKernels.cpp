//===- CallableKernels.cpp - Kernels that a harness can call --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// New arguments come last, so that the numbers of the others stay.
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/LowerFrontEnds.h"

#include "baco/Analysis/ConstantData.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/ConstantArgument.h"
#include "baco/IR/OpenExtents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#include <cmath>
#include <cstring>
#include <numeric>

#define DEBUG_TYPE "baco-make-callable"

using namespace mlir;
using namespace baco;

/// The least number of elements of a constant that becomes an argument. Smaller
/// ones take less than a millisecond to write, and only their own values may
/// make sense, as those of variances.
static constexpr int64_t minElements = 16384;

/// Adds an argument to `kernel`, after all others.
static BlockArgument addArgument(func::FuncOp kernel, Type type) {
  unsigned number = kernel.getNumArguments();
  // Can only fail for functions whose types aren't those of func.func.
  (void)kernel.insertArgument(number, type, {}, kernel.getLoc());
  return kernel.getArgument(number);
}

namespace {
/// The layout of a view in its buffer.
struct Place {
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  /// The size of the buffer.
  int64_t numElements = 0;
};
} // namespace

/// The place of `type` in the smallest buffer; nullopt if it has none, or is
/// a whole buffer.
static std::optional<Place> placeOf(MemRefType type) {
  Place place;
  if (!type.hasStaticShape() || type.getMemorySpace() ||
      type.getLayout().isIdentity() || llvm::is_contained(type.getShape(), 0) ||
      failed(type.getStridesAndOffset(place.strides, place.offset)))
    return std::nullopt;
  if (ShapedType::isDynamic(place.offset))
    place.offset = 0;
  int64_t dense = 1;
  place.numElements = place.offset + 1;
  for (auto [stride, size] : llvm::reverse(
           llvm::zip_equal(MutableArrayRef(place.strides), type.getShape()))) {
    if (ShapedType::isDynamic(stride))
      stride = dense;
    if (stride < 0)
      return std::nullopt;
    dense = std::max(dense, stride * size);
    place.numElements += stride * (size - 1);
  }
  return place;
}

/// Passes the extents that stay dynamic as integers: one for those that are
/// measured alike. The arguments become buffers of the measured extents.
static void passOpenExtents(func::FuncOp kernel) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  llvm::SmallMapVector<int64_t, Value, 4> passed;
  unsigned numArguments = kernel.getNumArguments();
  for (unsigned number = 0; number < numArguments; ++number) {
    BlockArgument argument = kernel.getArgument(number);
    auto measured = measuredExtents(argument);
    if (!measured)
      continue;
    auto type = cast<MemRefType>(argument.getType());
    SmallVector<OpFoldResult> extents;
    for (auto [dimension, extent] : llvm::enumerate(*measured)) {
      if (!type.isDynamicDim(dimension)) {
        extents.push_back(builder.getIndexAttr(extent));
        continue;
      }
      Value &value = passed[extent];
      if (!value) {
        value = addArgument(kernel, builder.getIndexType());
        kernel.setArgAttr(kernel.getNumArguments() - 1, BacoDialect::kInput,
                          builder.getI64IntegerAttr(extent));
      }
      extents.push_back(value);
    }
    LDBG() << "argument " << number << " becomes a buffer, and its extents "
           << "that stay dynamic become arguments";
    argument.setType(MemRefType::get(*measured, type.getElementType()));
    kernel.removeArgAttr(number, kExtents);
    auto view = memref::ReinterpretCastOp::create(
        builder, loc, type, argument, builder.getIndexAttr(0), extents,
        memref::computeStridesIRBlock(loc, builder, extents));
    argument.replaceAllUsesExcept(view, view);
  }
}

static void passWholeBuffers(func::FuncOp kernel) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  for (BlockArgument argument : kernel.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    std::optional<Place> place = type ? placeOf(type) : std::nullopt;
    if (!place)
      continue;
    LDBG() << "argument " << argument.getArgNumber() << " becomes a buffer of "
           << place->numElements << " elements";
    auto layout = StridedLayoutAttr::get(type.getContext(), place->offset,
                                         place->strides);
    auto viewType =
        MemRefType::get(type.getShape(), type.getElementType(), layout);
    argument.setType(
        MemRefType::get({place->numElements}, type.getElementType()));
    Operation *reinterpreted = memref::ReinterpretCastOp::create(
        builder, kernel.getLoc(), viewType, argument, place->offset,
        type.getShape(), place->strides);
    Value view = reinterpreted->getResult(0);
    if (viewType != type)
      view = memref::CastOp::create(builder, kernel.getLoc(), type, view);
    argument.replaceAllUsesExcept(view, reinterpreted);
  }
}

static bool isWholeBuffer(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.hasStaticShape() && !memref.getMemorySpace() &&
         memref.getLayout().isIdentity();
}

static bool isScalarOrComplex(Type type) {
  return type.isIntOrIndexOrFloat() || isa<ComplexType>(type);
}

/// The allocation in `kernel` that `memory` is all or a part of; null if there
/// is none.
static memref::AllocOp findAllocation(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory.getDefiningOp<memref::AllocOp>();
}

/// Stores the operands of `exit` for `results`, a scalar or a memref each, in
/// `buffers`. Frees memory that nobody gets any more.
static void storeResults(func::ReturnOp exit, ArrayRef<unsigned> results,
                         ArrayRef<Value> buffers) {
  OpBuilder builder(exit);
  llvm::SmallSetVector<Operation *, 2> allocations;
  for (auto [number, buffer] : llvm::zip_equal(results, buffers)) {
    Value result = exit.getOperand(number);
    if (isScalarOrComplex(result.getType())) {
      memref::StoreOp::create(builder, exit.getLoc(), result, buffer);
      continue;
    }
    memref::CopyOp::create(builder, exit.getLoc(), result, buffer);
    if (memref::AllocOp allocation = findAllocation(result))
      allocations.insert(allocation);
  }
  for (Operation *allocation : allocations)
    memref::DeallocOp::create(builder, exit.getLoc(), allocation->getResult(0));
}

/// Lets the function write `result` to `buffer`, rather than allocate memory
/// for it that is copied.
static bool allocateOutside(func::ReturnOp exit, unsigned result,
                            Value buffer) {
  auto allocation = exit.getOperand(result).getDefiningOp<memref::AllocOp>();
  // One in a loop is another buffer each time, and two results may be the same.
  if (!allocation || !allocation->getBlock()->isEntryBlock() ||
      !isa<func::FuncOp>(allocation->getParentOp()) ||
      allocation.getType() != buffer.getType() ||
      llvm::count(exit.getOperands(), allocation.getResult()) != 1)
    return false;
  allocation.replaceAllUsesWith(buffer);
  allocation.erase();
  return true;
}

static void storeResults(func::FuncOp kernel) {
  SmallVector<unsigned> results;
  for (auto [number, type] : llvm::enumerate(kernel.getResultTypes())) {
    if (isScalarOrComplex(type) || isWholeBuffer(type))
      results.push_back(number);
    else if (!isa<TensorType>(type))
      return;
  }
  if (results.empty())
    return;
  auto exits = llvm::to_vector(kernel.getOps<func::ReturnOp>());
  SmallVector<Value> buffers;
  for (unsigned number : results) {
    Type type = kernel.getResultTypes()[number];
    buffers.push_back(addArgument(
        kernel, isScalarOrComplex(type) ? MemRefType::get({}, type) : type));
    LDBG() << "result " << number << " becomes argument "
           << kernel.getNumArguments() - 1;
  }
  SmallVector<unsigned> left;
  SmallVector<Value> leftBuffers;
  BitVector isErased(kernel.getNumResults());
  for (auto [number, buffer] : llvm::zip_equal(results, buffers)) {
    isErased.set(number);
    if (exits.size() == 1 && allocateOutside(exits.front(), number, buffer))
      continue;
    left.push_back(number);
    leftBuffers.push_back(buffer);
  }
  for (func::ReturnOp exit : exits) {
    storeResults(exit, left, leftBuffers);
    exit->eraseOperands(isErased);
  }
  (void)kernel.eraseResults(isErased);
}

/// Whether `value` is a large constant of floats, not all of which are equal.
static bool isLarge(Attribute value) {
  auto elements = dyn_cast_or_null<ElementsAttr>(value);
  if (!elements || elements.getNumElements() < minElements ||
      !isa<FloatType>(elements.getElementType()))
    return false;
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  return dense ? !dense.isSplat() : isa<DenseResourceElementsAttr>(elements);
}

/// Numbers of a constant, at most so many, evenly spread; none if its elements
/// aren't at hand.
static SmallVector<double> sampleConstant(ElementsAttr data) {
  constexpr int64_t most = 65536;
  SmallVector<double> numbers;
  int64_t count = data.getNumElements();
  int64_t step = std::max<int64_t>(1, count / most);
  ArrayRef<char> bytes = bytesOf(data);
  int64_t size = bytesOf(data.getElementType());
  if (size == 0 || size > static_cast<int64_t>(sizeof(double)) ||
      static_cast<int64_t>(bytes.size()) != size * count)
    return numbers;
  const llvm::fltSemantics &format =
      cast<FloatType>(data.getElementType()).getFloatSemantics();
  for (int64_t i = 0; i < count; i += step) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * size, size);
    numbers.push_back(APFloat(format, APInt(8 * size, bits)).convertToDouble());
  }
  return numbers;
}

/// The `baco.input` of an argument in the place of `data`: random numbers of
/// the same mean and deviation, and of one sign if all of these have one. Null
/// if there is none.
static DictionaryAttr inputLike(ElementsAttr data, unsigned seed) {
  SmallVector<double> numbers = sampleConstant(data);
  double count = static_cast<double>(numbers.size());
  double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  double squares = 0;
  for (double number : numbers)
    squares += (number - mean) * (number - mean);
  double deviation = std::sqrt(squares / count);
  if (numbers.empty() || !std::isfinite(mean) || !std::isfinite(deviation))
    return {};
  auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
  bool hasOneSign = *least > 0 || *greatest < 0;
  Builder builder(data.getContext());
  auto pair = [&](double first, double second) {
    return builder.getArrayAttr(
        {builder.getF64FloatAttr(first), builder.getF64FloatAttr(second)});
  };
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("seed", builder.getI64IntegerAttr(seed)),
       hasOneSign ? builder.getNamedAttr("uniform", pair(*least, *greatest))
                  : builder.getNamedAttr("normal", pair(mean, deviation))});
}

static void passConstants(func::FuncOp kernel, bool likeConstants) {
  SymbolTable symbols(kernel->getParentOp());
  llvm::MapVector<Operation *, BlockArgument> globals;
  SmallVector<Operation *> ops;
  kernel->walk([&](Operation *op) {
    if (isa<arith::ConstantOp, memref::GetGlobalOp>(op))
      ops.push_back(op);
  });
  // Adds an argument in the place of `data`; null if there is none.
  auto addFor = [&](Type type, ElementsAttr data) -> BlockArgument {
    unsigned number = kernel.getNumArguments();
    DictionaryAttr input =
        likeConstants ? inputLike(data, number) : DictionaryAttr();
    if (likeConstants && !input)
      return {};
    BlockArgument argument = addArgument(kernel, type);
    // Its copies are made ahead of calls, as those of the constant are.
    kernel.setArgAttr(number, kConstantArgument,
                      UnitAttr::get(kernel.getContext()));
    if (input)
      kernel.setArgAttr(number, BacoDialect::kInput, input);
    return argument;
  };
  auto argumentFor = [&](Operation *op) -> BlockArgument {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (!isLarge(constant.getValue()) ||
          !isa<RankedTensorType>(constant.getType()))
        return {};
      BlockArgument argument =
          addFor(constant.getType(), cast<ElementsAttr>(constant.getValue()));
      if (argument)
        kernel.setArgAttr(
            argument.getArgNumber(),
            bufferization::BufferizationDialect::kWritableAttrName,
            BoolAttr::get(kernel.getContext(), false));
      return argument;
    }
    auto global = symbols.lookup<memref::GlobalOp>(
        cast<memref::GetGlobalOp>(op).getName());
    if (!global || !global.getConstant() || !global.getInitialValue() ||
        !isLarge(*global.getInitialValue()) || !isWholeBuffer(global.getType()))
      return {};
    BlockArgument &argument = globals[global];
    if (!argument)
      argument = addFor(global.getType(),
                        cast<ElementsAttr>(*global.getInitialValue()));
    return argument;
  };
  for (Operation *op : ops)
    if (BlockArgument argument = argumentFor(op)) {
      LDBG() << "a constant becomes argument " << argument.getArgNumber();
      op->getResult(0).replaceAllUsesWith(argument);
      op->erase();
    }
  for (auto &[global, argument] : globals)
    if (SymbolTable::symbolKnownUseEmpty(global, kernel->getParentOp()))
      global->erase();
}

void frontend::makeCallable(func::FuncOp kernel, bool likeConstants) {
  if (kernel.isExternal() ||
      !SymbolTable::symbolKnownUseEmpty(kernel, kernel->getParentOp()))
    return;
  passOpenExtents(kernel);
  passWholeBuffers(kernel);
  // Both change arguments only.
  kernel.setType(FunctionType::get(kernel.getContext(),
                                   kernel.getBody().getArgumentTypes(),
                                   kernel.getFunctionType().getResults()));
  storeResults(kernel);
  passConstants(kernel, likeConstants);
}
