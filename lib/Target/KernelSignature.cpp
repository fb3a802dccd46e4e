//===- KernelSignature.cpp - What a kernel takes --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types come from the function's type, what is written from its body.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/KernelSignature.h"
#include "ReductionLength.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using baco::runtime::Argument;
using baco::runtime::ElementType;
using baco::runtime::Signature;

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
  signature.reductionLength = reductionLength(kernel);
  return signature;
}
