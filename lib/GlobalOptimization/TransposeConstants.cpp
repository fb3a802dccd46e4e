//===- TransposeConstants.cpp - Weights in the order of use ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's patterns fold generic ops on dense constants, an element at a
// time; these move bytes, of data in resources, too.
//
//===----------------------------------------------------------------------===//

#include "baco/GlobalOptimization/TransposeConstants.h"

#include "baco/Analysis/ConstantData.h"
#include "baco/Analysis/ResultLoop.h"
#include "baco/Analysis/TripCount.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/UsedSymbols.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#include <cstring>

#define DEBUG_TYPE "baco-transpose-constants"

using namespace mlir;
using namespace baco;

/// Larger constants stay as they are: both orders are in memory for a while.
static constexpr int64_t maxBytes = int64_t(1) << 28;

/// A vector that is read once needs no other order.
static constexpr double minReuse = 2;

/// Writes elements of `width` bytes, whose subscripts are in `order`.
static void permuteBytes(ArrayRef<char> from, MutableArrayRef<char> to,
                         ArrayRef<int64_t> shape, ArrayRef<int64_t> order,
                         int64_t width) {
  SmallVector<int64_t> strides = computeSuffixProduct(shape);
  SmallVector<int64_t> extents = applyPermutation(shape, order);
  SmallVector<int64_t> steps = applyPermutation(strides, order);
  SmallVector<int64_t> at(order.size(), 0);
  int64_t offset = 0;
  for (size_t written = 0; written < to.size(); written += width) {
    std::memcpy(&to[written], &from[offset * width], width);
    for (size_t d = order.size(); d-- > 0;) {
      offset += steps[d];
      if (++at[d] < extents[d])
        break;
      offset -= at[d] * steps[d];
      at[d] = 0;
    }
  }
}

/// `data` with subscripts in `order`; null if that isn't possible.
static ElementsAttr permute(ElementsAttr data, ArrayRef<int64_t> order) {
  auto type = cast<ShapedType>(data.getType());
  Type element = type.getElementType();
  auto permuted =
      RankedTensorType::get(applyPermutation(type.getShape(), order), element);
  if (auto splat = dyn_cast<SplatElementsAttr>(data))
    return splat.resizeSplat(permuted);
  int64_t width = bytesOf(element);
  int64_t size = type.getNumElements() * width;
  ArrayRef<char> from = bytesOf(data);
  if (size == 0 || size > maxBytes || int64_t(from.size()) != size)
    return {};
  AsmResourceBlob to = HeapAsmResourceBlob::allocate(size, /*align=*/64);
  permuteBytes(from, to.getMutableData(), type.getShape(), order, width);
  return createLike(data, permuted, std::move(to));
}

namespace {
/// Transposes constants of one module, each once for an order.
class Transposer {
public:
  Transposer(ModuleOp module) : module(module), symbols(module) {}

  /// A constant with the elements of `constant` and subscripts in `order`, to
  /// be used by `user`; null if `constant` isn't one, or can't be transposed.
  Value transpose(Operation *user, Value constant, ArrayRef<int64_t> order);

  /// Erases constants that are no longer used.
  void eraseUnused();

private:
  memref::GlobalOp globalOf(Value constant);

  ModuleOp module;
  SymbolTable symbols;
  llvm::DenseMap<std::pair<Attribute, Attribute>, ElementsAttr> permuted;
  llvm::MapVector<std::pair<Operation *, Attribute>, memref::GlobalOp> globals;
  llvm::SetVector<Operation *> replaced;
};
} // namespace

/// The global whose value `constant` is; null if it may change.
memref::GlobalOp Transposer::globalOf(Value constant) {
  auto get = constant.getDefiningOp<memref::GetGlobalOp>();
  auto global = get ? symbols.lookup<memref::GlobalOp>(get.getName())
                    : memref::GlobalOp();
  return global && global.getConstant() && global.getType() == get.getType() &&
                 global.getType().getLayout().isIdentity()
             ? global
             : memref::GlobalOp();
}

Value Transposer::transpose(Operation *user, Value constant,
                            ArrayRef<int64_t> order) {
  memref::GlobalOp global = globalOf(constant);
  ElementsAttr data;
  if (global)
    data = dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr());
  else
    matchPattern(constant, m_Constant(&data));
  if (!data)
    return {};
  OpBuilder builder(user);
  Attribute key = builder.getDenseI64ArrayAttr(order);
  ElementsAttr &elements = permuted[{data, key}];
  if (!elements)
    elements = permute(data, order);
  if (!elements)
    return {};
  Location loc = constant.getLoc();
  replaced.insert(constant.getDefiningOp());
  if (!global)
    return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(elements));
  memref::GlobalOp &other = globals[{global, key}];
  if (!other) {
    OpBuilder beside(global);
    other = memref::GlobalOp::create(
        beside, loc, (global.getSymName() + "_transposed").str(),
        beside.getStringAttr("private"),
        MemRefType::get(cast<ShapedType>(elements.getType()).getShape(),
                        global.getType().getElementType(), AffineMap(),
                        global.getType().getMemorySpace()),
        elements, /*constant=*/true, global.getAlignmentAttr());
    symbols.insert(other);
  }
  return memref::GetGlobalOp::create(builder, loc, other.getType(),
                                     other.getSymName());
}

void Transposer::eraseUnused() {
  for (Operation *constant : replaced)
    if (constant->use_empty())
      constant->erase();
  auto used = usedSymbols(module);
  for (auto [place, other] : globals)
    if (auto global = cast<memref::GlobalOp>(place.first);
        used && global.isPrivate() && !used->contains(global.getSymNameAttr()))
      symbols.erase(global);
}

/// The order of subscripts in the result of `op`, if that does nothing else
/// than to transpose its operand.
static std::optional<SmallVector<int64_t>> orderOf(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return std::nullopt;
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op.getOperation()))
    return llvm::to_vector(transpose.getPermutation());
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return linalg::isaTransposeOpInterface(generic);
  return std::nullopt;
}

/// Makes `op` read `constant`, whose subscripts are in `order`.
static void readTransposed(RewriterBase &rewriter, linalg::LinalgOp op,
                           unsigned number, Value constant,
                           ArrayRef<int64_t> order) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[number] = AffineMap::get(
      maps[number].getNumDims(), 0,
      applyPermutation(maps[number].getResults(), order), op.getContext());
  ArrayAttr attribute = rewriter.getAffineMapArrayAttr(maps);
  if (auto product = dyn_cast<linalg::MatmulOp>(op.getOperation()))
    product.setIndexingMapsAttr(attribute);
  else if (auto batch = dyn_cast<linalg::BatchMatmulOp>(op.getOperation()))
    batch.setIndexingMapsAttr(attribute);
  else if (auto contract = dyn_cast<linalg::ContractOp>(op.getOperation()))
    contract.setIndexingMapsAttr(attribute);
  else
    cast<linalg::GenericOp>(op.getOperation()).setIndexingMapsAttr(attribute);
  op->setOperand(number, constant);
}

/// Gives `op` transposed constants in place of those that it would stride
/// through. Returns whether there was one.
static bool transposeOperands(RewriterBase &rewriter, linalg::LinalgOp op,
                              Transposer &transposer) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return false;
  std::optional<unsigned> loop = findResultLoop(op);
  if (!loop)
    return false;
  bool isChanged = false;
  for (unsigned number = 0; number < op.getNumDpsInputs(); ++number) {
    OpOperand *operand = op.getDpsInputOperand(number);
    auto type = dyn_cast<ShapedType>(operand->get().getType());
    auto order = orderToEndWith(op.getMatchingIndexingMap(operand), *loop);
    if (!order || !type || !type.hasStaticShape() ||
        tripCount(op).value_or(0) <
            minReuse * static_cast<double>(type.getNumElements()))
      continue;
    Value constant = transposer.transpose(op, operand->get(), *order);
    if (!constant)
      continue;
    if (!isa<linalg::GenericOp, linalg::MatmulOp, linalg::BatchMatmulOp,
             linalg::ContractOp>(op.getOperation())) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> generic =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(generic))
        continue;
      op = cast<linalg::LinalgOp>(generic->getOperation());
    }
    readTransposed(rewriter, op, number, constant, *order);
    isChanged = true;
  }
  return isChanged;
}

int64_t globalopt::transposeConstants(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module->walk([&](linalg::LinalgOp op) {
    if (!op->hasAttr(BacoDialect::kRecipe))
      ops.push_back(op);
  });
  Transposer transposer(module);
  IRRewriter rewriter(module.getContext());
  int64_t count = 0;
  for (linalg::LinalgOp op : ops) {
    if (auto order = orderOf(op)) {
      Value constant =
          transposer.transpose(op, op.getDpsInputs().front(), *order);
      if (!constant)
        continue;
      LDBG() << "is a constant: " << op;
      rewriter.replaceOp(op, constant);
    } else if (!transposeOperands(rewriter, op, transposer)) {
      continue;
    }
    ++count;
  }
  transposer.eraseUnused();
  if (count > 0)
    emitRemark(module.getLoc()) << "transposed the constants of " << count
                                << (count == 1 ? " op" : " ops");
  return count;
}
