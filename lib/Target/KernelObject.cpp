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

#include "KernelObject.h"

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

/// What writeObject has written is complete.
class Reader {
public:
  explicit Reader(StringRef text) : text(text) {}
  StringRef text;

  uint64_t read() {
    assert(text.size() >= 8 && "not an object");
    uint64_t word = support::endian::read64le(text.data());
    text = text.drop_front(8);
    return word;
  }
};
} // namespace

std::string
baco::target::writeObject(StringRef code,
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

std::pair<std::string, std::vector<StorageFormat>>
baco::target::readObject(StringRef object) {
  Reader reader(object);
  std::vector<StorageFormat> formats(reader.read());
  for (StorageFormat &format : formats) {
    format.positionWidth = static_cast<unsigned>(reader.read());
    format.coordinateWidth = static_cast<unsigned>(reader.read());
    size_t numLevels = reader.read();
    for (size_t l = 0; l < numLevels; ++l) {
      Level level;
      level.kind = static_cast<LevelKind>(reader.read());
      level.dimension = reader.read();
      level.divisor = static_cast<int64_t>(reader.read());
      level.modulus = static_cast<int64_t>(reader.read());
      level.isUnique = reader.read() != 0;
      format.levels.push_back(level);
    }
  }
  return {reader.text.str(), std::move(formats)};
}
