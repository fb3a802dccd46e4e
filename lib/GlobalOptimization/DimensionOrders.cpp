//===- DimensionOrders.cpp - Ops on transposed tensors --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of a table for each channels-first op. Other structured ops follow from
// their indexing maps, and ops of the tensor dialect are a case each.
//
//===----------------------------------------------------------------------===//

#include "DimensionOrders.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace baco;
using namespace baco::globalopt;

static Order iota(int64_t rank) {
  Order order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Order globalopt::orderAsIs(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return iota(tensor ? tensor.getRank() : 0);
}

Order globalopt::orderBetween(const Order &from, const Order &to) {
  return applyPermutation(invertPermutationVector(from), to);
}

bool globalopt::keepsMemory(const Order &order, ArrayRef<int64_t> shape) {
  Order kept = order;
  llvm::erase_if(kept,
                 [&](int64_t dimension) { return shape[dimension] == 1; });
  return llvm::is_sorted(kept);
}

RankedTensorType globalopt::transposedType(RankedTensorType type,
                                           const Order &order) {
  return type.clone(applyPermutation(type.getShape(), order));
}

//===----------------------------------------------------------------------===//
// Convolutions and poolings
//===----------------------------------------------------------------------===//

namespace {
/// A channels-first op and the channels-last one that takes its place.
struct Form {
  bool (*isOf)(linalg::LinalgOp, SmallVector<int64_t> *dilations,
               SmallVector<int64_t> *strides);
  linalg::LinalgOp (*create)(OpBuilder &, Location, TypeRange,
                             ValueRange inputs, ValueRange inits,
                             Attribute strides, Attribute dilations);
  /// Of the images that it reads and writes, and of the filter, or of the
  /// window of a pooling.
  ArrayRef<int64_t> image, filter;
  bool isPooling;
};
} // namespace

template <typename First, typename Last>
static constexpr Form form(ArrayRef<int64_t> image, ArrayRef<int64_t> filter,
                           bool isPooling = false) {
  return {
      linalg::isaConvolutionOpOfType<First>,
      [](OpBuilder &builder, Location loc, TypeRange types, ValueRange inputs,
         ValueRange inits, Attribute strides, Attribute dilations) {
        return cast<linalg::LinalgOp>(
            Last::create(builder, loc, types, inputs, inits, strides, dilations)
                .getOperation());
      },
      image, filter, isPooling};
}

/// From NCW to NWC, and so on; `image2DGroups` from NGCHW to NHWGC.
static constexpr int64_t image1D[] = {0, 2, 1}, image2D[] = {0, 2, 3, 1},
                         image3D[] = {0, 2, 3, 4, 1},
                         image2DGroups[] = {0, 3, 4, 1, 2};
/// From FCW to WCF, and so on.
static constexpr int64_t filter1D[] = {2, 1, 0}, filter2D[] = {2, 3, 1, 0},
                         filter3D[] = {2, 3, 4, 1, 0};
/// From FGCHW, or GFCHW, to GFHWC.
static constexpr int64_t filterFG[] = {1, 0, 3, 4, 2},
                         filterGF[] = {0, 1, 3, 4, 2};
/// From CW to WC, and so on.
static constexpr int64_t depthwise1D[] = {1, 0}, depthwise2D[] = {1, 2, 0},
                         depthwise3D[] = {1, 2, 3, 0};
static constexpr int64_t window1D[] = {0}, window2D[] = {0, 1};

static const Form forms[] = {
    form<linalg::Conv1DNcwFcwOp, linalg::Conv1DNwcWcfOp>(image1D, filter1D),
    form<linalg::Conv2DNchwFchwOp, linalg::Conv2DNhwcHwcfOp>(image2D, filter2D),
    form<linalg::Conv2DNchwFchwQOp, linalg::Conv2DNhwcHwcfQOp>(image2D,
                                                               filter2D),
    form<linalg::Conv3DNcdhwFcdhwOp, linalg::Conv3DNdhwcDhwcfOp>(image3D,
                                                                 filter3D),
    form<linalg::Conv2DNgchwFgchwOp, linalg::Conv2DNhwgcGfhwcOp>(image2DGroups,
                                                                 filterFG),
    form<linalg::Conv2DNgchwGfchwOp, linalg::Conv2DNhwgcGfhwcOp>(image2DGroups,
                                                                 filterGF),
    form<linalg::Conv2DNgchwGfchwQOp, linalg::Conv2DNhwgcGfhwcQOp>(
        image2DGroups, filterGF),
    form<linalg::DepthwiseConv1DNcwCwOp, linalg::DepthwiseConv1DNwcWcOp>(
        image1D, depthwise1D),
    form<linalg::DepthwiseConv2DNchwChwOp, linalg::DepthwiseConv2DNhwcHwcOp>(
        image2D, depthwise2D),
    form<linalg::DepthwiseConv3DNcdhwCdhwOp,
         linalg::DepthwiseConv3DNdhwcDhwcOp>(image3D, depthwise3D),
    form<linalg::PoolingNcwMaxOp, linalg::PoolingNwcMaxOp>(image1D, window1D,
                                                           true),
    form<linalg::PoolingNcwSumOp, linalg::PoolingNwcSumOp>(image1D, window1D,
                                                           true),
    form<linalg::PoolingNchwMaxOp, linalg::PoolingNhwcMaxOp>(image2D, window2D,
                                                             true),
    form<linalg::PoolingNchwSumOp, linalg::PoolingNhwcSumOp>(image2D, window2D,
                                                             true),
};

/// Sets `values` to those of the attribute `name`, if a named op has it: one
/// for each of the images' `count` dimensions that windows move along.
/// Upstream's matcher infers all of them for generic ops only.
static void readWindows(linalg::LinalgOp op, StringRef name, size_t count,
                        SmallVector<int64_t> &values) {
  if (auto given = op->getAttrOfType<DenseIntElementsAttr>(name))
    values = llvm::to_vector(given.getValues<int64_t>());
  else if (values.size() != count)
    values.assign(count, 1);
}

/// The row of `op`, or null.
static const Form *findForm(linalg::LinalgOp op, SmallVector<int64_t> &strides,
                            SmallVector<int64_t> &dilations) {
  if (!op.hasPureTensorSemantics() || op.hasOnlyProjectedPermutations())
    return nullptr;
  for (const Form &form : forms)
    if (form.isOf(op, &dilations, &strides)) {
      // They lie between the images and their channels.
      size_t count = llvm::find(form.image, 1) - form.image.begin() - 1;
      readWindows(op, "strides", count, strides);
      readWindows(op, "dilations", count, dilations);
      return &form;
    }
  return nullptr;
}

std::optional<ImageOp> globalopt::findChannelsFirst(linalg::LinalgOp op) {
  SmallVector<int64_t> strides, dilations;
  const Form *form = findForm(op, strides, dilations);
  if (!form)
    return std::nullopt;
  ImageOp found;
  found.isPooling = form->isPooling;
  Order image(form->image);
  found.orders.operands.resize(op->getNumOperands());
  found.orders.operands.front() = image;
  found.orders.operands[1].assign(form->filter.begin(), form->filter.end());
  found.orders.operands.back() = image;
  found.orders.results = {image};
  auto result = cast<RankedTensorType>(op->getResultTypes().front());
  found.channels = 1;
  for (int64_t d : ArrayRef(image).drop_front(1 + strides.size()))
    found.channels *= result.isDynamicDim(d) ? 0 : result.getDimSize(d);
  return found;
}

/// The channels-last op for `op`, a row of the table.
static linalg::LinalgOp createChannelsLast(OpBuilder &builder,
                                           linalg::LinalgOp op, TypeRange types,
                                           ValueRange operands) {
  SmallVector<int64_t> strides, dilations;
  const Form *form = findForm(op, strides, dilations);
  return form->create(builder, op.getLoc(), types, operands.drop_back(),
                      operands.take_back(), builder.getI64TensorAttr(strides),
                      builder.getI64TensorAttr(dilations));
}

//===----------------------------------------------------------------------===//
// Other structured ops
//===----------------------------------------------------------------------===//

/// The place of each loop among the loops that walk along an operand in
/// `order`, outermost first; `map` is that operand's.
static SmallVector<int64_t> placeLoops(AffineMap map, const Order &order) {
  SmallVector<int64_t> places(map.getNumDims());
  for (auto [place, dimension] : llvm::enumerate(order))
    places[map.getDimPosition(dimension)] = place;
  return places;
}

static std::optional<OpOrders>
findStructuredOrders(linalg::LinalgOp op, unsigned number, const Order &order) {
  if (!op.hasPureTensorSemantics() || !op.hasOnlyProjectedPermutations())
    return std::nullopt;
  unsigned numInputs = op.getNumDpsInputs();
  if (number >= op->getNumOperands())
    number += numInputs - op->getNumOperands();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Only an operand of all dimensions says in which order loops shall be.
  if (!maps[number].isPermutation())
    return std::nullopt;
  SmallVector<int64_t> places = placeLoops(maps[number], order);
  OpOrders orders;
  for (AffineMap map : maps) {
    Order &sorted = orders.operands.emplace_back(iota(map.getNumResults()));
    llvm::sort(sorted, [&](int64_t a, int64_t b) {
      return places[map.getDimPosition(a)] < places[map.getDimPosition(b)];
    });
  }
  orders.results.assign(orders.operands.begin() + numInputs,
                        orders.operands.end());
  return orders;
}

/// `op` as a `linalg.generic` with the loops in their places.
static linalg::GenericOp createGeneric(OpBuilder &builder, linalg::LinalgOp op,
                                       const OpOrders &orders, TypeRange types,
                                       ValueRange operands) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  size_t full = std::distance(
      maps.begin(),
      llvm::find_if(maps, [](AffineMap map) { return map.isPermutation(); }));
  SmallVector<int64_t> places = placeLoops(maps[full], orders.operands[full]);
  auto loops = llvm::map_to_vector(
      places, [&](int64_t place) { return builder.getAffineDimExpr(place); });
  for (auto [map, order] : llvm::zip_equal(maps, orders.operands))
    map = AffineMap::get(map.getNumDims(), 0,
                         applyPermutation(map.getResults(), order),
                         builder.getContext())
              .replaceDimsAndSymbols(loops, {}, map.getNumDims(), 0);
  SmallVector<utils::IteratorType> kinds = applyPermutation(
      op.getIteratorTypesArray(), invertPermutationVector(places));
  auto generic = linalg::GenericOp::create(
      builder, op.getLoc(), types, operands.take_front(op.getNumDpsInputs()),
      operands.drop_front(op.getNumDpsInputs()), maps, kinds);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  generic.getRegion().walk(
      [&](linalg::IndexOp index) { index.setDim(places[index.getDim()]); });
  return generic;
}

static SmallVector<mlir::Value>
createStructured(OpBuilder &builder, linalg::LinalgOp op,
                 const OpOrders &orders, TypeRange types, ValueRange operands) {
  if (isa<linalg::TransposeOp>(op.getOperation()))
    return {operands.front()};
  Operation *created;
  bool isElementwise =
      llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
        return map.isIdentity() || map.getNumResults() == 0;
      });
  if (!op.hasOnlyProjectedPermutations())
    created = createChannelsLast(builder, op, types, operands);
  else if (isElementwise && !isa<linalg::GenericOp>(op.getOperation()))
    created = clone(builder, op.getOperation(), types, operands);
  else
    created = createGeneric(builder, op, orders, types, operands);
  created->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  // Upstream's ops keep their maps in an attribute once they were asked for.
  created->removeDiscardableAttr(
      linalg::LinalgDialect::kMemoizedIndexingMapsAttrName);
  return llvm::to_vector_of<mlir::Value>(created->getResults());
}

//===----------------------------------------------------------------------===//
// Ops of the tensor dialect
//===----------------------------------------------------------------------===//

/// `order` for each tensor that `op` takes or returns; nullopt if their ranks
/// differ.
static std::optional<OpOrders> useEverywhere(Operation *op,
                                             const Order &order) {
  OpOrders orders;
  auto add = [&](Type type, SmallVector<Order> &to) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    to.push_back(tensor ? order : Order());
    return !tensor || tensor.getRank() == static_cast<int64_t>(order.size());
  };
  for (Type type : op->getOperandTypes())
    if (!add(type, orders.operands))
      return std::nullopt;
  for (Type type : op->getResultTypes())
    if (!add(type, orders.results))
      return std::nullopt;
  return orders;
}

/// `collapsed` is the order of the tensor of fewer dimensions. Gives that of
/// the other one, in which the dimensions of a group stay together.
static Order expandOrder(const Order &collapsed,
                         ArrayRef<ReassociationIndices> groups) {
  Order expanded;
  for (int64_t group : collapsed)
    llvm::append_range(expanded, groups[group]);
  return expanded;
}

/// The inverse of expandOrder; nullopt if `expanded` takes a group apart.
static std::optional<Order>
collapseOrder(const Order &expanded, ArrayRef<ReassociationIndices> groups) {
  Order collapsed = iota(groups.size());
  SmallVector<int64_t> places = invertPermutationVector(expanded);
  llvm::sort(collapsed, [&](int64_t a, int64_t b) {
    return places[groups[a].front()] < places[groups[b].front()];
  });
  if (expandOrder(collapsed, groups) != expanded)
    return std::nullopt;
  return collapsed;
}

static std::optional<OpOrders> findReshapeOrders(Operation *op, unsigned number,
                                                 const Order &order) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
  SmallVector<ReassociationIndices> groups(
      expand ? expand.getReassociationIndices()
             : cast<tensor::CollapseShapeOp>(op).getReassociationIndices());
  if (groups.empty())
    return std::nullopt;
  bool isOperand = number < op->getNumOperands();
  OpOrders orders;
  orders.operands.resize(op->getNumOperands());
  Order &other =
      isOperand ? orders.results.emplace_back() : orders.operands.front();
  if (isOperand)
    orders.operands[number] = order;
  else
    orders.results.push_back(order);
  if (isOperand == static_cast<bool>(expand)) {
    other = expandOrder(order, groups);
    return orders;
  }
  std::optional<Order> collapsed = collapseOrder(order, groups);
  if (!collapsed)
    return std::nullopt;
  other = std::move(*collapsed);
  return orders;
}

/// The groups of dimensions after a reshape's tensor of fewer dimensions got
/// `collapsed`.
static SmallVector<ReassociationIndices>
orderGroups(ArrayRef<ReassociationIndices> groups, const Order &collapsed) {
  SmallVector<ReassociationIndices> ordered;
  int64_t next = 0;
  for (int64_t group : collapsed) {
    ReassociationIndices &indices = ordered.emplace_back();
    for (size_t i = 0; i < groups[group].size(); ++i)
      indices.push_back(next++);
  }
  return ordered;
}

static mlir::Value createTensorOp(OpBuilder &builder, Operation *op,
                                  const OpOrders &orders, Type type,
                                  ValueRange operands) {
  const Order &order = orders.results.front();
  auto ordered = [&](const SmallVector<OpFoldResult> &values) {
    return applyPermutation(values, order);
  };
  Location loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, mlir::Value>(op)
      .Case([&](tensor::PadOp pad) {
        return tensor::PadOp::create(
            builder, loc, type, operands.front(), ordered(pad.getMixedLowPad()),
            ordered(pad.getMixedHighPad()), pad.getConstantPaddingValue(),
            pad.getNofold());
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        return tensor::ExtractSliceOp::create(
            builder, loc, cast<RankedTensorType>(type), operands.front(),
            ordered(slice.getMixedOffsets()), ordered(slice.getMixedSizes()),
            ordered(slice.getMixedStrides()));
      })
      .Case([&](tensor::InsertSliceOp slice) {
        return tensor::InsertSliceOp::create(
            builder, loc, operands[0], operands[1],
            ordered(slice.getMixedOffsets()), ordered(slice.getMixedSizes()),
            ordered(slice.getMixedStrides()));
      })
      .Case([&](tensor::ConcatOp concat) {
        int64_t place = invertPermutationVector(order)[concat.getDim()];
        return tensor::ConcatOp::create(builder, loc, type, place, operands);
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return tensor::ExpandShapeOp::create(
            builder, loc, type, operands.front(),
            orderGroups(expand.getReassociationIndices(),
                        orders.operands.front()),
            ordered(expand.getMixedOutputShape()));
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        return tensor::CollapseShapeOp::create(
            builder, loc, type, operands.front(),
            orderGroups(collapse.getReassociationIndices(), order));
      })
      .Case([&](tensor::CastOp) {
        return tensor::CastOp::create(builder, loc, type, operands.front());
      });
}

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

std::optional<OpOrders> globalopt::findOrders(Operation *op, unsigned number,
                                              const Order &order) {
  auto isOther = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return isa<ShapedType>(type) && !(tensor && !tensor.getEncoding());
  };
  if (llvm::any_of(op->getOperandTypes(), isOther) ||
      llvm::any_of(op->getResultTypes(), isOther))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<OpOrders>>(op)
      .Case([&](linalg::LinalgOp structured) {
        auto image = findChannelsFirst(structured);
        return image ? std::optional(std::move(image->orders))
                     : findStructuredOrders(structured, number, order);
      })
      .Case([&](tensor::PadOp pad) {
        return pad.getConstantPaddingValue() ? useEverywhere(op, order)
                                             : std::nullopt;
      })
      .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
            tensor::CastOp>([&](auto) { return useEverywhere(op, order); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto) { return findReshapeOrders(op, number, order); })
      .Default(std::nullopt);
}

SmallVector<mlir::Value> globalopt::createInOrders(OpBuilder &builder,
                                                   Operation *op,
                                                   const OpOrders &orders,
                                                   ValueRange operands) {
  SmallVector<Type> types;
  for (auto [type, order] :
       llvm::zip_equal(op->getResultTypes(), orders.results))
    types.push_back(transposedType(cast<RankedTensorType>(type), order));
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return createStructured(builder, structured, orders, types, operands);
  return {createTensorOp(builder, op, orders, types.front(), operands)};
}
