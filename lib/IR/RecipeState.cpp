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
#include "baco/Space/Expression.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Fields of steps
//===----------------------------------------------------------------------===//

int64_t Quantity::getConstant() const {
  return cast<IntegerAttr>(field).getInt();
}

bool Quantity::allOf(function_ref<bool(int64_t)> holds) const {
  auto knob = dyn_cast<KnobAttr>(field);
  if (!knob)
    return holds(getConstant());
  if (auto ordinal = dyn_cast<OrdinalAttr>(knob.getDomain()))
    return llvm::all_of(ordinal.getValues(), holds);
  auto range = cast<IntegerRangeAttr>(knob.getDomain());
  for (uint64_t i = 0, e = range.getSize(); i < e; ++i)
    if (!holds(range.getLower() + static_cast<int64_t>(i) * range.getStep()))
      return false;
  return true;
}

std::string Quantity::str() const {
  if (auto knob = dyn_cast<KnobAttr>(field))
    return variableText(knob.getName().str());
  return std::to_string(getConstant());
}

std::string Quantity::quoted() const {
  if (auto knob = dyn_cast<KnobAttr>(field))
    return "'" + knob.getName().str() + "'";
  return str();
}

bool baco::makesLoop(Attribute size) {
  auto constant = dyn_cast<IntegerAttr>(size);
  return !constant || constant.getInt() != 0;
}

/// The least and the greatest value of a domain of integers; nothing for other
/// domains.
static std::optional<std::pair<int64_t, int64_t>>
getBounds(DomainAttrInterface domain) {
  if (auto ordinal = dyn_cast<OrdinalAttr>(domain))
    return std::pair(ordinal.getValues().front(), ordinal.getValues().back());
  if (auto range = dyn_cast<IntegerRangeAttr>(domain))
    return std::pair(range.getLower(), range.getUpper());
  return std::nullopt;
}

int64_t Quantity::smallest() const {
  if (auto knob = dyn_cast<KnobAttr>(field))
    return getBounds(knob.getDomain())->first;
  return getConstant();
}

int64_t Quantity::largest() const {
  if (auto knob = dyn_cast<KnobAttr>(field))
    return getBounds(knob.getDomain())->second;
  return getConstant();
}

LogicalResult baco::verifyQuantity(EmitError emitError, StringRef what,
                                   Attribute field, int64_t minimum) {
  if (auto knob = dyn_cast_or_null<KnobAttr>(field)) {
    auto bounds = getBounds(knob.getDomain());
    if (!bounds)
      return emitError() << "knob '" << knob.getName() << "': " << what
                         << " must be an integer, but its domain is "
                         << knob.getDomain();
    if (bounds->first < 1)
      return emitError() << "knob '" << knob.getName() << "': " << what
                         << " must be positive, but its domain has "
                         << bounds->first;
    return success();
  }
  auto constant = dyn_cast_or_null<IntegerAttr>(field);
  if (!constant || !constant.getType().isInteger(64))
    return emitError() << what << " must be an integer or a knob, but is "
                       << field;
  if (constant.getInt() < minimum)
    return emitError() << what << " must be at least " << minimum << ", but is "
                       << constant.getInt();
  return success();
}

LogicalResult baco::verifyOrder(EmitError emitError, Attribute order,
                                std::optional<int64_t> count) {
  if (auto knob = dyn_cast<KnobAttr>(order)) {
    auto domain = dyn_cast<PermutationAttr>(knob.getDomain());
    if (!domain)
      return emitError() << "knob '" << knob.getName()
                         << "': an order needs a permutation domain, but has "
                         << knob.getDomain();
    if (count && domain.getCount() != *count)
      return emitError() << "knob '" << knob.getName() << "' orders "
                         << domain.getCount() << " loops, but there are "
                         << *count;
    return success();
  }
  FailureOr<SmallVector<int64_t>> list = getIntegerList(order);
  if (failed(list))
    return emitError() << "an order must be a list of integers or a knob, but "
                          "is "
                       << order;
  if (!isOrder(*list))
    return emitError() << "order [" << ArrayRef<int64_t>(*list)
                       << "] must hold each of 0 to its length - 1 once";
  if (count && static_cast<int64_t>(list->size()) != *count)
    return emitError() << "order [" << ArrayRef<int64_t>(*list) << "] is for "
                       << list->size() << " loops, but there are " << *count;
  return success();
}

//===----------------------------------------------------------------------===//
// RecipeState
//===----------------------------------------------------------------------===//

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
    // Whether commands have a meaning for the loops is seen when they run.
    if (!isNest(op))
      return op->emitOpError() << "cannot follow a recipe of loop commands: it "
                                  "is neither a loop nor a linalg op on "
                                  "memrefs that has loops";
    if (!lastNest())
      return op->emitOpError()
             << "cannot follow a recipe for " << recipe.getNests()
             << " nests: its block has fewer from there on";
    return success();
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureBufferSemantics())
    return op->emitOpError()
           << "cannot follow a recipe: it is not a linalg op on memrefs"
           << (linalgOp ? "; bufferize it first" : "");
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
    if (!extent.count)
      return emitError() << what << " must divide an extent that is not static"
                         << " (" << why << ")";
    const Quantity &count = *extent.count;
    if (!divisor.isKnob() && divisor.getConstant() == 1)
      continue;
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

LogicalResult RecipeState::tile(TileAttr step) {
  ArrayRef<Attribute> later = recipe.getSteps().getValue().drop_front(position);
  const auto *needing = llvm::find_if(later, [](Attribute step) {
    return cast<RecipeStepInterface>(step).needsFullTiles();
  });
  bool orderedByKnob = isa_and_present<KnobAttr>(step.getOrder());
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
    } else if (needing != later.end()) {
      std::string what =
          "tile " + size.quoted() + " of iterator " + std::to_string(iterator);
      std::string why = nameOfStep(*needing).str() + " needs full tiles";
      if (failed(requireDivides(size, extents[iterator], what, why)))
        return failure();
    }
    loops.push_back({static_cast<int64_t>(iterator), size, extents[iterator],
                     orderedByKnob});
    extents[iterator] = {Extent{"", size, isPartial}};
  }
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
