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

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace baco;

#define GET_OP_CLASSES
#include "baco/TransformOps/SparseOps.cpp.inc"

/// The type of the operand with the format that `op` says, or why there is
/// none.
static llvm::Expected<RankedTensorType>
chooseType(SparsifyOp op, const IterationGraph &graph) {
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
  const sparse::StorageFormat &own = graph.getOwnFormat();
  format.positionWidth = op.getPositions().value_or(own.positionWidth);
  format.coordinateWidth = op.getCoordinates().value_or(own.coordinateWidth);
  auto encoding = makeEncoding(op.getContext(), format);
  if (!encoding)
    return encoding.takeError();
  return cast<RankedTensorType>(graph.getTensor().getType())
      .cloneWithEncoding(*encoding);
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
  if (StringAttr parallel = op.getParallelAttr())
    function->setDiscardableAttr(kSparseParallel, parallel);
}

/// `order` by the numbers that iterators have when those with tiles are split:
/// there, the loop in a tile comes behind that over the tiles.
static SmallVector<unsigned> orderOfSplitLoops(ArrayRef<int64_t> order,
                                               const IterationGraph &graph) {
  ArrayRef<int64_t> splits = graph.getSplits();
  auto numbered = static_cast<int64_t>(graph.getNumLoops() - splits.size());
  return llvm::map_to_vector(order, [&](int64_t loop) {
    bool isInner = loop >= numbered;
    int64_t original = isInner ? splits[loop - numbered] : loop;
    auto before =
        llvm::count_if(splits, [&](int64_t other) { return other < original; });
    return static_cast<unsigned>(original + before + isInner);
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
    ArrayRef<int64_t> tiles = getTiles().value_or(ArrayRef<int64_t>());
    if (!tiles.empty() && tiles.size() != graph->getNumLoops())
      return fail("'tiles' has no size for each of the " +
                  llvm::Twine(graph->getNumLoops()) + " iterators");
    for (auto [loop, size] : llvm::enumerate(tiles)) {
      if (size != 0 && graph->isSparseLoop(loop))
        return fail("iterator " + llvm::Twine(loop) +
                    " can't have tiles, as it indexes the sparse operand");
      if (size != 0)
        graph->split(loop);
    }
    llvm::Expected<RankedTensorType> type = chooseType(*this, *graph);
    if (!type)
      return fail(llvm::toString(type.takeError()));
    auto function = payload->getParentOfType<func::FuncOp>();
    changeArgument(graph->getTensor(), *type);
    setOptions(*this, function);
    rewriter.setInsertionPoint(payload);
    auto generic = dyn_cast<linalg::GenericOp>(payload);
    if (!generic) {
      auto made = linalg::generalizeNamedOp(rewriter, graph->getOp());
      if (failed(made))
        return fail("upstream can't make a linalg.generic of it");
      generic = *made;
    }
    std::string why;
    for (size_t loop = tiles.size(); loop-- > 0;) {
      if (tiles[loop] == 0)
        continue;
      auto split = splitIterator(rewriter, generic, loop, tiles[loop], why);
      if (failed(split))
        return fail("iterator " + llvm::Twine(loop) + " can't be split by " +
                    llvm::Twine(tiles[loop]) + ": " + why);
      generic = *split;
    }
    SmallVector<unsigned> order = orderOfSplitLoops(getOrder(), *graph);
    auto permuted = linalg::interchangeGenericOp(rewriter, generic, order);
    if (failed(permuted))
      return fail("upstream can't permute its iterators");
    (*permuted)->setAttr("sorted", rewriter.getBoolAttr(true));
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
