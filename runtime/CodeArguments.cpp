//===- CodeArguments.cpp - Arguments as compiled code takes them ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeArguments.h"

#include "baco/Runtime/Placement.h"

#include <algorithm>
#include <cstring>

using namespace baco;
using namespace baco::runtime;
using sparse::LevelKind;
using sparse::StorageFormat;

static ElementType integerOf(unsigned width) {
  switch (width) {
  case 8:
    return ElementType::I8;
  case 16:
    return ElementType::I16;
  case 32:
    return ElementType::I32;
  default:
    return ElementType::I64;
  }
}

/// The coordinates in the data of a sparse argument.
static sparse::Places placesIn(const Argument &argument,
                               const ArgumentData &data) {
  size_t bytes = data.size() - elementsOf(argument, data).size();
  return {argument.shape,
          {reinterpret_cast<const int64_t *>(data.data()),
           bytes / sizeof(int64_t)}};
}

Result<CodeArguments> CodeArguments::create(const Signature &kernel,
                                            std::vector<StorageFormat> formats,
                                            size_t maxPositions) {
  auto numSparse = static_cast<size_t>(
      std::ranges::count_if(kernel.arguments, &Argument::isSparse));
  if (formats.size() != numSparse)
    return {ErrorCode::InvalidArgument, "the compiled code has formats for " +
                                            std::to_string(formats.size()) +
                                            " of " + std::to_string(numSparse) +
                                            " sparse arguments"};
  CodeArguments made(kernel, std::move(formats), maxPositions);
  made.code = kernel;
  made.code.arguments.clear();
  size_t next = 0;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    if (kernel.arguments[i].isSparse) {
      made.addBuffers(i, made.formats[next++]);
      continue;
    }
    made.code.arguments.push_back(kernel.arguments[i]);
    made.ownerOf.push_back(i);
  }
  made.views.resize(made.ownerOf.size());
  return made;
}

void CodeArguments::addBuffers(size_t argument, const StorageFormat &format) {
  const Argument &whole = kernel->arguments[argument];
  auto add = [&](ElementType type, bool isIndex) {
    Argument buffer;
    buffer.type = type;
    buffer.shape = {0};
    buffer.isOutput = false;
    if (isIndex)
      buffer.source = Source{Source::Kind::Tensor};
    else
      buffer.range = whole.range;
    code.arguments.push_back(std::move(buffer));
    ownerOf.push_back(argument);
  };
  for (const sparse::Level &level : format.levels) {
    if (level.kind == LevelKind::Compressed)
      add(integerOf(format.positionWidth), true);
    if (level.kind != LevelKind::Dense)
      add(integerOf(format.coordinateWidth), true);
  }
  add(whole.type, false);
}

Result<std::vector<ArgumentData>>
CodeArguments::pack(size_t argument, const StorageFormat &format,
                    const ArgumentData &entries) const {
  const Argument &whole = kernel->arguments[argument];
  Result<sparse::PackedPlaces> packed =
      sparse::pack(placesIn(whole, entries), format, maxPositions);
  if (!packed)
    return {packed.error().code,
            "argument " + std::to_string(argument) +
                " doesn't fit its format: " + packed.error().message};
  std::vector<ArgumentData> made;
  for (size_t l = 0; l < format.levels.size(); ++l) {
    sparse::PackedLevel &level = packed->levels[l];
    if (format.levels[l].kind == LevelKind::Compressed)
      made.push_back(std::move(level.positions).takeData());
    if (format.levels[l].kind != LevelKind::Dense)
      made.push_back(std::move(level.coordinates).takeData());
  }
  std::span<const std::byte> elements = elementsOf(whole, entries);
  size_t size = elementSize(whole.type);
  // Zeros, in all types.
  ArgumentData values(packed->entries.size() * size);
  for (size_t i = 0; i < packed->entries.size(); ++i)
    if (uint32_t entry = packed->entries[i];
        entry != sparse::PackedPlaces::noEntry)
      std::memcpy(&values[i * size], &elements[entry * size], size);
  made.push_back(std::move(values));
  return made;
}

Result<void> CodeArguments::take(const std::vector<ArgumentData> &inputs) {
  std::vector<ArgumentData> packed;
  size_t next = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!kernel->arguments[i].isSparse)
      continue;
    Result<std::vector<ArgumentData>> made =
        pack(i, formats[next++], inputs[i]);
    if (!made)
      return made.error();
    std::ranges::move(*made, std::back_inserter(packed));
  }
  buffers = std::move(packed);
  next = 0;
  for (size_t k = 0; k < views.size(); ++k) {
    size_t owner = ownerOf[k];
    bool isPart = kernel->arguments[owner].isSparse;
    views[k] = isPart ? buffers[next++] : inputs[owner];
    Argument &argument = code.arguments[k];
    if (isPart)
      argument.shape = {
          static_cast<int64_t>(views[k].size() / elementSize(argument.type))};
  }
  return {};
}

Signature CodeArguments::largest(const std::vector<Check> &checks) const {
  Signature all = code;
  size_t next = 0, k = 0;
  for (size_t i = 0; i < kernel->arguments.size(); ++i) {
    const Argument &whole = kernel->arguments[i];
    if (!whole.isSparse) {
      ++k;
      continue;
    }
    size_t numEntries = 0;
    for (const Check &check : checks)
      numEntries =
          std::max(numEntries, placesIn(whole, check.inputs[i]).numEntries());
    const StorageFormat &format = formats[next++];
    sparse::BufferSizes sizes =
        sparse::largestBuffers(whole.shape, numEntries, format, maxPositions);
    auto set = [&](size_t count) {
      all.arguments[k++].shape = {static_cast<int64_t>(count)};
    };
    for (size_t l = 0; l < format.levels.size(); ++l) {
      if (format.levels[l].kind == LevelKind::Compressed)
        set(sizes.positions[l]);
      if (format.levels[l].kind != LevelKind::Dense)
        set(sizes.coordinates[l]);
    }
    set(sizes.values);
  }
  return all;
}

std::vector<size_t>
CodeArguments::placeStaggers(const std::vector<size_t> &staggers) const {
  std::vector<size_t> placed;
  size_t further = kernel->arguments.size();
  for (size_t k = 0; k < ownerOf.size(); ++k) {
    bool isFirst = k == 0 || ownerOf[k] != ownerOf[k - 1];
    size_t number = isFirst ? ownerOf[k] : further++;
    placed.push_back(number < staggers.size() ? staggers[number]
                                              : usualStagger(number));
  }
  return placed;
}
