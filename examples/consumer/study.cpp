// Tunes a function of its own with a journal: killed at any moment and started
// again, it goes on, and measures nothing twice.

#include "baco/Study/AskTell.h"

#include <cstdio>

using namespace baco;

/// What is minimized; any measurement could stand here. Nothing if it fails.
static std::optional<double> measure(const Configuration &c) {
  int64_t tile = std::get<int64_t>(c[0]), unroll = std::get<int64_t>(c[1]);
  if (tile * unroll > 200)
    return std::nullopt;
  return 1.0 + (tile - 48) * (tile - 48) + 10 * (unroll - 4) * (unroll - 4);
}

int main(int argc, char **argv) {
  Result<Space> space = Space::create(
      {*Parameter::integer("tile", 1, 64), *Parameter::integer("unroll", 1, 8)},
      {{*Expression::parse("divides(unroll, tile)"), "no remainder loop"}});
  if (!space)
    return std::printf("%s\n", space.error().message.c_str()), 1;
  study::AskTellOptions options;
  options.database = argc > 1 ? argv[1] : "";
  options.subject = "version 1 of measure()";
  Result<study::AskTell> study = study::AskTell::open(*space, options);
  if (!study)
    return std::printf("%s\n", study.error().message.c_str()), 1;
  if (auto done = study->optimize(search::stop::evaluations(40), measure);
      !done)
    return std::printf("%s\n", done.error().message.c_str()), 1;
  if (!study->best())
    return std::printf("nothing works\n"), 1;
  const auto &best = study->trials()[*study->best()];
  std::printf("trial %d: %s: %g\n", int(best.number),
              best.configuration.c_str(), best.outcome->timeNs);
  return best.outcome->timeNs < 20 ? 0 : 1;
}
