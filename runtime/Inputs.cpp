//===- Inputs.cpp - What a kernel is run on -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Inputs.h"

#include "baco/Support/Random.h"

#include <cmath>
#include <cstring>

using namespace baco;
using namespace baco::runtime;

/// Fills `data` with values of type T that `draw` yields.
template <typename T, typename Draw>
static void fill(ArgumentData &data, Draw draw) {
  for (size_t at = 0; at < data.size(); at += sizeof(T)) {
    T value = static_cast<T>(draw());
    std::memcpy(&data[at], &value, sizeof(T));
  }
}

static ArgumentData generate(const Argument &argument, Random random) {
  ArgumentData data(argument.byteSize());
  bool isMemRef = argument.isMemRef;
  auto eighths = [&] {
    double magnitude = static_cast<double>(random.below(7) + 1) / 8;
    return random.below(2) ? magnitude : -magnitude;
  };
  auto bit = [&] { return random.below(2); };
  auto integer = [&]() -> int64_t {
    return isMemRef ? static_cast<int64_t>(random.below(9)) - 4
                    : static_cast<int64_t>(random.below(4)) + 1;
  };
  switch (argument.type) {
  case ElementType::F32:
    fill<float>(data, eighths);
    break;
  case ElementType::F64:
    fill<double>(data, eighths);
    break;
  case ElementType::I1:
    fill<uint8_t>(data, bit);
    break;
  case ElementType::I8:
    fill<int8_t>(data, integer);
    break;
  case ElementType::I16:
    fill<int16_t>(data, integer);
    break;
  case ElementType::I32:
    fill<int32_t>(data, integer);
    break;
  case ElementType::I64:
    fill<int64_t>(data, integer);
    break;
  }
  return data;
}

std::vector<ArgumentData> runtime::generateInputs(const Signature &signature,
                                                  uint64_t seed) {
  std::vector<ArgumentData> inputs;
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    inputs.push_back(generate(signature.arguments[i], Random(seed, i)));
  return inputs;
}

template <typename T>
static void clearSigns(std::byte *data, size_t byteSize) {
  for (size_t at = 0; at < byteSize; at += sizeof(T)) {
    T value;
    std::memcpy(&value, data + at, sizeof(T));
    value = std::abs(value);
    std::memcpy(data + at, &value, sizeof(T));
  }
}

void runtime::makeAbsolute(ElementType type, std::byte *data, size_t byteSize) {
  if (type == ElementType::F32)
    clearSigns<float>(data, byteSize);
  else if (type == ElementType::F64)
    clearSigns<double>(data, byteSize);
}

void runtime::makeAbsolute(const Signature &signature,
                           std::vector<ArgumentData> &inputs) {
  for (size_t i = 0; i < inputs.size(); ++i)
    makeAbsolute(signature.arguments[i].type, inputs[i].data(),
                 inputs[i].size());
}

OutputLayout::OutputLayout(const Signature &signature) {
  constexpr size_t alignment = 64;
  for (const Argument &argument : signature.arguments) {
    offsets.push_back(size);
    if (argument.isOutput)
      size += (argument.byteSize() + alignment - 1) / alignment * alignment;
  }
}
