//===- Operands.cpp - A kernel's arguments in memory ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Operands.h"

#include "baco/Runtime/Placement.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sys/mman.h>
#include <utility>

using namespace baco;
using namespace baco::runtime;

static constexpr size_t pageBytes = 4096;
static constexpr size_t hugePageBytes = size_t{2} << 20;
static constexpr size_t lineBytes = 64;

static size_t roundUp(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Accessible bytes for `byteSize` bytes of data. A page more than the data
/// leaves room for every stagger.
static size_t innerBytes(size_t byteSize) {
  return roundUp(byteSize + pageBytes, hugePageBytes);
}

uint64_t runtime::patternOf(ElementType type) {
  switch (partType(type)) {
  case ElementType::F16:
    return 0x7da57da57da57da5;
  case ElementType::BF16:
    return 0x7fa57fa57fa57fa5;
  case ElementType::F32:
    return 0x7fa5a5a57fa5a5a5;
  case ElementType::F64:
    return 0x7ff5a5a5a5a5a5a5;
  default:
    return 0xa5a5a5a5a5a5a5a5;
  }
}

/// The byte of the repeated pattern at a distance from its beginning.
static std::byte patternByte(uint64_t pattern, size_t at) {
  return static_cast<std::byte>(pattern >> at % 8 * 8);
}

std::optional<GuardedBuffer>
GuardedBuffer::create(size_t byteSize, size_t stagger, uint64_t pattern) {
  GuardedBuffer buffer;
  buffer.pattern = pattern;
  size_t inner = innerBytes(byteSize);
  // Alignment and the guard pages on both sides take a huge page's range each.
  size_t total = inner + 2 * hugePageBytes;
  void *mapping = mmap(nullptr, total, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return std::nullopt;
  buffer.mapping = static_cast<std::byte *>(mapping);
  buffer.mappedBytes = total;
  // At least a page before it stays inaccessible.
  size_t address = reinterpret_cast<size_t>(mapping);
  std::byte *start =
      buffer.mapping + (roundUp(address + pageBytes, hugePageBytes) - address);
  if (mprotect(start, inner, PROT_READ | PROT_WRITE) != 0)
    return std::nullopt;
  // Where huge pages are switched off this has no effect; times are then
  // noisier.
  madvise(start, inner, MADV_HUGEPAGE);

  size_t room = inner - roundUp(byteSize, lineBytes);
  // The highest place with the wanted remainder.
  size_t offset = room - (room - stagger) % pageBytes;
  buffer.begin = start + offset;
  std::byte *end = buffer.begin + byteSize;
  // The first page before the data is enough: whole huge pages of pattern would
  // cost more to write than the kernel takes.
  size_t before = std::min(offset, pageBytes);
  buffer.patterns = {buffer.begin - before, end};
  buffer.patternBytes = {before, static_cast<size_t>(start + inner - end)};
  for (size_t side : {0, 1})
    for (size_t i = 0; i < buffer.patternBytes[side]; ++i)
      buffer.patterns[side][i] = patternByte(pattern, i);
  return buffer;
}

GuardedBuffer::GuardedBuffer(GuardedBuffer &&other) noexcept
    : mapping(std::exchange(other.mapping, nullptr)),
      mappedBytes(other.mappedBytes), begin(other.begin),
      pattern(other.pattern), patterns(other.patterns),
      patternBytes(other.patternBytes) {}

GuardedBuffer::~GuardedBuffer() {
  if (mapping)
    munmap(mapping, mappedBytes);
}

bool GuardedBuffer::isIntact() const {
  for (size_t side : {0, 1})
    for (size_t i = 0; i < patternBytes[side]; ++i)
      if (patterns[side][i] != patternByte(pattern, i))
        return false;
  return true;
}

Operands::Operands(const Signature &signature,
                   const std::vector<ArgumentData> &inputs)
    : signature(signature), inputs(&inputs), layout(signature) {}

std::unique_ptr<Operands>
Operands::create(const Signature &signature,
                 const std::vector<ArgumentData> &inputs,
                 std::span<const size_t> staggers) {
  std::unique_ptr<Operands> operands(new Operands(signature, inputs));
  if (!operands->allocate(staggers))
    return nullptr;
  return operands;
}

/// {allocated, aligned, offset, sizes, strides} of a row-major array.
static std::vector<int64_t> makeDescriptor(const Argument &argument,
                                           std::byte *data) {
  size_t rank = argument.shape.size();
  int64_t address = reinterpret_cast<int64_t>(data);
  std::vector<int64_t> words(3 + 2 * rank);
  words[0] = words[1] = address;
  int64_t stride = 1;
  for (size_t d = rank; d-- > 0;) {
    words[3 + d] = argument.shape[d];
    words[3 + rank + d] = stride;
    stride *= argument.shape[d];
  }
  return words;
}

bool Operands::allocate(std::span<const size_t> staggers) {
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    size_t stagger = i < staggers.size() ? staggers[i] : usualStagger(i);
    std::optional<GuardedBuffer> buffer = GuardedBuffer::create(
        argument.byteSize(), stagger, patternOf(argument.type));
    if (!buffer)
      return false;
    std::byte *data = buffer->data();
    buffers.push_back(std::move(*buffer));
    descriptors.push_back(argument.isMemRef ? makeDescriptor(argument, data)
                                            : std::vector<int64_t>());
    arguments.push_back(argument.isMemRef
                            ? static_cast<void *>(descriptors.back().data())
                            : data);
  }
  return true;
}

void Operands::use(const std::vector<ArgumentData> &others) {
  inputs = &others;
}

void Operands::fill(bool absolute) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::byte *data = buffers[i].data();
    std::copy((*inputs)[i].begin(), (*inputs)[i].end(), data);
    if (absolute)
      makeAbsolute(signature.arguments[i].type, data, (*inputs)[i].size());
  }
}

void Operands::restoreOutputs() {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (signature.arguments[i].isOutput)
      std::copy((*inputs)[i].begin(), (*inputs)[i].end(), buffers[i].data());
}

std::vector<std::span<std::byte>> Operands::writable() const {
  std::vector<std::span<std::byte>> parts;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (signature.arguments[i].isOutput)
      parts.push_back({buffers[i].data(), (*inputs)[i].size()});
  return parts;
}

/// Writes the line at `address` to memory and takes it out of all caches.
static void flushLine(const std::byte *address) {
#if defined(__x86_64__)
  asm volatile("clflush %0" ::"m"(*address) : "memory");
#elif defined(__aarch64__)
  asm volatile("dc civac, %0" ::"r"(address) : "memory");
#endif
}

/// Waits until all lines have been flushed.
static void awaitFlush() {
#if defined(__x86_64__)
  asm volatile("mfence" ::: "memory");
#elif defined(__aarch64__)
  asm volatile("dsb sy" ::: "memory");
#endif
}

void Operands::flush() {
  for (size_t i = 0; i < buffers.size(); ++i)
    for (size_t at = 0; at < (*inputs)[i].size(); at += lineBytes)
      flushLine(buffers[i].data() + at);
  awaitFlush();
}

void Operands::copyOutputs(std::byte *block) const {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (signature.arguments[i].isOutput)
      std::copy_n(buffers[i].data(), (*inputs)[i].size(),
                  block + layout.offset(i));
}

int Operands::firstDamaged() const {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!buffers[i].isIntact())
      return i;
  return -1;
}

int Operands::firstChanged() const {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!signature.arguments[i].isOutput && !(*inputs)[i].empty() &&
        std::memcmp((*inputs)[i].data(), buffers[i].data(),
                    (*inputs)[i].size()) != 0)
      return i;
  return -1;
}

template <typename T>
static int64_t countAbnormalIn(const std::byte *data, size_t byteSize) {
  int64_t count = 0;
  for (size_t at = 0; at < byteSize; at += sizeof(T)) {
    T value;
    std::memcpy(&value, data + at, sizeof(T));
    double magnitude = std::abs(double(value));
    count += !(magnitude == 0 || (magnitude >= formatOf<T>.smallest() &&
                                  magnitude <= formatOf<T>.largest()));
  }
  return count;
}

int64_t Operands::countAbnormal() const {
  int64_t count = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (argument.isOutput && isFloat(argument.type))
      count += withFloat(argument.type, [&](auto zero) {
        return countAbnormalIn<decltype(zero)>(buffers[i].data(),
                                               argument.byteSize());
      });
  }
  return count;
}

size_t Operands::usedBytes(const Signature &signature) {
  size_t total = 0;
  for (const Argument &argument : signature.arguments)
    total += innerBytes(argument.byteSize());
  return total;
}

size_t Operands::mappedBytes(const Signature &signature) {
  return usedBytes(signature) + signature.arguments.size() * 2 * hugePageBytes;
}
