//===- SparseOps.cpp - Transform ops for sparse tensors -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/TransformOps/SparseOps.h"

#include "SplitIterator.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/IterationGraph.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/TeamOptions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
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
  if (order.size() != graph.getNumLoops() || !isOrder(order))
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

/// Gives `argument` another type, to which all calls in the module convert what
/// they pass.
static void changeArgument(BlockArgument argument, RankedTensorType type) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  Type before = argument.getType();
  if (before == type)
    return;
  argument.setType(type);
  function.setType(FunctionType::get(
      function.getContext(), function.getBody().front().getArgumentTypes(),
      function.getResultTypes()));
  auto module = function->getParentOfType<ModuleOp>();
  module.walk([&](func::CallOp call) {
    if (call.getCallee() != function.getName())
      return;
    OpBuilder builder(call);
    OpOperand &operand = call->getOpOperand(argument.getArgNumber());
    operand.set(sparse_tensor::ConvertOp::create(builder, call.getLoc(), type,
                                                 operand.get()));
  });
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
static std::optional<unsigned> iteratorOf(int64_t loop,
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

/// Splits the loops of `graph` in the tiles of `sizes`. What is wrong with
/// them.
static std::string splitLoops(IterationGraph &graph, ArrayRef<int64_t> sizes) {
  if (!sizes.empty() && sizes.size() != graph.getNumLoops())
    return "'tiles' has no size for each of the " +
           std::to_string(graph.getNumLoops()) + " iterators";
  SmallVector<int64_t> extents = graph.getOp().getStaticLoopRanges();
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    if (size == 0)
      continue;
    if (graph.isSparseLoop(loop) && (size < 2 || extents[loop] % size != 0))
      return "iterator " + std::to_string(loop) + ", of extent " +
             std::to_string(extents[loop]) + ", can't be split by " +
             std::to_string(size);
    graph.split(loop, size);
  }
  return "";
}

/// Splits the iterators of `op` as the loops of `graph` are. Fails with a
/// reason.
static FailureOr<linalg::GenericOp> splitIterators(RewriterBase &rewriter,
                                                   linalg::GenericOp op,
                                                   const IterationGraph &graph,
                                                   std::string &why) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (const IterationGraph::Split &split : llvm::reverse(graph.getSplits())) {
    if (split.isTrivial)
      continue;
    auto made =
        splitIterator(rewriter, op,
                      {static_cast<unsigned>(split.loop), extents[split.loop],
                       split.size, graph.isSparseLoop(split.loop)},
                      why);
    if (failed(made)) {
      why = "iterator " + std::to_string(split.loop) + " can't be split by " +
            std::to_string(split.size) + ": " + why;
      return failure();
    }
    op = *made;
  }
  return op;
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
    indices.push_back(getAffineDimExpr(*iteratorOf(loop, graph), context));
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

DiagnosedSilenceableFailure
SparsifyOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  SmallVector<Operation *> changed;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    auto fail = [&](const llvm::Twine &why) {
      DiagnosedSilenceableFailure failure = emitSilenceableError() << why;
      failure.attachNote(payload->getLoc()) << "the target is this";
      return failure;
    };
    auto graph = IterationGraph::create(payload);
    if (!graph)
      return fail("the op can't be: " + llvm::toString(graph.takeError()));
    std::string why =
        splitLoops(*graph, getTiles().value_or(ArrayRef<int64_t>()));
    if (!why.empty())
      return fail(why);
    auto format = chooseFormat(*this, *graph);
    if (!format)
      return fail(llvm::toString(format.takeError()));
    auto encoding = makeEncoding(getContext(), *format);
    if (!encoding)
      return fail(llvm::toString(encoding.takeError()));
    auto function = payload->getParentOfType<func::FuncOp>();
    changeArgument(graph->getTensor(),
                   cast<RankedTensorType>(graph->getTensor().getType())
                       .cloneWithEncoding(*encoding));
    setOptions(*this, function);
    rewriter.setInsertionPoint(payload);
    auto generic = dyn_cast<linalg::GenericOp>(payload);
    if (!generic) {
      auto made = linalg::generalizeNamedOp(rewriter, graph->getOp());
      if (failed(made))
        return fail("upstream can't make a linalg.generic of it");
      generic = *made;
    }
    auto split = splitIterators(rewriter, generic, *graph, why);
    if (failed(split))
      return fail(why);
    generic = *split;
    if (!(*encoding).isPermutation())
      visitLevels(rewriter, generic, *graph, *format);
    SmallVector<unsigned> order;
    for (int64_t loop : getOrder())
      if (std::optional<unsigned> iterator = iteratorOf(loop, *graph))
        order.push_back(*iterator);
    auto permuted = linalg::interchangeGenericOp(rewriter, generic, order);
    if (failed(permuted))
      return fail("upstream can't permute its iterators");
    (*permuted)->setAttr(kSorted, rewriter.getBoolAttr(true));
    changed.push_back(*permuted);
  }
  results.set(cast<OpResult>(getResult()), changed);
  return DiagnosedSilenceableFailure::success();
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
