//===- VaryOperands.cpp - Changes of operands between executions ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes a few elements before each execution, at places and to values that
// follow from the arguments alone, so that the reference has the same ones.
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Operands.h"

#include "baco/Support/Random.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace baco;
using namespace baco::runtime;

/// Whether all of its elements may have the values of others: they are no
/// addresses or sizes.
static bool takesAny(const Signature &signature, const Argument &argument) {
  if (argument.isOutput)
    return argument.isMemRef && !argument.isRead;
  return !argument.isConstant && !argument.source &&
         (isFloat(argument.type) ||
          (signature.takesAnyInteger && argument.isMemRef &&
           argument.type != ElementType::Index &&
           argument.type != ElementType::I1));
}

/// Half of the number that has these bits, which is as exact. Without a value
/// if it is no normal number.
static std::optional<uint64_t> halve(ElementType type, uint64_t bits) {
  return withFloat(type, [&](auto zero) -> std::optional<uint64_t> {
    decltype(zero) element;
    std::memcpy(&element, &bits, sizeof element);
    double value = static_cast<double>(element);
    FloatFormat format = floatFormat(type);
    if (!(std::abs(value) >= 2 * format.smallest() &&
          std::abs(value) <= format.largest()))
      return std::nullopt;
    element = makeFloat<decltype(zero)>(value / 2);
    uint64_t half = 0;
    std::memcpy(&half, &element, sizeof element);
    return half;
  });
}

/// The elements of an argument that vary, in a random order. Nothing if there
/// are none.
std::optional<Operands::Varied> Operands::varyArgument(size_t i) const {
  const Argument &argument = signature->arguments[i];
  if (argument.byteSize() == 0 || !takesAny(*signature, argument))
    return std::nullopt;
  size_t size = elementSize(partType(argument.type)),
         count = argument.byteSize() / size;
  Varied all;
  all.size = static_cast<int>(size);
  all.isOutput = argument.isOutput;
  // The lower half of the significand, unless a branch may depend on the last
  // bit of a sum; or a few small integers, if they may be any.
  all.mask = 3;
  if (all.isOutput || argument.range ||
      (isFloat(argument.type) && signature->hasJumps))
    all.mask = 0;
  else if (isFloat(argument.type))
    all.mask = (uint64_t(1) << floatFormat(argument.type).digits / 2) - 1;
  auto bitsAt = [&](size_t element) {
    uint64_t bits = 0;
    std::memcpy(&bits, buffers[i].data() + element * size, size);
    return bits;
  };
  // The same whatever buffers a sparse argument has.
  Random random(count, ownerOf(i));
  size_t most = std::min(count, numPlaces), found = 0,
         element = random.below(count);
  // Nearly all may be zeros.
  for (size_t left = count + most; left > 0 && found < most; --left) {
    uint64_t bits = bitsAt(element);
    std::optional<uint64_t> other = bits;
    if (!all.isOutput)
      other = isFloat(argument.type) ? halve(argument.type, bits)
                                     : bitsAt(random.below(count));
    if (other)
      all.places[found++] = {buffers[i].data() + element * size, bits, *other};
    element = other ? random.below(count) : (element + 1) % count;
  }
  if (found == 0)
    return std::nullopt;
  for (size_t k = found; k < numPlaces; ++k) {
    all.places[k] = all.places[k % found];
    all.places[k].other ^= k / found & all.mask;
  }
  return all;
}

void Operands::chooseVaried() {
  // More would cost short kernels too much.
  constexpr size_t mostVaried = 3;
  varied.clear();
  variation = 0;
  for (bool isOutput : {false, true}) {
    size_t most = varied.size() + mostVaried;
    for (size_t i = 0; i < buffers.size() && varied.size() < most; ++i)
      if (signature->arguments[i].isOutput == isOutput)
        if (std::optional<Varied> elements = varyArgument(i))
          varied.push_back(*elements);
  }
}

/// Stores the lower `size` bytes.
static void store(std::byte *at, uint64_t bits, int size) {
  if (size == 8)
    std::memcpy(at, &bits, 8);
  else if (size == 4)
    std::memcpy(at, &bits, 4);
  else if (size == 2)
    std::memcpy(at, &bits, 2);
  else
    std::memcpy(at, &bits, 1);
}

void Operands::vary() {
  uint64_t number = variation++;
  for (const Varied &element : varied) {
    const Varied::Place &place = element.places[number % numPlaces];
    if (!element.isOutput && number > 0) {
      const Varied::Place &last = element.places[(number - 1) % numPlaces];
      store(last.at, last.bits, element.size);
    }
    store(place.at, place.other ^ (number / numPlaces & element.mask),
          element.size);
  }
}

std::vector<std::span<std::byte>> Operands::variedElements() const {
  std::vector<std::span<std::byte>> elements;
  for (const Varied &element : varied)
    for (uint64_t number = variation - std::min<uint64_t>(variation, 2);
         number < variation; ++number)
      elements.emplace_back(element.places[number % numPlaces].at,
                            element.size);
  return elements;
}

void Operands::settle() {
  for (const Varied &element : varied)
    if (!element.isOutput && variation > 0) {
      const Varied::Place &last = element.places[(variation - 1) % numPlaces];
      store(last.at, last.bits, element.size);
    }
}
