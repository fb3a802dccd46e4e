// Two objectives: time and energy have their least values at different tiles,
// so that no tile is best in both. Each order of ObjectiveOrder.h says in its
// own way which tiles are best.

#include "baco/Search/MultiObjectiveSearch.h"
#include "baco/Search/Techniques/OptimizerFactory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace baco;
using namespace baco::search;

/// Time and energy of a tile; any measurements could stand here.
static Costs measure(double tile) {
  return {1 + (tile - 20) * (tile - 20), 1 + (tile - 40) * (tile - 40)};
}

/// Prints the best tiles by `order`, and returns them.
static std::vector<double> findBest(const char *name, const Space &space,
                                    ObjectiveOrderPtr order) {
  MultiObjectiveSearch search([&] { return makeOptimizer("baco", space, {}); },
                              std::move(order), /*seed=*/1);
  for (int k = 0; k < 30; ++k) {
    auto asked = search.ask();
    if (!asked || !*asked)
      break;
    auto tile = double(std::get<int64_t>((*asked)->configuration[0]));
    if (!search.tell((*asked)->trial, {0, true, measure(tile)}))
      std::exit(1);
  }
  std::vector<double> tiles;
  std::printf("%s:", name);
  for (uint64_t trial : search.best()) {
    const Configuration &best = search.trials()[trial].suggestion.configuration;
    std::printf(" %s", toString(best[0]).c_str());
    tiles.push_back(double(std::get<int64_t>(best[0])));
  }
  std::printf("\n");
  return tiles;
}

int main() {
  Result<Space> space = Space::create({*Parameter::integer("tile", 1, 64)});
  if (!space)
    return std::printf("%s\n", space.error().message.c_str()), 1;

  // No other tile has both less time and less energy.
  auto front = findBest("Pareto front", *space, paretoOrder());
  // Time counts twice as much as energy.
  auto weighted = findBest("weighted", *space, weightedOrder({2, 1}));
  // The least time; of equal times, the least energy.
  auto first = findBest("time first", *space, lexicographicOrder());
  // The least maximum of the two.
  auto fair =
      findBest("fair", *space, customOrder([](const Costs &a, const Costs &b) {
                 return std::max(a[0], a[1]) < std::max(b[0], b[1]);
               }));
  bool isRight = front.size() > 1 && weighted.size() == 1 &&
                 first == std::vector<double>{20} && fair.size() == 1 &&
                 fair[0] > first[0];
  return isRight ? 0 : 1;
}
