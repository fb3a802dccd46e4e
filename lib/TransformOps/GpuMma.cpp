//===- GpuMma.cpp - Matrix products on tensor cores -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lane l of a warp has, of a tile of 16 x 8 sums, two neighbors in each of the
// rows l / 4 and l / 4 + 8, from column l % 4 * 2 on. A register of an input
// has as many elements as 32 bits have, at place l % 4 of a row of 16 bytes
// along the sum: PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating
// point type", "... mma.m16n8k8", and "ldmatrix".
//
// The instructions are those of the NVVM dialect: upstream's lowering of
// `nvgpu.mma.sync` doesn't know bf16.
//
//===----------------------------------------------------------------------===//

#include "GpuCopies.h"
#include "GpuViews.h"
#include "TargetError.h"

#include "baco/Analysis/MatrixProduct.h"
#include "baco/Support/NvidiaGpu.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace baco;

/// Whether rows of shared memory begin at multiples of 16 bytes.
static bool hasAlignedSharedRows(MemRefType type) {
  int64_t offset;
  SmallVector<int64_t> strides;
  if (!gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace()) ||
      failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return false;
  return llvm::all_of(ArrayRef(strides).drop_back(), [&](int64_t stride) {
    return ShapedType::isStatic(stride) &&
           stride * type.getElementTypeBitWidth() / 8 %
                   nvidia::maxAccessBytes ==
               0;
  });
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

/// The error says why `payload` can't be multiplied on tensor cores.
static llvm::Error checkTile(Operation *payload) {
  auto op = dyn_cast<linalg::LinalgOp>(payload);
  if (!op || !op.hasPureBufferSemantics())
    return llvm::createStringError(
        "only a linalg op on memrefs can be done on tensor cores");
  llvm::Expected<MatrixProduct> product = matchTensorCoreProduct(op);
  if (!product)
    return product.takeError();
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop || !loop->getParentOfType<gpu::LaunchOp>() ||
      loop.getNumRegionIterArgs() > 0)
    return llvm::createStringError(
        "the product is not in a loop over its sum in a 'gpu.launch'");
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  int64_t depth = mma::depthOf(product->element);
  if (llvm::any_of(extents, ShapedType::isDynamic) ||
      extents[product->m] % mma::m != 0 || extents[product->n] % mma::n != 0 ||
      extents[product->k] % depth != 0 ||
      (product->batch && extents[*product->batch] != 1))
    return llvm::createStringError(
        "the extents of a warp's tile are not multiples of 16, 8 and " +
        Twine(depth));
  for (Value input : op.getDpsInputs())
    if (!hasAlignedSharedRows(cast<MemRefType>(input.getType())))
      return llvm::createStringError(
          "the inputs are not in shared memory with rows that begin at "
          "multiples of 16 bytes");
  auto result = cast<MemRefType>(op.getDpsInits()[0].getType());
  if (!result.isLastDimUnitStride() || !canMoveOut(op.getDpsInits()[0], loop))
    return llvm::createStringError(
        "the output changes in the loop, or its rows are not contiguous");
  return llvm::Error::success();
}

namespace {
/// Writes the instructions of one product.
class MmaWriter : IndexWriter {
public:
  MmaWriter(RewriterBase &builder, linalg::LinalgOp op)
      : IndexWriter(builder, op.getLoc()), op(op),
        loop(cast<scf::ForOp>(op->getParentOp())),
        product(*matchMatrixProduct(op)), depth(mma::depthOf(product.element)) {
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    m = extents[product.m];
    n = extents[product.n];
    k = extents[product.k];
  }

  LogicalResult write() {
    builder.setInsertionPoint(loop);
    IRMapping mapping;
    output = moveOut(op.getDpsInits()[0], mapping);
    lane = gpu::LaneIdOp::create(builder, loc, /*upper_bound=*/IntegerAttr());
    group = arith::DivUIOp::create(builder, loc, lane, constant(4));
    place = arith::RemUIOp::create(builder, loc, lane, constant(4));
    auto pair = VectorType::get({2}, product.sum);
    std::optional<Exchange> exchange = planExchange();
    SmallVector<Value> sums;
    if (exchange)
      sums.assign(
          static_cast<size_t>(m * n / nvidia::warpSize),
          arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0)));
    else
      forOutput([&](ArrayRef<SmallVector<Value>> rows) {
        for (const SmallVector<Value> &indices : rows) {
          Value two =
              vector::LoadOp::create(builder, loc, pair, output, indices);
          if (ofRow() == 1)
            sums.push_back(two);
          for (int64_t i = 0; ofRow() == 2 && i < 2; ++i)
            sums.push_back(vector::ExtractOp::create(builder, loc, two, i));
        }
      });
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
    ResultRange results = (*replaced)->getResults();
    if (exchange) {
      storeRows(*exchange, results);
      builder.eraseOp(op);
      return success();
    }
    forOutput([&](ArrayRef<SmallVector<Value>> rows) {
      for (const SmallVector<Value> &indices : rows) {
        Value two = results.front();
        if (ofRow() == 2)
          two = vector::FromElementsOp::create(builder, loc, pair,
                                               results.take_front(2));
        vector::StoreOp::create(builder, loc, two, output, indices);
        results = results.drop_front(ofRow());
      }
    });
    builder.eraseOp(op);
    return success();
  }

private:
  /// The values that two neighboring sums are: one register of f16, or two.
  unsigned ofRow() const { return product.sum.isF16() ? 1 : 2; }

  /// Shared memory of an operand, as one row, in which the sums of a warp
  /// change places.
  struct Exchange {
    Value memory;
    gpu::LaunchOp launch;
    SmallVector<int64_t> threads;
  };

  /// Rows of sums that change places at a time, and the distance between them:
  /// two neighbors of 16 lanes are then in different banks.
  static constexpr int64_t exchangedRows = 8;
  int64_t exchangedRow() const { return n + 8; }

  /// Where rows of the result begin at odd elements, the neighbors of a lane
  /// are two accesses, each of which touches eight rows. Then a warp accesses
  /// one row at a time, for which sums change places. Nothing if rows are even,
  /// or there is no place for that.
  std::optional<Exchange> planExchange() {
    // As many sums and elements of the result are in registers.
    constexpr int64_t maxSums = 64;
    auto type = cast<MemRefType>(output.getType());
    auto [strides, offset] = type.getStridesAndOffset();
    unsigned last = type.getRank() - 1;
    Exchange exchange;
    exchange.launch = op->getParentOfType<gpu::LaunchOp>();
    std::optional<SmallVector<int64_t>> threads = countThreads(exchange.launch);
    if (!product.sum.isF32() || last == 0 ||
        iteratorOf(op, 2, last) != product.n ||
        ShapedType::isDynamic(strides[last - 1]) ||
        strides[last - 1] % 2 == 0 || n % nvidia::warpSize != 0 ||
        m * n > maxSums * nvidia::warpSize || !threads)
      return std::nullopt;
    exchange.threads = *threads;
    int64_t warps = llvm::product_of(*threads) / nvidia::warpSize,
            ratio = 32 / product.element.getIntOrFloatBitWidth(),
            needed = warps * exchangedRows * exchangedRow() * ratio;
    for (Value buffer : op.getDpsInputs()) {
      while (auto part = buffer.getDefiningOp<memref::SubViewOp>())
        buffer = part.getSource();
      auto whole = cast<MemRefType>(buffer.getType());
      if (!whole.hasStaticShape() || !whole.getLayout().isIdentity() ||
          whole.getNumElements() < needed ||
          loop->isAncestor(buffer.getParentBlock()->getParentOp()))
        continue;
      int64_t count = whole.getNumElements();
      exchange.memory = memref::ReinterpretCastOp::create(
          builder, loc,
          MemRefType::get({count}, product.element, MemRefLayoutAttrInterface(),
                          whole.getMemorySpace()),
          buffer, /*offset=*/0, ArrayRef<int64_t>{count}, ArrayRef<int64_t>{1});
      return exchange;
    }
    return std::nullopt;
  }

  /// Adds `sums` to the output by rows.
  void storeRows(const Exchange &exchange, ValueRange sums) {
    int64_t ratio = 32 / product.element.getIntOrFloatBitWidth();
    auto ofElements = [&](int64_t count) {
      return VectorType::get({count * ratio}, product.element);
    };
    auto place32 = [&](Value at) -> Value {
      return arith::MulIOp::create(builder, loc, at, constant(ratio));
    };
    auto sum = [&](Value a, Value b) -> Value {
      return arith::AddIOp::create(builder, loc, a, b);
    };
    auto one = VectorType::get({1}, builder.getF32Type()),
         pair = VectorType::get({2}, builder.getF32Type());
    Value thread =
        numberThreads(builder, exchange.launch, exchange.threads).number;
    Value warp = arith::DivUIOp::create(builder, loc, thread,
                                        constant(nvidia::warpSize));
    Value begin = arith::MulIOp::create(
        builder, loc, warp, constant(exchangedRows * exchangedRow()));
    Value ofPair = sum(
        begin, sum(arith::MulIOp::create(builder, loc, group,
                                         constant(exchangedRow())),
                   arith::MulIOp::create(builder, loc, place, constant(2))));
    Value ofElement = sum(begin, lane);
    // Copies to the operand may be under way, and others may read it still.
    if (auto wait =
            dyn_cast<NVVM::CpAsyncWaitGroupOp>(*builder.getInsertionPoint()))
      builder.setInsertionPointAfter(wait);
    gpu::BarrierOp::create(builder, loc);
    Value all = arith::ConstantIntOp::create(builder, loc, -1, 32);
    SmallVector<Value> exchanged;
    SmallVector<SmallVector<Value>> places;
    for (int64_t row = 0; row < m; row += exchangedRows) {
      if (row > 0)
        NVVM::SyncWarpOp::create(builder, loc, all);
      for (int64_t j = 0; j < n; j += mma::n) {
        auto first =
            static_cast<size_t>((row / mma::m * (n / mma::n) + j / mma::n) * 4 +
                                row % mma::m / exchangedRows * 2);
        Value two = vector::FromElementsOp::create(builder, loc, pair,
                                                   sums.slice(first, 2));
        vector::StoreOp::create(
            builder, loc,
            vector::BitCastOp::create(builder, loc, ofElements(2), two),
            exchange.memory, place32(add(ofPair, j)));
      }
      NVVM::SyncWarpOp::create(builder, loc, all);
      for (int64_t i = 0; i < exchangedRows; ++i)
        for (int64_t j = 0; j < n; j += nvidia::warpSize) {
          Value bits = vector::LoadOp::create(
              builder, loc, ofElements(1), exchange.memory,
              place32(add(ofElement, i * exchangedRow() + j)));
          exchanged.push_back(vector::ExtractOp::create(
              builder, loc, vector::BitCastOp::create(builder, loc, one, bits),
              0));
          places.push_back(
              indicesOf(2, product.m, constant(row + i), add(lane, j)));
        }
    }
    // All loads are before the stores, for those who guard them.
    SmallVector<Value> before;
    for (ArrayRef<Value> at : places)
      before.push_back(memref::LoadOp::create(builder, loc, output, at));
    for (auto [value, old, at] : llvm::zip_equal(exchanged, before, places))
      memref::StoreOp::create(builder, loc,
                              arith::AddFOp::create(builder, loc, old, value),
                              output, at);
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

  /// The place in an operand where `iterator` is `first`, and the other one is
  /// `second`.
  SmallVector<Value> indicesOf(unsigned operand, unsigned iterator, Value first,
                               Value second) {
    SmallVector<Value> indices;
    for (unsigned i = 0, e = op.getRank(&op->getOpOperand(operand)); i < e;
         ++i) {
      unsigned of = iteratorOf(op, operand, i);
      indices.push_back(of == iterator        ? first
                        : of == product.batch ? constant(0)
                                              : second);
    }
    return indices;
  }

  /// Calls `visit` with the places of this lane's sums for each instruction's
  /// tile of the output.
  void forOutput(function_ref<void(ArrayRef<SmallVector<Value>>)> visit) {
    Value column = arith::MulIOp::create(builder, loc, place, constant(2));
    for (int64_t i = 0; i < m; i += mma::m)
      for (int64_t j = 0; j < n; j += mma::n) {
        Value at = add(column, j);
        visit({indicesOf(2, product.m, add(group, i), at),
               indicesOf(2, product.m, add(group, i + 8), at)});
      }
  }

  /// Adds products to `sums`, where the op is.
  SmallVector<Value> multiply(ArrayRef<BlockArgument> sums) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    SmallVector<Value> next(sums.begin(), sums.end());
    for (int64_t step = 0; step < k; step += depth) {
      SmallVector<SmallVector<Value>> left, right;
      for (int64_t i = 0; i < m; i += mma::m)
        left.push_back(load(0, product.m, i, step));
      // Four registers at a time are two instructions' tiles.
      for (int64_t j = 0; j < n; j += 2 * mma::n) {
        bool isPair = j + mma::n < n;
        SmallVector<Value> registers = load(1, product.n, j, step, isPair);
        right.push_back({registers[0], registers[1]});
        if (isPair)
          right.push_back({registers[2], registers[3]});
      }
      MutableArrayRef<Value> rest(next);
      for (ArrayRef<Value> a : left)
        for (ArrayRef<Value> b : right) {
          multiply(a, b, rest.take_front(2 * ofRow()));
          rest = rest.drop_front(2 * ofRow());
        }
    }
    return next;
  }

  void multiply(ArrayRef<Value> a, ArrayRef<Value> b,
                MutableArrayRef<Value> sums) {
    using NVVM::MMATypes;
    MMATypes type = product.element.isF16()    ? MMATypes::f16
                    : product.element.isBF16() ? MMATypes::bf16
                                               : MMATypes::tf32;
    auto registers = LLVM::LLVMStructType::getLiteral(
        builder.getContext(),
        llvm::map_to_vector(sums, [](Value sum) { return sum.getType(); }));
    Value result = NVVM::MmaOp::create(
        builder, loc, registers, a, b, sums,
        ArrayRef<int64_t>{mma::m, mma::n, depth}, /*b1Op=*/std::nullopt,
        /*intOverflow=*/std::nullopt, std::array<MMATypes, 2>{type, type},
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                       NVVM::MMALayout::col});
    for (auto [i, sum] : llvm::enumerate(sums))
      sum = LLVM::ExtractValueOp::create(builder, loc, result,
                                         static_cast<int64_t>(i));
  }

  /// This lane's registers of an input's tile from `first` of `iterator` and
  /// `step` of the sum on: 16 x depth of the left one, depth x 16 of the right,
  /// or depth x 8.
  SmallVector<Value> load(unsigned operand, unsigned iterator, int64_t first,
                          int64_t step, bool isWhole = true) {
    unsigned last = op.getRank(&op->getOpOperand(operand)) - 1;
    bool isAlongSum = iteratorOf(op, operand, last) == product.k;
    bool isWide = product.element.isF32();
    // Matrices of 8 x 8 elements of 16 bits can be transposed, others can't.
    return isWide && !isAlongSum
               ? loadSingly(operand, iterator, first, step, isWhole)
               : loadMatrices(operand, iterator, first, step, isWhole,
                              !isAlongSum);
  }

  SmallVector<Value> loadSingly(unsigned operand, unsigned iterator,
                                int64_t first, int64_t step, bool isWhole) {
    SmallVector<Value> registers;
    for (int64_t i = 0, e = isWhole ? 4 : 2; i < e; ++i) {
      // Which eight of `iterator`, and which half of the sum.
      int64_t eight = operand == 0 ? i % 2 : i / 2,
              half = operand == 0 ? i / 2 : i % 2;
      registers.push_back(asRegister(memref::LoadOp::create(
          builder, loc, op->getOperand(operand),
          indicesOf(operand, iterator, add(group, first + 8 * eight),
                    add(place, step + 4 * half)))));
    }
    return registers;
  }

  /// By `ldmatrix`. Each lane has the address of a row of 16 bytes: eight lanes
  /// after each other those of one matrix.
  SmallVector<Value> loadMatrices(unsigned operand, unsigned iterator,
                                  int64_t first, int64_t step, bool isWhole,
                                  bool isTransposed) {
    // The matrices of the left operand follow each other along its rows first,
    // those of the right one along the sum.
    Value row = arith::RemUIOp::create(builder, loc, lane, constant(8));
    Value matrix = arith::DivUIOp::create(builder, loc, lane, constant(8));
    int32_t numMatrices = isWhole ? 4 : 2;
    Value eight = arith::RemUIOp::create(builder, loc, matrix, constant(2));
    Value half = arith::DivUIOp::create(builder, loc, matrix, constant(2));
    if (operand == 1)
      std::swap(eight, half);
    auto scaled = [&](Value value, int64_t by) -> Value {
      return arith::MulIOp::create(builder, loc, value, constant(by));
    };
    Value at = scaled(eight, 8), ofSum = scaled(half, depth / 2);
    Value &moving = isTransposed ? ofSum : at;
    moving = arith::AddIOp::create(builder, loc, moving, row);
    int64_t perRegister = 32 / product.element.getIntOrFloatBitWidth();
    Value loaded = nvgpu::LdMatrixOp::create(
        builder, loc,
        VectorType::get({numMatrices, perRegister}, product.element),
        op->getOperand(operand),
        indicesOf(operand, iterator, add(at, first), add(ofSum, step)),
        isTransposed, numMatrices);
    SmallVector<Value> registers;
    for (int64_t i = 0; i < numMatrices; ++i)
      registers.push_back(
          asRegister(vector::ExtractOp::create(builder, loc, loaded, i)));
    return registers;
  }

  /// Elements of 32 bits as `mma.sync` takes them.
  Value asRegister(Value elements) {
    if (product.element.isF16())
      return elements;
    auto word = VectorType::get({1}, builder.getI32Type());
    if (product.element.isBF16())
      return vector::ExtractOp::create(
          builder, loc, vector::BitCastOp::create(builder, loc, word, elements),
          0);
    if (isa<VectorType>(elements.getType()))
      elements = vector::ExtractOp::create(builder, loc, elements, 0);
    // Tensor cores would cut off the last bits.
    return NVVM::ConvertFloatToTF32Op::create(
        builder, loc, builder.getI32Type(), elements, NVVM::FPRoundingMode::RNA,
        NVVM::SaturationMode::NONE,
        /*relu=*/false);
  }

  linalg::LinalgOp op;
  scf::ForOp loop;
  MatrixProduct product;
  /// Elements of the sum that an instruction takes.
  int64_t depth;
  int64_t m, n, k;
  Value output, lane;
  /// lane / 4 and lane % 4.
  Value group, place;
};
} // namespace

DiagnosedSilenceableFailure
GpuMmaOp::apply(transform::TransformRewriter &rewriter,
                transform::TransformResults &results,
                transform::TransformState &state) {
  SmallVector<linalg::LinalgOp> ops;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    if (llvm::Error why = checkTile(payload))
      return refuseTarget(*this, payload, std::move(why));
    ops.push_back(cast<linalg::LinalgOp>(payload));
  }
  for (linalg::LinalgOp op : ops)
    if (failed(MmaWriter(rewriter, op).write()))
      return emitDefiniteFailure() << "the loop can't carry accumulators";
  return DiagnosedSilenceableFailure::success();
}
