//===- CommandCacheRules.cpp - Cache rules for tiles of commands ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheRules.h"

#include "baco/Schedule/Choices.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using loopnest::CommandLegality;
using loopnest::ReferenceGroup;
using loopnest::StatementReferences;
using loopnest::TiledLoop;

namespace {
/// Finds the rules of one statement in one tiling.
class StatementRules {
public:
  /// Takes a rule and its reason.
  using Add = llvm::function_ref<void(const Expression &, std::string)>;

  StatementRules(size_t number, const StatementReferences &references,
                 ArrayRef<TiledLoop> loops,
                 ArrayRef<const Parameter *> parameters, const TileCache &cache,
                 Add add)
      : name("S" + std::to_string(number)), references(references),
        loops(loops), parameters(parameters), cache(cache), add(add) {}

  void find();

private:
  Amount amountOf(const loopnest::TileSize &size) const;
  /// How many values of each iterator an iteration of this loop runs over.
  SmallVector<Amount> extentsIn(size_t loop) const;
  /// Whether a loop outside of this one runs over tiles of the iterator.
  bool isTiledOutside(size_t loop, unsigned iterator) const;
  /// The first of the innermost loops that all run over points of tiles.
  size_t findTile() const;
  void addRuleOfTile(size_t tile);
  void addRulesOfReuse(size_t loop);

  std::string name;
  const StatementReferences &references;
  ArrayRef<TiledLoop> loops;
  ArrayRef<const Parameter *> parameters;
  const TileCache &cache;
  Add add;
};
} // namespace

Amount StatementRules::amountOf(const loopnest::TileSize &size) const {
  if (!size.knob)
    return size.constant;
  const Parameter &parameter = *parameters[*size.knob];
  SmallVector<int64_t> sizes =
      integersOf(parameter, /*most=*/-1).value_or(SmallVector<int64_t>());
  // 0 is no size, and has loops of its own.
  llvm::erase_if(sizes, [](int64_t value) { return value < 1; });
  if (sizes.empty())
    sizes.push_back(1);
  return {Expression::variable(parameter.name()),
          double(*llvm::min_element(sizes)), double(*llvm::max_element(sizes))};
}

SmallVector<Amount> StatementRules::extentsIn(size_t loop) const {
  SmallVector<Amount> extents;
  for (std::optional<int64_t> extent : references.extents)
    extents.push_back(extent.value_or(1));
  for (const TiledLoop &outer : loops.take_front(loop + 1)) {
    Amount &extent = extents[outer.iterator];
    extent = minimum(outer.size ? amountOf(*outer.size) : Amount(1), extent);
  }
  return extents;
}

bool StatementRules::isTiledOutside(size_t loop, unsigned iterator) const {
  return llvm::any_of(loops.take_front(loop), [&](const TiledLoop &outer) {
    return outer.size && outer.iterator == iterator;
  });
}

size_t StatementRules::findTile() const {
  size_t tile = loops.size();
  while (tile > 0 && !loops[tile - 1].size &&
         isTiledOutside(tile - 1, loops[tile - 1].iterator))
    --tile;
  return tile;
}

void StatementRules::addRuleOfTile(size_t tile) {
  SmallVector<Amount> extents = extentsIn(tile - 1);
  SmallVector<Amount> parts;
  for (const ReferenceGroup &group : references.groups)
    if (std::optional<Amount> part =
            footprintBytes(group.map, extents, group.elementType, group.spread))
      parts.push_back(std::move(*part));
  if (std::optional<Expression> rule = fitsCache(total(parts), cache))
    add(*rule,
        describeRefusal({"what a tile of " + name +
                             " reads and writes stays in " + cache.name.str(),
                         {{name, references.location}}}));
}

void StatementRules::addRulesOfReuse(size_t loop) {
  const TiledLoop &around = loops[loop];
  SmallVector<Amount> extents = extentsIn(loop);
  for (const ReferenceGroup &group : references.groups) {
    auto isTiled = [&](unsigned iterator) {
      return !group.map.isFunctionOfDim(iterator) ||
             isTiledOutside(loop, iterator);
    };
    if (group.map.isFunctionOfDim(around.iterator) ||
        (around.size &&
         !llvm::all_of(llvm::seq<unsigned>(0, extents.size()), isTiled)))
      continue;
    std::optional<Amount> part =
        footprintBytes(group.map, extents, group.elementType, group.spread);
    std::optional<Expression> rule =
        part ? fitsCache(*part, cache) : std::nullopt;
    if (!rule)
      continue;
    std::string array = "A" + std::to_string(group.array);
    add(*rule,
        describeRefusal(
            {"what each " + std::string(around.size ? "tile" : "iteration") +
                 " of the original loop " +
                 std::to_string(around.iterator + 1) + " of " + name +
                 " uses again of " + array + " stays in " + cache.name.str(),
             {{name, references.location}, {array, group.location}}}));
  }
}

void StatementRules::find() {
  size_t tile = findTile();
  // A single loop passes once over its data.
  bool hasTile = tile > 0 && tile + 1 < loops.size();
  // The tile contains the data that the loop around it uses again.
  for (size_t loop = 0, end = hasTile ? tile - 1 : loops.size(); loop < end;
       ++loop)
    addRulesOfReuse(loop);
  if (hasTile)
    addRuleOfTile(tile);
}

std::vector<Constraint>
schedule::findCommandCacheRules(const CommandLegality &verdict,
                                ArrayRef<const Parameter *> parameters,
                                const TileCache &cache) {
  constexpr size_t maxTilings = 64;
  if (verdict.tilings.size() > maxTilings)
    return {};
  // A rule for some tilings, by its text and its reason.
  struct Found {
    Expression rule;
    llvm::SmallSetVector<size_t, 4> tilings;
  };
  llvm::MapVector<std::pair<std::string, std::string>, Found,
                  std::map<std::pair<std::string, std::string>, unsigned>>
      rules;
  for (auto [index, tiling] : llvm::enumerate(verdict.tilings))
    for (auto [number, loops] : llvm::enumerate(tiling))
      if (loops)
        StatementRules(
            number, verdict.references[number], *loops, parameters, cache,
            [&, index = index](const Expression &rule, std::string reason) {
              auto [found, isNew] = rules.insert(
                  {{rule.text(), std::move(reason)}, Found{rule, {}}});
              found->second.tilings.insert(index);
            })
            .find();
  std::vector<Constraint> result;
  for (const auto &[key, found] : rules) {
    auto isMeant = [&, &tilings =
                           found.tilings](const CommandLegality::Node &leaf) {
      return leaf.tiling && tilings.contains(*leaf.tiling);
    };
    Expression others = writeLegality(verdict, parameters, isMeant);
    // Forbidden cases may count as these tilings, if that is shorter.
    Expression allowed = writeLegality(verdict, parameters,
                                       [&](const CommandLegality::Node &leaf) {
                                         return leaf.refusal || isMeant(leaf);
                                       });
    if (allowed.text().size() < others.text().size())
      others = std::move(allowed);
    result.push_back(
        {others.asBool() == false ? found.rule : others || found.rule,
         key.second, /*location=*/"", /*advisory=*/true});
  }
  return result;
}
