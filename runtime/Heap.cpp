//===- Heap.cpp - What new memory holds -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Heap.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <malloc.h>

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

extern "C" {
// glibc's own, under the names that it has for programs like this one.
void *__libc_malloc(size_t size);
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

#endif // BACO_OWN_MALLOC
