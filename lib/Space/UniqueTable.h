//===- UniqueTable.h - A hash table of diagram nodes ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash table from keys of 64-bit words to nodes, with the keys in one array:
// building a diagram inserts up to millions of them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_UNIQUETABLE_H
#define BACO_LIB_SPACE_UNIQUETABLE_H

#include <cstdint>
#include <span>
#include <vector>

namespace baco {

class UniqueTable {
public:
  UniqueTable() : buckets(16, empty) {}

  /// The value of a key, or null.
  const uint64_t *find(std::span<const uint64_t> key) const;
  /// The key isn't in the table.
  void insert(std::span<const uint64_t> key, uint64_t value);

private:
  struct Entry {
    uint64_t hash;
    size_t keyBegin, keySize;
    uint64_t value;
  };
  static constexpr uint32_t empty = UINT32_MAX;

  static uint64_t hashOf(std::span<const uint64_t> key);
  void grow();

  /// Open addressing with linear probing; a power of two of them.
  std::vector<uint32_t> buckets;
  std::vector<Entry> entries;
  std::vector<uint64_t> keys;
};

} // namespace baco

#endif // BACO_LIB_SPACE_UNIQUETABLE_H
