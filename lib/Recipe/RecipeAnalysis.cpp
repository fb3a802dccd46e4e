//===- RecipeAnalysis.cpp - Follows the steps of a recipe -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the steps of a recipe symbolically, see RecipeAnalysis.h.
//
//===----------------------------------------------------------------------===//

#include "baco/Recipe/RecipeAnalysis.h"

#include "Steps.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/LoopCommands.h"
#include "baco/IR/StepLocations.h"
#include "baco/IR/Structured.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace baco;

RecipeAnalysis::RecipeAnalysis(Operation *op, RecipeAttr recipe)
    : op(op), recipe(recipe),
      facts((isOnTensors(op) ? OpFact::OnTensors : OpFact::None) |
            (isa<linalg::GenericOp>(op) ? OpFact::None : OpFact::Named)) {
  for (ConstraintAttr constraint : recipe.getWhere()) {
    StringRef reason = constraint.getReason();
    constraints.push_back(
        ConstraintAttr::get(op->getContext(), constraint.getExpression(),
                            reason.empty() ? "required by the recipe" : reason,
                            constraint.getAdvisory()));
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return;
  Builder builder(op->getContext());
  for (auto [index, range] : llvm::enumerate(linalgOp.getStaticLoopRanges())) {
    Extent extent;
    if (ShapedType::isStatic(range))
      extent.count = Quantity(builder.getI64IntegerAttr(range));
    extents.push_back({extent});
    origins.push_back(index);
  }
}

LogicalResult RecipeAnalysis::run() {
  if (failed(checkOp()))
    return failure();
  if (isOnLoops())
    return success();
  while (position < recipe.getSteps().size())
    if (failed(advance()))
      return failure();
  return success();
}

bool RecipeAnalysis::isOnLoops() const { return !recipe.getCommands().empty(); }

/// Whether loop commands can be for `op`; `inMemory`: once it is on memrefs.
static bool isNest(Operation *op, bool inMemory) {
  bool becomesLoops = (isOnMemRefs(op) || (inMemory && isStructured(op))) &&
                      countIterators(op) > 0;
  return becomesLoops || isa<LoopLikeOpInterface>(op);
}

Operation *RecipeAnalysis::lastNest() const {
  int64_t left = recipe.getNests() - 1;
  Operation *last = op;
  while (left > 0 && (last = last->getNextNode()))
    left -= isNest(last, recipe.startsOnMemRefs());
  return last;
}

LogicalResult RecipeAnalysis::checkOp() {
  if (isOnLoops()) {
    if (!isNest(op, recipe.startsOnMemRefs()))
      return op->emitOpError()
             << "cannot follow a recipe of loop commands: it is neither a loop "
                "nor a linalg op on memrefs that has loops"
             << (has(OpFact::OnTensors) ? "; begin the recipe with 'bufferize'"
                                        : "");
    Operation *last = lastNest();
    if (!last)
      return op->emitOpError()
             << "cannot follow a recipe for " << recipe.getNests()
             << " nests: fewer follow it in its block";
    for (Operation *other = op; other != last;) {
      other = other->getNextNode();
      if (!other->hasAttr(BacoDialect::kRecipe))
        continue;
      InFlightDiagnostic error =
          op->emitOpError()
          << "cannot follow a recipe for " << recipe.getNests()
          << " nests: another of these nests has its own recipe";
      error.attachNote(other->getLoc()) << "here";
      return error;
    }
    return verifyLoopNumbers(op, last, recipe);
  }
  if (isa<linalg::SoftmaxOp>(op))
    return op->emitOpError()
           << "cannot follow a recipe of steps: it decomposes into several "
              "linalg ops; write loop commands, or decompose it first "
              "(transform.structured.decompose_interface, on tensors)";
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp ||
      !(linalgOp.hasPureBufferSemantics() || has(OpFact::OnTensors)))
    return op->emitOpError()
           << "cannot follow a recipe: it is not a linalg op on memrefs or on "
              "tensors"
           << (linalgOp ? ", but on both" : "");
  for (auto [iterator, range] : llvm::enumerate(linalgOp.getStaticLoopRanges()))
    if (range == 0)
      return op->emitOpError() << "cannot follow a recipe: it does nothing, "
                                  "because the extent of iterator "
                               << iterator << " is 0";
  return success();
}

LogicalResult RecipeAnalysis::advance() {
  Attribute step = recipe.getSteps()[position];
  const StepRow &row = findRow(step);
  for (const Need &need : row.rule.needs)
    if (!has(need.all) || (facts & need.none) != OpFact::None)
      return emitError() << need.otherwise;
  facts = (facts & ~row.rule.ends) | row.rule.leaves;
  if (failed(row.advance(step, *this)))
    return failure();
  // Vectorized extents are not tile sizes.
  if ((row.rule.leaves & OpFact::Vectorized) != OpFact::None)
    for (const Extents &possible : extents)
      for (const Extent &extent : possible)
        if (extent.count)
          if (auto knob = dyn_cast<KnobAttr>(extent.count->getField()))
            knobExtents[knob].reset();
  ++position;
  return success();
}

/// `#baco.tile<...>` is a `tile`.
static StringRef nameOfStep(Attribute step) {
  return step.getAbstractAttribute().getName().split('.').second;
}

InFlightDiagnostic RecipeAnalysis::emitError() {
  return mlir::emitError(locationOfStep(op, recipe.getSteps(), position))
         << "'" << op->getName() << "' op recipe step " << position + 1 << " ("
         << nameOfStep(recipe.getSteps()[position]) << "): ";
}

LogicalResult RecipeAnalysis::needEntries(ArrayAttr entries) {
  if (entries.size() == getNumIterators())
    return success();
  return emitError() << entries.size() << " entries given for "
                     << getNumIterators() << " iterators";
}

LogicalResult RecipeAnalysis::needParallel(int64_t iterator) {
  std::optional<bool> isReduced = isReduction(iterator);
  if (!isReduced)
    return emitError() << "a knob decides which iterator " << iterator
                       << " is; put this step before 'interchange'";
  if (*isReduced)
    return emitError() << "iterator " << iterator
                       << " is a reduction, whose iterations write to the "
                          "same elements";
  return success();
}

std::optional<int64_t> RecipeAnalysis::getOrigin(int64_t iterator) const {
  if (origins.empty())
    return std::nullopt;
  return origins[iterator];
}

std::optional<bool> RecipeAnalysis::isReduction(int64_t iterator) const {
  std::optional<int64_t> origin = getOrigin(iterator);
  if (!origin)
    return std::nullopt;
  return cast<linalg::LinalgOp>(op).getIteratorTypesArray()[*origin] ==
         utils::IteratorType::reduction;
}

void RecipeAnalysis::require(const Expression &condition,
                             const std::string &reason) {
  auto constraint = ConstraintAttr::get(op->getContext(), condition.text(),
                                        reason, /*advisory=*/false);
  if (!llvm::is_contained(constraints, constraint))
    constraints.push_back(constraint);
}

LogicalResult RecipeAnalysis::requireDivides(Quantity divisor,
                                             const Extents &extents,
                                             const std::string &what,
                                             StringRef why,
                                             ArrayRef<Expression> onlyWhere) {
  if (!divisor.isKnob() && divisor.getConstant() == 1)
    return success();
  // A size of 0 leaves the iterator as it is.
  SmallVector<Expression> always(onlyWhere);
  if (divisor.smallest() == 0)
    always.push_back(divisor.expression() != 0);
  for (const Extent &extent : extents) {
    if (!extent.isStatic())
      return emitError() << what << " must divide an extent that is not static"
                         << " (" << why << ")";
    Quantity count = extent.count ? *extent.count : *extent.shared;
    if (extent.isPartial)
      return emitError() << what << " must divide extents of up to "
                         << count.quoted()
                         << " that differ between the parts of the op (" << why
                         << "); set its remainder to \"balance\"";
    if (extent.count && count == divisor)
      continue;
    SmallVector<Expression> guard(ArrayRef(extent.guard));
    llvm::append_range(guard, always);
    std::string reason = what + " must divide " + count.quoted();
    if (extent.threads)
      reason += " / " + extent.threads->quoted();
    reason += " (" + why.str() + ")";
    if (extent.threads || count.isKnob() || divisor.isKnob()) {
      Expression tile = divisor.expression();
      if (extent.threads)
        tile = tile * extent.threads->expression();
      require(Expression::where(guard, divides(tile, count.expression())),
              reason);
    } else if (count.getConstant() % divisor.getConstant() != 0) {
      if (guard.empty())
        return emitError() << reason;
      require(!Expression::chain("&&", guard).enclosed(), reason);
    }
  }
  return success();
}

bool RecipeAnalysis::needsFullTilesLater() const {
  return llvm::any_of(recipe.getSteps().getValue().drop_front(position),
                      [](Attribute later) {
                        auto step = cast<RecipeStepInterface>(later);
                        auto on = whereOn(step.getEnabled());
                        return step.needsFullTiles() && on && on->empty();
                      });
}

LogicalResult RecipeAnalysis::requireFullTiles(size_t iterator, Quantity size) {
  for (auto later : recipe.getSteps().getValue().drop_front(position)) {
    auto step = cast<RecipeStepInterface>(later);
    auto on = whereOn(step.getEnabled());
    if (!step.needsFullTiles() || !on)
      continue;
    std::string what =
        "tile " + size.quoted() + " of iterator " + std::to_string(iterator);
    std::string why = nameOfStep(later).str() + " needs full tiles";
    return requireDivides(size, extents[iterator], what, why, *on);
  }
  return success();
}

void RecipeAnalysis::noteExtent(Quantity size, size_t iterator) {
  auto knob = dyn_cast<KnobAttr>(size.getField());
  if (!knob)
    return;
  std::optional<Quantity> count = extents[iterator].front().count;
  bool isOne = count && !count->isKnob() &&
               llvm::all_of(extents[iterator], [&](const Extent &other) {
                 return other.count == count && !other.isPartial;
               });
  std::optional<int64_t> extent;
  if (isOne)
    extent = count->getConstant();
  auto [noted, isNew] = knobExtents.try_emplace(knob, extent);
  if (!isNew && noted->second != extent)
    noted->second.reset();
}

LogicalResult RecipeAnalysis::tile(TileAttr step) {
  for (auto [iterator, attribute] : llvm::enumerate(step.getSizes())) {
    if (!makesLoop(attribute))
      continue;
    Quantity size(attribute);
    noteExtent(size, iterator);
    Remainder remainder = step.getRemainder(iterator);
    bool isPartial = false;
    if (size.smallest() == 0 && failed(leaveUntiled(iterator, remainder)))
      return failure();
    if (remainder != Remainder::Exact) {
      isPartial = !dividesAlways(size, extents[iterator]);
      if (isPartial && failed(cut(iterator, size, remainder)))
        return failure();
    } else if (failed(requireFullTiles(iterator, size))) {
      return failure();
    }
    loops.push_back({static_cast<int64_t>(iterator)});
    if (size.smallest() > 0)
      extents[iterator] = {Extent{{}, size, isPartial}};
    else
      extents[iterator] = {
          Extent{{size.expression() != 0}, size},
          Extent{{size.expression() == 0}, extents[iterator].front().count}};
  }
  return success();
}

LogicalResult RecipeAnalysis::leaveUntiled(size_t iterator,
                                           Remainder remainder) {
  std::string what = "a knob may leave iterator " + std::to_string(iterator) +
                     " untiled, which needs ";
  if (remainder != Remainder::Exact)
    return emitError() << what << "the remainder \"exact\"";
  if (extents[iterator].size() != 1 || !extents[iterator].front().count ||
      extents[iterator].front().isPartial)
    return emitError() << what
                       << "a static extent that doesn't depend on other knobs";
  return success();
}

/// Whether there is one number of iterations in all of `extents`.
static bool allEqual(ArrayRef<Extents> extents) {
  std::optional<Quantity> first = extents.front().front().count;
  return llvm::all_of(extents, [&](const Extents &possible) {
    return possible.size() == 1 && possible.front().count == first &&
           !possible.front().isPartial && !possible.front().threads;
  });
}

void RecipeAnalysis::interchange(Attribute order) {
  SmallVector<Extents> before(extents);
  if (FailureOr<SmallVector<int64_t>> list = getIntegerList(order);
      succeeded(list)) {
    SmallVector<int64_t> originsBefore(origins);
    for (auto [position, iterator] : llvm::enumerate(*list)) {
      extents[position] = before[iterator];
      if (!origins.empty())
        origins[position] = originsBefore[iterator];
    }
    return;
  }
  origins.clear();
  if (allEqual(extents))
    return;
  Expression knob = Expression::variable(cast<KnobAttr>(order).getName());
  for (auto [position, possible] : llvm::enumerate(extents)) {
    possible.clear();
    for (auto [iterator, former] : llvm::enumerate(before)) {
      Expression here =
          Expression::function(
              "pos", std::vector<Expression>{knob, iterator}) == position;
      for (const Extent &extent : former) {
        possible.push_back(extent);
        possible.back().guard.push_back(here);
      }
    }
  }
}

void RecipeAnalysis::resize(int64_t iterator, int64_t extent) {
  Builder builder(op->getContext());
  extents[iterator] = {Extent{{}, Quantity(builder.getI64IntegerAttr(extent))}};
}

void RecipeAnalysis::promote(PromoteAttr step) {
  auto on = whereOn(step.getEnabled());
  if (!on)
    return;
  auto linalgOp = cast<linalg::LinalgOp>(op);
  for (int64_t operand : step.getOperands().asArrayRef()) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&op->getOpOperand(operand));
    // An unknown extent: an index that isn't a single iterator.
    Extents row = {Extent()};
    if (auto last = dyn_cast<AffineDimExpr>(map.getResults().back())) {
      const auto *origin =
          llvm::find(origins, static_cast<int64_t>(last.getPosition()));
      if (origin != origins.end())
        row = extents[origin - origins.begin()];
    }
    for (Extent &extent : row)
      llvm::append_range(extent.guard, *on);
    buffers.push_back({operand, map.getNumResults(), row, loops.size()});
  }
}
