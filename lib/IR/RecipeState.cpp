//===- RecipeState.cpp - A recipe's op between two steps ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the steps of a recipe symbolically, see RecipeState.h.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/RecipeState.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/LoopCommands.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace baco;

RecipeState::RecipeState(Operation *op, RecipeAttr recipe)
    : op(op), recipe(recipe) {
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
  named = !isa<linalg::GenericOp>(op);
  onTensors = linalgOp.hasPureTensorSemantics();
  Builder builder(op->getContext());
  for (auto [index, range] : llvm::enumerate(linalgOp.getStaticLoopRanges())) {
    Extent extent;
    if (ShapedType::isStatic(range))
      extent.count = Quantity(builder.getI64IntegerAttr(range));
    extents.push_back({extent});
    origins.push_back(index);
  }
}

LogicalResult RecipeState::run() {
  if (failed(checkOp()))
    return failure();
  if (isOnLoops())
    return success();
  while (position < recipe.getSteps().size())
    if (failed(advance()))
      return failure();
  return success();
}

bool RecipeState::isOnLoops() const {
  return isa<LoopCommandInterface>(recipe.getSteps()[0]);
}

/// Whether loop commands can be for `op`.
static bool isNest(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  bool becomesLoops = structured && structured.hasPureBufferSemantics() &&
                      structured.getNumLoops() > 0;
  return becomesLoops || isa<LoopLikeOpInterface>(op);
}

Operation *RecipeState::lastNest() const {
  int64_t left = recipe.getNests() - 1;
  Operation *last = op;
  while (left > 0 && (last = last->getNextNode()))
    left -= isNest(last);
  return last;
}

LogicalResult RecipeState::checkOp() {
  if (isOnLoops()) {
    if (!isNest(op))
      return op->emitOpError() << "cannot follow a recipe of loop commands: it "
                                  "is neither a loop nor a linalg op on "
                                  "memrefs that has loops";
    Operation *last = lastNest();
    if (!last)
      return op->emitOpError()
             << "cannot follow a recipe for " << recipe.getNests()
             << " nests: its block has fewer from there on";
    for (Operation *other = op; other != last;) {
      other = other->getNextNode();
      if (!other->hasAttr(BacoDialect::kRecipe))
        continue;
      InFlightDiagnostic error =
          op->emitOpError()
          << "cannot follow a recipe for " << recipe.getNests()
          << " nests: one of the others has a recipe of its "
             "own";
      error.attachNote(other->getLoc()) << "here";
      return error;
    }
    return verifyLoopNumbers(op, last, recipe.getSteps());
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !(linalgOp.hasPureBufferSemantics() || onTensors))
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

LogicalResult RecipeState::advance() {
  auto step = cast<RecipeStepInterface>(recipe.getSteps()[position]);
  if (failed(step.advance(*this)))
    return failure();
  ++position;
  return success();
}

/// `#baco.tile<...>` is a `tile`.
static StringRef nameOfStep(Attribute step) {
  return step.getAbstractAttribute().getName().split('.').second;
}

InFlightDiagnostic RecipeState::emitError() {
  return op->emitOpError() << "recipe step " << position + 1 << " ("
                           << nameOfStep(recipe.getSteps()[position]) << "): ";
}

LogicalResult RecipeState::needOp() {
  if (vectorized)
    return emitError() << "an earlier step has turned the op into vector "
                          "operations; put this step before 'vectorize'";
  if (unrolled)
    return emitError() << "an earlier 'unroll' has copied the op; put this "
                          "step before it";
  return success();
}

LogicalResult RecipeState::needTensors() {
  if (failed(needOp()))
    return failure();
  if (onTensors)
    return success();
  if (cast<linalg::LinalgOp>(op).hasPureTensorSemantics())
    return emitError() << "it works on tensors; put it before 'bufferize'";
  return emitError()
         << "it works on tensors, but the op is on memrefs; read these by "
            "'bufferization.to_tensor', and write the result by "
            "'bufferization.materialize_in_destination'";
}

LogicalResult RecipeState::needEntries(ArrayAttr entries) {
  if (entries.size() == getNumIterators())
    return success();
  return emitError() << entries.size() << " entries given for "
                     << getNumIterators() << " iterators";
}

LogicalResult RecipeState::needMemRefs() {
  if (onTensors)
    return emitError() << "it works on memrefs, but the op is on tensors; put "
                          "'bufferize' before it";
  return success();
}

std::optional<bool> RecipeState::isReduction(int64_t iterator) const {
  if (origins.empty())
    return std::nullopt;
  return cast<linalg::LinalgOp>(op)
             .getIteratorTypesArray()[origins[iterator]] ==
         utils::IteratorType::reduction;
}

void RecipeState::require(const std::string &expression,
                          const std::string &reason) {
  auto constraint = ConstraintAttr::get(op->getContext(), expression, reason,
                                        /*advisory=*/false);
  if (!llvm::is_contained(constraints, constraint))
    constraints.push_back(constraint);
}

LogicalResult RecipeState::requireDivides(Quantity divisor,
                                          const Extents &extents,
                                          const std::string &what,
                                          StringRef why) {
  for (const Extent &extent : extents) {
    if (!divisor.isKnob() && divisor.getConstant() == 1)
      continue;
    if (!extent.count)
      return emitError() << what << " must divide an extent that is not static"
                         << " (" << why << ")";
    const Quantity &count = *extent.count;
    if (extent.isPartial)
      return emitError() << what << " must divide extents of up to "
                         << count.quoted()
                         << " that differ between the parts of the op (" << why
                         << "); let its remainder be \"balance\"";
    if (count == divisor)
      continue;
    std::string reason =
        what + " must divide " + count.quoted() + " (" + why.str() + ")";
    std::string unless = extent.guard.empty() ? "" : "!(" + extent.guard + ")";
    if (count.isKnob() || divisor.isKnob()) {
      std::string divides =
          "divides(" + divisor.str() + ", " + count.str() + ")";
      require(unless.empty() ? divides : unless + " || " + divides, reason);
    } else if (count.getConstant() % divisor.getConstant() != 0) {
      if (unless.empty())
        return emitError() << reason;
      require(unless, reason);
    }
  }
  return success();
}

LogicalResult RecipeState::requireAtLeast(const Extents &extents,
                                          Quantity factor, Quantity step,
                                          const std::string &reason) {
  for (const Extent &extent : extents) {
    if (!extent.count)
      continue;
    const Quantity &count = *extent.count;
    std::string unless = extent.guard.empty() ? "" : "!(" + extent.guard + ")";
    if (factor.isKnob() || step.isKnob() || count.isKnob()) {
      std::string fits =
          factor.str() + " * " + step.str() + " <= " + count.str();
      require(unless.empty() ? fits : unless + " || " + fits, reason);
    } else if (factor.getConstant() >
               count.getConstant() / step.getConstant()) {
      if (unless.empty())
        return emitError() << reason << ", but there are "
                           << count.getConstant() / step.getConstant();
      require(unless, reason);
    }
  }
  return success();
}

LogicalResult RecipeState::requireFullTiles(size_t iterator, Quantity size) {
  // Whether the next step that makes full tiles counts iterators as this one.
  bool isSame = true;
  for (auto later : recipe.getSteps().getValue().drop_front(position)) {
    auto step = cast<RecipeStepInterface>(later);
    if (isSame && step.makesFullTiles(iterator))
      return success();
    isSame &= !isa<InterchangeAttr>(later);
    if (!step.needsFullTiles())
      continue;
    std::string what =
        "tile " + size.quoted() + " of iterator " + std::to_string(iterator);
    std::string why = nameOfStep(later).str() + " needs full tiles";
    return requireDivides(size, extents[iterator], what, why);
  }
  return success();
}

LogicalResult RecipeState::tile(TileAttr step) {
  bool orderedByKnob = isa_and_present<KnobAttr>(step.getOrder());
  ++numLoopSteps;
  for (auto [iterator, attribute] : llvm::enumerate(step.getSizes())) {
    if (!makesLoop(attribute))
      continue;
    Quantity size(attribute);
    Remainder remainder = step.getRemainder(iterator);
    bool isPartial = false;
    if (remainder != Remainder::Exact) {
      isPartial = !dividesAlways(size, extents[iterator]);
      if (isPartial && failed(cut(iterator, size, remainder)))
        return failure();
    } else if (failed(requireFullTiles(iterator, size))) {
      return failure();
    }
    loops.push_back({static_cast<int64_t>(iterator), size, extents[iterator],
                     orderedByKnob});
    extents[iterator] = {Extent{"", size, isPartial}};
  }
  return success();
}

LogicalResult RecipeState::splitReduction(int64_t iterator, Quantity factor) {
  if (failed(requireFullTiles(iterator, factor)))
    return failure();
  loops.push_back({iterator, factor, extents[iterator],
                   /*orderedByKnob=*/false, /*isSplitReduction=*/true});
  extents[iterator] = {Extent{"", factor}};
  ++numLoopSteps;
  named = false;
  reductionSplit = true;
  return success();
}

/// Whether there is one number of iterations in all of `extents`.
static bool allEqual(ArrayRef<Extents> extents) {
  std::optional<Quantity> first = extents.front().front().count;
  return llvm::all_of(extents, [&](const Extents &possible) {
    return possible.size() == 1 && possible.front().count == first &&
           !possible.front().isPartial;
  });
}

void RecipeState::interchange(Attribute order) {
  named = false;
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
  std::string name = Quantity(order).str();
  for (auto [position, possible] : llvm::enumerate(extents)) {
    possible.clear();
    for (auto [iterator, former] : llvm::enumerate(before)) {
      std::string here = "pos(" + name + ", " + std::to_string(iterator) +
                         ") == " + std::to_string(position);
      for (const Extent &extent : former) {
        std::string guard =
            extent.guard.empty() ? here : extent.guard + " && " + here;
        possible.push_back({guard, extent.count, extent.isPartial});
      }
    }
  }
}

void RecipeState::promote(ArrayRef<int64_t> operands) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  for (int64_t operand : operands) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&op->getOpOperand(operand));
    // An extent that isn't known: an index that isn't just an iterator.
    Extents row = {Extent()};
    if (auto last = dyn_cast<AffineDimExpr>(map.getResults().back())) {
      const auto *origin =
          llvm::find(origins, static_cast<int64_t>(last.getPosition()));
      if (origin != origins.end())
        row = extents[origin - origins.begin()];
    }
    buffers.push_back({operand, map.getNumResults(), row, loops.size()});
  }
}
