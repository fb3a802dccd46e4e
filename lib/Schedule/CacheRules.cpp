//===- CacheRules.cpp - Cache rules of recipes ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheRules.h"

#include "ScheduleDryRun.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Recipe/RecipeAnalysis.h"
#include "baco/Schedule/ExtractSpace.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-cache-rules"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// The value of a constant or a knob.
static Amount amountOf(const Quantity &quantity) {
  if (!quantity.isKnob())
    return quantity.getConstant();
  return {quantity.expression(), static_cast<double>(quantity.smallest()),
          static_cast<double>(quantity.largest())};
}

namespace {
/// Writes the rules of one recipe.
class CacheRuleWriter {
public:
  CacheRuleWriter(linalg::LinalgOp op, RecipeAttr recipe, const HostInfo &host)
      : op(op), recipe(recipe), state(op, recipe), cache(host) {}

  std::vector<Constraint> write();

private:
  /// Extents of the iterators of the op in the payload, where all of `guard`
  /// holds.
  struct Case {
    SmallVector<Expression> guard;
    SmallVector<Amount> extents;
  };
  std::vector<Case> cases();
  std::optional<Amount> bytes(OpOperand &operand, const Case &one);
  void addRuleOfTile();
  void addRulesOfReuse(const std::vector<Case> &before, int64_t iterator);
  void add(const Case &one, const Amount &footprint, const std::string &what);

  linalg::LinalgOp op;
  RecipeAttr recipe;
  RecipeAnalysis state;
  TileCache cache;
  std::vector<Constraint> rules;
};
} // namespace

/// The value of `extent` where its guard holds; at least one iteration if it is
/// unknown.
static Amount amountOf(const Extent &extent) {
  if (extent.count)
    return amountOf(*extent.count);
  if (!extent.threads || !extent.shared)
    return 1;
  Amount shared = amountOf(*extent.shared), threads = amountOf(*extent.threads);
  return {floorDivide(shared.expression, threads.expression).enclosed(),
          shared.smallest / std::max(threads.largest, 1.0),
          shared.largest / std::max(threads.smallest, 1.0)};
}

/// One for each way to choose among the extents of iterators; none if a knob
/// says which iterator is which, or there are too many ways.
std::vector<CacheRuleWriter::Case> CacheRuleWriter::cases() {
  constexpr size_t maxCases = 16;
  std::vector<Case> result(1);
  result.front().extents.assign(op.getNumLoops(), Amount(1));
  for (auto [iterator, extents] : llvm::enumerate(state.getExtents())) {
    std::optional<int64_t> origin = state.getOrigin(iterator);
    if (!origin || result.size() * extents.size() > maxCases)
      return {};
    std::vector<Case> next;
    for (const Case &one : result)
      for (const Extent &extent : extents) {
        Case more = one;
        llvm::append_range(more.guard, extent.guard);
        Amount &amount = more.extents[*origin];
        amount = product(amount, amountOf(extent));
        next.push_back(std::move(more));
      }
    result = std::move(next);
  }
  // Sizes of tiles may be larger than what they tile.
  for (Case &one : result)
    for (auto [amount, extent] :
         llvm::zip_equal(one.extents, op.getStaticLoopRanges()))
      if (!ShapedType::isDynamic(extent))
        amount = minimum(amount, extent);
  return result;
}

/// The size of the box of `operand` that a tile accesses; nothing if an index
/// isn't a sum.
std::optional<Amount> CacheRuleWriter::bytes(OpOperand &operand,
                                             const Case &one) {
  auto type = dyn_cast<ShapedType>(operand.get().getType());
  if (!type)
    return std::nullopt;
  return footprintBytes(op.getMatchingIndexingMap(&operand), one.extents,
                        type.getElementType());
}

void CacheRuleWriter::add(const Case &one, const Amount &footprint,
                          const std::string &what) {
  std::optional<Expression> fits = fitsCache(footprint, cache);
  if (!fits)
    return;
  Constraint rule = {Expression::where(one.guard, *fits),
                     what + " stays in " + cache.name.str(), /*location=*/"",
                     /*advisory=*/true};
  if (!llvm::is_contained(rules, rule))
    rules.push_back(std::move(rule));
}

void CacheRuleWriter::addRuleOfTile() {
  if (state.getLoops().empty())
    return;
  for (const Case &one : cases()) {
    SmallVector<Amount> parts;
    for (OpOperand &operand : op->getOpOperands())
      if (std::optional<Amount> part = bytes(operand, one))
        parts.push_back(std::move(*part));
    add(one, total(parts), "what a tile reads and writes");
  }
}

/// Operands that don't depend on `iterator` are reused in each iteration of a
/// loop over it: their data in the tile from `before` that loop was made.
void CacheRuleWriter::addRulesOfReuse(const std::vector<Case> &before,
                                      int64_t iterator) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (map.isFunctionOfDim(iterator))
      continue;
    for (const Case &one : before)
      if (std::optional<Amount> part = bytes(operand, one))
        add(one, *part,
            "the tile of operand " +
                std::to_string(operand.getOperandNumber()) +
                ", which each iteration of the loop over iterator " +
                std::to_string(iterator) + " reuses,");
  }
}

std::vector<Constraint> CacheRuleWriter::write() {
  if (failed(state.checkOp()))
    return {};
  for (size_t i = 0; i < recipe.getSteps().size(); ++i) {
    std::vector<Case> before = cases();
    size_t numLoops = state.getLoops().size();
    if (failed(state.advance()))
      return {};
    if (state.getLoops().size() != numLoops + 1)
      continue;
    if (auto origin = state.getOrigin(state.getLoops().back().iterator))
      addRulesOfReuse(before, *origin);
  }
  addRuleOfTile();
  return std::move(rules);
}

std::vector<Constraint> schedule::findCacheRules(Operation *op,
                                                 RecipeAttr recipe,
                                                 const HostInfo &host) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !recipe.getCommands().empty() || recipe.getKnobs().empty())
    return {};
  return CacheRuleWriter(linalgOp, recipe, host).write();
}

void schedule::addCacheRules(Operation *op, RecipeAttr recipe,
                             const HostInfo &host,
                             transform::NamedSequenceOp sequence) {
  // Errors are reported when the recipe is expanded and its space is made.
  ScopedDiagnosticHandler silence(op->getContext(),
                                  [](Diagnostic &) { return success(); });
  std::vector<Constraint> rules = findCacheRules(op, recipe, host);
  if (rules.empty())
    return;
  FailureOr<Space> space = extractSpace(sequence->getParentOfType<ModuleOp>(),
                                        sequence.getSymName());
  if (failed(space))
    return;
  Assignment start = defaultsOf(*space);
  SmallVector<Attribute> constraints;
  if (auto stated =
          sequence->getAttrOfType<ArrayAttr>(BacoDialect::kConstraints))
    llvm::append_range(constraints, stated);
  for (const Constraint &rule : rules) {
    bool isMet = isTrue(rule.expression, start);
    LDBG() << rule.expression.text()
           << (isMet ? "" : " is dropped: the default breaks it");
    if (isMet)
      constraints.push_back(ConstraintAttr::get(op->getContext(),
                                                rule.expression.text(),
                                                rule.reason, rule.advisory));
  }
  if (!constraints.empty())
    sequence->setAttr(BacoDialect::kConstraints,
                      ArrayAttr::get(op->getContext(), constraints));
}
