//===- Heap.h - Fill of new memory ------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs that link this have a malloc that can fill the blocks that it
// returns. glibc's own M_PERTURB skips blocks from a thread's cache, as most
// small ones are. The memory is glibc's, and so are all other functions.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_VERIFICATION_HEAP_H
#define BACO_VERIFICATION_HEAP_H

#include <cstddef>
#include <cstdint>
#include <optional>

namespace baco::runtime {

/// Whether new memory can be filled: not with a sanitizer's allocator.
extern const bool canPoisonHeap;

/// Two words that are repeated in turns.
struct Pattern {
  uint64_t even = 0, odd = 0;
};

/// From here on memory from malloc, aligned_alloc, memalign and posix_memalign
/// (and so from `new`), and what realloc adds to a block, holds this pattern;
/// without a value, whatever it holds. No effect unless canPoisonHeap. Applies
/// to all threads; not to be called while another thread allocates.
void poisonHeap(std::optional<Pattern> pattern);

/// Makes the heap of this process, which may have been used a lot, behave for
/// what is allocated from now on as that of a new program does: no free block
/// of 64 KiB or more is below its end, and glibc's thresholds, from which on
/// blocks are mapped and free memory goes back to the system (mallopt(3),
/// M_MMAP_THRESHOLD), begin at 128 KiB and grow with what is freed. A kernel
/// that frees large buffers then pays for their pages in each call, as it does
/// in a program. Call it while there is one thread. No effect unless
/// canPoisonHeap.
void startHeapAnew();

/// Fills `size` bytes, from the first one on.
void fillWith(void *data, size_t size, Pattern pattern);

} // namespace baco::runtime

#endif // BACO_VERIFICATION_HEAP_H
