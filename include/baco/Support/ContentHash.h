//===- ContentHash.h - Fingerprints of contents -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash that tells contents apart. It guards against mistakes, not against
// malice.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_CONTENTHASH_H
#define BACO_SUPPORT_CONTENTHASH_H

#include <cstdint>
#include <string>
#include <string_view>

namespace baco {

/// 128-bit FNV-1a (Fowler, Noll and Vo; "The FNV Non-Cryptographic Hash
/// Algorithm", IETF draft, section 5) of all bytes that are added. The same on
/// every machine and in every version. 128 bits are enough to never meet the
/// same hash twice by accident.
class ContentHash {
public:
  void add(std::string_view bytes) {
    for (unsigned char byte : bytes) {
      state ^= byte;
      state *= prime;
    }
  }

  /// 32 hexadecimal digits.
  std::string digits() const {
    std::string text(32, '0');
    unsigned __int128 rest = state;
    for (size_t i = text.size(); i-- > 0; rest >>= 4)
      text[i] = "0123456789abcdef"[static_cast<unsigned>(rest & 15)];
    return text;
  }

private:
  /// 2^88 + 2^8 + 0x3b.
  static constexpr unsigned __int128 prime =
      static_cast<unsigned __int128>(1) << 88 | 0x13b;
  /// The offset basis of FNV-1a.
  unsigned __int128 state = static_cast<unsigned __int128>(0x6c62272e07bb0142)
                                << 64 |
                            0x62b821756295c58d;
};

} // namespace baco

#endif // BACO_SUPPORT_CONTENTHASH_H
