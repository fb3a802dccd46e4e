//===- AnnotateSparse.cpp - Recipes for ops on sparse tensors -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step itself defines the legal values (lib/IR/StepSparsifyRules.cpp).
//
//===----------------------------------------------------------------------===//

#include "AnnotateParts.h"

#include "baco/Analysis/IterationGraph.h"
#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"
#include "baco/Recipe/RecipeAnalysis.h"
#include "baco/Schedule/Annotate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-annotate"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using baco::sparse::StorageFormat;

bool baco::schedule::worksOnSparseTensors(func::FuncOp function) {
  return contains(function, hasSparseTensors);
}

namespace {
/// Makes the fields of the step for one op.
class SparsePlan {
public:
  SparsePlan(const IterationGraph &graph, const HostInfo &host)
      : graph(graph), host(host), builder(graph.getTensor().getContext()),
        extents(graph.getOp().getStaticLoopRanges()) {}

  RecipeAttr recipe();

private:
  /// Elements of the result in a vector register.
  int64_t lanes() const;
  Attribute format();
  Attribute parallel();
  Attribute factor();
  /// How many of more than two threads.
  Attribute threads();
  /// Whether each index that `loop` is in is the iterator alone, as that of a
  /// convolution's window isn't. Only then operands can be reshaped for tiles.
  bool hasOwnIndices(int64_t loop) const;
  /// Chooses sizes of tiles for a loop over dense operands only.
  void tileDense(int64_t loop);
  /// The same for a loop over the sparse operand.
  void tileSparse(int64_t loop, ArrayRef<int64_t> wanted);
  ArrayAttr tiles();
  /// The order of the loops, those included that tiles() has split.
  SmallVector<int64_t> order();
  /// Whether elements can't be in vectors: LLVM packs bits there, of which each
  /// has a byte of its own in memory.
  bool hasOnlyBits() const;
  /// The loop of which the innermost one of `order` is, or the one in a tile.
  int64_t innermostOf(ArrayRef<int64_t> order) const;
  /// Whether the innermost loop sums rows of stored entries that are long
  /// enough for vectors, as far as the entries are known.
  bool sumsLongRows(ArrayRef<int64_t> order) const;
  /// Vectors of the innermost loop of `order`.
  Attribute vectorLength(ArrayRef<int64_t> order);
  /// Constraints on `lengths` that loops over stored coordinates can't use.
  SmallVector<ConstraintAttr> limitLengths(Attribute lengths);
  /// Constraints that other tools need to compile the tuned module.
  SmallVector<ConstraintAttr> limitWidths();
  Attribute text(StringRef knob, ArrayRef<StringRef> values, StringRef usual);
  Attribute number(StringRef knob, ArrayRef<int64_t> values, int64_t usual,
                   bool isLog);
  Attribute width(StringRef knob, unsigned own);

  const IterationGraph &graph;
  const HostInfo &host;
  Builder builder;
  SmallVector<int64_t> extents;
  SmallVector<Attribute> sizes;
  bool hasSparseTiles = false;
};
} // namespace

Attribute SparsePlan::text(StringRef knob, ArrayRef<StringRef> values,
                           StringRef usual) {
  if (values.size() == 1)
    return builder.getStringAttr(usual);
  auto domain = CategoricalAttr::get(builder.getContext(),
                                     builder.getStrArrayAttr(values));
  return KnobAttr::get(builder.getContext(), knob, domain,
                       builder.getStringAttr(usual), DenseF64ArrayAttr());
}

Attribute SparsePlan::number(StringRef knob, ArrayRef<int64_t> values,
                             int64_t usual, bool isLog) {
  auto domain = OrdinalAttr::get(builder.getContext(), values, isLog);
  return KnobAttr::get(builder.getContext(), knob, domain,
                       builder.getI64IntegerAttr(usual), DenseF64ArrayAttr());
}

/// Whether both have the same levels, whatever their widths.
static bool haveEqualLevels(const StorageFormat &a, const StorageFormat &b) {
  return a.levels == b.levels;
}

Attribute SparsePlan::format() {
  SmallVector<StringRef> names;
  size_t rank = graph.getShape().size();
  if (rank == 2)
    names = {"csr", "csc", "dcsr", "dcsc", "coo"};
  else
    names = {"csf", "coo"};
  if (rank > 2)
    llvm::append_values(names, "dense-csf", "dense-dense-csf", "dense-coo");
  else if (hasSparseTiles && rank == 2)
    llvm::append_values(names, "csf", "dense-csf", "dense-dense-csf");
  else if (hasSparseTiles)
    names.push_back("dense-csf");
  const StorageFormat &own = graph.getOwnFormat();
  SmallVector<int64_t> order = graph.naturalOrder(own);
  for (StringRef name : names) {
    auto offer = graph.findFormat(name);
    if (!offer) {
      // Only tiles give the operand so many levels.
      llvm::consumeError(offer.takeError());
      continue;
    }
    if (haveEqualLevels(own, offer->isArranged
                                 ? graph.arrange(offer->format, order)
                                 : offer->format))
      return text("format", names, name);
  }
  names.insert(names.begin(), kGivenFormat);
  return text("format", names, kGivenFormat);
}

/// Sizes of tiles for an extent: powers of two that divide it, and itself.
static SmallVector<int64_t> tileSizes(int64_t extent) {
  constexpr int64_t least = 8, most = 512;
  SmallVector<int64_t> sizes;
  for (int64_t size = least; size <= most && size < extent; size *= 2)
    if (extent % size == 0)
      sizes.push_back(size);
  sizes.push_back(extent);
  return sizes;
}

int64_t SparsePlan::lanes() const {
  Type element =
      getElementTypeOrSelf(graph.getOp().getDpsInits().front().getType());
  int64_t bytes = element.isIntOrFloat()
                      ? std::max(1u, element.getIntOrFloatBitWidth() / 8)
                      : 8;
  return std::max<int64_t>(1, host.vectorBytes / bytes);
}

/// The same for a loop that visits levels: the largest divisors that aren't
/// above `wanted`, which are as few as it has, and itself.
static SmallVector<int64_t> levelSizes(int64_t extent,
                                       ArrayRef<int64_t> wanted) {
  SmallVector<int64_t> sizes;
  for (int64_t most : wanted) {
    int64_t size = std::min(most, extent - 1);
    while (size > 1 && extent % size != 0)
      --size;
    if (size > 1 && (sizes.empty() || size > sizes.back()))
      sizes.push_back(size);
  }
  sizes.push_back(extent);
  return sizes;
}

bool SparsePlan::hasOwnIndices(int64_t loop) const {
  linalg::LinalgOp op = graph.getOp();
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::all_of(map.getResults(), [&](AffineExpr index) {
      return isa<AffineDimExpr>(index) || !index.isFunctionOfDim(loop);
    });
  });
}

void SparsePlan::tileDense(int64_t loop) {
  // As many sums as eight vector registers hold.
  int64_t usual = 8 * lanes();
  SmallVector<int64_t> possible = tileSizes(extents[loop]);
  if (possible.size() == 1)
    return;
  bool isParallel = graph.isParallelLoop(loop);
  int64_t chosen = extents[loop];
  if (isParallel)
    for (int64_t size : possible)
      if (size <= usual)
        chosen = size;
  sizes[loop] =
      number("tile" + std::to_string(loop), possible, chosen, /*isLog=*/true);
}

void SparsePlan::tileSparse(int64_t loop, ArrayRef<int64_t> wanted) {
  if (!hasOwnIndices(loop))
    return;
  SmallVector<int64_t> possible = levelSizes(extents[loop], wanted);
  if (possible.size() == 1)
    return;
  hasSparseTiles = true;
  sizes[loop] = number("tile" + std::to_string(loop), possible, possible.back(),
                       /*isLog=*/true);
}

/// More take too many evaluations to order.
static constexpr size_t maxTiledLoops = 6;

ArrayAttr SparsePlan::tiles() {
  sizes.assign(extents.size(), builder.getI64IntegerAttr(0));
  auto numTiled = [&] {
    return llvm::count_if(sizes, llvm::IsaPred<KnobAttr>);
  };
  for (size_t loop = 0; loop < extents.size(); ++loop)
    if (!graph.isSparseLoop(loop) && !ShapedType::isDynamic(extents[loop]) &&
        hasOwnIndices(loop))
      tileDense(loop);
  // Chunks of the outermost level, and of the innermost one if its blocks can
  // be the reused part of a dense operand.
  SmallVector<int64_t> visited = graph.loopsOfLevels(graph.getOwnFormat());
  bool isReduced = !graph.isParallelLoop(visited.back());
  auto mayTile = [&] { return extents.size() + numTiled() < maxTiledLoops; };
  if (mayTile())
    tileSparse(visited.front(), {4, 16, 64, 256, 1024});
  if (mayTile() && visited.size() > 1 && isReduced)
    tileSparse(visited.back(), {256, 1024, 4096, 16384});
  if (numTiled() == 0)
    return {};
  return builder.getArrayAttr(sizes);
}

SmallVector<int64_t> SparsePlan::order() {
  SmallVector<int64_t> order = graph.naturalOrder(graph.getOwnFormat());
  IterationGraph split = graph;
  for (auto [number, size] : llvm::enumerate(sizes)) {
    if (!isa<KnobAttr>(size))
      continue;
    auto loop = static_cast<int64_t>(number);
    // The loop in a tile takes the place of the loop. That over tiles is just
    // outside of it, or, where the sums of a tile can stay in registers, of
    // all reductions around it.
    auto *place = llvm::find(order, loop);
    *place = static_cast<int64_t>(split.getNumLoops());
    split.split(loop, extents[loop]);
    auto *outside = place;
    while (!graph.isSparseLoop(loop) && graph.isParallelLoop(loop) &&
           outside != order.begin() &&
           !split.isParallelLoop(*std::prev(outside)))
      --outside;
    order.insert(outside, loop);
  }
  return order;
}

bool SparsePlan::hasOnlyBits() const {
  return llvm::all_of(graph.getOp()->getOperandTypes(), [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 != 0;
  });
}

SmallVector<ConstraintAttr> SparsePlan::limitLengths(Attribute lengths) {
  if (!lengths)
    return {};
  constexpr int64_t maxElements = 32;
  const std::string most = std::to_string(maxElements);
  MLIRContext *context = builder.getContext();
  SmallVector<ConstraintAttr> limits;
  auto isFew = [](int64_t length) { return length <= maxElements; };
  if (!Quantity(lengths).allOf(isFew)) {
    SmallVector<std::string> dense;
    auto tile = static_cast<int64_t>(extents.size());
    for (auto [loop, size] : llvm::enumerate(sizes)) {
      int64_t inner = isa<KnobAttr>(size) ? tile++ : static_cast<int64_t>(loop);
      if (!graph.isSparseLoop(loop))
        dense.push_back(std::to_string(inner));
    }
    std::string text = "vl <= " + most;
    if (!dense.empty())
      text += " || in(order[" + std::to_string(tile - 1) + "], {" +
              llvm::join(dense, ", ") + "})";
    limits.push_back(ConstraintAttr::get(
        context, text,
        "vectors over stored coordinates have an address of 64 bits for each "
        "element, and those of more than " +
            most + " elements don't stay in registers",
        /*advisory=*/true));
  }
  if (isa<FloatType>(getElementTypeOrSelf(graph.getTensor().getType())))
    limits.push_back(ConstraintAttr::get(
        context, "peel == 0 || vl * unroll <= " + most,
        "with 'peel' a sum takes 'unroll' vectors at once, and more than " +
            most + " elements don't stay in registers",
        /*advisory=*/true));
  return limits;
}

SmallVector<ConstraintAttr> SparsePlan::limitWidths() {
  const StorageFormat &own = graph.getOwnFormat();
  Type element = getElementTypeOrSelf(graph.getTensor().getType());
  // It has none of bits at all.
  if (element.isF32() || element.isF64() || element.isInteger(1) ||
      own.positionWidth != own.coordinateWidth)
    return {};
  return {ConstraintAttr::get(
      builder.getContext(), "positions == coordinates",
      "upstream's run-time library has tensors of " + debugString(element) +
          " only where positions and coordinates have the same width",
      /*advisory=*/true)};
}

int64_t SparsePlan::innermostOf(ArrayRef<int64_t> order) const {
  auto tile = static_cast<int64_t>(extents.size());
  for (auto [loop, size] : llvm::enumerate(sizes))
    if (isa<KnobAttr>(size) && tile++ == order.back())
      return static_cast<int64_t>(loop);
  return order.back();
}

/// Elements of a vector whose elements are loaded one by one: a longer one only
/// has more of them in a round, and more that are masked in the last one.
static int64_t gatheredLanes(const HostInfo &host, int64_t lanes) {
  constexpr int64_t maxBytes = 32;
  return lanes * std::min(host.vectorBytes, maxBytes) / host.vectorBytes;
}

bool SparsePlan::sumsLongRows(ArrayRef<int64_t> order) const {
  int64_t innermost = innermostOf(order);
  std::optional<int64_t> numEntries = graph.getNumEntries();
  if (!numEntries || !graph.isSparseLoop(innermost) ||
      graph.isParallelLoop(innermost) || hasOnlyBits())
    return false;
  // There are no more rows than these.
  double rows = 1, entries = static_cast<double>(*numEntries);
  for (size_t loop = 0; loop < extents.size(); ++loop)
    if (static_cast<int64_t>(loop) != innermost && graph.isSparseLoop(loop))
      rows *= static_cast<double>(extents[loop]);
  // Narrow elements would need many loads for a round.
  int64_t round = gatheredLanes(host, lanes());
  return round > 1 && round <= 8 && entries >= 2.0 * round * rows;
}

Attribute SparsePlan::vectorLength(ArrayRef<int64_t> order) {
  if (hasOnlyBits())
    return {};
  int64_t innermost = innermostOf(order), usual = 0;
  int64_t extent = extents[innermost];
  if (auto knob = dyn_cast<KnobAttr>(sizes[innermost]))
    extent = cast<IntegerAttr>(knob.getDefaultValue()).getInt();
  // A tile of the result is a vector in any case.
  int64_t lanes = this->lanes();
  bool isTile =
      graph.isParallelLoop(innermost) &&
      extent * (host.vectorBytes / lanes) <= SparsifierOptions::maxTileBytes;
  if (sumsLongRows(order)) {
    usual = gatheredLanes(host, lanes);
  } else if (!graph.isSparseLoop(innermost) && !isTile && lanes > 1 &&
             !ShapedType::isDynamic(extent) && extent % lanes == 0) {
    // Several sums, so that one doesn't wait for the other: two, or four if
    // there are as many rounds.
    int64_t most = extent >= 16 * lanes ? 4 : 2;
    usual = lanes;
    while (!graph.isParallelLoop(innermost) && usual < most * lanes &&
           extent % (2 * usual) == 0)
      usual *= 2;
  }
  SmallVector<int64_t> lengths = {0, 2, 4, 8, 16, 32};
  if (!llvm::is_contained(lengths, usual))
    lengths.push_back(usual);
  return number("vl", lengths, usual, /*isLog=*/false);
}

Attribute SparsePlan::parallel() {
  bool hasParallelLoop = false;
  for (size_t loop = 0; loop < graph.getNumLoops(); ++loop)
    hasParallelLoop |= graph.isParallelLoop(loop);
  if (host.threads == 1 || !hasParallelLoop)
    return {};
  // These loops include those over dense levels.
  return text("parallel", {"none", "any-storage-outer-loop"}, "none");
}

/// Offered if some operand is the same in a loop that sums.
Attribute SparsePlan::factor() {
  linalg::LinalgOp op = graph.getOp();
  bool multiplies = llvm::any_of(*op.getBlock(), llvm::IsaPred<arith::MulFOp>);
  bool isFixed = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (!graph.isParallelLoop(loop) && !map.isFunctionOfDim(loop))
        return true;
    return false;
  });
  if (!multiplies || !isFixed)
    return {};
  return number("factor", {0, 1}, 1, /*isLog=*/false);
}

Attribute SparsePlan::threads() {
  if (host.threads <= 2 || !parallel())
    return {};
  SmallVector<int64_t> numbers;
  for (int64_t number = 2; number < host.threads; number *= 2)
    numbers.push_back(number);
  numbers.push_back(host.threads);
  return number("threads", numbers, numbers.front(), /*isLog=*/true);
}

/// Widths to choose from, `own` and others. Less is read of narrow ones, and
/// most tensors have too many entries for the narrowest.
Attribute SparsePlan::width(StringRef knob, unsigned own) {
  SmallVector<int64_t> widths = {16, 32, 64};
  SmallVector<double> weights = {2, 4, 1};
  if (own == 8) {
    widths.insert(widths.begin(), 8);
    weights.insert(weights.begin(), 2);
  }
  return KnobAttr::get(builder.getContext(), knob,
                       OrdinalAttr::get(builder.getContext(), widths,
                                        /*isLog=*/true),
                       builder.getI64IntegerAttr(own),
                       builder.getDenseF64ArrayAttr(weights));
}

RecipeAttr SparsePlan::recipe() {
  MLIRContext *context = builder.getContext();
  const StorageFormat &own = graph.getOwnFormat();
  ArrayAttr tiled = tiles();
  SmallVector<int64_t> loops = order();
  auto domain =
      PermutationAttr::get(context, loops.size(), PermutationMetric::Spearman);
  Attribute permutation =
      KnobAttr::get(context, "order", domain,
                    builder.getDenseI64ArrayAttr(loops), DenseF64ArrayAttr());
  Attribute team = parallel();
  Attribute vl = vectorLength(loops);
  auto ofVectors = [&](StringRef knob, int64_t usual) {
    return vl ? number(knob, {0, 1}, usual, /*isLog=*/false) : Attribute();
  };
  auto step = SparsifyAttr::get(
      context, format(), permutation, tiled,
      width("positions", own.positionWidth),
      width("coordinates", own.coordinateWidth), vl, ofVectors("simd32", 0),
      ofVectors("peel", sumsLongRows(loops)), factor(), team, threads(),
      team ? text("schedule", {"static", "dynamic", "guided"}, "static")
           : Attribute(),
      team ? number("chunk", {0, 1, 4, 16, 64, 256}, 0, /*isLog=*/false)
           : Attribute(),
      // LLVM would make a loop of its own for the remainder, and rows are
      // short.
      number("unroll", {0, 1, 2, 4}, 1, /*isLog=*/false));
  SmallVector<ConstraintAttr> limits = limitLengths(vl);
  llvm::append_range(limits, limitWidths());
  return RecipeAttr::get(context, builder.getArrayAttr({step}), limits,
                         /*nests=*/1);
}

/// The most loops that constraints can read; see docs/Expressions.md.
static constexpr size_t maxLoops = 9;

/// Why `op` gets no recipe; empty if it got one.
static std::string annotateOp(Operation *op, const HostInfo &host) {
  auto graph = IterationGraph::create(op);
  if (!graph)
    return llvm::toString(graph.takeError());
  // Loops over dense operands may become two.
  if (2 * graph->getNumLoops() - graph->getShape().size() > maxLoops)
    return "it has more than " + std::to_string(maxLoops) + " loops";
  RecipeAttr recipe = SparsePlan(*graph, host).recipe();
  LDBG() << op->getName() << " at " << op->getLoc() << ": " << recipe;
  op->setAttr(BacoDialect::kRecipe, recipe);
  return "";
}

int64_t baco::schedule::annotateSparse(func::FuncOp function,
                                       const HostInfo &host) {
  int64_t count = 0;
  function.walk([&](Operation *op) {
    if (!isStructured(op) || op->hasAttr(BacoDialect::kRecipe) || isTrivial(op))
      return;
    std::string why = annotateOp(op, host);
    if (why.empty())
      ++count;
    else
      emitNoRecipe(op, why);
  });
  return count;
}
