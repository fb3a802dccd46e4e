// The saxpy example of ATF's paper: a space in ATF's words, and a condition
// that ends the search.

#include "baco/Search/StopCondition.h"
#include "baco/Search/Techniques/OptimizerFactory.h"
#include "baco/Space/Atf.h"

#include <cmath>
#include <cstdio>

using namespace baco;
using namespace baco::search;

int main() {
  const size_t N = 1024;
  auto WPT = atf::tp("WPT", atf::interval<size_t>(1, N), atf::divides(N));
  auto LS = atf::tp("LS", atf::interval<size_t>(1, N), atf::divides(N / WPT));
  Result<Space> space = atf::space(WPT, LS);
  if (!space)
    return std::printf("%s\n", space.error().message.c_str()), 1;

  auto optimizer = makeOptimizer("baco", *space, {});
  SearchProgress progress(*space);
  StopCondition enough =
      stop::evaluations(40) ||
      stop::custom("good enough", [](const auto &p) { return p.best() <= 1; });
  while (!enough.isMet(progress)) {
    auto asked = (*optimizer)->ask();
    if (!asked || !*asked)
      break;
    // Any measurement could stand here.
    const Configuration &c = (*asked)->configuration;
    double cost = 1 + std::abs(std::log2(WPT.in(*space, c) / 4.0)) +
                  std::abs(std::log2(LS.in(*space, c) / 64.0));
    if (!(*optimizer)->tell((*asked)->trial, {cost, true}))
      return 1;
    progress.add(/*when=*/0, cost);
  }
  std::printf("saxpy: %s configurations, best %g after %d trials\n",
              space->count().c_str(), progress.best(),
              int(progress.evaluations()));
  return progress.best() < 3 ? 0 : 1;
}
