//===- Fibers.cpp - Stacks that take turns --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the C library's contexts.
//
//===----------------------------------------------------------------------===//

#include "Fibers.h"

#include <cstdint>
#include <sys/mman.h>

using namespace baco::runtime;

namespace {
/// Kernels have small frames, as their local memory lies elsewhere; but a
/// kernel that is unrolled a lot spills many vectors.
constexpr size_t stackBytes = 256 * 1024, guardBytes = 4096;

void runBody(unsigned low, unsigned high) {
  auto address = (static_cast<uint64_t>(high) << 32) | low;
  (*reinterpret_cast<const std::function<void()> *>(address))();
}
} // namespace

Fibers::~Fibers() { release(); }

void Fibers::release() {
  if (stacks)
    munmap(stacks, contexts.size() * stackBytes);
  stacks = nullptr;
  contexts.clear();
}

bool Fibers::reserve(size_t count) {
  if (count <= contexts.size())
    return true;
  release();
  void *memory =
      mmap(nullptr, count * stackBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  stacks = static_cast<std::byte *>(memory);
  contexts.resize(count);
  // Stacks grow towards the guard.
  for (size_t i = 0; i < count; ++i)
    if (mprotect(stacks + i * stackBytes, guardBytes, PROT_NONE) != 0) {
      release();
      return false;
    }
  return true;
}

void Fibers::start(size_t index, const std::function<void()> &body) {
  ucontext_t &context = contexts[index];
  getcontext(&context);
  context.uc_stack.ss_sp = stacks + index * stackBytes + guardBytes;
  context.uc_stack.ss_size = stackBytes - guardBytes;
  context.uc_link = &owner;
  // Arguments are ints.
  auto address = reinterpret_cast<uint64_t>(&body);
  makecontext(&context, reinterpret_cast<void (*)()>(runBody), 2,
              static_cast<unsigned>(address),
              static_cast<unsigned>(address >> 32));
}

void Fibers::resume(size_t index) {
  running = index;
  swapcontext(&owner, &contexts[index]);
}

void Fibers::pause() { swapcontext(&contexts[running], &owner); }
