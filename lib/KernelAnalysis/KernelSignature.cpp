//===- KernelSignature.cpp - Signatures of kernels ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types come from the function's type, written arguments from its body.
//
//===----------------------------------------------------------------------===//

#include "baco/KernelAnalysis/KernelSignature.h"
#include "SignatureParts.h"

#include "baco/IR/ArgumentInput.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/Bufferization.h"
#include "baco/IR/ConstantArgument.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Sparse/TensorSource.h"
#include "baco/Target/Sparse/TunedFormats.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using baco::runtime::Argument;
using baco::runtime::ElementType;
using baco::runtime::Signature;

/// The reason why `type` can't be the type of an argument; fills `argument` if
/// it can.
static std::optional<StringRef> readType(Type type, Argument &argument) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref && isa<ShapedType>(type))
    return "only scalars, and memrefs and tensors of static shape, can be "
           "passed";
  argument.isMemRef = static_cast<bool>(memref);
  argument.isOutput = argument.isMemRef;
  if (memref) {
    if (!memref.hasStaticShape())
      return "its shape is dynamic, and tuning needs static shapes";
    if (!memref.getLayout().isIdentity())
      return "its layout is not the identity; pass the whole buffer, and "
             "create the view in the function";
    if (memref.getMemorySpace())
      return "it is not in the default memory space";
    llvm::append_range(argument.shape, memref.getShape());
  }
  std::optional<ElementType> element =
      baco::target::elementTypeOf(memref ? memref.getElementType() : type);
  if (!element)
    return "supported element types are f16, bf16, f32, f64, complex<f32>, "
           "complex<f64>, i1, i8, i16, i32, i64 and index";
  argument.type = *element;
  return std::nullopt;
}

static bool isElement(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  Type element = vector ? vector.getElementType() : type;
  return element.isIntOrIndexOrFloat() || isa<ComplexType>(element);
}

/// The effects of an op on memory that it is given.
struct Access {
  bool reads = true, writes = true;
};

static void forEachUser(Value memory,
                        llvm::function_ref<void(Operation *, Value)> action);
static Access accessOf(Operation *user, Value memory);

/// The effects of the function that `call` calls, if that calls none, so that
/// it isn't recursive.
static Access accessOfCallee(func::CallOp call, Value memory) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.isExternal() ||
      baco::contains(callee,
                     [](Operation *op) { return isa<CallOpInterface>(op); }))
    return {};
  Access all = {false, false};
  for (auto [operand, argument] :
       llvm::zip_equal(call.getOperands(), callee.getArguments()))
    if (operand == memory)
      forEachUser(argument, [&](Operation *user, Value inner) {
        Access access = accessOf(user, inner);
        all.reads |= access.reads;
        all.writes |= access.writes;
      });
  return all;
}

/// The effects of `user` on `memory`, one of its operands, including those
/// through its results, except elements that it has read.
static Access accessOf(Operation *user, Value memory) {
  if (isa<memref::DimOp, memref::RankOp, memref::PrefetchOp,
          affine::AffinePrefetchOp>(user))
    return {false, false};
  // Writes to a tensor that isn't writable go to a copy.
  if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(user))
    return {true, toTensor.getWritable()};
  if (auto call = dyn_cast<func::CallOp>(user))
    return accessOfCallee(call, memory);
  auto effects = dyn_cast<MemoryEffectOpInterface>(user);
  if (!effects || user->hasTrait<OpTrait::IsTerminator>())
    return {};
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  Access access = {false, false};
  for (const MemoryEffects::EffectInstance &instance : instances) {
    if (instance.getValue() && instance.getValue() != memory)
      continue;
    access.reads |= isa<MemoryEffects::Read>(instance.getEffect());
    access.writes |= isa<MemoryEffects::Write>(instance.getEffect());
  }
  // An op without reads computes its result from the address.
  if (!llvm::all_of(user->getResultTypes(),
                    [&](Type type) { return access.reads && isElement(type); }))
    return {};
  return access;
}

/// Calls `action` with each op that uses the memory that `memory` points to,
/// and the operand. A view's results other than memrefs are its offset, sizes
/// and strides.
static void forEachUser(Value memory,
                        llvm::function_ref<void(Operation *, Value)> action) {
  for (Operation *user : memory.getUsers()) {
    if (!isa<ViewLikeOpInterface>(user)) {
      action(user, memory);
      continue;
    }
    for (Value result : user->getResults())
      if (isa<BaseMemRefType>(result.getType()))
        forEachUser(result, action);
  }
}

/// Whether `op` writes all of `memory`, and reads none of it.
static bool overwrites(Operation *op, Value memory) {
  // A view may be one of that memory.
  for (Value operand : op->getOperands())
    if (operand.getDefiningOp<ViewLikeOpInterface>())
      return false;
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return copy.getTarget() == memory && copy.getSource() != memory;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || accessOf(op, memory).reads)
    return false;
  // Each loop that indexes it has its extent.
  for (OpOperand &init : structured.getDpsInitsMutable())
    if (init.get() == memory &&
        structured.getMatchingIndexingMap(&init).isProjectedPermutation())
      return true;
  return false;
}

/// Sets the effects of `function` on its memref `argument`, and its alignment.
/// An argument that is overwritten first isn't read.
static void readAccesses(func::FuncOp function, Value memory,
                         Argument &argument) {
  Block &entry = function.getBody().front();
  Access all = {false, false};
  Operation *first = nullptr;
  forEachUser(memory, [&](Operation *user, Value operand) {
    Access access = accessOf(user, operand);
    all.reads |= access.reads;
    all.writes |= access.writes;
    Operation *top = entry.findAncestorOpInBlock(*user);
    if (top && (!first || top->isBeforeInBlock(first)))
      first = top;
  });
  for (auto assumed : entry.getOps<memref::AssumeAlignmentOp>())
    if (assumed.getMemref() == memory)
      argument.alignment =
          std::max<int64_t>(argument.alignment, assumed.getAlignment());
  unsigned number = cast<BlockArgument>(memory).getArgNumber();
  if (auto promised = function.getArgAttrOfType<IntegerAttr>(
          number, baco::BacoDialect::kAlignment))
    argument.alignment = std::max(argument.alignment, promised.getInt());
  argument.isOutput = all.writes;
  argument.isConstant =
      !all.writes &&
      function.getArgAttr(number, baco::kConstantArgument) != nullptr;
  argument.isRead =
      !all.writes || (all.reads && !(first && overwrites(first, memory)));
}

bool baco::target::mayWrite(BlockArgument memory) {
  bool writes = false;
  forEachUser(memory, [&](Operation *user, Value operand) {
    writes |= accessOf(user, operand).writes;
  });
  return writes;
}

/// Makes the arguments that are sparse in `kernel` sparse in `signature`, which
/// has dense ones so far.
static llvm::Error setSparse(func::FuncOp kernel, Signature &signature) {
  if (auto formats = baco::target::sparseFormats(kernel); !formats)
    return formats.takeError();
  for (auto [value, argument] :
       llvm::zip(kernel.getArguments(), signature.arguments)) {
    if (!baco::encodingOf(value.getType()))
      continue;
    if (argument.shape.empty())
      return llvm::createStringError("a sparse tensor has no dimension");
    if (argument.isOutput)
      return llvm::createStringError(
          "a sparse tensor is written, which isn't supported; write a dense "
          "one, as of the entries' values");
    argument.isSparse = true;
    argument.source.emplace();
    argument.source->kind = baco::runtime::Source::Kind::Tensor;
    if (std::optional<baco::ArgumentInput> input = baco::inputOf(value)) {
      argument.source->file = input->file;
      argument.source->hash = input->hash;
    } else {
      argument.source->file = baco::sparse::makeUpSource(argument.shape);
    }
  }
  // Elements that aren't stored are not multiplied.
  signature.productBytes = 0;
  return llvm::Error::success();
}

/// The signature of a function that takes or returns tensors: that of the one
/// on memrefs that its lowering makes.
static llvm::Expected<Signature> bufferizedSignature(func::FuncOp kernel) {
  StringRef name = kernel.getName();
  if (llvm::any_of(kernel.getResultTypes(),
                   [](Type type) { return baco::encodingOf(type); }))
    return llvm::createStringError(
        "function '" + name +
        "' can't be called: it returns a sparse tensor, which isn't supported; "
        "return a dense one, as of the entries' values");
  baco::DiagnosticRecorder recorder(kernel.getContext());
  auto copy =
      baco::schedule::isolate(kernel->getParentOfType<ModuleOp>(), name);
  bool isSparse = baco::target::hasSparseTensors(kernel);
  if (succeeded(copy) &&
      (!isSparse || succeeded(baco::target::makeDense(**copy))) &&
      succeeded(baco::schedule::bufferize(**copy)))
    if (auto inMemory = (*copy)->lookupSymbol<func::FuncOp>(name);
        !baco::hasTensorBoundary(inMemory)) {
      auto signature = baco::target::kernelSignature(inMemory);
      if (signature && isSparse)
        if (llvm::Error why = setSparse(kernel, *signature))
          return llvm::createStringError(
              "function '" + name +
              "' can't be called: " + llvm::toString(std::move(why)));
      return signature;
    }
  return llvm::createStringError(
      "function '" + name +
      "' can't be called, because it can't be bufferized: " +
      recorder.message("some tensors can't become memrefs"));
}

/// Reads `baco.input`, ranges apart.
static llvm::Error readInput(func::FuncOp function, unsigned number,
                             Argument &argument) {
  Attribute attribute = function.getArgAttr(number, baco::BacoDialect::kInput);
  if (!attribute)
    return llvm::Error::success();
  auto input =
      baco::ArgumentInput::read(function.getArgumentTypes()[number], attribute);
  if (!input)
    return input.takeError();
  using Kind = baco::ArgumentInput::Kind;
  if (input->kind == Kind::Range)
    return llvm::Error::success();
  if (baco::runtime::isIntegerScalar(argument)) {
    argument.values = {input->least};
    argument.isGiven = true;
    return llvm::Error::success();
  }
  using SourceKind = baco::runtime::Source::Kind;
  SourceKind kind = input->kind == Kind::File     ? SourceKind::File
                    : input->kind == Kind::Normal ? SourceKind::Normal
                                                  : SourceKind::Uniform;
  argument.source = {kind,        input->first, input->second,
                     input->seed, input->file,  input->hash};
  return llvm::Error::success();
}

llvm::Expected<Signature> baco::target::kernelSignature(func::FuncOp kernel) {
  auto error = [&](const llvm::Twine &what) {
    return llvm::createStringError("function '" + kernel.getName() + "' " +
                                   what);
  };
  if (kernel.isExternal())
    return error("has no body");
  if (baco::hasTensorBoundary(kernel))
    return bufferizedSignature(kernel);
  if (kernel.getNumResults() != 0)
    return error("returns values; return them through memref arguments");
  Signature signature;
  signature.function = kernel.getName().str();
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
      readAccesses(kernel, value, argument);
    if (llvm::Error why = readInput(kernel, value.getArgNumber(), argument))
      return error("can't be called: argument " +
                   llvm::Twine(value.getArgNumber()) + ": " +
                   llvm::toString(std::move(why)));
    signature.arguments.push_back(std::move(argument));
  }
  signature.reductionLength = reductionLength(kernel);
  readArithmetic(kernel, signature);
  readIntegerRanges(kernel, signature);
  readDividedDifferences(kernel, signature);
  readScalars(kernel, signature);
  readContractions(kernel, signature);
  return signature;
}
