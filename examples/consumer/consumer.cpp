// Tunes a function of its own with the installed search library.

#include "baco/Search/Techniques/OptimizerFactory.h"

#include <cstdio>

using namespace baco;

/// What is minimized; any measurement could stand here.
static double cost(int64_t tile, int64_t unroll) {
  return 1.0 + (tile - 48) * (tile - 48) + 10 * (unroll - 4) * (unroll - 4);
}

int main() {
  // A constraint is a text, or any function of the parameters that it reads.
  auto fits = Expression::call("fits", {"tile", "unroll"}, [](auto values) {
    return std::get<int64_t>(values[0]) * std::get<int64_t>(values[1]) <= 200;
  });
  Result<Space> space = Space::create(
      {*Parameter::integer("tile", 1, 64), *Parameter::integer("unroll", 1, 8)},
      {{*Expression::parse("divides(unroll, tile)"), "no remainder loop"},
       {fits, "the loop body fits the instruction cache"}});
  if (!space)
    return std::printf("%s\n", space.error().message.c_str()), 1;
  auto optimizer = search::makeOptimizer("baco", *space, {});

  double best = 1e9;
  for (int k = 0; k < 40; ++k) {
    auto asked = (*optimizer)->ask();
    if (!asked || !*asked)
      break;
    const Configuration &c = (*asked)->configuration;
    int64_t tile = std::get<int64_t>(c[0]), unroll = std::get<int64_t>(c[1]);
    if (tile % unroll != 0 || tile * unroll > 200)
      return 1; // Only what the constraints allow is suggested.
    double value = cost(tile, unroll);
    if (!(*optimizer)->tell((*asked)->trial, {value, true}))
      return 1;
    if (value < best)
      std::printf("%2d: tile %s, unroll %s: %g\n", k, toString(c[0]).c_str(),
                  toString(c[1]).c_str(), best = value);
  }
  return best < 100 ? 0 : 1;
}
