//===- SparseOps.cpp - Transform ops for sparse tensors -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/TransformOps/SparseOps.h"

#include "SplitIterator.h"

#include "baco/Analysis/IterationGraph.h"
#include "baco/IR/BacoAttributes.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/TeamOptions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace baco;

#define GET_OP_CLASSES
#include "baco/TransformOps/SparseOps.cpp.inc"

/// Sets the widths of `format`. Those of what isn't stored stay, so that the
/// type does.
static llvm::Error setWidths(SparsifyOp op, const IterationGraph &graph,
                             sparse::StorageFormat &format) {
  const sparse::StorageFormat &own = graph.getOwnFormat();
  format.positionWidth = own.positionWidth;
  format.coordinateWidth = own.coordinateWidth;
  if (llvm::all_of(format.levels, [](const sparse::Level &level) {
        return level.kind == sparse::LevelKind::Dense;
      }))
    return llvm::Error::success();
  format.positionWidth = op.getPositions().value_or(own.positionWidth);
  format.coordinateWidth = op.getCoordinates().value_or(own.coordinateWidth);
  unsigned width = format.coordinateWidth;
  for (auto [number, level] : llvm::enumerate(format.levels)) {
    int64_t last = level.size(graph.getShape()) - 1;
    if (level.kind != sparse::LevelKind::Dense && width < 64 &&
        last >> width != 0)
      return llvm::createStringError(
          "level " + llvm::Twine(number) + " has coordinates up to " +
          llvm::Twine(last) + ", which " + llvm::Twine(width) +
          " bits of 'coordinates' don't hold");
  }
  return llvm::Error::success();
}

/// The format of the operand that `op` says, or why there is none.
static llvm::Expected<sparse::StorageFormat>
chooseFormat(SparsifyOp op, const IterationGraph &graph) {
  ArrayRef<int64_t> order = op.getOrder();
  if (order.size() != graph.getNumLoops() || !isPermutationVector(order))
    return llvm::createStringError("'order' is no permutation of the " +
                                   llvm::Twine(graph.getNumLoops()) +
                                   " iterators");
  auto offer = graph.findFormat(op.getFormat());
  if (!offer)
    return offer.takeError();
  sparse::StorageFormat format =
      offer->isArranged ? graph.arrange(offer->format, order) : offer->format;
  if (!graph.isLegal(order, format))
    return llvm::createStringError(
        "the loops don't visit the levels of format '" + op.getFormat() +
        "' from the outermost to the innermost one");
  if (llvm::Error error = setWidths(op, graph, format))
    return error;
  return format;
}

/// The calls of `function`. Fails at `obstacle`, if something else uses it, or
/// may use it.
static FailureOr<SmallVector<func::CallOp>> findCalls(func::FuncOp function,
                                                      Operation *&obstacle) {
  obstacle = function;
  Operation *root = function;
  while (root->getParentOp())
    root = root->getParentOp();
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, root);
  if (!uses)
    return failure();
  SmallVector<func::CallOp> calls;
  for (SymbolTable::SymbolUse use : *uses) {
    obstacle = use.getUser();
    auto call = dyn_cast<func::CallOp>(use.getUser());
    if (!call)
      return failure();
    calls.push_back(call);
  }
  return calls;
}

/// Gives `argument` another type, to which `calls` convert what they pass.
static void changeArgument(BlockArgument argument, RankedTensorType type,
                           ArrayRef<func::CallOp> calls) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  argument.setType(type);
  function.setType(FunctionType::get(
      function.getContext(), function.getBody().front().getArgumentTypes(),
      function.getResultTypes()));
  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    OpOperand &operand = call->getOpOperand(argument.getArgNumber());
    operand.set(sparse_tensor::ConvertOp::create(builder, call.getLoc(), type,
                                                 operand.get()));
  }
}

/// Leaves what the lowering has to know.
static void setOptions(SparsifyOp op, func::FuncOp function) {
  Builder builder(op.getContext());
  if (std::optional<int64_t> length = op.getVl())
    function->setDiscardableAttr(kSparseVectorLength,
                                 builder.getI64IntegerAttr(*length));
  for (auto [name, isOn] : {std::pair(kSparseSimd32, op.getSimd32()),
                            {kSparsePeel, op.getPeel()},
                            {kSparseFactor, op.getFactor()}})
    if (isOn.value_or(0) != 0)
      function->setDiscardableAttr(name, builder.getUnitAttr());
  for (auto [name, attribute] :
       {std::pair<StringRef, Attribute>(kSparseParallel, op.getParallelAttr()),
        {kSparseUnroll, op.getUnrollAttr()},
        {kTeamThreads, op.getThreadsAttr()},
        {kTeamSchedule, op.getScheduleAttr()},
        {kTeamChunk, op.getChunkAttr()}})
    if (attribute)
      function->setDiscardableAttr(name, attribute);
}

/// Which iterator the loop is when those with tiles are split: the loop in a
/// tile comes behind that over the tiles. Nothing if there is only one tile.
static std::optional<unsigned> iteratorOfLoop(int64_t loop,
                                              const IterationGraph &graph) {
  int64_t original = loop;
  bool isInner = false;
  for (const IterationGraph::Split &split : graph.getSplits()) {
    if (split.isTrivial && split.loop == loop)
      return std::nullopt;
    if (split.inner != loop)
      continue;
    original = split.loop;
    isInner = !split.isTrivial;
  }
  auto before = llvm::count_if(
      graph.getSplits(), [&](const IterationGraph::Split &split) {
        return !split.isTrivial && split.loop < original;
      });
  return static_cast<unsigned>(original + before + isInner);
}

/// Splits the loops of `graph` in the tiles of `sizes`. The error
/// says why that isn't possible.
static llvm::Error splitLoops(IterationGraph &graph, ArrayRef<int64_t> sizes) {
  if (!sizes.empty() && sizes.size() != graph.getNumLoops())
    return llvm::createStringError("'tiles' has no size for each of the " +
                                   llvm::Twine(graph.getNumLoops()) +
                                   " iterators");
  SmallVector<int64_t> extents = graph.getOp().getStaticLoopRanges();
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    if (size == 0)
      continue;
    if (graph.isSparseLoop(loop) && (size < 2 || extents[loop] % size != 0))
      return llvm::createStringError(
          "iterator " + llvm::Twine(loop) + ", of extent " +
          llvm::Twine(extents[loop]) + ", can't be split by " +
          llvm::Twine(size));
    graph.split(loop, size);
  }
  return llvm::Error::success();
}

/// The splits of `graph` as those of iterators, the last one first, so that
/// iterators keep their numbers until they are split.
static SmallVector<IteratorSplit> findSplits(const IterationGraph &graph) {
  SmallVector<int64_t> extents = graph.getOp().getStaticLoopRanges();
  SmallVector<IteratorSplit> splits;
  for (const IterationGraph::Split &split : llvm::reverse(graph.getSplits()))
    if (!split.isTrivial)
      splits.push_back({static_cast<unsigned>(split.loop), extents[split.loop],
                        split.size, graph.isSparseLoop(split.loop)});
  return splits;
}

/// Gives the sparse operand of `op` a dimension for each level of `format`:
/// what upstream's sparsifier does itself, but then it chooses the order of
/// loops.
static void visitLevels(RewriterBase &rewriter, linalg::GenericOp op,
                        const IterationGraph &graph,
                        const sparse::StorageFormat &format) {
  sparse::StorageFormat plain = format;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> indices;
  MLIRContext *context = op.getContext();
  for (auto [number, level] : llvm::enumerate(plain.levels)) {
    shape.push_back(level.size(graph.getShape()));
    level.dimension = number;
    level.divisor = 1;
    level.modulus = 0;
  }
  for (int64_t loop : graph.loopsOfLevels(format))
    indices.push_back(getAffineDimExpr(*iteratorOfLoop(loop, graph), context));
  auto encoding = makeEncoding(context, plain);
  assert(encoding && "each level is of a dimension");
  rewriter.setInsertionPoint(op);
  BlockArgument argument = graph.getTensor();
  auto type = RankedTensorType::get(
      shape, cast<RankedTensorType>(argument.getType()).getElementType(),
      *encoding);
  OpOperand *operand =
      llvm::find_if(op->getOpOperands(), [&](const OpOperand &each) {
        return each.get() == argument;
      });
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand->getOperandNumber()] =
      AffineMap::get(op.getNumLoops(), 0, indices, context);
  auto levels = sparse_tensor::ReinterpretMapOp::create(rewriter, op.getLoc(),
                                                        type, argument);
  rewriter.modifyOpInPlace(op, [&] {
    operand->set(levels);
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

namespace {
/// A change of one target.
struct Sparsification {
  IterationGraph graph;
  sparse::StorageFormat format;
  /// The new type of the sparse operand.
  RankedTensorType type;
  bool hasOtherDimensions;
  SmallVector<IteratorSplit> splits;
  /// Calls that have to convert what they pass.
  SmallVector<func::CallOp> calls;
};
} // namespace

/// The change of `payload`; the error is a reason, at `place`.
static llvm::Expected<Sparsification>
planSparsification(SparsifyOp op, Operation *payload, Operation *&place) {
  auto graph = IterationGraph::create(payload);
  if (!graph)
    return llvm::createStringError("the op can't be: " +
                                   llvm::toString(graph.takeError()));
  if (llvm::Error error =
          splitLoops(*graph, op.getTiles().value_or(ArrayRef<int64_t>())))
    return error;
  auto format = chooseFormat(op, *graph);
  if (!format)
    return format.takeError();
  auto encoding = makeEncoding(op.getContext(), *format);
  if (!encoding)
    return encoding.takeError();
  SmallVector<IteratorSplit> splits = findSplits(*graph);
  for (const IteratorSplit &split : splits)
    if (llvm::Error why = checkSplit(graph->getOp(), split))
      return llvm::createStringError(
          "iterator " + llvm::Twine(split.iterator) + " can't be split by " +
          llvm::Twine(split.factor) + ": " + llvm::toString(std::move(why)));
  auto before = cast<RankedTensorType>(graph->getTensor().getType());
  RankedTensorType type = before.cloneWithEncoding(*encoding);
  SmallVector<func::CallOp> calls;
  if (type != before) {
    auto found = findCalls(payload->getParentOfType<func::FuncOp>(), place);
    if (failed(found))
      return llvm::createStringError(
          "only a 'func.call' can pass the operand in another format");
    calls = std::move(*found);
  }
  return Sparsification{
      std::move(*graph),          std::move(*format), type,
      !encoding->isPermutation(), std::move(splits),  std::move(calls)};
}

DiagnosedSilenceableFailure
SparsifyOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  // A silenceable failure leaves all as it was.
  std::vector<Sparsification> plans;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    Operation *place = payload;
    auto plan = planSparsification(*this, payload, place);
    if (!plan) {
      DiagnosedSilenceableFailure failure = emitSilenceableError()
                                            << llvm::toString(plan.takeError());
      failure.attachNote(place->getLoc())
          << (place == payload ? "the target is this"
                               : "the function is used here");
      return failure;
    }
    plans.push_back(std::move(*plan));
  }
  SmallVector<Operation *> changed;
  for (Sparsification &plan : plans) {
    linalg::LinalgOp op = plan.graph.getOp();
    if (plan.graph.getTensor().getType() != plan.type)
      changeArgument(plan.graph.getTensor(), plan.type, plan.calls);
    setOptions(*this, op->getParentOfType<func::FuncOp>());
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      auto made = linalg::generalizeNamedOp(rewriter, op);
      if (failed(made))
        return emitDefiniteFailure(
            "upstream can't make a linalg.generic of it");
      generic = *made;
    }
    for (const IteratorSplit &split : plan.splits)
      generic = splitIterator(rewriter, generic, split);
    if (plan.hasOtherDimensions)
      visitLevels(rewriter, generic, plan.graph, plan.format);
    SmallVector<unsigned> order;
    for (int64_t loop : getOrder())
      if (std::optional<unsigned> iterator = iteratorOfLoop(loop, plan.graph))
        order.push_back(*iterator);
    auto permuted = linalg::interchangeGenericOp(rewriter, generic, order);
    if (failed(permuted))
      return emitDefiniteFailure("upstream can't permute its iterators");
    (*permuted)->setAttr(kSorted, rewriter.getBoolAttr(true));
    changed.push_back(*permuted);
  }
  results.set(cast<OpResult>(getResult()), changed);
  return DiagnosedSilenceableFailure::success();
}

LogicalResult SparsifyOp::verify() {
  Builder builder(getContext());
  ArrayAttr tiles;
  if (std::optional<ArrayRef<int64_t>> sizes = getTiles())
    tiles = builder.getI64ArrayAttr(*sizes);
  // The same rules as for the step that writes the op.
  return SparsifyAttr::verify(
      [&] { return emitOpError(); }, getFormatAttr(),
      builder.getI64ArrayAttr(getOrder()), tiles, getPositionsAttr(),
      getCoordinatesAttr(), getVlAttr(), getSimd32Attr(), getPeelAttr(),
      getFactorAttr(), getParallelAttr(), getThreadsAttr(), getScheduleAttr(),
      getChunkAttr(), getUnrollAttr());
}

void SparsifyOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

namespace {
class SparseOpsExtension
    : public transform::TransformDialectExtension<SparseOpsExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SparseOpsExtension)

  void init() {
    declareGeneratedDialect<linalg::LinalgDialect>();
    declareGeneratedDialect<sparse_tensor::SparseTensorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "baco/TransformOps/SparseOps.cpp.inc"
        >();
  }
};
} // namespace

void baco::registerSparseOps(DialectRegistry &registry) {
  registry.addExtensions<SparseOpsExtension>();
}
