//===- IterationGraph.cpp - Loops over a sparse operand -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/IterationGraph.h"

#include "baco/IR/ArgumentInput.h"
#include "baco/IR/SparseEncoding.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace baco;
using baco::sparse::StorageFormat;

static bool isSparse(Type type) {
  return isa<RankedTensorType>(type) && encodingOf(type);
}

bool baco::hasSparseTensors(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isSparse) ||
         llvm::any_of(op->getResultTypes(), isSparse);
}

/// Why the tensor can't get another format; empty if it can.
static std::string whyKept(Value tensor, linalg::LinalgOp op) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()) ||
      !argument.getOwner()->isEntryBlock()) {
    Operation *producer = tensor.getDefiningOp();
    return "its sparse operand is no argument of the function" +
           (producer ? ", but computed by '" +
                           producer->getName().getStringRef().str() + "'"
                     : "");
  }
  for (Operation *user : tensor.getUsers())
    if (user != op &&
        !isa<tensor::DimOp, sparse_tensor::NumberOfEntriesOp>(user))
      return "'" + user->getName().getStringRef().str() +
             "' uses its sparse operand, too, so that the format can't change";
  if (!cast<RankedTensorType>(tensor.getType()).hasStaticShape())
    return "the shape of its sparse operand is dynamic";
  return "";
}

llvm::Expected<IterationGraph> IterationGraph::create(Operation *op) {
  auto error = [](const llvm::Twine &why) {
    return llvm::createStringError(why);
  };
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics())
    return error("it is no linalg op on tensors");
  OpOperand *operand = nullptr;
  for (OpOperand &each : op->getOpOperands()) {
    if (!isSparse(each.get().getType()))
      continue;
    if (structured.isDpsInit(&each))
      return error("its result is a sparse tensor; compute a dense one");
    if (operand)
      return error("it has several sparse operands");
    operand = &each;
  }
  if (!operand)
    return error("it has no sparse operand");
  if (std::string why = whyKept(operand->get(), structured); !why.empty())
    return error(why);

  IterationGraph graph(structured, cast<BlockArgument>(operand->get()));
  for (AffineExpr index :
       structured.getMatchingIndexingMap(operand).getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop || llvm::is_contained(graph.loops, loop.getPosition()))
      return error("its sparse operand isn't indexed by one loop for each "
                   "dimension");
    graph.loops.push_back(loop.getPosition());
  }
  for (utils::IteratorType type : structured.getIteratorTypesArray())
    graph.isParallel.push_back(type == utils::IteratorType::parallel);
  auto encoding = encodingOf(graph.tensor.getType());
  llvm::Expected<StorageFormat> format = storageFormat(encoding);
  if (!format)
    return error("the format of its sparse operand: " +
                 llvm::toString(format.takeError()));
  if (!encoding.isPermutation())
    return error("levels of its sparse operand are parts of dimensions");
  graph.format = std::move(*format);
  return std::move(graph);
}

void IterationGraph::split(int64_t loop) {
  assert(!isSparseLoop(loop) && "its tiles would be slices of the tensor");
  splits.push_back(loop);
  isParallel.push_back(isParallel[loop]);
}

ArrayRef<int64_t> IterationGraph::getShape() const {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

std::optional<int64_t> IterationGraph::getNumEntries() const {
  std::optional<ArgumentInput> input = inputOf(tensor);
  if (!input || input->hash.empty())
    return std::nullopt;
  return input->numEntries;
}

llvm::Expected<IterationGraph::Offer>
IterationGraph::findFormat(StringRef name) const {
  if (name == kGivenFormat)
    return Offer{format, /*isArranged=*/false};
  Result<StorageFormat> named = sparse::namedFormat(name.str(), loops.size());
  if (!named)
    return llvm::createStringError(named.error().message);
  return Offer{std::move(*named),
               llvm::StringSwitch<bool>(name)
                   .Cases({"csr", "csc", "dcsr", "dcsc"}, false)
                   .Default(true)};
}

SmallVector<int64_t>
IterationGraph::loopsOfLevels(const StorageFormat &format) const {
  return llvm::map_to_vector(format.levels, [&](const sparse::Level &level) {
    return loops[level.dimension];
  });
}

/// For each loop its place in `order`.
static SmallVector<int64_t> placesIn(ArrayRef<int64_t> order) {
  SmallVector<int64_t> places(order.size());
  for (auto [place, loop] : llvm::enumerate(order))
    places[loop] = place;
  return places;
}

bool IterationGraph::isLegal(ArrayRef<int64_t> order,
                             const StorageFormat &format) const {
  SmallVector<int64_t> places = placesIn(order);
  SmallVector<int64_t> visited = loopsOfLevels(format);
  return llvm::is_sorted(
      visited, [&](int64_t a, int64_t b) { return places[a] < places[b]; });
}

StorageFormat IterationGraph::arrange(StorageFormat format,
                                      ArrayRef<int64_t> order) const {
  SmallVector<int64_t> places = placesIn(order);
  auto dimensions = llvm::to_vector(llvm::seq<size_t>(0, loops.size()));
  llvm::sort(dimensions, [&](size_t a, size_t b) {
    return places[loops[a]] < places[loops[b]];
  });
  for (auto [level, dimension] : llvm::zip_equal(format.levels, dimensions))
    level.dimension = dimension;
  return format;
}

//===----------------------------------------------------------------------===//
// Natural order
//===----------------------------------------------------------------------===//

namespace {
/// Which loops must be around which.
class LoopOrder {
public:
  explicit LoopOrder(size_t numLoops) : isAround(numLoops) {
    for (llvm::SmallBitVector &inner : isAround)
      inner.resize(numLoops);
  }

  void require(int64_t outer, int64_t inner) { isAround[outer].set(inner); }
  /// One order that meets that, or nothing if there is none. As upstream,
  /// parallel loops come first, and of several the last one.
  std::optional<SmallVector<int64_t>> sort(ArrayRef<bool> isParallel) const;

private:
  SmallVector<llvm::SmallBitVector> isAround;
};
} // namespace

std::optional<SmallVector<int64_t>>
LoopOrder::sort(ArrayRef<bool> isParallel) const {
  size_t numLoops = isAround.size();
  SmallVector<int64_t> numOutside(numLoops), order, parallel, reductions;
  for (const llvm::SmallBitVector &inner : isAround)
    for (unsigned loop : inner.set_bits())
      ++numOutside[loop];
  auto offer = [&](int64_t loop) {
    if (numOutside[loop] == 0)
      (isParallel[loop] ? parallel : reductions).push_back(loop);
  };
  for (size_t loop = 0; loop < numLoops; ++loop)
    offer(loop);
  while (!parallel.empty() || !reductions.empty()) {
    int64_t next = (parallel.empty() ? reductions : parallel).pop_back_val();
    order.push_back(next);
    for (unsigned inner : isAround[next].set_bits()) {
      --numOutside[inner];
      offer(inner);
    }
  }
  return order.size() == numLoops ? std::optional(order) : std::nullopt;
}

SmallVector<int64_t>
IterationGraph::naturalOrder(const StorageFormat &format) const {
  assert(splits.empty() && "upstream doesn't split loops");
  linalg::LinalgOp structured = op;
  // Of dense operands: inputs and outputs, inputs, outputs, or none.
  for (auto [inputs, outputs] :
       {std::pair(true, true), std::pair(true, false), std::pair(false, true),
        std::pair(false, false)}) {
    LoopOrder order(getNumLoops());
    SmallVector<int64_t> visited = loopsOfLevels(format);
    for (size_t l = 1; l < visited.size(); ++l)
      order.require(visited[l - 1], visited[l]);
    for (OpOperand &operand : structured->getOpOperands()) {
      bool isOutput = structured.isDpsInit(&operand);
      if (operand.get() == tensor || !(isOutput ? outputs : inputs))
        continue;
      ArrayRef<AffineExpr> indices =
          structured.getMatchingIndexingMap(&operand).getResults();
      for (size_t d = 1; d < indices.size(); ++d) {
        auto outer = dyn_cast<AffineDimExpr>(indices[d - 1]);
        auto inner = dyn_cast<AffineDimExpr>(indices[d]);
        if (outer && inner)
          order.require(outer.getPosition(), inner.getPosition());
      }
    }
    if (auto sorted = order.sort(isParallel))
      return *sorted;
  }
  llvm_unreachable("levels are of different loops");
}
