//===- KernelContents.cpp - Contents of arguments -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelContents.h"

#include "baco/Database/Files.h"
#include "baco/Support/NpyFile.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace baco;
using namespace baco::kernels;

/// Whether T has fractions. Compilers take a half as a type of their own.
template <typename T>
static constexpr bool isReal =
    std::is_floating_point_v<T> || std::is_same_v<T, _Float16>;

/// Calls `function` with a value of the type in C++.
template <typename Function>
static auto withType(KernelScalar type, Function function) {
  // Its branches differ in the type: NOLINTBEGIN(bugprone-branch-clone)
  switch (type) {
  case KernelScalar::Char:
    return function(int8_t());
  case KernelScalar::UChar:
    return function(uint8_t());
  case KernelScalar::Short:
    return function(int16_t());
  case KernelScalar::UShort:
    return function(uint16_t());
  case KernelScalar::Int:
    return function(int32_t());
  case KernelScalar::UInt:
    return function(uint32_t());
  case KernelScalar::Long:
    return function(int64_t());
  case KernelScalar::ULong:
    return function(uint64_t());
  case KernelScalar::Half:
    return function(_Float16());
  case KernelScalar::Float:
    return function(float());
  case KernelScalar::Double:
    break;
  }
  // NOLINTEND(bugprone-branch-clone)
  return function(double());
}

template <typename T>
static T load(std::span<const std::byte> bytes, size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

/// The integer of type T that is nearest to `value`.
template <typename T>
static T clampTo(double value) {
  if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  if (value >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

void kernels::fillRandomly(const KernelArgument &argument, uint64_t seed,
                           size_t number, std::span<std::byte> bytes) {
  Random random(seed, number);
  withType(argument.type, [&]<typename T>(T) {
    constexpr double mostOfIntegers = 15;
    auto range = argument.range.value_or(
        isReal<T> ? std::pair(-1.0, 1.0) : std::pair(0.0, mostOfIntegers));
    for (size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
      T value;
      if constexpr (isReal<T>) {
        value = static_cast<T>(random.uniform(range.first, range.second));
      } else {
        T low = clampTo<T>(std::ceil(range.first)),
          high = std::max(low, clampTo<T>(std::floor(range.second)));
        uint64_t distance =
            static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
        uint64_t drawn =
            distance == UINT64_MAX ? random.next() : random.below(distance + 1);
        value = static_cast<T>(static_cast<uint64_t>(low) + drawn);
      }
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
  });
}

bool kernels::storeScalar(KernelScalar type, const ParameterValue &value,
                          std::span<std::byte> bytes) {
  return withType(type, [&]<typename T>(T) {
    T stored;
    if (const auto *flag = std::get_if<bool>(&value)) {
      stored = static_cast<T>(*flag);
    } else if (!isNumber(value)) {
      return false;
    } else if constexpr (isReal<T>) {
      stored = static_cast<T>(toDouble(value));
    } else {
      const auto *integer = std::get_if<int64_t>(&value);
      double real = toDouble(value);
      constexpr double exact = 0x1p53;
      if (!integer && !(std::abs(real) <= exact && std::floor(real) == real))
        return false;
      int64_t whole = integer ? *integer : static_cast<int64_t>(real);
      if (!std::in_range<T>(whole))
        return false;
      stored = static_cast<T>(whole);
    }
    std::memcpy(bytes.data(), &stored, sizeof stored);
    return true;
  });
}

/// MLIR's name of a type.
static std::string elementName(KernelScalar type) {
  std::string bits = std::to_string(8 * sizeOf(type));
  return (isFloat(type) ? "f" : "i") + bits;
}

Result<void> kernels::readContents(const std::string &file, KernelScalar type,
                                   std::span<std::byte> bytes) {
  auto wrong = [&](const std::string &what) {
    return Error{ErrorCode::InvalidArgument,
                 "'" + file + "' has " + what + ", but " +
                     std::to_string(bytes.size() / sizeOf(type)) +
                     " elements of type " + std::string(nameOf(type)) +
                     " are needed"};
  };
  if (!file.ends_with(".npy")) {
    Result<std::string> read = database::readFile(file);
    if (!read)
      return read.error();
    if (read->size() != bytes.size())
      return wrong(std::to_string(read->size()) + " bytes");
    std::memcpy(bytes.data(), read->data(), bytes.size());
    return {};
  }
  Result<NpyHeader> header = readNpyHeader(file);
  if (!header)
    return header.error();
  if (!isNpyType(*header, elementName(type)) ||
      header->numElements() * header->elementSize != bytes.size())
    return wrong("an array of " + describeShape(header->shape) +
                 " elements of type " + header->type);
  Result<std::vector<std::byte>> elements = readNpyElements(file, *header);
  if (!elements)
    return elements.error();
  std::ranges::copy(*elements, bytes.begin());
  return {};
}

template <typename T>
static std::string write(T value) {
  if constexpr (isReal<T>)
    return toString(ParameterValue(static_cast<double>(value)));
  else
    return std::to_string(value);
}

std::optional<std::string> kernels::findWrong(KernelScalar type,
                                              std::span<const std::byte> got,
                                              std::span<const std::byte> right,
                                              std::optional<double> tolerance) {
  return withType(type, [&]<typename T>(T) -> std::optional<std::string> {
    size_t count = right.size() / sizeof(T);
    double scale = 0, share = 0;
    if constexpr (isReal<T>) {
      constexpr double usual = sizeof(T) == sizeof(double)  ? 1e-10
                               : sizeof(T) == sizeof(float) ? 1e-4
                                                            : 1e-2;
      share = tolerance.value_or(usual);
      double sum = 0;
      for (size_t i = 0; i < count; ++i)
        if (double value = static_cast<double>(load<T>(right, i));
            std::isfinite(value))
          sum += value * value;
      scale = std::sqrt(sum / static_cast<double>(std::max<size_t>(count, 1)));
    }
    auto isRight = [&](T gotten, T meant) {
      if (std::memcmp(&gotten, &meant, sizeof(T)) == 0)
        return true;
      if constexpr (isReal<T>) {
        auto value = static_cast<double>(gotten),
             wanted = static_cast<double>(meant);
        if (std::isnan(wanted))
          return std::isnan(value);
        if (!std::isfinite(wanted) || !std::isfinite(value))
          return value == wanted;
        return std::abs(value - wanted) <=
               share * std::max(std::abs(wanted), scale);
      }
      return false;
    };
    size_t numWrong = 0, first = 0;
    for (size_t i = 0; i < count; ++i)
      if (!isRight(load<T>(got, i), load<T>(right, i)) && numWrong++ == 0)
        first = i;
    if (numWrong == 0)
      return std::nullopt;
    return "element " + std::to_string(first) + " is " +
           write(load<T>(got, first)) + " instead of " +
           write(load<T>(right, first)) + " (" + std::to_string(numWrong) +
           " of " + std::to_string(count) + " are wrong)";
  });
}
