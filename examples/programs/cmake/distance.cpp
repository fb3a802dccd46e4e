// Counts bits by a table or by arithmetic.

#include "distance.h"

#ifdef HAMMING_TABLE
namespace {
struct Table {
  uint8_t bits[256];
  Table() : bits() {
    for (int i = 1; i < 256; ++i)
      bits[i] = uint8_t(bits[i / 2] + i % 2);
  }
};
} // namespace

static const Table table;
#endif

int distance(uint64_t left, uint64_t right) {
  uint64_t bits = left ^ right;
#ifdef HAMMING_TABLE
  int count = 0;
  for (; bits; bits >>= 8)
    count += table.bits[bits & 255];
  return count;
#else
  bits -= (bits >> 1) & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return int((bits * 0x0101010101010101) >> 56);
#endif
}
