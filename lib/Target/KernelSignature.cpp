//===- KernelSignature.cpp - What a kernel takes --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types come from the function's type; what is written, and how long sums are,
// from its body.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/KernelSignature.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using baco::runtime::Argument;
using baco::runtime::ElementType;
using baco::runtime::Signature;

/// The longest sum that is told apart from longer ones: beyond it a tolerance
/// in proportion to the length says nothing any more.
static constexpr int64_t maxReductionLength = int64_t(1) << 40;

static std::optional<ElementType> elementTypeOf(Type type) {
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  if (type.isInteger(1))
    return ElementType::I1;
  if (type.isInteger(8))
    return ElementType::I8;
  if (type.isInteger(16))
    return ElementType::I16;
  if (type.isInteger(32))
    return ElementType::I32;
  if (type.isInteger(64) || type.isIndex())
    return ElementType::I64;
  return std::nullopt;
}

/// Why `type` can't be the type of an argument; fills `argument` if it can.
static std::optional<StringRef> readType(Type type, Argument &argument) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref && isa<ShapedType>(type))
    return "only memrefs of static shape and scalars can be passed; bufferize "
           "tensors first";
  argument.isMemRef = static_cast<bool>(memref);
  argument.isOutput = argument.isMemRef;
  if (memref) {
    if (!memref.hasStaticShape())
      return "its shape is dynamic, and tuning needs static shapes";
    if (!memref.getLayout().isIdentity())
      return "its layout is not the identity";
    if (memref.getMemorySpace())
      return "it is not in the default memory space";
    llvm::append_range(argument.shape, memref.getShape());
  }
  std::optional<ElementType> element =
      elementTypeOf(memref ? memref.getElementType() : type);
  if (!element)
    return "supported element types are f32, f64, i1, i8, i16, i32, i64 and "
           "index";
  argument.type = *element;
  return std::nullopt;
}

static bool isElement(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return (vector ? vector.getElementType() : type).isIntOrIndexOrFloat();
}

/// Whether `user` may write `memory`, one of its operands, or let another op do
/// so: through anything that it yields, but for elements that it has read.
static bool mayWrite(Operation *user, Value memory) {
  if (isa<memref::DimOp, memref::RankOp>(user))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(user);
  if (!effects || user->hasTrait<OpTrait::IsTerminator>())
    return true;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  auto mayHave = [&](auto isEffect) {
    return llvm::any_of(instances, [&](const auto &instance) {
      return isEffect(instance.getEffect()) &&
             (!instance.getValue() || instance.getValue() == memory);
    });
  };
  if (mayHave([](auto *effect) { return isa<MemoryEffects::Write>(effect); }))
    return true;
  // An op that reads nothing makes its result of the address.
  bool reads =
      mayHave([](auto *effect) { return isa<MemoryEffects::Read>(effect); });
  return !llvm::all_of(user->getResultTypes(),
                       [&](Type type) { return reads && isElement(type); });
}

/// Whether some op may write the memory that `memory` points to. Anything that
/// isn't known to only read it counts. What a view yields beside memrefs are
/// its offset, sizes and strides.
static bool mayBeWritten(Value memory) {
  return llvm::any_of(memory.getUsers(), [&](Operation *user) {
    if (!isa<ViewLikeOpInterface>(user))
      return mayWrite(user, memory);
    return llvm::any_of(user->getResults(), [](Value result) {
      return isa<BaseMemRefType>(result.getType()) && mayBeWritten(result);
    });
  });
}

/// Multiplies, stopping at `maxReductionLength`.
static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  if (llvm::MulOverflow(a, b, product))
    return maxReductionLength;
  return std::clamp<int64_t>(product, 1, maxReductionLength);
}

/// The number of iterations of `loop`, or `bound` if it isn't static.
static int64_t tripCount(LoopLikeOpInterface loop, int64_t bound) {
  std::optional<APInt> count = loop.getStaticTripCount();
  if (!count || count->getActiveBits() > 62)
    return bound;
  return std::max<int64_t>(count->getZExtValue(), 1);
}

/// Whether the value of one of `values` depends on an induction variable of
/// `loop`.
static bool dependOn(ValueRange values, LoopLikeOpInterface loop) {
  std::optional<SmallVector<Value>> variables = loop.getLoopInductionVars();
  if (!variables)
    return false;
  for (Value value : values) {
    if (llvm::is_contained(*variables, value))
      return true;
    SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitBlockArguments = true;
    if (value.getDefiningOp() &&
        failed(getBackwardSlice(value, &slice, options)))
      return false;
    for (Operation *op : slice)
      for (Value operand : op->getOperands())
        if (llvm::is_contained(*variables, operand))
          return true;
  }
  return false;
}

/// A bound on how many times the loops around `op` can add to one element that
/// `op` writes at `indices`: the product of the trip counts of the loops that
/// the indices don't depend on.
static int64_t repetitions(Operation *op, ValueRange indices, int64_t bound) {
  int64_t product = 1;
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (!dependOn(indices, loop))
      product = multiply(product, tripCount(loop, bound));
  return product;
}

/// A bound on the number of terms in one element that `op` writes; 1 if it
/// writes nothing.
static int64_t termsOf(Operation *op, int64_t bound) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    SmallVector<int64_t> ranges = structured.getStaticLoopRanges();
    SmallVector<unsigned> reductions;
    structured.getReductionDims(reductions);
    int64_t terms = repetitions(op, structured.getDpsInits(), bound);
    for (unsigned dim : reductions)
      terms = multiply(terms, ShapedType::isDynamic(ranges[dim]) ? bound
                                                                 : ranges[dim]);
    return terms;
  }
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return repetitions(op, store.getIndices(), bound);
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return repetitions(op, store.getMapOperands(), bound);
  return 1;
}

static int64_t reductionLengthOf(func::FuncOp kernel, const Signature &known) {
  int64_t bound = 1;
  for (const Argument &argument : known.arguments)
    for (int64_t extent : argument.shape)
      bound = std::max(bound, extent);
  int64_t length = 1;
  kernel.walk(
      [&](Operation *op) { length = std::max(length, termsOf(op, bound)); });
  return length;
}

llvm::Expected<Signature> baco::target::kernelSignature(func::FuncOp kernel) {
  auto error = [&](const llvm::Twine &what) {
    return llvm::createStringError("function '" + kernel.getName() + "' " +
                                   what);
  };
  if (kernel.isExternal())
    return error("has no body");
  if (kernel.getNumResults() != 0)
    return error("returns values; return them through memref arguments");
  Signature signature;
  for (BlockArgument value : kernel.getArguments()) {
    Argument argument;
    if (std::optional<StringRef> why = readType(value.getType(), argument)) {
      std::string type;
      llvm::raw_string_ostream(type) << value.getType();
      return error("can't be called: argument " +
                   llvm::Twine(value.getArgNumber()) + " has type '" + type +
                   "': " + *why);
    }
    if (argument.isMemRef)
      argument.isOutput = mayBeWritten(value);
    signature.arguments.push_back(std::move(argument));
  }
  signature.reductionLength = reductionLengthOf(kernel, signature);
  return signature;
}
