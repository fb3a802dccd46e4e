//===- Operands.cpp - A kernel's arguments in memory ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Operands.h"

#include "baco/Verification/Heap.h"
#include "baco/Verification/Placement.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sys/mman.h>
#include <utility>

using namespace baco;
using namespace baco::runtime;

static constexpr size_t pageBytes = 4096;
static constexpr size_t hugePageBytes = size_t{2} << 20;

static size_t roundUp(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Accessible bytes for `byteSize` bytes of data: `modulus` more than the data
/// leave room for every stagger.
static size_t innerBytesOf(size_t byteSize, size_t modulus) {
  return roundUp(byteSize + modulus, hugePageBytes);
}

static size_t modulusOf(const Argument &argument) {
  return std::max(pageBytes, argument.minAlignment());
}

static size_t innerBytesOf(const Argument &argument) {
  return innerBytesOf(argument.byteSize(), modulusOf(argument));
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

void runtime::useHugePages(std::span<std::byte> zeros) {
  size_t skipped = -reinterpret_cast<size_t>(zeros.data()) % hugePageBytes;
  if (zeros.size() < skipped + hugePageBytes)
    return;
  zeros = zeros.subspan(skipped);
  size_t bytes = zeros.size() / hugePageBytes * hugePageBytes;
  // Small pages that are there would stay. New ones hold zeros, too.
  madvise(zeros.data(), bytes, MADV_HUGEPAGE);
  madvise(zeros.data(), bytes, MADV_DONTNEED);
}

std::optional<GuardedBuffer>
GuardedBuffer::create(size_t byteSize, size_t stagger, uint64_t pattern,
                      size_t modulus, bool usesHugePages) {
  GuardedBuffer buffer;
  buffer.pattern = pattern;
  buffer.byteSize = byteSize;
  buffer.modulus = modulus;
  size_t inner = buffer.innerBytes = innerBytesOf(byteSize, modulus);
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
  std::byte *start = buffer.start =
      buffer.mapping + (roundUp(address + pageBytes, hugePageBytes) - address);
  if (mprotect(start, inner, PROT_READ | PROT_WRITE) != 0)
    return std::nullopt;
  // If huge pages are switched off, this has no effect, and times are noisier.
  if (usesHugePages)
    madvise(start, inner, MADV_HUGEPAGE);
  buffer.place(stagger, byteSize);
  return buffer;
}

void GuardedBuffer::place(size_t stagger, size_t newSize, End end) {
  byteSize = newSize;
  size_t room = innerBytes - byteSize;
  // The lowest or the highest place with the wanted remainder.
  size_t offset =
      end == End::Front ? stagger : room - (room - stagger) % modulus;
  begin = start + offset;
  // Check the nearest page on either side only: filling whole huge pages with
  // the pattern would take longer than the kernel.
  size_t before = std::min(offset, pageBytes);
  patterns = {begin - before, begin + byteSize};
  patternBytes = {before, std::min(room - offset, pageBytes)};
  for (size_t side : {0, 1})
    fillWith(patterns[side], patternBytes[side], {pattern, pattern});
}

GuardedBuffer::GuardedBuffer(GuardedBuffer &&other) noexcept
    : mapping(std::exchange(other.mapping, nullptr)),
      mappedBytes(other.mappedBytes), start(other.start),
      innerBytes(other.innerBytes), byteSize(other.byteSize),
      modulus(other.modulus), begin(other.begin), pattern(other.pattern),
      patterns(other.patterns), patternBytes(other.patternBytes) {}

GuardedBuffer::~GuardedBuffer() {
  if (mapping)
    munmap(mapping, mappedBytes);
}

bool GuardedBuffer::isIntact() const {
  auto holdsPattern = [&](const std::byte *bytes, size_t size) {
    // The bytes repeat after those of a word.
    return std::memcmp(bytes, &pattern, std::min(size, sizeof pattern)) == 0 &&
           (size <= sizeof pattern || std::memcmp(bytes, bytes + sizeof pattern,
                                                  size - sizeof pattern) == 0);
  };
  return holdsPattern(patterns[0], patternBytes[0]) &&
         holdsPattern(patterns[1], patternBytes[1]);
}

static InputViews viewsOf(const std::vector<ArgumentData> &inputs) {
  return {inputs.begin(), inputs.end()};
}

Operands::Operands(const Signature &signature, InputViews inputs,
                   std::span<const size_t> owners)
    : signature(&signature), inputs(std::move(inputs)),
      owners(owners.begin(), owners.end()), layout(signature) {}

std::unique_ptr<Operands> Operands::create(const Signature &signature,
                                           InputViews inputs,
                                           std::span<const size_t> staggers,
                                           std::span<const size_t> owners,
                                           bool usesHugePages) {
  std::unique_ptr<Operands> operands(
      new Operands(signature, std::move(inputs), owners));
  if (!operands->allocate(staggers, usesHugePages))
    return nullptr;
  return operands;
}

std::unique_ptr<Operands>
Operands::create(const Signature &signature,
                 const std::vector<ArgumentData> &inputs,
                 std::span<const size_t> staggers, bool usesHugePages) {
  return create(signature, viewsOf(inputs), staggers, /*owners=*/{},
                usesHugePages);
}

/// {allocated, aligned, offset, sizes, strides} of a row-major array.
static void describe(const Argument &argument, std::byte *data,
                     std::vector<int64_t> &words) {
  size_t rank = argument.shape.size();
  int64_t address = reinterpret_cast<int64_t>(data);
  words[0] = words[1] = address;
  int64_t stride = 1;
  for (size_t d = rank; d-- > 0;) {
    words[3 + d] = argument.shape[d];
    words[3 + rank + d] = stride;
    stride *= argument.shape[d];
  }
}

bool Operands::allocate(std::span<const size_t> staggers, bool usesHugePages) {
  for (size_t i = 0; i < signature->arguments.size(); ++i) {
    const Argument &argument = signature->arguments[i];
    timedStaggers.push_back(i < staggers.size() ? staggers[i]
                                                : usualStagger(i));
    std::optional<GuardedBuffer> buffer = GuardedBuffer::create(
        argument.byteSize(), 0, patternOf(argument.type), modulusOf(argument),
        usesHugePages || argument.isConstant);
    if (!buffer)
      return false;
    buffers.push_back(std::move(*buffer));
    // Scalars are pointed to when they have a place.
    size_t words = argument.isMemRef ? 3 + 2 * argument.shape.size() : 0;
    arguments.push_back(descriptors.emplace_back(words).data());
  }
  place(Addresses::Timed);
  return true;
}

/// The offset of argument number `i`, which is timed at `timed`, in its pages.
static size_t staggerOf(const Argument &argument, size_t i, size_t timed,
                        Addresses addresses) {
  size_t alignment = argument.minAlignment();
  size_t odd = timed / cacheLineBytes;
  constexpr size_t powers = 5;
  switch (addresses) {
  case Addresses::Timed:
    return alignment <= cacheLineBytes ? timed : odd * alignment;
  case Addresses::Pages:
    return 0;
  case Addresses::Ends:
    return (modulusOf(argument) - argument.byteSize() % modulusOf(argument)) /
           alignment * alignment;
  case Addresses::Least:
    return alignment < cacheLineBytes ? timed + alignment : odd * alignment;
  case Addresses::Powers:
    return std::max((2 * cacheLineBytes) << i % powers, alignment);
  }
  std::abort();
}

void Operands::place(Addresses wanted) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Argument &argument = signature->arguments[i];
    size_t stagger = staggerOf(argument, i, timedStaggers[i], wanted);
    buffers[i].place(stagger % modulusOf(argument), argument.byteSize(),
                     wanted == Addresses::Pages ? GuardedBuffer::End::Front
                                                : GuardedBuffer::End::Back);
    std::byte *data = buffers[i].data();
    if (argument.isMemRef)
      describe(argument, data, descriptors[i]);
    else
      arguments[i] = data;
  }
}

void Operands::use(const Signature &current, const InputViews &others,
                   Addresses wanted) {
  signature = &current;
  std::ranges::copy(others, inputs.begin());
  place(wanted);
}

void Operands::use(const std::vector<ArgumentData> &others, Addresses wanted) {
  use(*signature, viewsOf(others), wanted);
}

/// Whether `argument` isn't empty, isn't written, and is in separate memory.
static bool isProtectable(const Argument &argument) {
  return !argument.isOutput && argument.byteSize() > 0;
}

std::vector<std::span<std::byte>> Operands::protectable() const {
  std::vector<std::span<std::byte>> all;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (isProtectable(signature->arguments[i]))
      all.push_back(buffers[i].pages());
  return all;
}

void Operands::protect(bool isReadOnly) {
  for (std::span<std::byte> pages : protectable())
    mprotect(pages.data(), pages.size(),
             isReadOnly ? PROT_READ : PROT_READ | PROT_WRITE);
}

void Operands::fill(bool absolute) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::byte *data = buffers[i].data();
    std::copy(inputs[i].begin(), inputs[i].end(), data);
    if (absolute)
      makeAbsolute(signature->arguments[i].type, data, inputs[i].size());
  }
  chooseVaried();
}

void Operands::restoreOutputs() {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (signature->arguments[i].isOutput)
      std::copy(inputs[i].begin(), inputs[i].end(), buffers[i].data());
}

std::vector<std::span<std::byte>> Operands::writable() const {
  std::vector<std::span<std::byte>> parts;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (signature->arguments[i].isOutput)
      parts.emplace_back(buffers[i].data(), inputs[i].size());
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

void Operands::flush(std::span<std::byte> others) {
  auto flushLines = [](std::byte *first, size_t size) {
    for (size_t at = 0; at < size; at += cacheLineBytes)
      flushLine(first + at);
  };
  for (size_t i = 0; i < buffers.size(); ++i)
    flushLines(buffers[i].data(), inputs[i].size());
  flushLines(others.data(), others.size());
  awaitFlush();
}

void Operands::copyOutputs(std::byte *block) const {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (signature->arguments[i].isOutput)
      std::copy_n(buffers[i].data(), inputs[i].size(),
                  block + layout.offset(i));
}

int Operands::firstDamaged() const {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!buffers[i].isIntact())
      return ownerOf(i);
  return -1;
}

int Operands::firstChanged() const {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!signature->arguments[i].isOutput && !inputs[i].empty() &&
        std::memcmp(inputs[i].data(), buffers[i].data(), inputs[i].size()) != 0)
      return ownerOf(i);
  return -1;
}

std::optional<Operands::Place> Operands::placeOf(const void *address) const {
  const auto *at = static_cast<const std::byte *>(address);
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::span<std::byte> pages = buffers[i].pages();
    const std::byte *first = pages.data(), *end = first + pages.size();
    bool isInPages = at >= first && at < end;
    if (at < first - pageBytes || at >= end + pageBytes ||
        (isInPages && !isProtectable(signature->arguments[i])))
      continue;
    const std::byte *data = buffers[i].data();
    return Place{ownerOf(i), at >= data && at < data + inputs[i].size()};
  }
  return std::nullopt;
}

bool Operands::holdOutputs(const std::byte *block) const {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (signature->arguments[i].isOutput && !inputs[i].empty() &&
        std::memcmp(buffers[i].data(), block + layout.offset(i),
                    inputs[i].size()) != 0)
      return false;
  return true;
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
    const Argument &argument = signature->arguments[i];
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
    total += innerBytesOf(argument);
  return total;
}

size_t Operands::mappedBytes(const Signature &signature) {
  // Sorting entries, packing them and the buffers each take as much as the
  // entries, in most formats. A dimension may be divided between two levels,
  // each with two buffers.
  constexpr size_t copies = 4, buffersPerDimension = 4;
  size_t total = 0, count = 0;
  for (const Argument &argument : signature.arguments) {
    size_t bytes = innerBytesOf(argument);
    size_t parts =
        argument.isSparse ? buffersPerDimension * argument.shape.size() : 0;
    total += argument.isSparse ? copies * bytes + parts * hugePageBytes : bytes;
    count += 1 + parts;
  }
  return total + count * 2 * hugePageBytes;
}
