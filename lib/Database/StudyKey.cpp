//===- StudyKey.cpp - Fingerprints of contents ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 128 bits are enough to never meet the same key twice by accident.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/StudyKey.h"

#include <cstdint>

using namespace baco;

namespace {

constexpr unsigned __int128 wide(uint64_t high, uint64_t low) {
  return static_cast<unsigned __int128>(high) << 64 | low;
}

/// 128-bit FNV-1a.
class Hash {
public:
  void add(std::string_view bytes) {
    for (unsigned char byte : bytes) {
      state ^= byte;
      state *= prime;
    }
  }

  std::string digits() const {
    std::string text(32, '0');
    unsigned __int128 rest = state;
    for (size_t i = text.size(); i-- > 0; rest >>= 4)
      text[i] = "0123456789abcdef"[static_cast<unsigned>(rest & 15)];
    return text;
  }

private:
  /// 2^88 + 2^8 + 0x3b.
  static constexpr unsigned __int128 prime = wide(1ULL << 24, 0x13b);
  /// The offset basis of FNV-1a.
  unsigned __int128 state = wide(0x6c62272e07bb0142, 0x62b821756295c58d);
};

} // namespace

std::string database::contentHash(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.digits();
}

std::string database::studyKey(
    const std::vector<std::pair<std::string, std::string>> &components) {
  Hash hash;
  for (const auto &[name, content] : components)
    for (const std::string *part : {&name, &content}) {
      hash.add(std::to_string(part->size()) + ":");
      hash.add(*part);
    }
  return hash.digits();
}
