//===- StepPack.cpp - Pack ------------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that packs whole operands into blocks. Blocks must divide extents:
// padding is better done by tiles.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/RecipeExpander.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

/// The order of operand `operand` in `orders`; null if there is none.
static Attribute orderOf(ArrayAttr orders, size_t operand) {
  if (!orders)
    return {};
  auto list = dyn_cast<ArrayAttr>(orders[operand]);
  return list && list.empty() ? Attribute() : orders[operand];
}

LogicalResult PackAttr::verify(EmitError emitError, ArrayAttr sizes,
                               ArrayAttr outer, ArrayAttr inner) {
  for (ArrayAttr orders : {outer, inner})
    for (Attribute order : orders ? orders.getValue() : ArrayRef<Attribute>())
      if (failed(verifyOrder(emitError, order, /*count=*/std::nullopt)))
        return failure();
  return verifyEntries(emitError, "a block size", sizes);
}

LogicalResult RecipeState::pack(ArrayRef<Attribute> sizes) {
  for (auto [iterator, attribute] : llvm::enumerate(sizes)) {
    if (!makesLoop(attribute))
      continue;
    Quantity size(attribute);
    if (failed(requireDivides(size, extents[iterator],
                              "block size " + size.quoted() + " of iterator " +
                                  std::to_string(iterator),
                              "pack fills whole blocks")))
      return failure();
    Extent blocks;
    if (const auto &count = extents[iterator].front().count;
        !size.isKnob() && !count->isKnob())
      blocks.count = Quantity(Builder(op).getI64IntegerAttr(
          count->getConstant() / size.getConstant()));
    extents[iterator] = {blocks};
    extents.push_back({Extent{"", size}});
    origins.push_back(origins[iterator]);
  }
  named = false;
  packed = true;
  return success();
}

/// Checks that `orders`, called `name`, are of as many dimensions as `counts`
/// says for each operand; 0 is for one without blocks.
static LogicalResult checkOrders(RecipeState &state, StringRef name,
                                 ArrayAttr orders, ArrayRef<int64_t> counts) {
  if (!orders)
    return success();
  if (orders.size() != counts.size())
    return state.emitError() << "'" << name << "' has " << orders.size()
                             << " orders for " << counts.size() << " operands";
  for (auto [operand, count] : llvm::enumerate(counts)) {
    Attribute order = orderOf(orders, operand);
    if (order && count == 0)
      return state.emitError() << "'" << name << "' orders operand " << operand
                               << ", which has no blocks";
    if (order &&
        failed(verifyOrder([&] { return state.emitError(); }, order, count)))
      return failure();
  }
  return success();
}

LogicalResult PackAttr::advance(RecipeState &state) const {
  if (failed(state.needTensors()) || failed(state.needEntries(getSizes())))
    return failure();
  if (state.getNumLoopSteps() > 0)
    return state.emitError() << "the step lays out whole operands; put it "
                                "before the steps that make loops";
  if (state.isPacked())
    return state.emitError() << "an earlier 'pack' has laid out the operands";
  if (!state.isReduction(0))
    return state.emitError() << "a knob permutes the iterators; put this step "
                                "before 'interchange'";
  SmallVector<int64_t> ranks, blockRanks;
  for (AffineMap map :
       cast<linalg::LinalgOp>(state.getOp()).getIndexingMapsArray()) {
    if (!map.isProjectedPermutation())
      return state.emitError()
             << "an operand has an index that is not a single iterator, and "
                "can't be cut into blocks";
    blockRanks.push_back(llvm::count_if(map.getResults(), [&](AffineExpr dim) {
      return makesLoop(getSizes()[cast<AffineDimExpr>(dim).getPosition()]);
    }));
    ranks.push_back(blockRanks.back() == 0 ? 0 : map.getNumResults());
  }
  if (failed(checkOrders(state, "outer", getOuter(), ranks)) ||
      failed(checkOrders(state, "inner", getInner(), blockRanks)))
    return failure();
  return state.pack(getSizes().getValue());
}

void PackAttr::transpose(RecipeExpander &expander) const {
  OpBuilder &builder = expander.builder;
  auto linalgOp = cast<linalg::LinalgOp>(expander.state.getOp());
  for (OpOperand &operand : linalgOp->getOpOperands()) {
    size_t number = operand.getOperandNumber();
    NamedAttrList bindings;
    auto list = [&](StringRef name, ArrayAttr orders) {
      Attribute order = orderOf(orders, number);
      return order ? *getIntegerList(expander.bound(name, order, bindings))
                   : SmallVector<int64_t>();
    };
    SmallVector<int64_t> outer = list("outer_perm", getOuter()),
                         inner = list("inner_perm", getInner());
    if (outer.empty() && inner.empty())
      continue;
    // Of a result, the copy back changes, too.
    mlir::Value copy;
    if (linalgOp.isDpsInit(&operand))
      copy = transform::GetConsumersOfResult::create(
          builder, expander.loc, expander.anyOp, expander.target,
          number - linalgOp.getNumDpsInputs());
    else
      copy = transform::GetProducerOfOperand::create(
          builder, expander.loc, expander.anyOp, expander.target, number);
    auto op = transform::PackTransposeOp::create(
        builder, expander.loc, expander.anyOp, expander.anyOp, expander.anyOp,
        copy, expander.target, outer, inner);
    RecipeExpander::setBindings(op, bindings);
    expander.target = op.getPackedOp();
  }
}

void PackAttr::expand(RecipeExpander &expander) const {
  OpBuilder &builder = expander.builder;
  Location loc = expander.loc;
  NamedAttrList bindings;
  SmallVector<int64_t> sizes = expander.boundList(
      "static_packed_sizes", getSizes().getValue(), bindings);
  auto op = transform::PackOp::create(
      builder, loc, expander.anyOp, expander.target,
      /*packed_sizes=*/ValueRange(), builder.getDenseI64ArrayAttr(sizes));
  RecipeExpander::setBindings(op, bindings);
  expander.target = op.getPackedOp();
  transpose(expander);

  auto handleTo = [&](StringRef name) {
    return transform::OperationType::get(builder.getContext(), name);
  };
  auto match = [&](StringRef name) {
    return expander.match(expander.function, name, /*mark=*/{}, handleTo(name));
  };
  Type transpose = handleTo(linalg::TransposeOp::getOperationName());
  transform::LowerPackOp::create(
      builder, loc, handleTo(tensor::PadOp::getOperationName()),
      handleTo(tensor::ExpandShapeOp::getOperationName()), transpose,
      match(linalg::PackOp::getOperationName()));
  transform::LowerUnPackOp::create(
      builder, loc, handleTo(tensor::EmptyOp::getOperationName()), transpose,
      handleTo(tensor::CollapseShapeOp::getOperationName()),
      handleTo(tensor::ExtractSliceOp::getOperationName()),
      match(linalg::UnPackOp::getOperationName()));
  // Paddings by nothing would be copies.
  expander.applyPatterns([](OpBuilder &builder, Location loc) {
    transform::ApplyCanonicalizationPatternsOp::create(builder, loc);
  });
}
