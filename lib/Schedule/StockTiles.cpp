//===- StockTiles.cpp - What tiles of stock ops had better fit ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StockTiles.h"

#include "CacheRules.h"
#include "NestChoices.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::NamedSequenceOp;
using transform::TileUsingForallOp;
using transform::TileUsingForOp;
using transform::tune::KnobOp;

/// Marks what the first op tiles, in a copy of the payload.
static constexpr StringLiteral probeMark = "probed";

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

/// The sizes that `op` tiles by, one for each of so many iterators, as a step
/// of a recipe; null if one is neither a constant nor a knob.
static Attribute stepOf(Operation *op, size_t numIterators,
                        const Choices &choices) {
  if (auto bound = op->getAttrOfType<DictionaryAttr>(BacoDialect::kBind))
    return {};
  SmallVector<OpFoldResult> sizes;
  if (auto tile = dyn_cast<TileUsingForOp>(op)) {
    if (llvm::is_contained(tile.getScalableSizes(), true))
      return {};
    sizes = tile.getMixedSizes();
  } else if (auto tile = dyn_cast<TileUsingForallOp>(op)) {
    if (tile.getPackedTileSizes() || tile.getPackedNumThreads() ||
        !tile.getMixedNumThreads().empty())
      return {};
    sizes = tile.getMixedTileSizes();
  }
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
/// Fails if something needs results of what is erased.
static LogicalResult stopAt(Operation *op, mlir::Value target) {
  OpBuilder builder(op);
  transform::AnnotateOp::create(builder, op->getLoc(), target, probeMark,
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
/// `assignment`: what `target`, a handle that `op` reads, means is marked. Null
/// if that can't be found out.
static OwningOpRef<ModuleOp> runUpTo(Operation *op, mlir::Value target,
                                     const ProbedSchedule &probed,
                                     const Assignment &assignment) {
  unsigned number = llvm::find(op->getOperands(), target).getIndex();
  auto stop = [&](NamedSequenceOp sequence) -> LogicalResult {
    Operation *copy = nullptr;
    sequence.walk([&](Operation *other) {
      if (ProbedSchedule::numberOf(other))
        copy = other;
    });
    return success(copy && succeeded(stopAt(copy, copy->getOperand(number))));
  };
  return probed.run(assignment, op, stop, {});
}

/// Whether `op` is the first of a chain with knobs, and what it tiles is the
/// same in all configurations.
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

/// The rules on the chain that begins with `first`.
static SmallVector<ConstraintAttr> findRules(Operation *first,
                                             const ProbedSchedule &probed,
                                             const Space &space,
                                             const HostInfo &host) {
  // What goes wrong goes wrong in a trial, too, and is reported then.
  ScopedDiagnosticHandler silence(first->getContext(),
                                  [](Diagnostic &) { return success(); });
  std::optional<Assignment> assignment =
      probed.conditions.of(first).empty()
          ? defaultsOf(space)
          : probed.choose(first, space.constraints());
  OwningOpRef<ModuleOp> payload;
  if (assignment)
    payload = runUpTo(first, tiledBy(first), probed, *assignment);
  SmallVector<ConstraintAttr> rules;
  if (!payload)
    return rules;
  SmallVector<Operation *> chain = chainFrom(first);
  payload->walk([&](linalg::LinalgOp op) {
    if (!op->hasAttr(probeMark))
      return;
    if (RecipeAttr recipe = recipeOf(chain, op, probed.choices))
      for (ConstraintAttr rule : findCacheRules(op, recipe, host))
        if (!llvm::is_contained(rules, rule))
          rules.push_back(rule);
  });
  return rules;
}

LogicalResult schedule::addTileRules(const ProbedSchedule &probed,
                                     const Space &space, const HostInfo &host,
                                     AddTileRule add) {
  SmallVector<Operation *> firsts;
  probed.choices.entry().walk([&](Operation *op) {
    if (isFirst(op, probed.choices))
      firsts.push_back(op);
  });
  for (Operation *first : firsts)
    for (ConstraintAttr rule : findRules(first, probed, space, host))
      if (failed(add(first, rule)))
        return failure();
  return success();
}
