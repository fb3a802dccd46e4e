//===- CodeArguments.cpp - Arguments as compiled code takes them ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeArguments.h"

#include "baco/Verification/Placement.h"

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
  made.packed.resize(numSparse);
  return made;
}

void CodeArguments::addBuffers(size_t argument, const StorageFormat &format) {
  const Argument &whole = kernel->arguments[argument];
  auto add = [&](ElementType type) {
    Argument buffer;
    buffer.type = type;
    buffer.shape = {0};
    buffer.isOutput = false;
    // Nothing of it varies between executions: values have another order in
    // each format.
    buffer.source = Source{Source::Kind::Tensor};
    code.arguments.push_back(std::move(buffer));
    ownerOf.push_back(argument);
  };
  for (const sparse::Level &level : format.levels) {
    if (level.kind == LevelKind::Compressed)
      add(integerOf(format.positionWidth));
    if (level.kind != LevelKind::Dense)
      add(integerOf(format.coordinateWidth));
  }
  add(whole.type);
}

Result<void> CodeArguments::packPlaces(size_t argument,
                                       const StorageFormat &format,
                                       const ArgumentData &data,
                                       Packed &packed) const {
  Result<sparse::PackedPlaces> made = sparse::pack(
      placesIn(kernel->arguments[argument], data), format, maxPositions);
  if (!made)
    return {made.error().code,
            "argument " + std::to_string(argument) +
                " doesn't fit its format: " + made.error().message};
  for (size_t l = 0; l < format.levels.size(); ++l) {
    sparse::PackedLevel &level = made->levels[l];
    if (format.levels[l].kind == LevelKind::Compressed)
      packed.indices.push_back(std::move(level.positions).takeData());
    if (format.levels[l].kind != LevelKind::Dense)
      packed.indices.push_back(std::move(level.coordinates).takeData());
  }
  packed.entries = std::move(made->entries);
  return {};
}

/// The elements of `entries`; zeros, in all types, where there is none.
static ArgumentData gather(std::span<const std::byte> elements, size_t size,
                           const std::vector<uint32_t> &entries) {
  ArgumentData values(entries.size() * size);
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i] != sparse::PackedPlaces::noEntry)
      std::memcpy(&values[i * size], &elements[entries[i] * size], size);
  return values;
}

Result<void> CodeArguments::take(const std::vector<ArgumentData> &inputs) {
  // Nothing changes before all of them fit.
  std::vector<std::optional<Packed>> others(packed.size());
  std::vector<size_t> sparseArguments;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (kernel->arguments[i].isSparse)
      sparseArguments.push_back(i);
  for (size_t k = 0; k < packed.size(); ++k) {
    size_t i = sparseArguments[k];
    const Argument &whole = kernel->arguments[i];
    if (packed[k].from &&
        std::ranges::equal(placesIn(whole, *packed[k].from).coordinates,
                           placesIn(whole, inputs[i]).coordinates))
      continue;
    if (Result<void> made =
            packPlaces(i, formats[k], inputs[i], others[k].emplace());
        !made)
      return made;
  }
  size_t buffer = 0;
  for (size_t k = 0; k < packed.size(); ++k) {
    if (others[k])
      packed[k] = std::move(*others[k]);
    Packed &mine = packed[k];
    size_t i = sparseArguments[k];
    const Argument &whole = kernel->arguments[i];
    mine.from = &inputs[i];
    mine.values = gather(elementsOf(whole, inputs[i]), elementSize(whole.type),
                         mine.entries);
    while (ownerOf[buffer] != i)
      ++buffer;
    for (const ArgumentData &indices : mine.indices)
      views[buffer++] = indices;
    views[buffer] = mine.values;
  }
  for (size_t k = 0; k < views.size(); ++k) {
    Argument &argument = code.arguments[k];
    if (!kernel->arguments[ownerOf[k]].isSparse)
      views[k] = inputs[ownerOf[k]];
    else
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
