//===- IterationGraph.cpp - Loops over a sparse operand -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/IterationGraph.h"

#include "baco/Analysis/SparseRegions.h"

#include "baco/IR/ArgumentInput.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/IR/SparsifierOptions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace baco;
using baco::sparse::StorageFormat;

bool baco::hasSparseTensors(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isSparse) ||
         llvm::any_of(op->getResultTypes(), isSparse);
}

/// The error says why the tensor can't get another format.
static llvm::Error checkReformatted(Value tensor, linalg::LinalgOp op) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()) ||
      !argument.getOwner()->isEntryBlock()) {
    Operation *producer = tensor.getDefiningOp();
    return llvm::createStringError(
        "its sparse operand is no argument of the function" +
        (producer
             ? ", but computed by '" + producer->getName().getStringRef() + "'"
             : ""));
  }
  for (Operation *user : tensor.getUsers())
    if (user != op && !isa<tensor::DimOp>(user))
      return llvm::createStringError(
          "'" + user->getName().getStringRef() +
          "' uses its sparse operand, too, so that the format can't change");
  if (!cast<RankedTensorType>(tensor.getType()).hasStaticShape())
    return llvm::createStringError(
        "the shape of its sparse operand is dynamic");
  return llvm::Error::success();
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
  if (llvm::is_contained(structured.getStaticLoopRanges(), 0))
    return error("it is empty");
  if (structured.getNumDpsInits() != 1)
    return error("it has " + llvm::Twine(structured.getNumDpsInits()) +
                 " results, and upstream makes loops of ops with one only; "
                 "write an op for each");
  if (llvm::Error kept = checkReformatted(operand->get(), structured))
    return kept;

  IterationGraph graph(structured, cast<BlockArgument>(operand->get()));
  for (AffineExpr index :
       structured.getMatchingIndexingMap(operand).getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop || graph.isSparseLoop(loop.getPosition()))
      return error("its sparse operand isn't indexed by one loop for each "
                   "dimension");
    graph.parts.push_back({loop.getPosition(), graph.parts.size()});
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
  if (isa<ComplexType>(getElementTypeOrSelf(graph.tensor.getType())))
    return error("its sparse operand has complex numbers, which can't be "
                 "packed; make tensors of their real and imaginary parts");
  if (reducesZerosToTensor(structured))
    return error(reducesZerosComplaint.str());
  SparseRegions regions(structured);
  if (regions.hasSelect())
    return error("upstream makes loops of 'sparse_tensor.select' only where "
                 "the result is sparse; use 'sparse_tensor.unary' with "
                 "'arith.select', and zero for what isn't selected");
  if (regions.hasReduce() &&
      regions.startIn(graph.plainOrder()) == ReduceStart::Repeatedly)
    return error("a loop that reduces is outside of one of the result in the "
                 "format of its sparse operand, and 'sparse_tensor.reduce' "
                 "begins anew in each of its iterations, so that only the last "
                 "one would count; change the format");
  return std::move(graph);
}

void IterationGraph::split(int64_t loop, int64_t size) {
  auto inner = static_cast<int64_t>(getNumLoops());
  isParallel.push_back(isParallel[loop]);
  splits.push_back({loop, size, inner, /*isTrivial=*/false});
  auto *part =
      llvm::find_if(parts, [&](const Part &each) { return each.loop == loop; });
  if (part == parts.end()) {
    splits.back().isTrivial = op.getStaticLoopRanges()[loop] == size;
    return;
  }
  size_t dimension = part->dimension;
  if (size == getShape()[dimension]) {
    part->loop = inner;
    splits.back().isTrivial = true;
    return;
  }
  part->divisor = size;
  parts.push_back({inner, dimension, /*divisor=*/1, /*modulus=*/size});
}

/// Two levels in place of each whose dimension is split.
static void splitLevels(StorageFormat &format,
                        ArrayRef<IterationGraph::Part> parts) {
  std::vector<sparse::Level> levels;
  for (sparse::Level level : format.levels) {
    auto *outer = llvm::find_if(parts, [&](const IterationGraph::Part &part) {
      return part.dimension == level.dimension && part.divisor > 1;
    });
    if (outer == parts.end()) {
      levels.push_back(level);
      continue;
    }
    // If coordinates repeat, each entry has its own in all levels below.
    bool repeats =
        level.kind == sparse::LevelKind::Singleton || !level.isUnique;
    sparse::Level first = level, second = level;
    first.divisor = second.modulus = outer->divisor;
    first.isUnique = !repeats;
    if (repeats)
      second.kind = sparse::LevelKind::Singleton;
    levels.push_back(first);
    levels.push_back(second);
  }
  format.levels = std::move(levels);
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
  Offer offer{format, /*isArranged=*/false};
  if (name != kGivenFormat) {
    offer.isArranged = llvm::StringSwitch<bool>(name)
                           .Cases({"csr", "csc", "dcsr", "dcsc"}, false)
                           .Default(true);
    Result<StorageFormat> named = sparse::namedFormat(
        name.str(), offer.isArranged ? parts.size() : getShape().size());
    if (!named && sparse::namedFormat(name.str(), 2 * parts.size()))
      return llvm::createStringError(
          "format '" + name + "' is for more than the " +
          llvm::Twine(parts.size()) +
          " levels of the sparse operand, which gets more by tiles");
    if (!named)
      return llvm::createStringError(named.error().message);
    offer.format = std::move(*named);
  }
  if (!offer.isArranged)
    splitLevels(offer.format, parts);
  return offer;
}

SmallVector<int64_t>
IterationGraph::loopsOfLevels(const StorageFormat &format) const {
  return llvm::map_to_vector(format.levels, [&](const sparse::Level &level) {
    auto *part = llvm::find_if(
        parts, [&](const Part &each) { return each.isOf(level); });
    assert(part != parts.end() && "the format is one of findFormat()");
    return part->loop;
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
  SmallVector<Part> sorted(parts);
  llvm::sort(sorted, [&](const Part &a, const Part &b) {
    return places[a.loop] < places[b.loop];
  });
  for (auto [level, part] : llvm::zip_equal(format.levels, sorted))
    part.assignTo(level);
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
  // Dense operands: inputs and outputs, inputs, outputs, or none.
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

SmallVector<int64_t> IterationGraph::plainOrder() const {
  linalg::LinalgOp structured = op;
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, getNumLoops()));
  return structured->hasAttr(kSorted) ? order : naturalOrder(format);
}
