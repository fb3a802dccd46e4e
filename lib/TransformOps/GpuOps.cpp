//===- GpuOps.cpp - Transform ops for GPUs --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Promotion to shared memory, and the registration of all ops of GpuOps.td.
// Other files of this folder have the rest, each named after its op.
//
//===----------------------------------------------------------------------===//

#include "baco/TransformOps/GpuOps.h"
#include "GpuCopies.h"
#include "GpuViews.h"
#include "IntegerOperand.h"
#include "TargetError.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace baco;

#define GET_OP_CLASSES
#include "baco/TransformOps/GpuOps.cpp.inc"

//===----------------------------------------------------------------------===//
// gpu_promote
//===----------------------------------------------------------------------===//

Value baco::allocateBuffer(OpBuilder &builder, Location loc, MemRefType type,
                           int64_t padding, int64_t stages) {
  auto space = gpu::AddressSpaceAttr::get(
      builder.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() += padding;
  if (stages > 1)
    shape.insert(shape.begin(), stages);
  Value buffer = memref::AllocOp::create(
      builder, loc,
      MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(),
                      space));
  if (padding == 0 && stages == 1)
    return buffer;
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(shape.size(), builder.getIndexAttr(1));
  if (stages == 1)
    return memref::SubViewOp::create(builder, loc, buffer, offsets, sizes,
                                     ones);
  // An operand, so that it can be set later.
  offsets.front() = arith::ConstantIndexOp::create(builder, loc, 0).getResult();
  sizes.insert(sizes.begin(), builder.getIndexAttr(1));
  MemRefType part = memref::SubViewOp::inferRankReducedResultType(
      type.getShape(), cast<MemRefType>(buffer.getType()), offsets, sizes,
      ones);
  return memref::SubViewOp::create(builder, loc, part, buffer, offsets, sizes,
                                   ones);
}

DiagnosedSilenceableFailure
GpuPromoteOp::apply(transform::TransformRewriter &rewriter,
                    transform::TransformResults &results,
                    transform::TransformState &state) {
  std::optional<int64_t> padding;
  auto read = readInteger(*this, "padding", getPadding(), getPaddingParam(),
                          state, padding);
  if (!read.succeeded())
    return read;
  if (padding.value_or(0) < 0)
    return emitSilenceableError()
           << "the padding is " << *padding << ", but must not be negative";
  std::optional<int64_t> stages;
  read = readInteger(*this, "number of stages", getStages(), getStagesParam(),
                     state, stages);
  if (!read.succeeded())
    return read;
  if (stages.value_or(1) < 1)
    return emitSilenceableError()
           << "the number of stages is " << *stages << ", but must be positive";
  SmallVector<Operation *> copies;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    auto op = dyn_cast<linalg::LinalgOp>(payload);
    auto fail = [&]() {
      DiagnosedSilenceableFailure failure = emitSilenceableError();
      failure.attachNote(payload->getLoc()) << "the target is this";
      return failure;
    };
    if (!op || !op.hasPureBufferSemantics())
      return fail() << "only linalg ops on memrefs have operands to copy";
    for (int64_t index : getOperands()) {
      if (index < 0 || index >= op.getNumDpsInputs())
        return fail() << "the op has no input operand " << index;
      auto type = dyn_cast<MemRefType>(payload->getOperand(index).getType());
      if (!type || !type.hasStaticShape() || type.getRank() == 0)
        return fail() << "operand " << index
                      << " is no memref of static shape with dimensions";
    }
    rewriter.setInsertionPoint(payload);
    SmallVector<Value> buffers;
    for (int64_t index : getOperands())
      buffers.push_back(
          allocateBuffer(rewriter, payload->getLoc(),
                         cast<MemRefType>(payload->getOperand(index).getType()),
                         padding.value_or(0), stages.value_or(1)));
    for (auto [index, buffer] : llvm::zip_equal(getOperands(), buffers)) {
      OpOperand &operand = payload->getOpOperand(index);
      auto copy = linalg::CopyOp::create(rewriter, payload->getLoc(),
                                         operand.get(), buffer);
      if (stages.value_or(1) > 1)
        copy->setAttr(BacoDialect::kStages,
                      rewriter.getI64IntegerAttr(*stages));
      copies.push_back(copy);
      rewriter.modifyOpInPlace(payload,
                               [&, &buffer = buffer] { operand.set(buffer); });
    }
  }
  results.set(cast<OpResult>(getCopies()), copies);
  return DiagnosedSilenceableFailure::success();
}

LogicalResult GpuPromoteOp::verify() {
  if (getOperands().empty())
    return emitOpError("needs at least one operand to copy");
  return failure(failed(verifyInteger(*this, "padding", getPadding(),
                                      getPaddingParam(), "padding",
                                      /*isNeeded=*/false)) ||
                 failed(verifyInteger(*this, "stages", getStages(),
                                      getStagesParam(), "stages",
                                      /*isNeeded=*/false)));
}

//===----------------------------------------------------------------------===//
// gpu_copy
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
GpuCopyOp::apply(transform::TransformRewriter &rewriter,
                 transform::TransformResults &results,
                 transform::TransformState &state) {
  std::optional<int64_t> width;
  auto read =
      readInteger(*this, "width", getWidth(), getWidthParam(), state, width);
  if (!read.succeeded())
    return read;
  if (*width < 1)
    return emitSilenceableError()
           << "the width is " << *width << ", but must be positive";
  CopyWork work{*width, getConsecutive()};
  SmallVector<linalg::CopyOp> copies;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    if (llvm::Error why = checkCopy(payload, work))
      return refuseTarget(*this, payload, std::move(why));
    copies.push_back(cast<linalg::CopyOp>(payload));
  }
  distributeCopies(rewriter, copies, work);
  return DiagnosedSilenceableFailure::success();
}

LogicalResult GpuCopyOp::verify() {
  return verifyInteger(*this, "width", getWidth(), getWidthParam(), "by",
                       /*isNeeded=*/true);
}

namespace {
class GpuOpsExtension
    : public transform::TransformDialectExtension<GpuOpsExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GpuOpsExtension)

  void init() {
    // The dialects of generated ops.
    declareGeneratedDialect<affine::AffineDialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<gpu::GPUDialect>();
    declareGeneratedDialect<memref::MemRefDialect>();
    declareGeneratedDialect<nvgpu::NVGPUDialect>();
    declareGeneratedDialect<NVVM::NVVMDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<vector::VectorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "baco/TransformOps/GpuOps.cpp.inc"
        >();
  }
};
} // namespace

void baco::registerGpuOps(DialectRegistry &registry) {
  registry.addExtensions<GpuOpsExtension>();
}
