//===- Fibers.cpp - Stacks that take turns --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By Boost's contexts, because each switch of the C library's asks the system
// for the mask of signals. They don't unwind a fiber that is dropped, unlike
// Boost's own fibers.
//
//===----------------------------------------------------------------------===//

#include "Fibers.h"

#include <cstdlib>
#include <sanitizer/asan_interface.h>
#include <sys/mman.h>

using namespace baco::runtime;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

/// Kernels have small frames, as their local memory lies elsewhere; but a
/// kernel that is unrolled a lot spills many vectors.
static constexpr size_t stackBytes = 256 * 1024, guardBytes = 4096;

Fibers::~Fibers() { release(); }

void Fibers::release() {
  if (stacks)
    munmap(stacks, fibers.size() * stackBytes);
  stacks = nullptr;
  fibers.clear();
}

bool Fibers::reserve(size_t count) {
  if (count <= fibers.size())
    return true;
  release();
  void *memory =
      mmap(nullptr, count * stackBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  stacks = static_cast<std::byte *>(memory);
  fibers.resize(count);
  // Stacks grow towards the guard.
  for (size_t i = 0; i < count; ++i)
    if (mprotect(stacks + i * stackBytes, guardBytes, PROT_NONE) != 0) {
      release();
      return false;
    }
  return true;
}

void Fibers::run(transfer_t entered) {
  auto &self = *static_cast<Fibers *>(entered.data);
  self.owner = entered.fctx;
  (*self.fibers[self.running].body)();
  jump_fcontext(self.owner, nullptr);
  // An ended fiber is not continued.
  std::abort();
}

void Fibers::start(size_t index, const std::function<void()> &body) {
  std::byte *top = stacks + (index + 1) * stackBytes;
  // A fiber that was dropped has left the marks of its frames there.
  ASAN_UNPOISON_MEMORY_REGION(stacks + index * stackBytes + guardBytes,
                              stackBytes - guardBytes);
  fibers[index] = {make_fcontext(top, stackBytes - guardBytes, run), &body};
}

void Fibers::resume(size_t index) {
  running = index;
  fibers[index].context = jump_fcontext(fibers[index].context, this).fctx;
}

void Fibers::pause() { owner = jump_fcontext(owner, nullptr).fctx; }
