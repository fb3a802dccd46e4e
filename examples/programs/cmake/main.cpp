// The sum of the distances between neighbours in a table of words. Prints the
// time on its last line, in seconds.

#include "distance.h"

#include <chrono>
#include <cstdio>
#include <vector>

int main() {
  // Word i differs from word i + 1 in i % 64 + 1 bits.
  std::vector<uint64_t> words(1 << 20);
  for (size_t i = 0; i + 1 < words.size(); ++i)
    words[i + 1] = words[i] ^ (~uint64_t(0) >> (63 - i % 64));

  double best = 1e9;
  for (int run = 0; run < 5; ++run) {
    auto begin = std::chrono::steady_clock::now();
    long sum = 0, expected = 0;
    for (size_t i = 0; i + 1 < words.size(); ++i)
      sum += distance(words[i], words[i + 1]);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - begin;
    for (size_t i = 0; i + 1 < words.size(); ++i)
      expected += long(i % 64) + 1;
    if (sum != expected) {
      std::printf("WRONG: %ld instead of %ld\n", sum, expected);
      return 2;
    }
    best = time.count() < best ? time.count() : best;
  }
  std::printf("time: %.9f\n", best);
}
