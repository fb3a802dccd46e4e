//===- CheckedCallTest.cpp - Tests of hostile surroundings ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/CheckedCall.h"

#include "baco/Support/Sanitizer.h"
#include "baco/Verification/Check.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>

using namespace baco;
using namespace baco::runtime;

/// How many of the words are of the pattern.
static int countPattern(const volatile uint64_t *words, int count,
                        Pattern pattern) {
  int found = 0;
  for (int i = 0; i < count; ++i)
    found += words[i] == pattern.even || words[i] == pattern.odd;
  return found;
}

static constexpr int numWords = 4000;

__attribute__((noinline)) static void looksAtTheStack(void **arguments) {
  uint64_t words[numWords];
  uint64_t *memory = words;
  asm volatile("" : "+r"(memory) : : "memory");
  *static_cast<int *>(arguments[0]) =
      countPattern(memory, numWords, patternOf(Filling::Huge));
}

TEST(CheckedCallTest, TheStackHoldsThePattern) {
  if (isAddressSanitized)
    GTEST_SKIP() << "a sanitizer has its own stack";
  int found = 0;
  void *arguments[] = {&found};
  poisonStack(patternOf(Filling::Huge));
  EXPECT_EQ(callChecked(looksAtTheStack, arguments, patternOf(Filling::Huge)),
            0u);
  // But for a few that the call itself has written.
  EXPECT_GE(found, numWords - 16);
}

TEST(CheckedCallTest, NewMemoryHoldsThePattern) {
  if (!canPoisonHeap)
    GTEST_SKIP() << "a sanitizer has its own allocator";
  for (size_t bytes : {8, 16, 24, 100, 1000, 5000, 200000, 10000000}) {
    // So that there are free blocks of that size.
    for (int i = 0; i < 3; ++i)
      std::free(std::malloc(bytes));
    poisonHeap(patternOf(Filling::HugeNegative));
    auto *block = static_cast<unsigned char *>(std::malloc(bytes));
    auto *aligned = static_cast<unsigned char *>(std::aligned_alloc(64, bytes));
    std::unique_ptr<unsigned char[]> array(new unsigned char[bytes]);
    poisonHeap(std::nullopt);
    for (unsigned char *memory : {block, aligned, array.get()}) {
      asm volatile("" : "+r"(memory) : : "memory");
      EXPECT_EQ(memory[0], 0xfa) << bytes;
      EXPECT_EQ(memory[bytes - 1], (bytes - 1) / 8 % 2 ? 0x7b : 0xfa) << bytes;
    }
    std::free(block);
    std::free(aligned);
  }
}

#ifdef __x86_64__
/// Stores the slot that `pushq %rax` makes, as LLVM does for a variable that
/// fills it, and the word below.
__attribute__((naked)) static void takesTheSlot(void **) {
  asm("pushq %rax\n\t"
      "movq (%rdi), %rdx\n\t"
      "movq (%rsp), %rax\n\t"
      "movq %rax, (%rdx)\n\t"
      "movq -8(%rsp), %rax\n\t"
      "movq %rax, 8(%rdx)\n\t"
      "popq %rax\n\t"
      "retq");
}

TEST(CheckedCallTest, TheFirstSlotsHoldThePattern) {
  for (Filling filling : {Filling::Huge, Filling::HugeNegative}) {
    uint64_t words[2] = {};
    void *arguments[] = {words};
    Pattern pattern = patternOf(filling);
    EXPECT_EQ(callChecked(takesTheSlot, arguments, pattern), 0u);
    EXPECT_EQ(countPattern(words, 2, pattern), 2);
    EXPECT_NE(words[1], words[0] == pattern.even ? pattern.even : pattern.odd)
        << "of both signs";
  }
}

TEST(CheckedCallTest, NamesStateThatIsNotRestored) {
  auto damageOf = [](void (*kernel)(void **)) {
    return callChecked(kernel, nullptr, std::nullopt);
  };
  EXPECT_EQ(damageOf([](void **) {}), 0u);
  EXPECT_EQ(damageOf([](void **) { asm volatile("std"); }), DirectionFlag);
  EXPECT_EQ(damageOf([](void **) { asm volatile("fld1"); }), X87Unit);
  EXPECT_EQ(damageOf([](void **) { asm volatile("pxor %mm0, %mm0"); }),
            X87Unit);
  EXPECT_EQ(damageOf([](void **) { asm volatile("movq $1, %rbx"); }),
            CalleeSaved);
  EXPECT_EQ(damageOf([](void **) {
              uint32_t flushing = 0x9f80;
              asm volatile("ldmxcsr %0" ::"m"(flushing));
            }),
            FloatControl);
  // What exceptions there were is nobody's.
  EXPECT_EQ(damageOf([](void **) {
              uint32_t flagged = 0x1fbf;
              asm volatile("ldmxcsr %0" ::"m"(flagged));
            }),
            0u);
  // It is all as it must be again.
  EXPECT_EQ(findAbiDamage(), 0u);
  EXPECT_EQ(describeAbiDamage(DirectionFlag), "left the direction flag set");
}
#endif
