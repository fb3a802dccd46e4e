//===- KernelObject.cpp - Compiled kernels for other processes ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Words of 64 bits before the code, which is binary anyway.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/KernelObject.h"

#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace baco::target;
using baco::sparse::Level;
using baco::sparse::LevelKind;
using baco::sparse::StorageFormat;

namespace {
class Writer {
public:
  std::string text;

  void write(uint64_t word) {
    char bytes[8];
    support::endian::write64le(bytes, word);
    text.append(bytes, sizeof(bytes));
  }
};

class Reader {
public:
  explicit Reader(StringRef text) : text(text) {}
  StringRef text;
  /// Whether a word was not there, or too large.
  bool failed = false;

  /// A word of at most `greatest`.
  uint64_t read(uint64_t greatest) {
    if (failed || text.size() < 8 ||
        support::endian::read64le(text.data()) > greatest) {
      // Numbers behind a mistake are 0, so that loops over them end.
      failed = true;
      return 0;
    }
    uint64_t word = support::endian::read64le(text.data());
    text = text.drop_front(8);
    return word;
  }
};
} // namespace

std::string baco::target::writeObject(StringRef code,
                                      ArrayRef<StorageFormat> formats) {
  Writer writer;
  writer.write(formats.size());
  for (const StorageFormat &format : formats) {
    writer.write(format.positionWidth);
    writer.write(format.coordinateWidth);
    writer.write(format.levels.size());
    for (const Level &level : format.levels) {
      writer.write(static_cast<uint64_t>(level.kind));
      writer.write(level.dimension);
      writer.write(static_cast<uint64_t>(level.divisor));
      writer.write(static_cast<uint64_t>(level.modulus));
      writer.write(level.isUnique);
    }
  }
  return writer.text + code.str();
}

std::optional<KernelObject> baco::target::readObject(StringRef object) {
  // These bounds keep a damaged object from asking for much memory, and numbers
  // from becoming negative.
  constexpr uint64_t most = 1 << 10, any = std::numeric_limits<int64_t>::max();
  Reader reader(object);
  KernelObject read;
  read.formats.resize(reader.read(most));
  for (StorageFormat &format : read.formats) {
    format.positionWidth = static_cast<unsigned>(reader.read(64));
    format.coordinateWidth = static_cast<unsigned>(reader.read(64));
    uint64_t numLevels = reader.read(most);
    for (uint64_t l = 0; l < numLevels; ++l) {
      Level level;
      // Singleton is the last of the kinds, so no other number is one.
      level.kind = static_cast<LevelKind>(
          reader.read(static_cast<uint64_t>(LevelKind::Singleton)));
      level.dimension = reader.read(most);
      level.divisor = static_cast<int64_t>(reader.read(any));
      level.modulus = static_cast<int64_t>(reader.read(any));
      level.isUnique = reader.read(1) != 0;
      format.levels.push_back(level);
    }
  }
  if (reader.failed)
    return std::nullopt;
  read.code = reader.text.str();
  return read;
}
