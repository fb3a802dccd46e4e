//===- GpuMma.cpp - Matrix products on tensor cores -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lane l of a warp has, of a tile of 16 x 8 sums, two neighbors in each of the
// rows l / 4 and l / 4 + 8, from column l % 4 * 2 on: PTX ISA, "Matrix
// Fragments for mma.m16n8k16 with floating point type".
//
//===----------------------------------------------------------------------===//

#include "baco/Support/NvidiaGpu.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace baco;

/// The extents of one instruction.
static constexpr int64_t mmaM = 16, mmaN = 8, mmaK = 16;

/// Whether rows of shared memory begin at multiples of 16 bytes.
static bool hasAlignedSharedRows(MemRefType type) {
  int64_t offset;
  SmallVector<int64_t> strides;
  return gpu::GPUDialect::isWorkgroupMemoryAddressSpace(
             type.getMemorySpace()) &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1 && ShapedType::isStatic(strides.front()) &&
         strides.front() * 2 % nvidia::maxAccessBytes == 0;
}

/// Whether `value` is the same in all iterations of `loop`, and can be computed
/// before it.
static bool canMoveOut(Value value, scf::ForOp loop) {
  if (value == loop.getInductionVar())
    return false;
  Operation *op = value.getDefiningOp();
  if (!op || !loop->isAncestor(op))
    return true;
  return op->getBlock() == loop.getBody() && op->getNumRegions() == 0 &&
         isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return canMoveOut(operand, loop); });
}

/// Why `payload` can't be multiplied on tensor cores; empty if it can.
static std::string whyNoTile(Operation *payload) {
  auto op = dyn_cast<linalg::MatmulOp>(payload);
  if (!op || !op.hasPureBufferSemantics() || op.hasUserDefinedMaps())
    return "only a 'linalg.matmul' on memrefs can be done on tensor cores";
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop || !loop->getParentOfType<gpu::LaunchOp>() ||
      loop.getNumRegionIterArgs() > 0)
    return "the product is not in a loop over its sum in a 'gpu.launch'";
  auto a = cast<MemRefType>(op.getInputs()[0].getType()),
       b = cast<MemRefType>(op.getInputs()[1].getType()),
       c = cast<MemRefType>(op.getOutputs()[0].getType());
  Type element = a.getElementType();
  if (element != b.getElementType() || !c.getElementType().isF32() ||
      !element.isF16())
    return "tensor cores multiply f16, and add f32";
  if (!a.hasStaticShape() || !b.hasStaticShape() ||
      c.getShape()[0] % mmaM != 0 || c.getShape()[1] % mmaN != 0 ||
      a.getShape()[1] % mmaK != 0)
    return "the extents of a warp's tile are not multiples of 16, 8 and 16";
  if (!hasAlignedSharedRows(a) || !hasAlignedSharedRows(b))
    return "the inputs are not in shared memory with rows that begin at "
           "multiples of 16 bytes";
  if (!canMoveOut(op.getOutputs()[0], loop))
    return "the output changes in the loop";
  return "";
}

namespace {
/// Writes the instructions of one product.
class MmaWriter {
public:
  MmaWriter(RewriterBase &builder, linalg::MatmulOp op)
      : builder(builder), op(op), loop(cast<scf::ForOp>(op->getParentOp())),
        loc(op.getLoc()) {
    auto a = cast<MemRefType>(op.getInputs()[0].getType());
    auto c = cast<MemRefType>(op.getOutputs()[0].getType());
    element = a.getElementType();
    m = c.getShape()[0];
    n = c.getShape()[1];
    k = a.getShape()[1];
  }

  LogicalResult write() {
    builder.setInsertionPoint(loop);
    IRMapping mapping;
    output = moveOut(op.getOutputs()[0], mapping);
    lane = gpu::LaneIdOp::create(builder, loc, /*upper_bound=*/IntegerAttr());
    SmallVector<Value> sums;
    auto pair = VectorType::get({2}, builder.getF32Type());
    auto type = VectorType::get({2, 2}, builder.getF32Type());
    forOutput([&](ArrayRef<SmallVector<Value>> rows) {
      Value sum =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
      for (auto [row, indices] : llvm::enumerate(rows))
        sum = vector::InsertOp::create(
            builder, loc,
            vector::LoadOp::create(builder, loc, pair, output, indices), sum,
            static_cast<int64_t>(row));
      sums.push_back(sum);
    });
    size_t before = loop.getNumResults();
    FailureOr<LoopLikeOpInterface> replaced =
        cast<LoopLikeOpInterface>(loop.getOperation())
            .replaceWithAdditionalYields(
                builder, sums, /*replaceInitOperandUsesInLoop=*/false,
                [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
                  return multiply(arguments);
                });
    if (failed(replaced))
      return failure();
    builder.setInsertionPointAfter(*replaced);
    size_t number = before;
    forOutput([&](ArrayRef<SmallVector<Value>> rows) {
      Value sum = (*replaced)->getResult(number++);
      for (auto [row, indices] : llvm::enumerate(rows))
        vector::StoreOp::create(
            builder, loc,
            vector::ExtractOp::create(builder, loc, sum,
                                      static_cast<int64_t>(row)),
            output, indices);
    });
    builder.eraseOp(op);
    return success();
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value value, int64_t number) {
    return arith::AddIOp::create(builder, loc, value, constant(number));
  }

  /// `value`, computed before the loop.
  Value moveOut(Value value, IRMapping &mapping) {
    Operation *definition = value.getDefiningOp();
    if (mapping.contains(value) || !definition || !loop->isAncestor(definition))
      return mapping.lookupOrDefault(value);
    for (Value operand : definition->getOperands())
      moveOut(operand, mapping);
    builder.clone(*definition, mapping);
    return mapping.lookup(value);
  }

  /// Calls `visit` with the places of this lane's sums for each instruction's
  /// tile of the output.
  void forOutput(function_ref<void(ArrayRef<SmallVector<Value>>)> visit) {
    Value four = constant(4), two = constant(2);
    Value group = arith::DivUIOp::create(builder, loc, lane, four);
    Value place = arith::MulIOp::create(
        builder, loc, arith::RemUIOp::create(builder, loc, lane, four), two);
    for (int64_t row = 0; row < m; row += mmaM)
      for (int64_t column = 0; column < n; column += mmaN)
        visit({{add(group, row), add(place, column)},
               {add(group, row + 8), add(place, column)}});
  }

  /// Adds products to `sums`, where the op is.
  SmallVector<Value> multiply(ArrayRef<BlockArgument> sums) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    SmallVector<Value> next(sums.begin(), sums.end());
    Value sixteen = constant(16);
    // Lanes give the addresses of rows: 16 of them, and eight columns further.
    Value row = arith::RemUIOp::create(builder, loc, lane, sixteen);
    Value half = arith::MulIOp::create(
        builder, loc, arith::DivUIOp::create(builder, loc, lane, sixteen),
        constant(8));
    for (int64_t step = 0; step < k; step += mmaK) {
      SmallVector<Value> left, right;
      for (int64_t i = 0; i < m; i += mmaM)
        left.push_back(load(op.getInputs()[0], add(row, i), add(half, step),
                            /*transpose=*/false, /*numTiles=*/4));
      for (int64_t j = 0; j < n; j += mmaN)
        right.push_back(load(op.getInputs()[1], add(row, step), constant(j),
                             /*transpose=*/true, /*numTiles=*/2));
      for (auto [i, a] : llvm::enumerate(left))
        for (auto [j, b] : llvm::enumerate(right)) {
          Value &sum = next[i * right.size() + j];
          sum = nvgpu::MmaSyncOp::create(builder, loc, a, b, sum,
                                         ArrayRef<int64_t>{mmaM, mmaN, mmaK});
        }
    }
    return next;
  }

  Value load(Value memory, Value row, Value column, bool transpose,
             int32_t numTiles) {
    return nvgpu::LdMatrixOp::create(
        builder, loc, VectorType::get({numTiles, 2}, element), memory,
        ValueRange{row, column}, transpose, numTiles);
  }

  RewriterBase &builder;
  linalg::MatmulOp op;
  scf::ForOp loop;
  Location loc;
  Type element;
  int64_t m, n, k;
  Value output, lane;
};
} // namespace

DiagnosedSilenceableFailure
GpuMmaOp::apply(transform::TransformRewriter &rewriter,
                transform::TransformResults &results,
                transform::TransformState &state) {
  SmallVector<linalg::MatmulOp> ops;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    if (std::string why = whyNoTile(payload); !why.empty()) {
      DiagnosedSilenceableFailure failure = emitSilenceableError() << why;
      failure.attachNote(payload->getLoc()) << "the target is this";
      return failure;
    }
    ops.push_back(cast<linalg::MatmulOp>(payload));
  }
  for (linalg::MatmulOp op : ops)
    if (failed(MmaWriter(rewriter, op).write()))
      return emitDefiniteFailure() << "the loop can't carry accumulators";
  return DiagnosedSilenceableFailure::success();
}

void GpuMmaOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}
