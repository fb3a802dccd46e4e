// Two objectives: time and energy have their least values at different tiles,
// so that there is no best one, but a front.

#include "baco/Search/MultiObjectiveSearch.h"
#include "baco/Search/Techniques/OptimizerFactory.h"

#include <cstdio>

using namespace baco;
using namespace baco::search;

int main() {
  Result<Space> space = Space::create({*Parameter::integer("tile", 1, 64)});
  if (!space)
    return std::printf("%s\n", space.error().message.c_str()), 1;
  // paretoOrder(), weightedOrder({2, 1}), lexicographicOrder(), or an order of
  // one's own.
  MultiObjectiveSearch search([&] { return makeOptimizer("baco", *space, {}); },
                              paretoOrder(),
                              /*seed=*/1);
  for (int k = 0; k < 30; ++k) {
    auto asked = search.ask();
    if (!asked || !*asked)
      break;
    auto tile = double(std::get<int64_t>((*asked)->configuration[0]));
    Costs costs = {1 + (tile - 20) * (tile - 20),
                   1 + (tile - 40) * (tile - 40)};
    if (!search.tell((*asked)->trial, {costs, true}))
      return 1;
  }
  for (uint64_t trial : search.best()) {
    const auto &one = search.trials()[trial];
    std::printf("tile %s: time %g, energy %g\n",
                toString(one.suggestion.configuration[0]).c_str(),
                one.told->costs[0], one.told->costs[1]);
  }
  return search.best().size() > 1 ? 0 : 1;
}
