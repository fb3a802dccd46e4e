//===- Sources.cpp - Elements that the user has asked for -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Inputs.h"

#include "baco/Sparse/TensorSource.h"
#include "baco/Support/NpyFile.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace baco;
using namespace baco::runtime;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Reads the elements of `argument`, whose source is a file.
static Result<void> load(Argument &argument) {
  Source &source = *argument.source;
  Result<NpyHeader> header = readNpyHeader(source.file);
  if (!header)
    return header.error();
  auto error = [&](const std::string &why) {
    return Error{ErrorCode::InvalidArgument, "'" + source.file + "' " + why};
  };
  std::string_view type = elementTypeName(argument.type);
  if (!isNpyType(*header, type) || header->shape != argument.shape)
    return error("holds " + describeShape(header->shape) + " of '" +
                 header->type + "', but the argument is " +
                 describeShape(argument.shape) + " of " + std::string(type));
  if (!source.hash.empty()) {
    Result<std::string> hash = hashNpyFile(source.file, *header);
    if (!hash)
      return hash.error();
    if (*hash != source.hash)
      return error("has changed since the tuner began; start it again");
  }
  Result<std::vector<std::byte>> elements =
      readNpyElements(source.file, *header);
  if (!elements)
    return elements.error();
  if (argument.type == ElementType::I1 &&
      std::ranges::any_of(*elements,
                          [](std::byte each) { return each > std::byte{1}; }))
    return error("has booleans that are neither 0 nor 1; save it again");
  source.contents =
      std::make_shared<const std::vector<std::byte>>(std::move(*elements));
  return {};
}

/// Reads the places of the entries of `argument`, whose source is a tensor.
static Result<void> loadTensor(Argument &argument) {
  Source &source = *argument.source;
  Result<sparse::CoordinateTensor> tensor = sparse::readTensor(source.file);
  if (!tensor)
    return tensor.error();
  auto error = [&](const std::string &why) {
    return Error{ErrorCode::InvalidArgument, "'" + source.file + "' " + why};
  };
  if (tensor->extents() != argument.shape)
    return error("is a tensor of " + describeShape(tensor->extents()) +
                 ", but the argument is one of " +
                 describeShape(argument.shape));
  if (!source.hash.empty() && sparse::hashTensor(*tensor) != source.hash)
    return error("has changed since the tuner began; start it again");
  std::span<const std::byte> bytes =
      std::as_bytes(tensor->allPlaces().coordinates);
  source.contents = std::make_shared<const std::vector<std::byte>>(
      bytes.begin(), bytes.end());
  return {};
}

Result<void> runtime::loadSources(Signature &signature) {
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    Argument &argument = signature.arguments[i];
    bool isTensor = argument.isSparse;
    if (!argument.source ||
        (argument.source->kind != Source::Kind::File && !isTensor))
      continue;
    if (Result<void> loaded = isTensor ? loadTensor(argument) : load(argument);
        !loaded)
      return {ErrorCode::InvalidArgument,
              "argument " + std::to_string(i) + ": " + loaded.error().message};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

/// One number; `least` and `greatest` are those of the type.
static double drawNumber(const Source &source, double least, double greatest,
                         Random &random) {
  if (source.kind == Source::Kind::Normal)
    return std::clamp(source.first + source.second * random.normal(), least,
                      greatest);
  // The difference of the two may not be finite.
  double share = random.uniform();
  return std::clamp(source.first * (1 - share) + source.second * share,
                    source.first, source.second);
}

static int64_t drawInteger(const Source &source, const IntegerRange &range,
                           Random &random) {
  if (source.kind == Source::Kind::Uniform) {
    uint64_t count = static_cast<uint64_t>(range.greatest) -
                     static_cast<uint64_t>(range.least) + 1;
    uint64_t offset = count == 0 ? random.next() : random.below(count);
    return static_cast<int64_t>(static_cast<uint64_t>(range.least) + offset);
  }
  double number = std::rint(source.first + source.second * random.normal());
  // 2^63 itself isn't an int64_t, but what it rounds to as one.
  if (number >= static_cast<double>(range.greatest))
    return range.greatest;
  return number <= static_cast<double>(range.least)
             ? range.least
             : static_cast<int64_t>(number);
}

/// Elements that grow by random steps. Floats are multiples of 1/8, of which
/// all types have all up to a bound, so that their differences are exact.
static ArgumentData drawIncreasing(const Argument &argument, Random &random) {
  constexpr uint64_t longestStep = 4;
  ArgumentData data(argument.byteSize());
  if (isFloat(argument.type)) {
    withFloat(argument.type, [&](auto zero) {
      using T = decltype(zero);
      const uint64_t most = uint64_t(1) << (formatOf<T>.digits - 1);
      uint64_t eighths = 0;
      for (size_t at = 0; at < data.size(); at += sizeof(T)) {
        eighths += 1 + random.below(longestStep);
        if (eighths > most)
          eighths = 1 + random.below(longestStep);
        T value = makeFloat<T>(static_cast<double>(eighths) / 8);
        std::memcpy(&data[at], &value, sizeof(T));
      }
    });
    return data;
  }
  IntegerRange range = argument.range.value_or(rangeOf(argument.type));
  // Small ones are enough.
  if (!argument.range)
    range.least = 0;
  uint64_t width = static_cast<uint64_t>(range.greatest) -
                   static_cast<uint64_t>(range.least);
  // In a range of places, those that they need not begin again.
  uint64_t step = width / std::max<uint64_t>(1, argument.numElements());
  step = step == 0 ? longestStep : std::min(step, longestStep);
  size_t size = elementSize(argument.type);
  uint64_t offset = 0;
  for (size_t at = 0; at < data.size(); at += size) {
    int64_t value =
        static_cast<int64_t>(static_cast<uint64_t>(range.least) + offset);
    std::memcpy(&data[at], &value, size);
    offset += 1 + random.below(step);
    if (offset > width)
      offset = 0;
  }
  return data;
}

ArgumentData runtime::drawFromSource(const Argument &argument, size_t number,
                                     uint64_t seed) {
  const Source &source = *argument.source;
  if (source.kind == Source::Kind::File)
    return *source.contents;
  // Far apart for arguments, whose inputs have seeds next to each other.
  constexpr uint64_t golden = 0x9e3779b97f4a7c15;
  Random random(source.seed, seed + golden * number);
  if (source.kind == Source::Kind::Increasing)
    return drawIncreasing(argument, random);
  ArgumentData data(argument.byteSize());
  if (isFloat(argument.type)) {
    withFloat(argument.type, [&](auto zero) {
      using T = decltype(zero);
      double largest = formatOf<T>.largest();
      for (size_t at = 0; at < data.size(); at += sizeof(T)) {
        T value = makeFloat<T>(drawNumber(source, -largest, largest, random));
        std::memcpy(&data[at], &value, sizeof(T));
      }
    });
    return data;
  }
  IntegerRange range = argument.range.value_or(rangeOf(argument.type));
  size_t size = elementSize(argument.type);
  for (size_t at = 0; at < data.size(); at += size) {
    // The lower bytes come first.
    int64_t value = drawInteger(source, range, random);
    std::memcpy(&data[at], &value, size);
  }
  return data;
}
