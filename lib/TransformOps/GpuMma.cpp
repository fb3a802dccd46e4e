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
// point type", "... mma.m16n8k8", "... mma.m16n8k32", and "ldmatrix".
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

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace baco;

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

/// Whether `ldmatrix` loads an input. Matrices of 8 x 8 elements of 16 bits can
/// be transposed, others can't; rows of a window begin at any element.
static bool canLoadMatrices(linalg::LinalgOp op, const MatrixProduct &product,
                            unsigned input) {
  return isAlongSum(op, product, input) ||
         (product.element.getIntOrFloatBitWidth() == 16 &&
          lastIteratorOf(op, input));
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
      llvm::any_of(product->batch, [&](unsigned i) { return extents[i] != 1; }))
    return llvm::createStringError(
        "the extents of a warp's tile are not multiples of 16, 8 and " +
        Twine(depth));
  for (unsigned input : {0, 1})
    if (auto type = cast<MemRefType>(op->getOperand(input).getType());
        !gpu::GPUDialect::isWorkgroupMemoryAddressSpace(
            type.getMemorySpace()) ||
        !type.isLastDimUnitStride() ||
        (canLoadMatrices(op, *product, input) && !hasAlignedRows(type)))
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
  /// `start`: what all sums begin with; if it is null, that's the output.
  MmaWriter(RewriterBase &builder, linalg::LinalgOp op, Value start)
      : IndexWriter(builder, op.getLoc()), op(op), start(start),
        loop(cast<scf::ForOp>(op->getParentOp())),
        product(llvm::cantFail(matchTensorCoreProduct(op))),
        depth(mma::depthOf(product.element)),
        extents(op.getStaticLoopRanges()) {
    m = extents[product.m];
    n = extents[product.n];
    k = extents[product.k];
    if (!canLoadMatrices(op, product, 1))
      while (together < perRegister() && n % (2 * together * mma::n) == 0)
        together *= 2;
  }

  LogicalResult write() {
    builder.setInsertionPoint(loop);
    IRMapping mapping;
    output = moveOut(op.getDpsInits()[0], mapping);
    lane = gpu::LaneIdOp::create(builder, loc, /*upper_bound=*/IntegerAttr());
    group = arith::DivUIOp::create(builder, loc, lane, constant(4));
    place = arith::RemUIOp::create(builder, loc, lane, constant(4));
    auto neighbors = VectorType::get({numNeighbors()}, product.sum);
    std::optional<Exchange> exchange;
    if (!start)
      exchange = planExchange();
    SmallVector<Value> sums = beginSums(/*areAdded=*/exchange.has_value());
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
    forOutput([&](ArrayRef<Value> indices) {
      size_t count = ofRow() == 1 ? 1 : numNeighbors();
      Value values = results.front();
      if (ofRow() == 2)
        values = vector::FromElementsOp::create(builder, loc, neighbors,
                                                results.take_front(count));
      vector::StoreOp::create(builder, loc, values, output, indices);
      results = results.drop_front(count);
    });
    builder.eraseOp(op);
    return success();
  }

private:
  /// What the loop carries at first; zeros if sums are added to the output.
  SmallVector<Value> beginSums(bool areAdded) {
    SmallVector<Value> sums;
    auto neighbors = VectorType::get({numNeighbors()}, product.sum);
    if (areAdded || start) {
      Value value = start ? start
                          : arith::ConstantOp::create(
                                builder, loc, builder.getZeroAttr(product.sum));
      if (ofRow() == 1)
        value = vector::BroadcastOp::create(builder, loc, neighbors, value);
      sums.assign(m * n / nvidia::warpSize * ofRow() / 2, value);
      return sums;
    }
    forOutput([&](ArrayRef<Value> indices) {
      Value values =
          vector::LoadOp::create(builder, loc, neighbors, output, indices);
      if (ofRow() == 1)
        sums.push_back(values);
      for (int64_t i = 0; ofRow() == 2 && i < numNeighbors(); ++i)
        sums.push_back(vector::ExtractOp::create(builder, loc, values, i));
    });
    return sums;
  }

  /// The values that two neighboring sums are: one register of f16, or two.
  unsigned ofRow() const { return product.sum.isF16() ? 1 : 2; }
  /// Sums that a lane loads and stores at once.
  int64_t numNeighbors() const { return std::min<int64_t>(4, 2 * together); }

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
    if (product.sum.getIntOrFloatBitWidth() != 32 || last == 0 ||
        lastIteratorOf(op, 2) != product.n ||
        ShapedType::isDynamic(strides[last - 1]) ||
        strides[last - 1] % 2 == 0 || n % nvidia::warpSize != 0 ||
        m * n > maxSums * nvidia::warpSize || !threads)
      return std::nullopt;
    exchange.threads = *threads;
    int64_t warps = llvm::product_of(*threads) / nvidia::warpSize,
            needed = warps * exchangedRows * exchangedRow() * perRegister();
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
    int64_t ratio = perRegister();
    auto ofElements = [&](int64_t count) {
      return VectorType::get({count * ratio}, product.element);
    };
    auto sum = [&](Value a, Value b) -> Value {
      return arith::AddIOp::create(builder, loc, a, b);
    };
    auto one = VectorType::get({1}, product.sum),
         neighbors = VectorType::get({numNeighbors()}, product.sum);
    Value thread =
        numberThreads(builder, exchange.launch, exchange.threads).number;
    Value warp = arith::DivUIOp::create(builder, loc, thread,
                                        constant(nvidia::warpSize));
    Value begin = scale(warp, exchangedRows * exchangedRow());
    Value rowBegin = sum(begin, scale(group, exchangedRow()));
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
      for (int64_t j = 0; j < n; j += together * mma::n) {
        auto count = static_cast<size_t>(numNeighbors());
        auto first =
            static_cast<size_t>((row / mma::m * (n / mma::n) + j / mma::n) * 4 +
                                row % mma::m / exchangedRows * 2 * together);
        for (int64_t part = 0; part < 2 * together / numNeighbors(); ++part) {
          Value values = vector::FromElementsOp::create(
              builder, loc, neighbors,
              sums.slice(first + static_cast<size_t>(part) * count, count));
          vector::StoreOp::create(
              builder, loc,
              vector::BitCastOp::create(builder, loc,
                                        ofElements(numNeighbors()), values),
              exchange.memory,
              scale(sum(rowBegin, add(columnOf(part), j)), ratio));
        }
      }
      NVVM::SyncWarpOp::create(builder, loc, all);
      for (int64_t i = 0; i < exchangedRows; ++i)
        for (int64_t j = 0; j < n; j += nvidia::warpSize) {
          Value bits = vector::LoadOp::create(
              builder, loc, ofElements(1), exchange.memory,
              scale(add(ofElement, i * exchangedRow() + j), ratio));
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
    for (auto [value, old, at] : llvm::zip_equal(exchanged, before, places)) {
      Value result =
          isa<FloatType>(product.sum)
              ? arith::AddFOp::create(builder, loc, old, value).getResult()
              : arith::AddIOp::create(builder, loc, old, value);
      memref::StoreOp::create(builder, loc, result, output, at);
    }
  }

  Value add(Value value, int64_t number) {
    return arith::AddIOp::create(builder, loc, value, constant(number));
  }
  Value scale(Value value, int64_t by) {
    return arith::MulIOp::create(builder, loc, value, constant(by));
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

  /// The place in an operand where `iterator` is `first`, the other one of
  /// rows, columns and the sum is `second`, and those of the window are
  /// `element`.
  SmallVector<Value> indicesOf(unsigned operand, unsigned iterator, Value first,
                               Value second) {
    AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(operand));
    SmallVector<Value> values(map.getNumDims(), second);
    values[iterator] = first;
    for (unsigned i : product.batch)
      if (map.isFunctionOfDim(i))
        values[i] = constant(0);
    for (auto [i, offset] : llvm::zip_equal(product.window, element))
      if (map.isFunctionOfDim(i))
        values[i] = constant(offset);
    return *affine::expandAffineMap(builder, loc, map, values);
  }

  /// The column of this lane's first sums of `together` tiles, or the second.
  Value columnOf(int64_t part) {
    return add(scale(place, numNeighbors()), part * 4 * numNeighbors());
  }

  /// Calls `visit` with the places of this lane's sums, in the order in which
  /// the loop carries them.
  void forOutput(function_ref<void(ArrayRef<Value>)> visit) {
    for (int64_t i = 0; i < m; i += mma::m)
      for (int64_t j = 0; j < n; j += together * mma::n)
        for (int64_t eight : {0, 8})
          for (int64_t part = 0; part < 2 * together / numNeighbors(); ++part)
            visit(indicesOf(2, product.m, add(group, i + eight),
                            add(columnOf(part), j)));
  }

  /// Adds products to `sums`, where the op is.
  SmallVector<Value> multiply(ArrayRef<BlockArgument> sums) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    SmallVector<Value> next(sums.begin(), sums.end());
    SmallVector<int64_t> window = llvm::map_to_vector(
        product.window, [&](unsigned i) { return extents[i]; });
    SmallVector<int64_t> strides = computeStrides(window);
    for (int64_t i = 0, e = computeProduct(window); i < e; ++i) {
      element = delinearize(i, strides);
      for (int64_t step = 0; step < k; step += depth)
        multiply(step, next);
    }
    return next;
  }

  /// Adds the products from `step` of the sum on.
  void multiply(int64_t step, MutableArrayRef<Value> sums) {
    SmallVector<SmallVector<Value>> left, right;
    for (int64_t i = 0; i < m; i += mma::m)
      left.push_back(loadLeft(i, step));
    // Four registers at a time are two instructions' tiles.
    int64_t columns = std::max<int64_t>(2, together) * mma::n;
    for (int64_t j = 0; j < n; j += columns)
      llvm::append_range(right, loadRight(j, step, std::min(n - j, columns)));
    for (ArrayRef<Value> a : left)
      for (size_t j = 0; j < right.size(); j += together) {
        MutableArrayRef<Value> own = sums.take_front(2 * ofRow() * together);
        for (int64_t tile = 0; tile < together; ++tile)
          multiply(a, right[j + tile], own, tile);
        sums = sums.drop_front(own.size());
      }
  }

  /// Adds to the sums of one of `together` tiles.
  void multiply(ArrayRef<Value> a, ArrayRef<Value> b,
                MutableArrayRef<Value> sums, size_t tile) {
    SmallVector<Value> own;
    for (size_t i = tile; i < sums.size(); i += together)
      own.push_back(sums[i]);
    using NVVM::MMATypes;
    bool isInteger = product.element.isInteger(8);
    std::array<MMATypes, 2> types;
    for (unsigned i : {0, 1})
      types[i] = isInteger ? product.isUnsigned[i] ? MMATypes::u8 : MMATypes::s8
                 : product.element.isF16()  ? MMATypes::f16
                 : product.element.isBF16() ? MMATypes::bf16
                                            : MMATypes::tf32;
    std::optional<NVVM::MMAIntOverflow> overflow;
    if (isInteger)
      overflow = NVVM::MMAIntOverflow::wrapped;
    auto registers = LLVM::LLVMStructType::getLiteral(
        builder.getContext(),
        llvm::map_to_vector(own, [](Value sum) { return sum.getType(); }));
    Value result =
        NVVM::MmaOp::create(builder, loc, registers, a, b, own,
                            ArrayRef<int64_t>{mma::m, mma::n, depth},
                            /*b1Op=*/std::nullopt, overflow, types,
                            std::array<NVVM::MMALayout, 2>{
                                NVVM::MMALayout::row, NVVM::MMALayout::col});
    for (size_t i = 0; i < own.size(); ++i)
      sums[tile + i * together] = LLVM::ExtractValueOp::create(
          builder, loc, result, static_cast<int64_t>(i));
  }

  /// This lane's registers of 16 x depth elements from row `first` and `step`
  /// of the sum on.
  SmallVector<Value> loadLeft(int64_t first, int64_t step) {
    if (canLoadMatrices(op, product, 0))
      return loadMatrices(0, product.m, first, step, /*isWhole=*/true);
    SmallVector<Value> registers;
    for (int64_t half : {0, 1})
      for (int64_t eight : {0, 1})
        llvm::append_range(registers,
                           loadNeighbors(0, product.m, first + 8 * eight,
                                         step + half * depth / 2, /*count=*/1));
    return registers;
  }

  /// The same of depth x `columns` elements, for each tile of 8.
  SmallVector<SmallVector<Value>> loadRight(int64_t first, int64_t step,
                                            int64_t columns) {
    SmallVector<SmallVector<Value>> tiles(columns / mma::n);
    if (canLoadMatrices(op, product, 1)) {
      SmallVector<Value> registers =
          loadMatrices(1, product.n, first, step, tiles.size() == 2);
      for (auto [i, value] : llvm::enumerate(registers))
        tiles[i / 2].push_back(value);
      return tiles;
    }
    for (size_t begin = 0; begin < tiles.size(); begin += together)
      for (int64_t half : {0, 1})
        for (auto [i, value] :
             llvm::enumerate(loadNeighbors(1, product.n, first + begin * mma::n,
                                           step + half * depth / 2, together)))
          tiles[begin + i].push_back(value);
    return tiles;
  }

  /// A register for each of `count` neighbors along `iterator`, of which each
  /// lane has others, with elements from `step` of the sum on.
  SmallVector<Value> loadNeighbors(unsigned operand, unsigned iterator,
                                   int64_t first, int64_t step, int64_t count) {
    Value number = group;
    // Then the first sums of four lanes are neighbors, and the second ones.
    if (count == 4)
      number = arith::AddIOp::create(
          builder, loc,
          arith::DivUIOp::create(builder, loc, group, constant(2)),
          scale(arith::RemUIOp::create(builder, loc, group, constant(2)), 4));
    Value at = add(scale(number, count), first);
    Value ofSum = add(scale(place, perRegister()), step);
    SmallVector<SmallVector<Value>> elements(count);
    for (int64_t e = 0; e < perRegister(); ++e) {
      Value loaded = vector::LoadOp::create(
          builder, loc, VectorType::get({count}, product.element),
          op->getOperand(operand),
          indicesOf(operand, iterator, at, add(ofSum, e)));
      for (auto [i, list] : llvm::enumerate(elements))
        list.push_back(vector::ExtractOp::create(builder, loc, loaded, i));
    }
    auto type = VectorType::get({perRegister()}, product.element);
    return llvm::map_to_vector(elements, [&](ArrayRef<Value> list) {
      return asRegister(
          vector::FromElementsOp::create(builder, loc, type, list));
    });
  }

  /// By `ldmatrix`. Each lane has the address of a row of 16 bytes: eight lanes
  /// after each other those of one matrix.
  SmallVector<Value> loadMatrices(unsigned operand, unsigned iterator,
                                  int64_t first, int64_t step, bool isWhole) {
    // The matrices of the left operand follow each other along its rows first,
    // those of the right one along the sum.
    Value row = arith::RemUIOp::create(builder, loc, lane, constant(8));
    Value matrix = arith::DivUIOp::create(builder, loc, lane, constant(8));
    int32_t numMatrices = isWhole ? 4 : 2;
    Value eight = arith::RemUIOp::create(builder, loc, matrix, constant(2));
    Value half = arith::DivUIOp::create(builder, loc, matrix, constant(2));
    if (operand == 1)
      std::swap(eight, half);
    Value at = scale(eight, 8), ofSum = scale(half, depth / 2);
    bool isTransposed = !isAlongSum(op, product, operand);
    Value &moving = isTransposed ? ofSum : at;
    moving = arith::AddIOp::create(builder, loc, moving, row);
    Value loaded = nvgpu::LdMatrixOp::create(
        builder, loc,
        VectorType::get({numMatrices, perRegister()}, product.element),
        op->getOperand(operand),
        indicesOf(operand, iterator, add(at, first), add(ofSum, step)),
        isTransposed, numMatrices);
    SmallVector<Value> registers;
    for (int64_t i = 0; i < numMatrices; ++i)
      registers.push_back(
          asRegister(vector::ExtractOp::create(builder, loc, loaded, i)));
    return registers;
  }

  /// Elements in 32 bits.
  int64_t perRegister() const {
    return 32 / product.element.getIntOrFloatBitWidth();
  }

  /// A vector of 32 bits as `mma.sync` takes it.
  Value asRegister(Value elements) {
    if (product.element.isF16())
      return elements;
    auto word = VectorType::get({1}, builder.getI32Type());
    if (!product.element.isF32())
      return vector::ExtractOp::create(
          builder, loc, vector::BitCastOp::create(builder, loc, word, elements),
          0);
    elements = vector::ExtractOp::create(builder, loc, elements, 0);
    // Tensor cores would cut off the last bits.
    return NVVM::ConvertFloatToTF32Op::create(
        builder, loc, builder.getI32Type(), elements, NVVM::FPRoundingMode::RNA,
        NVVM::SaturationMode::NONE,
        /*relu=*/false);
  }

  linalg::LinalgOp op;
  Value start;
  scf::ForOp loop;
  MatrixProduct product;
  /// Elements of the sum that an instruction takes.
  int64_t depth;
  SmallVector<int64_t> extents;
  int64_t m, n, k;
  /// The element of the window whose products are written.
  SmallVector<int64_t> element;
  /// Tiles of which a lane loads neighboring columns of the right operand at
  /// once, up to 32 bits, where `ldmatrix` can't: of 8 * `together` columns,
  /// each tile has every `together`th. The sums of a lane are neighbors then,
  /// too.
  int64_t together = 1;
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
  for (linalg::LinalgOp op : ops) {
    Value start = getOverwrites() ? takeFill(rewriter, op) : Value();
    if (getOverwrites() && !start)
      return refuseTarget(*this, op,
                          llvm::createStringError("no fill sets the output"));
    if (failed(MmaWriter(rewriter, op, start).write()))
      return emitDefiniteFailure() << "the loop can't carry accumulators";
  }
  return DiagnosedSilenceableFailure::success();
}
