//===- ChannelsLast.cpp - Images in the order of vectors ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three steps for each function. From convolutions, orders of dimensions spread
// along operands and results, to ops that could compute in them. Then a local
// search chooses among these ops those with which the fewest elements are
// transposed. Last, each one is created anew. Nothing is rewritten before it is
// known what is left to transpose.
//
//===----------------------------------------------------------------------===//

#include "baco/GlobalOptimization/ChannelsLast.h"

#include "DimensionOrders.h"
#include "baco/Analysis/MatrixProduct.h"
#include "baco/GlobalOptimization/RewrittenFunctions.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#include <utility>

#define DEBUG_TYPE "baco-channels-last"

using namespace mlir;
using namespace baco;
using namespace baco::globalopt;

/// Fewer output channels don't fill a vector.
static constexpr int64_t minChannels = 8;

/// An element that is transposed takes about a nanosecond, in which a
/// convolution does 100 operations: transpositions then take at most a tenth of
/// the time of convolutions.
static constexpr double minOperationsOnCpu = 1000;

/// Convolutions on tensor cores take a fifth of the time or less.
static constexpr double minOperationsOnGpu = 50;

StringRef globalopt::nameOf(Layout layout) {
  switch (layout) {
  case Layout::Auto:
    return "auto";
  case Layout::Keep:
    return "keep";
  case Layout::ChannelsLast:
    return "channels-last";
  case Layout::TensorCores:
    return "tensor-cores";
  }
  llvm_unreachable("unknown layout");
}

Result<Layout> globalopt::parseLayout(StringRef text) {
  for (Layout layout :
       {Layout::Auto, Layout::Keep, Layout::ChannelsLast, Layout::TensorCores})
    if (text == nameOf(layout))
      return layout;
  return Error{ErrorCode::InvalidArgument,
               "layout must be auto, keep, channels-last or tensor-cores, but "
               "is '" +
                   text.str() + "'"};
}

/// The product of `extents`, with 1 for dynamic ones.
static double productOf(ArrayRef<int64_t> extents) {
  double product = 1;
  for (int64_t extent : extents)
    product *= ShapedType::isDynamic(extent) ? 1 : static_cast<double>(extent);
  return product;
}

/// Whether `value` is made anew in another order rather than transposed.
static bool isMadeAnew(mlir::Value value) {
  Operation *op = value.getDefiningOp();
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op))
    return isMadeAnew(fill.getOutputs().front());
  return isa_and_nonnull<tensor::EmptyOp>(op);
}

/// Whether `operand` is a destination whose elements aren't read.
static bool isOverwritten(OpOperand &operand) {
  auto op = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  return op && op.isDpsInit(&operand) &&
         !op.payloadUsesValueFromOperand(&operand);
}

/// Whether `use` asks for an extent, which any order can tell.
static bool asksForExtent(OpOperand &use) {
  auto dim = dyn_cast<tensor::DimOp>(use.getOwner());
  return dim && dim.getConstantIndex();
}

//===----------------------------------------------------------------------===//
// The choice of ops
//===----------------------------------------------------------------------===//

namespace {
/// The ops of a function that compute in other orders, and the orders of values
/// that follow.
class Orders {
public:
  /// Chooses the convolutions of at least `minChannels` channels, and the ops
  /// that follow from these.
  Orders(func::FuncOp function, Layout layout);

  ArrayRef<linalg::LinalgOp> convolutions() const { return seeds; }
  /// In the order of the function.
  ArrayRef<Operation *> chosenOps() const { return chosen; }
  bool isChosen(Operation *op) const { return taken.contains(op); }
  /// The orders of `op`, which is chosen.
  const OpOrders &operator[](Operation *op) const {
    return candidates.find(op)->second;
  }
  /// The order in which `value` is computed, and in which a use reads it.
  Order orderOf(mlir::Value value) const;
  Order orderAt(OpOperand &use) const;
  /// Elements that are transposed in an execution.
  double transposed() const;
  /// Multiplications and additions of the convolutions.
  double operations() const;

private:
  void spread();
  bool change(Operation *op);
  void choose(func::FuncOp function);
  double transposedFor(Operation *op) const;
  double transposedOf(mlir::Value value) const;

  SmallVector<linalg::LinalgOp> seeds;
  llvm::MapVector<Operation *, OpOrders> candidates;
  llvm::DenseSet<Operation *> taken;
  SmallVector<Operation *> chosen;
};
} // namespace

/// Whether tensor cores can do `op` if its channels are last.
static bool isForTensorCores(linalg::LinalgOp op) {
  std::optional<MatrixProduct> product = matchConvolutionProduct(op);
  if (!product ||
      (product->element.isF32() && !op->hasAttr(BacoDialect::kTF32)))
    return false;
  int64_t channels = op.getStaticLoopRanges()[product->k],
          depth = mma::depthOf(product->element);
  return depth > 0 && ShapedType::isStatic(channels) && channels % depth == 0;
}

Orders::Orders(func::FuncOp function, Layout layout) {
  function.walk([&](linalg::LinalgOp op) {
    std::optional<ImageOp> image = findChannelsFirst(op);
    // Dynamic ones may be many.
    if (!image || image->isPooling ||
        (layout != Layout::ChannelsLast && image->channels > 0 &&
         image->channels < minChannels) ||
        (layout == Layout::TensorCores && !isForTensorCores(op)))
      return;
    seeds.push_back(op);
    taken.insert(op);
    candidates.insert({op, std::move(image->orders)});
  });
  spread();
  choose(function);
}

/// Finds candidates, each once: along the operands and results of those that
/// were found before.
void Orders::spread() {
  // Convolutions of few channels are better as they are.
  auto isSettled = [&](Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    std::optional<ImageOp> image =
        structured ? findChannelsFirst(structured) : std::nullopt;
    return candidates.contains(op) || isa<linalg::FillOp>(op) ||
           (image && !image->isPooling);
  };
  auto add = [&](Operation *op, unsigned number, const Order &order) {
    if (isSettled(op))
      return;
    if (std::optional<OpOrders> orders = findOrders(op, number, order))
      candidates.insert({op, std::move(*orders)});
  };
  auto spreadFrom = [&](mlir::Value value, const Order &order) {
    if (order == orderAsIs(value.getType()) || isMadeAnew(value))
      return;
    if (auto result = dyn_cast<OpResult>(value))
      add(result.getOwner(),
          result.getOwner()->getNumOperands() + result.getResultNumber(),
          order);
    for (OpOperand &use : value.getUses())
      add(use.getOwner(), use.getOperandNumber(), order);
  };
  for (size_t next = 0; next < candidates.size(); ++next) {
    // Insertion moves them.
    auto [op, orders] = *(candidates.begin() + next);
    for (auto [value, order] :
         llvm::zip_equal(op->getOperands(), orders.operands))
      spreadFrom(value, order);
    for (auto [value, order] :
         llvm::zip_equal(op->getResults(), orders.results))
      spreadFrom(value, order);
  }
}

Order Orders::orderOf(mlir::Value value) const {
  auto result = dyn_cast<OpResult>(value);
  return result && isChosen(result.getOwner())
             ? (*this)[result.getOwner()].results[result.getResultNumber()]
             : orderAsIs(value.getType());
}

Order Orders::orderAt(OpOperand &use) const {
  return isChosen(use.getOwner())
             ? (*this)[use.getOwner()].operands[use.getOperandNumber()]
             : orderAsIs(use.get().getType());
}

/// Elements that are transposed because uses of `value` differ from it, once
/// for each order.
double Orders::transposedOf(mlir::Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || isMadeAnew(value) || matchPattern(value, m_Constant()))
    return 0;
  SmallVector<Order> known = {orderOf(value)};
  for (OpOperand &use : value.getUses()) {
    Order order = orderAt(use);
    auto isIt = [&](const Order &other) {
      return keepsMemory(orderBetween(other, order),
                         applyPermutation(type.getShape(), other));
    };
    if (!isOverwritten(use) && !asksForExtent(use) &&
        llvm::none_of(known, isIt))
      known.push_back(std::move(order));
  }
  return static_cast<double>(known.size() - 1) * productOf(type.getShape());
}

/// Elements that are transposed at `op`, also by itself.
double Orders::transposedFor(Operation *op) const {
  llvm::SetVector<mlir::Value> values(op->operand_begin(), op->operand_end());
  values.insert_range(op->getResults());
  double sum = 0;
  for (mlir::Value value : values)
    sum += transposedOf(value);
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op);
      transpose && !isChosen(op))
    sum += productOf(transpose.getInit().getType().getShape());
  return sum;
}

/// Takes `op`, or leaves it if it is taken, unless more is transposed then.
/// Returns whether it did.
bool Orders::change(Operation *op) {
  double before = transposedFor(op);
  auto flip = [&] {
    if (!taken.erase(op))
      taken.insert(op);
  };
  flip();
  if (transposedFor(op) <= before)
    return true;
  flip();
  return false;
}

/// Takes all candidates first: an op that makes its tensor larger, as a
/// padding, pays beside others only. Each op then leaves at most once, and
/// comes back at most once: with equal costs it computes as the convolutions
/// beside it do.
void Orders::choose(func::FuncOp function) {
  SmallVector<Operation *> open;
  function.walk([&](Operation *op) {
    if (!candidates.contains(op))
      return;
    chosen.push_back(op);
    if (taken.insert(op).second)
      open.push_back(op);
  });
  for (bool leaves : {true, false}) {
    bool isChanging = true;
    while (std::exchange(isChanging, false))
      for (Operation *op : open)
        isChanging |= isChosen(op) == leaves && change(op);
  }
  llvm::erase_if(chosen, [&](Operation *op) { return !isChosen(op); });
}

double Orders::transposed() const {
  llvm::SetVector<mlir::Value> values;
  for (Operation *op : chosen) {
    values.insert_range(op->getOperands());
    values.insert_range(op->getResults());
  }
  double sum = 0;
  for (mlir::Value value : values)
    sum += transposedOf(value);
  return sum;
}

double Orders::operations() const {
  double sum = 0;
  for (linalg::LinalgOp op : seeds)
    sum += 2 * productOf(linalg::LinalgOp(op).getStaticLoopRanges());
  return sum;
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Creates the chosen ops anew.
class Converter {
public:
  Converter(const Orders &orders, MLIRContext *context)
      : orders(orders), builder(context) {}

  /// Replaces all chosen ops.
  void run();

  /// The values that are transposed, without constants.
  ArrayRef<mlir::Value> transposed() const { return moved; }

private:
  mlir::Value inOrder(mlir::Value value, const Order &order);
  mlir::Value makeInOrder(mlir::Value value, const Order &order);
  mlir::Value transpose(mlir::Value value, const Order &order);
  mlir::Value createEmpty(mlir::Value like, const Order &order);
  mlir::Value operandOf(OpOperand &operand);
  ArrayRef<mlir::Value> resultsOf(Operation *op);
  void replaceUses(OpResult result);
  void eraseReplaced();

  const Orders &orders;
  OpBuilder builder;
  llvm::DenseMap<Operation *, SmallVector<mlir::Value>> created;
  /// By value: its transpositions.
  llvm::DenseMap<mlir::Value, SmallVector<std::pair<Order, mlir::Value>>> known;
  SmallVector<mlir::Value> moved;
};
} // namespace

/// An empty tensor of the shape of `like` in `order`.
mlir::Value Converter::createEmpty(mlir::Value like, const Order &order) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, like.getLoc(), like);
  return tensor::EmptyOp::create(builder, like.getLoc(),
                                 applyPermutation(sizes, order),
                                 getElementTypeOrSelf(like));
}

/// Transposes `value`, or reshapes it where no element moves.
mlir::Value Converter::transpose(mlir::Value value, const Order &order) {
  auto type = cast<RankedTensorType>(value.getType());
  Location loc = value.getLoc();
  if (!type.hasStaticShape() || !keepsMemory(order, type.getShape()))
    return linalg::TransposeOp::create(builder, loc, value,
                                       createEmpty(value, order), order)
        ->getResult(0);
  auto moved = transposedType(type, order);
  SmallVector<int64_t> extents;
  for (int64_t extent : type.getShape())
    if (extent != 1)
      extents.push_back(extent);
  if (extents.empty())
    extents.push_back(1);
  auto flat = type.clone(extents);
  auto groups = [&](RankedTensorType from) {
    return *getReassociationIndicesForCollapse(from.getShape(), extents);
  };
  mlir::Value collapsed =
      tensor::CollapseShapeOp::create(builder, loc, flat, value, groups(type));
  return tensor::ExpandShapeOp::create(builder, loc, moved, collapsed,
                                       groups(moved));
}

/// `value`, as isMadeAnew says, in `order`.
mlir::Value Converter::makeInOrder(mlir::Value value, const Order &order) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    mlir::Value init = inOrder(fill.getOutputs().front(), order);
    builder.setInsertionPointAfter(fill);
    return linalg::FillOp::create(builder, fill.getLoc(), fill.getInputs(),
                                  ValueRange(init))
        .getResult(0);
  }
  auto empty = value.getDefiningOp<tensor::EmptyOp>();
  builder.setInsertionPointAfter(empty);
  return tensor::EmptyOp::create(builder, empty.getLoc(),
                                 applyPermutation(empty.getMixedSizes(), order),
                                 empty.getType().getElementType());
}

/// `value`, of the original function, in `order`.
mlir::Value Converter::inOrder(mlir::Value value, const Order &order) {
  Order from = orders.orderOf(value);
  mlir::Value base = value;
  if (auto result = dyn_cast<OpResult>(value);
      result && orders.isChosen(result.getOwner()))
    base = resultsOf(result.getOwner())[result.getResultNumber()];
  if (from == order)
    return base;
  for (const auto &[other, there] : known[value])
    if (other == order)
      return there;
  mlir::Value result;
  if (isMadeAnew(value)) {
    result = makeInOrder(value, order);
  } else {
    builder.setInsertionPointAfterValue(base);
    result = transpose(base, orderBetween(from, order));
    if (result.getDefiningOp<linalg::TransposeOp>() &&
        !matchPattern(value, m_Constant()))
      moved.push_back(base);
  }
  known[value].emplace_back(order, result);
  return result;
}

mlir::Value Converter::operandOf(OpOperand &operand) {
  mlir::Value value = operand.get();
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  Order order = orders.orderAt(operand);
  if (!isOverwritten(operand) || isMadeAnew(value))
    return inOrder(value, order);
  builder.setInsertionPoint(operand.getOwner());
  return createEmpty(value, order);
}

/// The results of `op`, which is chosen, in its orders.
ArrayRef<mlir::Value> Converter::resultsOf(Operation *op) {
  if (auto done = created.find(op); done != created.end())
    return done->second;
  // Blocks needn't be in the order of dominance.
  SmallVector<mlir::Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(operandOf(operand));
  builder.setInsertionPoint(op);
  return created[op] = createInOrders(builder, op, orders[op], operands);
}

/// Erases the chosen ops, and what only they used.
void Converter::eraseReplaced() {
  llvm::SetVector<Operation *> unused;
  for (Operation *op : orders.chosenOps()) {
    for (mlir::Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp();
          definition && !orders.isChosen(definition))
        unused.insert(definition);
    op->dropAllReferences();
  }
  for (Operation *op : orders.chosenOps())
    op->erase();
  eraseDead(std::move(unused));
}

/// Makes ops that aren't chosen use what was created for `result`.
void Converter::replaceUses(OpResult result) {
  Order order = orders.orderOf(result);
  for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
    if (!asksForExtent(use))
      continue;
    auto dim = cast<tensor::DimOp>(use.getOwner());
    int64_t place = invertPermutationVector(order)[*dim.getConstantIndex()];
    builder.setInsertionPoint(dim);
    dim.getIndexMutable().assign(
        arith::ConstantIndexOp::create(builder, dim.getLoc(), place));
    use.set(inOrder(result, order));
  }
  auto stays = [&](OpOperand &use) { return !orders.isChosen(use.getOwner()); };
  if (llvm::any_of(result.getUses(), stays))
    result.replaceUsesWithIf(inOrder(result, orderAsIs(result.getType())),
                             stays);
}

void Converter::run() {
  for (Operation *op : orders.chosenOps())
    (void)resultsOf(op);
  for (Operation *op : orders.chosenOps())
    for (OpResult result : op->getResults())
      replaceUses(result);
  eraseReplaced();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// `count` and the noun for so many.
static std::string plural(size_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

static void remarkConverted(func::FuncOp function, size_t convolutions,
                            ArrayRef<mlir::Value> transposed) {
  InFlightDiagnostic remark = function.emitRemark()
                              << "'" << function.getName() << "' computes "
                              << plural(convolutions, "convolution")
                              << " channels-last; ";
  if (transposed.empty())
    remark << "nothing is transposed";
  else
    remark << plural(transposed.size(), "tensor")
           << (transposed.size() == 1 ? " is" : " are")
           << " transposed in each execution";
  for (mlir::Value value : transposed)
    remark.attachNote(value.getLoc()) << "transposed: " << value.getType();
}

/// Rewrites `function`. Returns the number of convolutions that have changed.
static int64_t convert(func::FuncOp function, Layout layout) {
  Orders orders(function, layout);
  if (orders.convolutions().empty())
    return 0;
  double transposed = orders.transposed(), operations = orders.operations();
  LDBG() << function.getName() << ": " << orders.chosenOps().size() << " ops, "
         << transposed << " elements to transpose, " << operations
         << " operations";
  double minOperations = layout == Layout::ChannelsLast  ? 0
                         : layout == Layout::TensorCores ? minOperationsOnGpu
                                                         : minOperationsOnCpu;
  if (operations < minOperations * transposed) {
    function.emitRemark()
        << "'" << function.getName() << "' keeps its channels first: "
        << static_cast<int64_t>(operations / transposed)
        << " operations of convolutions for each element to transpose, and "
        << static_cast<int64_t>(minOperations)
        << " are worth it; layout=channels-last transposes";
    return 0;
  }
  int64_t count = orders.convolutions().size();
  Converter converter(orders, function.getContext());
  converter.run();
  remarkConverted(function, count, converter.transposed());
  return count;
}

int64_t globalopt::convertToChannelsLast(ModuleOp module,
                                         const ChannelsLastOptions &options) {
  if (options.layout == Layout::Keep)
    return 0;
  int64_t count = 0;
  for (func::FuncOp function : functionsToRewrite(module, options.entry))
    count += convert(function, options.layout);
  return count;
}
