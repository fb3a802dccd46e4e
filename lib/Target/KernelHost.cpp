//===- KernelHost.cpp - Functions that launch kernels ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces launches by calls, and compiles the rest as for CPUs.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/KernelHost.h"

#include "baco/Target/CompileModule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace baco::target;
using namespace baco::runtime;

namespace {
/// Grid, block, dynamic shared memory.
constexpr size_t numSizes = 7;

/// The buffer of which `memref` is a view.
Value findBuffer(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

std::string nameBuffer(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  if (argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return "argument " + std::to_string(argument.getArgNumber());
  return "a buffer of the host";
}

Value constantWord(OpBuilder &builder, Location location, uint64_t value) {
  return arith::ConstantOp::create(
      builder, location,
      builder.getI64IntegerAttr(static_cast<int64_t>(value)));
}

/// The address of a memref as a word.
Value addressOf(OpBuilder &builder, Location location, Value memref) {
  Value index =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, location, memref);
  return arith::IndexCastOp::create(builder, location, builder.getI64Type(),
                                    index);
}

/// A scalar's bits as a word; null if it has more.
Value bitsOf(OpBuilder &builder, Location location, Value scalar) {
  Type type = scalar.getType();
  IntegerType word = builder.getI64Type();
  if (isa<IndexType>(type))
    return arith::IndexCastOp::create(builder, location, word, scalar);
  if (auto real = dyn_cast<FloatType>(type); real && real.getWidth() <= 64) {
    type = builder.getIntegerType(real.getWidth());
    scalar = arith::BitcastOp::create(builder, location, type, scalar);
  }
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() > 64)
    return nullptr;
  if (integer.getWidth() < 64)
    scalar = arith::ExtUIOp::create(builder, location, word, scalar);
  return scalar;
}
} // namespace

LogicalResult KernelHost::replaceLaunch(gpu::LaunchFuncOp launch,
                                        func::FuncOp function) {
  Location location = launch.getLoc();
  auto refuse = [&](const Twine &why) {
    return emitError(location) << who << ": " << why;
  };
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return refuse("asynchronous launches aren't supported");
  if (launch.hasClusterSize())
    return refuse("clusters of blocks aren't supported");
  auto found = llvm::find(binaries, launch.getKernelModuleName().getValue());
  if (found == binaries.end())
    return refuse("there is no binary '" +
                  launch.getKernelModuleName().getValue() + "'");
  OpBuilder builder(launch);
  SmallVector<Value> words;
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (Value size : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    words.push_back(bitsOf(builder, location, size));
  Value shared = launch.getDynamicSharedMemorySize();
  words.push_back(shared ? bitsOf(builder, location, shared)
                         : constantWord(builder, location, 0));
  Launch made = {static_cast<size_t>(found - binaries.begin()),
                 launch.getKernelName().str(),
                 {}};
  for (Value operand : launch.getKernelOperands()) {
    if (!isa<MemRefType>(operand.getType())) {
      Value bits = bitsOf(builder, location, operand);
      if (!bits)
        return refuse("a kernel takes a value of another type than scalars "
                      "and memrefs");
      made.operands.push_back({"", 0});
      words.append({bits, constantWord(builder, location, 0)});
      continue;
    }
    Value buffer = findBuffer(operand);
    auto type = dyn_cast<MemRefType>(buffer.getType());
    // The device gets a buffer of its own for all of this one, whose size has
    // to be known.
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
        !type.getElementType().isIntOrIndexOrFloat())
      return refuse("a kernel takes a view of a buffer without static shape "
                    "and identity layout");
    Type element = type.getElementType();
    uint64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    made.operands.push_back(
        {nameBuffer(buffer),
         static_cast<size_t>(type.getNumElements() * ((bits + 7) / 8))});
    words.append({addressOf(builder, location, operand),
                  addressOf(builder, location, buffer)});
  }
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto address = [&](const void *value) -> Value {
    return LLVM::IntToPtrOp::create(
        builder, location, pointer,
        constantWord(builder, location, reinterpret_cast<uint64_t>(value)));
  };
  Value array;
  {
    // A launch may be in a loop.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&function.front());
    array =
        LLVM::AllocaOp::create(builder, location, pointer, builder.getI64Type(),
                               constantWord(builder, location, words.size()));
  }
  for (auto [index, word] : llvm::enumerate(words)) {
    Value slot = LLVM::GEPOp::create(
        builder, location, pointer, builder.getI64Type(), array,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    LLVM::StoreOp::create(builder, location, word, slot);
  }
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer, builder.getI64Type(), pointer});
  LLVM::CallOp::create(
      builder, location, type,
      ValueRange{address(reinterpret_cast<const void *>(&KernelHost::onLaunch)),
                 // The code holds this address, so the host must not move.
                 address(this),
                 constantWord(builder, location, launches.size()), array});
  launches.push_back(std::move(made));
  launch.erase();
  return success();
}

OwningOpRef<ModuleOp> baco::target::cloneWithoutSchedules(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (Operation &op : llvm::make_early_inc_range(*copy->getBody()))
    if (isa<transform::TransformDialect>(op.getDialect()))
      op.erase();
  return copy;
}

KernelHost::~KernelHost() = default;

LogicalResult KernelHost::compile(func::FuncOp function) {
  OwningOpRef<ModuleOp> module =
      cloneWithoutSchedules(cast<ModuleOp>(function->getParentOp()));
  auto copy = module->lookupSymbol<func::FuncOp>(function.getName());
  SmallVector<gpu::LaunchFuncOp> found;
  module->walk([&](gpu::LaunchFuncOp launch) { found.push_back(launch); });
  // Launches name their binaries, so these are known first.
  for (auto binary :
       llvm::make_early_inc_range(module->getOps<gpu::BinaryOp>())) {
    if (failed(takeBinary(binary)))
      return failure();
    binary.erase();
  }
  for (gpu::LaunchFuncOp launch : found)
    if (failed(replaceLaunch(launch, launch->getParentOfType<func::FuncOp>())))
      return failure();
  // Only functions with a C interface can be called.
  copy.setPublic();
  auto compiled = compileModule(*module, function.getName());
  if (!compiled)
    return emitError(function.getLoc())
           << who << ": the host's code can't be compiled: "
           << llvm::toString(compiled.takeError());
  host = std::move(*compiled);
  return success();
}

LogicalResult KernelHost::takeBinary(gpu::BinaryOp binary) {
  for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
    if (object.getFormat() != format)
      continue;
    if (llvm::Error error = addCode(object.getObject().getValue()))
      return emitError(binary.getLoc())
             << who << ": " << llvm::toString(std::move(error));
    binaries.push_back(binary.getName().str());
    return success();
  }
  return emitError(binary.getLoc())
         << who << ": kernels '" << binary.getName() << "' have no "
         << (format == gpu::CompilationTarget::Offload
                 ? "LLVM IR; lower the module by "
                   "baco-lower-to-nvvm='format=llvm' before"
                 : "text; lower the module by baco-lower-to-opencl before");
}

void KernelHost::onLaunch(KernelHost *self, int64_t number,
                          const int64_t *words) {
  const Launch &launch = self->launches[number];
  LaunchSizes sizes;
  for (int i = 0; i < 3; ++i) {
    sizes.grid[i] = static_cast<unsigned>(words[i]);
    sizes.block[i] = static_cast<unsigned>(words[3 + i]);
  }
  sizes.dynamicSharedBytes = static_cast<unsigned>(words[6]);
  SmallVector<Passed> passed;
  for (auto [index, operand] : llvm::enumerate(launch.operands)) {
    // Each operand has two words: its bits or address, and its buffer's
    // address.
    const int64_t *pair = words + numSizes + 2 * index;
    passed.push_back({pair[0], reinterpret_cast<std::byte *>(pair[1])});
  }
  self->run(launch, sizes, passed);
}
