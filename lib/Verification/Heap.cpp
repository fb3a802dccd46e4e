//===- Heap.cpp - Contents of new memory ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Heap.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <malloc.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||           \
    !defined(__GLIBC__)
#define BACO_OWN_MALLOC 0
#elif defined(__has_feature)
#define BACO_OWN_MALLOC                                                        \
  (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) &&    \
   !__has_feature(memory_sanitizer))
#else
#define BACO_OWN_MALLOC 1
#endif

const bool runtime::canPoisonHeap = BACO_OWN_MALLOC;

static bool isPoisoned;
static Pattern poison;

void runtime::poisonHeap(std::optional<Pattern> pattern) {
  poison = pattern.value_or(Pattern{});
  isPoisoned = pattern.has_value();
}

void runtime::fillWith(void *data, size_t size, Pattern pattern) {
  auto *bytes = static_cast<unsigned char *>(data);
  size_t at = 0;
  for (; at + sizeof pattern <= size; at += sizeof pattern)
    std::memcpy(bytes + at, &pattern, sizeof pattern);
  std::memcpy(bytes + at, &pattern, size - at);
}

#if BACO_OWN_MALLOC

/// glibc's initial value, and the largest that it chooses by itself.
static constexpr size_t minThreshold = 128 << 10, largestThreshold = 32 << 20;
/// From which size on blocks are mapped, if it is ours to say; or 0.
static size_t mapThreshold;

static void setThreshold(size_t bytes) {
  mapThreshold = bytes;
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(bytes));
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(2 * bytes));
}

/// The word before a block of glibc's: its size, and flags in the lowest bits.
static size_t headerOf(const void *block) {
  return static_cast<const size_t *>(block)[-1];
}
static constexpr size_t isMapped = 2, allFlags = 7;

/// Whether nothing but the free end of the heap is behind a block that isn't
/// mapped.
static bool isLast(void *block) {
  char *behind = static_cast<char *>(block) + (headerOf(block) & ~allFlags);
  return behind + (headerOf(behind) & ~allFlags) ==
         static_cast<char *>(sbrk(0)) + 2 * sizeof(size_t);
}

extern "C" {
// glibc's own, under the names that it has for programs like this one.
void *__libc_malloc(size_t size);
void __libc_free(void *block);
void *__libc_memalign(size_t alignment, size_t size);
void *__libc_realloc(void *block, size_t size);

/// Include the unused rest of a block, because the block may grow into it.
static void *poisoned(void *block, size_t kept = 0) {
  if (__builtin_expect(!isPoisoned, true) || !block)
    return block;
  size_t size = malloc_usable_size(block);
  if (size > kept)
    fillWith(static_cast<char *>(block) + kept, size - kept, poison);
  return block;
}

void *malloc(size_t size) noexcept { return poisoned(__libc_malloc(size)); }

/// glibc's rule for thresholds that nobody has set.
void free(void *block) noexcept {
  if (__builtin_expect(mapThreshold > 0 && block, false)) {
    size_t size = headerOf(block) & ~allFlags;
    if ((headerOf(block) & isMapped) && size > mapThreshold &&
        size <= largestThreshold)
      setThreshold(size);
  }
  __libc_free(block);
}

void *memalign(size_t alignment, size_t size) noexcept {
  return poisoned(__libc_memalign(alignment, size));
}

void *realloc(void *block, size_t size) noexcept {
  size_t kept = isPoisoned && block ? malloc_usable_size(block) : 0;
  return poisoned(__libc_realloc(block, size), kept);
}

void *aligned_alloc(size_t alignment, size_t size) noexcept {
  return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) noexcept {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 ||
      alignment == 0)
    return EINVAL;
  int outer = errno;
  void *result = memalign(alignment, size);
  errno = outer;
  if (!result)
    return ENOMEM;
  *block = result;
  return 0;
}
} // extern "C"

void runtime::startHeapAnew() {
  constexpr size_t minHole = 64 << 10, largestHole = 16 << 20;
  setThreshold(largestThreshold);
  // Blocks that fill holes are never freed.
  for (size_t size = largestHole; size >= minHole; size /= 2)
    while (void *block = __libc_malloc(size - sizeof(size_t)))
      if ((headerOf(block) & isMapped) || isLast(block)) {
        __libc_free(block);
        break;
      }
  setThreshold(minThreshold);
  malloc_trim(minThreshold);
}

#else

void runtime::startHeapAnew() {}

#endif // BACO_OWN_MALLOC
