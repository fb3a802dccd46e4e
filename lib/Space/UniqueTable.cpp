//===- UniqueTable.cpp - A hash table of diagram nodes --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UniqueTable.h"

#include <algorithm>

using namespace baco;

uint64_t UniqueTable::hashOf(std::span<const uint64_t> key) {
  uint64_t hash = key.size();
  for (uint64_t word : key) {
    // Multiply and fold: small integers spread over all bits.
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash;
}

const uint64_t *UniqueTable::find(std::span<const uint64_t> key) const {
  uint64_t hash = hashOf(key);
  for (size_t i = hash & (buckets.size() - 1); buckets[i] != empty;
       i = (i + 1) & (buckets.size() - 1)) {
    const Entry &entry = entries[buckets[i]];
    if (entry.hash == hash && entry.keySize == key.size() &&
        std::equal(key.begin(), key.end(), keys.begin() + entry.keyBegin))
      return &entry.value;
  }
  return nullptr;
}

void UniqueTable::insert(std::span<const uint64_t> key, uint64_t value) {
  if (2 * (entries.size() + 1) > buckets.size())
    grow();
  uint64_t hash = hashOf(key);
  size_t i = hash & (buckets.size() - 1);
  while (buckets[i] != empty)
    i = (i + 1) & (buckets.size() - 1);
  buckets[i] = static_cast<uint32_t>(entries.size());
  entries.push_back({hash, keys.size(), key.size(), value});
  keys.insert(keys.end(), key.begin(), key.end());
}

void UniqueTable::grow() {
  buckets.assign(2 * buckets.size(), empty);
  for (size_t k = 0; k < entries.size(); ++k) {
    size_t i = entries[k].hash & (buckets.size() - 1);
    while (buckets[i] != empty)
      i = (i + 1) & (buckets.size() - 1);
    buckets[i] = static_cast<uint32_t>(k);
  }
}
