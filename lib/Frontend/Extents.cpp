//===- Extents.cpp - Extents of a function's arguments --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations between extents come from the indexing maps of linalg ops.
//
//===----------------------------------------------------------------------===//

#include "ShapeVersions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco::frontend;

/// Whether versions can differ by the extents of `type`.
static bool isRanked(Type type) {
  return isa<MemRefType, RankedTensorType>(type);
}

Extents baco::frontend::extentsOf(func::FuncOp function) {
  Extents extents;
  for (Type type : function.getArgumentTypes()) {
    extents.emplace_back();
    if (isRanked(type))
      llvm::append_range(extents.back(), cast<ShapedType>(type).getShape());
  }
  return extents;
}

bool baco::frontend::isDynamic(Value value) {
  return isRanked(value.getType()) &&
         !cast<ShapedType>(value.getType()).hasStaticShape();
}

bool baco::frontend::areKnown(const Extents &extents) {
  return llvm::none_of(extents, [](ArrayRef<int64_t> one) {
    return ShapedType::isDynamicShape(one);
  });
}

int64_t baco::frontend::countOpenExtents(const Extents &extents) {
  return llvm::sum_of(llvm::map_range(extents, [](ArrayRef<int64_t> its) {
    return llvm::count_if(its, isOpenExtent);
  }));
}

int64_t baco::frontend::sizeOf(const Extents &extents) {
  int64_t total = 0;
  for (ArrayRef<int64_t> one : extents) {
    int64_t size = one.empty() ? 0 : 1;
    for (int64_t extent : one)
      if (!ShapedType::isDynamic(extent) &&
          llvm::MulOverflow(size, measuredExtent(extent), size))
        return INT64_MAX;
    if (llvm::AddOverflow(total, size, total))
      return INT64_MAX;
  }
  return total;
}

//===----------------------------------------------------------------------===//
// Equations
//===----------------------------------------------------------------------===//

/// The argument of `function` whose extents `value` has.
static std::optional<unsigned> argumentOf(Value value, func::FuncOp function) {
  while (!isa<BlockArgument>(value)) {
    Operation *op = value.getDefiningOp();
    if (isa<memref::CastOp, tensor::CastOp>(op))
      value = op->getOperand(0);
    else if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      value = structured.getTiedOpOperand(cast<OpResult>(value))->get();
    else
      return std::nullopt;
  }
  auto argument = cast<BlockArgument>(value);
  if (argument.getOwner() != &function.getBody().front() ||
      !isRanked(argument.getType()))
    return std::nullopt;
  return argument.getArgNumber();
}

namespace {
/// The loops of one linalg op, and how extents of operands depend on theirs.
class LoopExtents {
public:
  LoopExtents(linalg::LinalgOp op, func::FuncOp function, Extents &extents)
      : op(op), function(function), extents(extents),
        loops(op.getNumLoops(), ShapedType::kDynamic) {}

  /// Takes the extents of loops from those of operands.
  llvm::Error read();
  /// Sets the extents of arguments; returns whether any was unknown.
  bool write();
  /// Gives unknown loops an example, `scale` times the usual extent.
  void makeUp(int64_t scale);
  /// Sets the extents of arguments that several loops index.
  void writeSums();

private:
  /// Calls `action` with each extent of an operand and the expression by which
  /// it is indexed. What it changes stays if the operand is an argument.
  void forEach(llvm::function_ref<void(int64_t &, AffineExpr)> action,
               bool onlyArguments = false);

  linalg::LinalgOp op;
  func::FuncOp function;
  Extents &extents;
  SmallVector<int64_t> loops;
};
} // namespace

void LoopExtents::forEach(
    llvm::function_ref<void(int64_t &, AffineExpr)> action,
    bool onlyArguments) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type || !type.hasRank())
      continue;
    SmallVector<int64_t> own(type.getShape());
    std::optional<unsigned> argument = argumentOf(operand.get(), function);
    MutableArrayRef<int64_t> its = own;
    if (argument && extents[*argument].size() == own.size())
      its = extents[*argument];
    else if (onlyArguments)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [extent, expression] : llvm::zip_equal(its, map.getResults()))
      action(extent, expression);
  }
}

llvm::Error LoopExtents::read() {
  std::optional<std::pair<int64_t, int64_t>> contradiction;
  forEach([&](int64_t extent, AffineExpr expression) {
    auto loop = dyn_cast<AffineDimExpr>(expression);
    if (!loop || ShapedType::isDynamic(extent))
      return;
    int64_t &known = loops[loop.getPosition()];
    if (ShapedType::isDynamic(known))
      known = extent;
    else if (known != extent && !contradiction)
      contradiction = {known, extent};
  });
  if (!contradiction)
    return llvm::Error::success();
  return llvm::createStringError(
      "one loop of '" + op->getName().getStringRef() + "' has extents " +
      writeExtents(contradiction->first) + " and " +
      writeExtents(contradiction->second));
}

bool LoopExtents::write() {
  bool isNews = false;
  forEach(
      [&](int64_t &extent, AffineExpr expression) {
        auto loop = dyn_cast<AffineDimExpr>(expression);
        if (!loop || !ShapedType::isDynamic(extent) ||
            ShapedType::isDynamic(loops[loop.getPosition()]))
          return;
        extent = loops[loop.getPosition()];
        isNews = true;
      },
      /*onlyArguments=*/true);
  return isNews;
}

void LoopExtents::makeUp(int64_t scale) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  // Far from a second for an execution.
  int64_t usual = loops.size() <= 3 ? 256 : loops.size() == 4 ? 64 : 16;
  constexpr int64_t window = 3;
  llvm::SmallBitVector inSums(loops.size());
  forEach([&](int64_t, AffineExpr expression) {
    if (!isa<AffineDimExpr>(expression))
      for (unsigned loop = 0; loop < loops.size(); ++loop)
        if (expression.isFunctionOfDim(loop))
          inSums.set(loop);
  });
  for (auto [loop, extent] : llvm::enumerate(loops))
    if (ShapedType::isDynamic(extent))
      extent = inSums[loop] && kinds[loop] == utils::IteratorType::reduction
                   ? window
                   : usual * scale;
}

void LoopExtents::writeSums() {
  SmallVector<AffineExpr> last;
  MLIRContext *context = op->getContext();
  for (int64_t extent : loops)
    last.push_back(getAffineConstantExpr(measuredExtent(extent) - 1, context));
  forEach([&](int64_t &extent, AffineExpr expression) {
    auto index = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(expression.replaceDims(last), 0, 0));
    if (!ShapedType::isDynamic(extent) || !index)
      return;
    extent = std::max<int64_t>(index.getValue() + 1, 1);
    if (llvm::any_of(llvm::enumerate(loops), [&](auto loop) {
          return isOpenExtent(loop.value()) &&
                 expression.isFunctionOfDim(loop.index());
        }))
      extent = openExtent(extent);
  });
}

llvm::Error baco::frontend::deduceExtents(func::FuncOp function,
                                          Extents &extents) {
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (bool isNews = true; isNews;) {
    isNews = false;
    for (linalg::LinalgOp op : ops) {
      LoopExtents loops(op, function, extents);
      if (llvm::Error contradiction = loops.read())
        return contradiction;
      isNews |= loops.write();
    }
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Texts and types
//===----------------------------------------------------------------------===//

RequestedShape baco::frontend::shapeOf(func::FuncOp function,
                                       const Extents &extents) {
  RequestedShape shape;
  for (BlockArgument argument : function.getArguments())
    if (isDynamic(argument)) {
      ArrayRef<int64_t> its = extents[argument.getArgNumber()];
      shape.push_back({argument.getArgNumber(), its.vec()});
    }
  return shape;
}

std::string baco::frontend::writeOption(func::FuncOp function,
                                        const Extents &extents) {
  std::string text =
      writeShapes({{function.getName().str(), {shapeOf(function, extents)}}});
  bool isPlain = llvm::all_of(function.getName(), [](char c) {
    return llvm::isAlnum(c) || StringRef("_.-").contains(c);
  });
  return "--shape=" + (isPlain ? text : "'" + text + "'");
}

Extents baco::frontend::exampleExtents(func::FuncOp function, Extents extents,
                                       int64_t scale) {
  function.walk([&](linalg::LinalgOp op) {
    LoopExtents loops(op, function, extents);
    // A contradiction is reported when the option is read.
    llvm::consumeError(loops.read());
    loops.makeUp(scale);
    loops.write();
    loops.writeSums();
    llvm::consumeError(deduceExtents(function, extents));
  });
  for (SmallVector<int64_t> &one : extents)
    for (int64_t &extent : one)
      if (ShapedType::isDynamic(extent))
        extent = scale * (one.size() <= 2 ? 256 : one.size() == 3 ? 64 : 16);
  return extents;
}

Type baco::frontend::withExtents(Type type, ArrayRef<int64_t> all) {
  SmallVector<int64_t> extents = llvm::map_to_vector(all, [](int64_t extent) {
    return isOpenExtent(extent) ? ShapedType::kDynamic : extent;
  });
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(extents);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return type;
  MemRefType contiguous =
      MemRefType::get(extents, memref.getElementType(),
                      MemRefLayoutAttrInterface(), memref.getMemorySpace());
  if (memref::CastOp::areCastCompatible(contiguous, memref))
    return contiguous;
  return MemRefType(MemRefType::Builder(memref).setShape(extents));
}
