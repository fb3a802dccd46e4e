//===- TransformTileExtents.cpp - Extents that stock ops tile -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransformTileExtents.h"

#include "CacheRules.h"
#include "NestChoices.h"
#include "baco/IR/BacoDialect.h"
#include "baco/TransformOps/BacoTransformOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::NamedSequenceOp;
using transform::RestructureOp;
using transform::TileUsingForallOp;
using transform::TileUsingForOp;
using transform::VectorizeOp;
using transform::smt::ConstrainParamsOp;
using transform::tune::KnobOp;

/// The handle that `op` tiles; null if it is another op.
static mlir::Value tiledBy(Operation *op) {
  if (auto tile = dyn_cast<TileUsingForOp>(op))
    return tile.getTarget();
  if (auto tile = dyn_cast<TileUsingForallOp>(op))
    return tile.getTarget();
  return {};
}

/// The op, and those that tile its result, each the one before, in its block.
static SmallVector<Operation *> chainFrom(Operation *op) {
  SmallVector<Operation *> chain;
  while (op) {
    chain.push_back(op);
    mlir::Value tiled = op->getResult(0);
    auto next = llvm::find_if(tiled.getUsers(), [&](Operation *user) {
      return tiledBy(user) == tiled && user->getBlock() == op->getBlock();
    });
    op = next == tiled.user_end() ? nullptr : *next;
  }
  return chain;
}

/// A knob of a recipe that is like `choice`; null if its values are no sizes.
static Attribute knobLike(const Choice &choice) {
  auto sizes = integersOf(choice.parameter, /*most=*/4096);
  if (!sizes)
    return {};
  SmallVector<int64_t> values = *sizes;
  llvm::sort(values);
  values.erase(llvm::unique(values), values.end());
  Operation *op = choice.ops.front();
  auto emitError = [&] { return op->emitError(); };
  MLIRContext *context = op->getContext();
  if (failed(OrdinalAttr::verify(emitError, values, /*log=*/false)))
    return {};
  auto domain = OrdinalAttr::get(context, values, /*log=*/false);
  if (failed(KnobAttr::verify(emitError, choice.name, domain, Attribute(),
                              DenseF64ArrayAttr(), IntegerAttr())))
    return {};
  return KnobAttr::get(context, choice.name, domain, Attribute(),
                       DenseF64ArrayAttr());
}

/// The sizes that `op` tiles by, each for an iterator; none if they are
/// scalable, bound, or follow from numbers of threads.
static SmallVector<OpFoldResult> sizesOf(Operation *op) {
  if (op->hasAttr(BacoDialect::kBind))
    return {};
  if (auto tile = dyn_cast<TileUsingForOp>(op)) {
    if (!llvm::is_contained(tile.getScalableSizes(), true))
      return tile.getMixedSizes();
  } else if (auto tile = dyn_cast<TileUsingForallOp>(op)) {
    if (!tile.getPackedTileSizes() && !tile.getPackedNumThreads() &&
        tile.getMixedNumThreads().empty())
      return tile.getMixedTileSizes();
  }
  return {};
}

/// The sizes of `op`, one for each of so many iterators, as a step of a recipe;
/// null if they aren't known, or one is neither a constant nor a knob.
static Attribute stepOf(Operation *op, size_t numIterators,
                        const Choices &choices) {
  SmallVector<OpFoldResult> sizes = sizesOf(op);
  if (sizes.empty())
    return {};
  Builder builder(op->getContext());
  SmallVector<Attribute> fields;
  for (OpFoldResult size : sizes) {
    auto constant = dyn_cast<Attribute>(size);
    if (!constant) {
      auto knob = cast<mlir::Value>(size).getDefiningOp<KnobOp>();
      const Choice *choice = knob ? choices.find(knob) : nullptr;
      constant = choice ? knobLike(*choice)
                 : knob ? knob.getSelected().value_or(Attribute())
                        : Attribute();
    }
    if (auto integer = dyn_cast_or_null<IntegerAttr>(constant))
      constant = builder.getI64IntegerAttr(integer.getInt());
    if (!constant)
      return {};
    fields.push_back(constant);
  }
  if (fields.size() > numIterators)
    return {};
  fields.resize(numIterators, builder.getI64IntegerAttr(0));
  auto all = builder.getArrayAttr(fields);
  if (failed(TileAttr::verify([&] { return op->emitError(); }, all, Attribute(),
                              ArrayAttr(), /*rest=*/0)))
    return {};
  return TileAttr::get(op->getContext(), all, Attribute(), ArrayAttr(),
                       /*rest=*/0);
}

/// The tile steps that `chain` takes on `op`, as far as they are known.
static RecipeAttr recipeOf(ArrayRef<Operation *> chain, linalg::LinalgOp op,
                           const Choices &choices) {
  SmallVector<Attribute> steps;
  for (Operation *tile : chain) {
    Attribute step = stepOf(tile, op.getNumLoops(), choices);
    if (!step)
      break;
    steps.push_back(step);
  }
  if (steps.empty())
    return {};
  return RecipeAttr::get(op->getContext(),
                         ArrayAttr::get(op->getContext(), steps),
                         ArrayRef<ConstraintAttr>(), /*nests=*/1);
}

/// Replaces `op`, and all that runs after it, by an annotation of `target`.
/// Fails if something needs results of an erased op.
static LogicalResult stopAt(Operation *op, mlir::Value target) {
  OpBuilder builder(op);
  transform::AnnotateOp::create(builder, op->getLoc(), target,
                                BacoDialect::kMark,
                                /*param=*/mlir::Value());
  for (Operation *at = op; !isa<NamedSequenceOp>(at); at = at->getParentOp()) {
    if (!at->getParentOp())
      return failure();
    while (Operation *last = at->getBlock()->getTerminator()->getPrevNode()) {
      if (last == at)
        break;
      if (!last->use_empty())
        return failure();
      last->erase();
    }
  }
  if (!op->use_empty())
    return failure();
  op->erase();
  return success();
}

/// A copy of the payload after the schedule was run up to `op`, with
/// `assignment`: the ops of `target`, a handle that `op` reads, are marked.
/// Null if these can't be found out.
static OwningOpRef<ModuleOp> runUpTo(Operation *op, mlir::Value target,
                                     const ScheduleDryRun &probed,
                                     const Assignment &assignment) {
  unsigned number = llvm::find(op->getOperands(), target).getIndex();
  auto stop = [&](NamedSequenceOp sequence) -> LogicalResult {
    Operation *copy = nullptr;
    sequence.walk([&](Operation *other) {
      if (ScheduleDryRun::numberOf(other))
        copy = other;
    });
    return success(copy && succeeded(stopAt(copy, copy->getOperand(number))));
  };
  return probed.run(assignment, op, stop, {});
}

/// Whether `op` is the first of a chain with knobs, and tiles the same ops in
/// all configurations.
static bool isFirst(Operation *op, const Choices &choices) {
  mlir::Value target = tiledBy(op);
  if (!target || isDead(op))
    return false;
  Operation *before = target.getDefiningOp();
  if (before && tiledBy(before) && before->getResult(0) == target)
    return false;
  auto isChoice = [&](mlir::Value operand) {
    return choices.find(operand.getDefiningOp());
  };
  auto takesKnob = [&](Operation *tile) {
    return llvm::any_of(tile->getOperands(), isChoice);
  };
  if (!llvm::any_of(chainFrom(op), takesKnob))
    return false;
  auto deciders = findDeciders(op, target, choices);
  return deciders && deciders->empty();
}

std::vector<StockTiles>
schedule::findTransformTileExtents(const ScheduleDryRun &probed,
                                   const std::vector<Constraint> &constraints) {
  std::vector<StockTiles> found;
  probed.choices.entry().walk([&](Operation *first) {
    if (!isFirst(first, probed.choices))
      return;
    StockTiles tiles = {chainFrom(first), {}, {}};
    if (auto assignment = probed.choose(first, constraints))
      tiles.payload = runUpTo(first, tiledBy(first), probed, *assignment);
    if (tiles.payload)
      tiles.payload->walk([&](Operation *op) {
        if (op->hasAttr(BacoDialect::kMark))
          tiles.targets.push_back(op);
      });
    if (!tiles.targets.empty())
      found.push_back(std::move(tiles));
  });
  return found;
}

LogicalResult schedule::addTileRules(ArrayRef<StockTiles> found,
                                     const Choices &choices,
                                     const HostInfo &host, AddTileRule add) {
  for (const StockTiles &tiles : found) {
    Operation *first = tiles.chain.front();
    // Failures resurface in the trial, and are reported then.
    ScopedDiagnosticHandler silence(first->getContext(),
                                    [](Diagnostic &) { return success(); });
    std::vector<Constraint> rules;
    for (Operation *target : tiles.targets)
      if (auto op = dyn_cast<linalg::LinalgOp>(target))
        if (RecipeAttr recipe = recipeOf(tiles.chain, op, choices))
          for (Constraint &rule : findCacheRules(op, recipe, host))
            if (!llvm::is_contained(rules, rule))
              rules.push_back(std::move(rule));
    for (const Constraint &rule : rules)
      if (failed(add(first, rule)))
        return failure();
  }
  return success();
}

/// The extents of the iterators of all `targets`, dynamic where they differ;
/// none if one isn't a linalg op, is in a loop, so that these may be the
/// extents of a tile, or has other iterators.
static SmallVector<int64_t> commonExtents(ArrayRef<Operation *> targets) {
  SmallVector<int64_t> common;
  for (Operation *target : targets) {
    auto op = dyn_cast<linalg::LinalgOp>(target);
    if (!op || op->getParentOfType<LoopLikeOpInterface>())
      return {};
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    if (target == targets.front())
      common = extents;
    if (extents.size() != common.size())
      return {};
    for (auto [shared, extent] : llvm::zip_equal(common, extents))
      if (shared != extent)
        shared = ShapedType::kDynamic;
  }
  return common;
}

/// Whether nothing between two ops of a block changes the tiled ops.
static bool isUnchangedBetween(Operation *tile, Operation *next) {
  while ((tile = tile->getNextNode()) != next)
    if (!isa_and_nonnull<KnobOp, ConstrainParamsOp, transform::ParamConstantOp>(
            tile))
      return false;
  return true;
}

namespace {
/// Collects the extents that knobs tile.
class StockExtents {
public:
  StockExtents(const Choices &choices, TileExtents &extents)
      : choices(choices), extents(extents) {}

  void add(const StockTiles &tiles);
  /// After all were added: knobs that other ops read, too, tile nothing
  /// that is known.
  void forgetOthers();

private:
  void note(const Choice &choice, std::optional<int64_t> extent) {
    auto [noted, isNew] = extents.try_emplace(choice.parameter.name(), extent);
    if (!isNew && noted->second != extent)
      noted->second.reset();
  }

  const Choices &choices;
  TileExtents &extents;
  llvm::DenseSet<Operation *> known;
};
} // namespace

void StockExtents::add(const StockTiles &tiles) {
  SmallVector<int64_t> loops = commonExtents(tiles.targets);
  Operation *before = nullptr;
  for (Operation *tile : tiles.chain) {
    SmallVector<OpFoldResult> sizes = sizesOf(tile);
    if (sizes.empty() || sizes.size() > loops.size() ||
        (before && !isUnchangedBetween(before, tile)))
      return;
    for (auto [size, loop] : llvm::zip(sizes, loops)) {
      if (isConstantIntValue(size, 0))
        continue;
      if (auto value = dyn_cast<mlir::Value>(size)) {
        auto knob = value.getDefiningOp<KnobOp>();
        // A value computed from a knob isn't a tile of its size.
        if (!knob)
          return;
        if (const Choice *choice = choices.find(knob))
          note(*choice, loop > 0 ? std::optional(loop) : std::nullopt);
      }
      // Later tilings see a tile.
      loop = ShapedType::kDynamic;
    }
    known.insert(tile);
    before = tile;
  }
}

void StockExtents::forgetOthers() {
  for (NamedSequenceOp sequence : choices.sequences())
    sequence.walk([&](Operation *op) {
      if (isDead(op) || known.contains(op) ||
          isa<RestructureOp, ConstrainParamsOp, VectorizeOp>(op))
        return;
      for (const Choice *choice : choicesOf(op, choices))
        if (choice)
          note(*choice, std::nullopt);
    });
}

void schedule::addTileExtents(ArrayRef<StockTiles> found,
                              const Choices &choices, TileExtents &extents) {
  StockExtents stock(choices, extents);
  for (const StockTiles &tiles : found)
    stock.add(tiles);
  stock.forgetOthers();
}
