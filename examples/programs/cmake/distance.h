// The number of bits in which two words differ.

#include <cstdint>

int distance(uint64_t left, uint64_t right);
