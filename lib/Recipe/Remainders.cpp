//===- Remainders.cpp - Cut an op where tiles don't divide ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op is cut in two parts, such that tiles of one size fill each, and the
// rest of the schedule stands in a loop over them. In this loop every handle is
// to one op, and every extent is static. A part that isn't there, because the
// tile divides after all, is a part that the loop doesn't see.
//
// Upstream's tiling takes as many params as it has ops to tile, and `match` one
// op to look in, so that parts can't be had as one handle.
//
//===----------------------------------------------------------------------===//

#include "baco/Recipe/RecipeExpander.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SMT/IR/SMTOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace baco;

bool RecipeAnalysis::dividesAlways(Quantity size, const Extents &extents) {
  if (size.smallest() == 0)
    return false;
  return llvm::all_of(extents, [&](const Extent &extent) {
    if (!extent.count || extent.isPartial)
      return false;
    if (size == *extent.count)
      return true;
    return !extent.count->isKnob() && size.allOf([&](int64_t value) {
      return extent.count->getConstant() % value == 0;
    });
  });
}

LogicalResult RecipeAnalysis::cut(size_t iterator, Quantity size,
                                  Remainder remainder) {
  if (extents[iterator].size() != 1)
    return emitError()
           << "the remainder of iterator " << iterator
           << " must be \"exact\", because a knob permutes the iterators";
  const Extent &extent = extents[iterator].front();
  if (!extent.count)
    return emitError() << "the remainder of iterator " << iterator
                       << " must be \"exact\", because its extent is not "
                          "static";
  if (extent.isPartial && remainder == Remainder::Split)
    return emitError()
           << "the remainder of iterator " << iterator
           << " cannot be \"split\", because an earlier step has cut the op in "
              "parts where the iterator has other extents; use \"balance\"";
  add(OpFact::InParts);
  const Quantity &count = *extent.count;
  std::string reason = "tile " + size.quoted() + " of iterator " +
                       std::to_string(iterator) + " must be at most " +
                       count.quoted();
  if (size.largest() <= count.smallest())
    return success();
  if (size.smallest() > count.largest())
    return emitError() << reason;
  require(size.expression() <= count.expression(), reason);
  return success();
}

transform::ForeachOp RecipeExpander::startForeach(ValueRange targets) {
  auto foreach =
      transform::ForeachOp::create(builder, loc, TypeRange(), targets,
                                   /*with_zip_shortest=*/targets.size() > 1);
  SmallVector<Location> locations(targets.size(), loc);
  builder.createBlock(&foreach.getBody(), {}, targets.getTypes(), locations);
  auto yield = transform::YieldOp::create(builder, loc);
  builder.setInsertionPoint(yield);
  return foreach;
}

/// Params for the end of the last full tile of `size` in `count`, and for what
/// is left behind it.
std::pair<mlir::Value, mlir::Value> RecipeExpander::splitPoint(Quantity size,
                                                               Quantity count) {
  auto paramType =
      transform::ParamType::get(builder.getContext(), builder.getI64Type());
  if (!size.isKnob() && !count.isKnob()) {
    int64_t rest = count.getConstant() % size.getConstant();
    auto constant = [&](int64_t value) -> mlir::Value {
      return transform::ParamConstantOp::create(
          builder, loc, paramType, builder.getI64IntegerAttr(value));
    };
    return {constant(count.getConstant() - rest), constant(rest)};
  }

  SmallVector<mlir::Value> inputs;
  for (Quantity quantity : {size, count})
    if (quantity.isKnob())
      inputs.push_back(cast<mlir::Value>(mixed(quantity.getField())));
  auto op = transform::smt::ConstrainParamsOp::create(
      builder, loc, TypeRange{paramType, paramType}, inputs);
  OpBuilder::InsertionGuard guard(builder);
  auto integer = ::mlir::smt::IntType::get(builder.getContext());
  SmallVector<Type> types(inputs.size(), integer);
  SmallVector<Location> locations(inputs.size(), loc);
  Block *body = builder.createBlock(&op.getBody(), {}, types, locations);
  unsigned numRead = 0;
  auto read = [&](Quantity quantity) -> mlir::Value {
    if (quantity.isKnob())
      return body->getArgument(numRead++);
    auto value = IntegerAttr::get(builder.getContext(),
                                  APSInt::get(quantity.getConstant()));
    return ::mlir::smt::IntConstantOp::create(builder, loc, value);
  };
  mlir::Value divisor = read(size), dividend = read(count);
  mlir::Value rest =
      ::mlir::smt::IntModOp::create(builder, loc, dividend, divisor);
  mlir::Value point =
      ::mlir::smt::IntSubOp::create(builder, loc, dividend, rest);
  ::mlir::smt::YieldOp::create(builder, loc, ValueRange{point, rest});
  return {op.getResult(0), op.getResult(1)};
}

/// Promotion leaves operands whose types don't tell their extents, which a cut
/// has to know. The patterns see only what is in the loop of the promotion: the
/// loops of this schedule over parts hold on to ops elsewhere.
void RecipeExpander::makeBuffersStatic() {
  if (promotions.size() == numStaticPromotions)
    return;
  numStaticPromotions = promotions.size();
  transform::ApplyPatternsOp::create(
      builder, loc, promotions.back().loop, [](OpBuilder &b, Location loc) {
        transform::ApplyCanonicalizationPatternsOp::create(b, loc);
      });
}

RecipeExpander::Parts RecipeExpander::cutAt(mlir::Value op, int64_t iterator,
                                            mlir::Value point,
                                            ValueRange sizes) {
  auto cut = transform::SplitOp::create(
      builder, loc, anyOp, op, /*dimension=*/iterator, point,
      /*static_chunk_sizes=*/ShapedType::kDynamic);
  return {cut.getSplitList(),
          transform::MergeHandlesOp::create(builder, loc, sizes,
                                            /*deduplicate=*/false)};
}

RecipeExpander::Parts RecipeExpander::balance(mlir::Value op, int64_t iterator,
                                              Attribute size) {
  Type param =
      transform::ParamType::get(builder.getContext(), builder.getI64Type());
  NamedAttrList bindings;
  auto targetSize = cast<IntegerAttr>(bound("target_size", size, bindings));
  auto sizes = transform::MultiTileSizesOp::create(
      builder, loc, param, param, param, op, /*dimension=*/iterator,
      /*target_size=*/targetSize.getInt());
  setBindings(sizes, bindings);
  return cutAt(op, iterator, sizes.getSplitPoint(),
               {sizes.getLowSize(), sizes.getHighSize()});
}

RecipeExpander::Parts RecipeExpander::split(int64_t iterator, Attribute size,
                                            int64_t rest) {
  Quantity count = *state.getExtents()[iterator].front().count;
  auto [point, remainder] = splitPoint(Quantity(size), count);
  OpFoldResult full = mixed(size);
  auto first = dyn_cast<mlir::Value>(full);
  if (!first)
    first = transform::ParamConstantOp::create(builder, loc, point.getType(),
                                               cast<Attribute>(full));
  Parts parts = cutAt(target, iterator, point, {first, remainder});
  if (rest == 0)
    return parts;
  // The first part is there, because the tile fits; the second may not be.
  auto both = transform::SplitHandleOp::create(
      builder, loc, TypeRange{anyOp, anyOp}, parts.ops,
      /*pass_through_empty_handle=*/true, /*fail_on_payload_too_small=*/false,
      /*overflow_result=*/IntegerAttr());
  auto cuts = transform::ForeachOp::create(builder, loc,
                                           TypeRange{anyOp, first.getType()},
                                           ValueRange(both.getResult(1)),
                                           /*with_zip_shortest=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&cuts.getBody(), {}, {anyOp}, {loc});
    Parts cut = balance(body->getArgument(0), iterator,
                        builder.getI64IntegerAttr(rest));
    transform::YieldOp::create(builder, loc, ValueRange{cut.ops, cut.sizes});
  }
  auto merge = [&](mlir::Value one, mlir::Value other) -> mlir::Value {
    return transform::MergeHandlesOp::create(
        builder, loc, ValueRange{one, other}, /*deduplicate=*/false);
  };
  return {merge(both.getResult(0), cuts.getResult(0)),
          merge(first, cuts.getResult(1))};
}

mlir::Value RecipeExpander::cutInParts(int64_t iterator, Attribute size,
                                       Remainder remainder, int64_t rest) {
  makeBuffersStatic();
  Parts parts = remainder == Remainder::Split ? split(iterator, size, rest)
                                              : balance(target, iterator, size);
  transform::ForeachOp foreach = startForeach({parts.ops, parts.sizes});
  if (!outermostParts)
    outermostParts = foreach;
  target = foreach.getBody().getArgument(0);
  return foreach.getBody().getArgument(1);
}

void RecipeExpander::joinParts() {
  if (!outermostParts)
    return;
  builder.setInsertionPointAfter(outermostParts);
  outermostParts = nullptr;
  target = mlir::Value();
  // The loops of promotions inside are out of reach.
  numStaticPromotions = promotions.size();
}
