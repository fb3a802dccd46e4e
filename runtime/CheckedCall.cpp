//===- CheckedCall.cpp - A call whose surroundings are hostile ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/CheckedCall.h"

#include "baco/Support/Sanitizer.h"
#include "baco/Verification/Heap.h"

#include <algorithm>
#include <alloca.h>
#include <sys/resource.h>

using namespace baco;
using namespace baco::runtime;

/// Query this early, because the sandbox forbids it later.
static const size_t usableStackBytes = [] {
  rlimit limit{};
  return getrlimit(RLIMIT_STACK, &limit) == 0
             ? static_cast<size_t>(limit.rlim_cur / 4)
             : poisonedStackBytes;
}();

__attribute__((noinline)) void runtime::poisonStack(Pattern pattern,
                                                    size_t bytes) {
  // A sanitizer has its own marks there.
  if (isAddressSanitized)
    return;
  bytes = std::min(bytes, usableStackBytes);
  void *below = alloca(bytes);
  fillWith(below, bytes, pattern);
  asm volatile("" ::"r"(below) : "memory");
}

#ifdef __x86_64__

namespace {
/// The state that calls leave; the assembly below knows the offsets.
struct LeftState {
  uint64_t savedRegistersDiffer = 0;
  uint64_t flags = 0;
  uint32_t mxcsr = 0;
  uint16_t x87Control = 0;
  uint16_t padding = 0;
  /// As FNSTENV stores it.
  uint32_t x87[7] = {};
};
} // namespace

// A null `pattern` leaves registers and the stack alone. With one, all bytes of
// the page below the return address have it, and so has %rax: LLVM's code
// pushes that to make room for a variable. Between the call and the return to
// C++ nothing may rely on what the kernel was to keep.
extern "C" void baco_call_checked(void (*entry)(void **), void **arguments,
                                  LeftState *left, const Pattern *pattern,
                                  bool hasVectors512);
static_assert(offsetof(Pattern, odd) == 8);
asm(R"(
  .text
  .p2align 4
  .local baco_call_checked
  .type baco_call_checked, @function
baco_call_checked:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  pushq %rbx
  .cfi_def_cfa_offset 24
  .cfi_offset %rbx, -24
  pushq %r12
  .cfi_def_cfa_offset 32
  .cfi_offset %r12, -32
  pushq %r13
  .cfi_def_cfa_offset 40
  .cfi_offset %r13, -40
  pushq %r14
  .cfi_def_cfa_offset 48
  .cfi_offset %r14, -48
  pushq %r15
  .cfi_def_cfa_offset 56
  .cfi_offset %r15, -56
  pushq %rdx
  .cfi_def_cfa_offset 64
  pushq %rdi
  .cfi_def_cfa_offset 72
  pushq %rdi
  .cfi_def_cfa_offset 80
  movq %rsi, %rdi
  testq %rcx, %rcx
  je 3f
  movq (%rcx), %rax
  movq 8(%rcx), %rdx
  leaq -4096(%rsp), %rsi
0:
  movq %rax, (%rsi)
  movq %rdx, 8(%rsi)
  addq $16, %rsi
  cmpq %rsp, %rsi
  jne 0b
  testb %r8b, %r8b
  je 1f
  vpbroadcastq (%rcx), %zmm16
  vmovdqa64 %zmm16, %zmm17
  vmovdqa64 %zmm16, %zmm18
  vmovdqa64 %zmm16, %zmm19
  vmovdqa64 %zmm16, %zmm20
  vmovdqa64 %zmm16, %zmm21
  vmovdqa64 %zmm16, %zmm22
  vmovdqa64 %zmm16, %zmm23
  vmovdqa64 %zmm16, %zmm24
  vmovdqa64 %zmm16, %zmm25
  vmovdqa64 %zmm16, %zmm26
  vmovdqa64 %zmm16, %zmm27
  vmovdqa64 %zmm16, %zmm28
  vmovdqa64 %zmm16, %zmm29
  vmovdqa64 %zmm16, %zmm30
  vmovdqa64 %zmm16, %zmm31
1:
  vpbroadcastq (%rcx), %ymm0
  vmovdqa %ymm0, %ymm1
  vmovdqa %ymm0, %ymm2
  vmovdqa %ymm0, %ymm3
  vmovdqa %ymm0, %ymm4
  vmovdqa %ymm0, %ymm5
  vmovdqa %ymm0, %ymm6
  vmovdqa %ymm0, %ymm7
  vmovdqa %ymm0, %ymm8
  vmovdqa %ymm0, %ymm9
  vmovdqa %ymm0, %ymm10
  vmovdqa %ymm0, %ymm11
  vmovdqa %ymm0, %ymm12
  vmovdqa %ymm0, %ymm13
  vmovdqa %ymm0, %ymm14
  vmovdqa %ymm0, %ymm15
  movq %rax, %rdx
  movq %rax, %rsi
  movq %rax, %r8
  movq %rax, %r9
  movq %rax, %r10
  movq %rax, %r11
  movq %rax, %rcx
3:
  movq $0x1b1b1b1b, %rbx
  movq $0x2b2b2b2b, %rbp
  movq $0x3b3b3b3b, %r12
  movq $0x4b4b4b4b, %r13
  movq $0x5b5b5b5b, %r14
  movq $0x6b6b6b6b, %r15
  callq *(%rsp)
  pushfq
  popq %rcx
  cld
  xorl %eax, %eax
  xorq $0x1b1b1b1b, %rbx
  orq %rbx, %rax
  xorq $0x2b2b2b2b, %rbp
  orq %rbp, %rax
  xorq $0x3b3b3b3b, %r12
  orq %r12, %rax
  xorq $0x4b4b4b4b, %r13
  orq %r13, %rax
  xorq $0x5b5b5b5b, %r14
  orq %r14, %rax
  xorq $0x6b6b6b6b, %r15
  orq %r15, %rax
  movq 16(%rsp), %rdx
  movq %rax, (%rdx)
  movq %rcx, 8(%rdx)
  stmxcsr 16(%rdx)
  fnstcw 20(%rdx)
  fnstenv 24(%rdx)
  vzeroupper
  addq $24, %rsp
  .cfi_def_cfa_offset 56
  popq %r15
  .cfi_def_cfa_offset 48
  popq %r14
  .cfi_def_cfa_offset 40
  popq %r13
  .cfi_def_cfa_offset 32
  popq %r12
  .cfi_def_cfa_offset 24
  popq %rbx
  .cfi_def_cfa_offset 16
  popq %rbp
  .cfi_def_cfa_offset 8
  retq
  .cfi_endproc
  .size baco_call_checked, .-baco_call_checked
)");

static uint32_t damageOf(const LeftState &left) {
  // By the System V ABI, section 3.2.1: the control bits of MXCSR and the x87
  // control word belong to the caller, the direction flag is clear, and the
  // processor is in x87 mode with an empty stack.
  constexpr uint32_t mxcsrControl = 0xffc0, mxcsrDefault = 0x1f80;
  constexpr uint16_t x87Default = 0x37f, allEmpty = 0xffff;
  constexpr uint64_t directionBit = 1 << 10;
  uint32_t damage = 0;
  if (left.savedRegistersDiffer)
    damage |= CalleeSaved;
  if (left.flags & directionBit)
    damage |= DirectionFlag;
  if ((left.mxcsr & mxcsrControl) != mxcsrDefault)
    damage |= FloatControl;
  uint32_t x87Top = left.x87[1] >> 11 & 7;
  if (left.x87Control != x87Default || x87Top != 0 ||
      static_cast<uint16_t>(left.x87[2]) != allEmpty)
    damage |= X87Unit;
  return damage;
}

static void restoreDefaults() {
  uint32_t mxcsr = 0x1f80;
  asm volatile("cld\n\tfninit\n\tldmxcsr %0" ::"m"(mxcsr));
}

__attribute__((noinline)) uint32_t runtime::callChecked(
    void (*entry)(void **), void **arguments, std::optional<Pattern> pattern) {
  static const bool hasVectors512 = __builtin_cpu_supports("avx512f");
  LeftState left;
  restoreDefaults();
  baco_call_checked(entry, arguments, &left, pattern ? &*pattern : nullptr,
                    hasVectors512);
  restoreDefaults();
  return damageOf(left);
}

uint32_t runtime::findAbiDamage() {
  LeftState left;
  asm volatile("pushfq\n\tpopq %0\n\tcld\n\tstmxcsr %1\n\tfnstcw %2\n\t"
               "fnstenv %3\n\tfldenv %3"
               : "=r"(left.flags), "=m"(left.mxcsr), "=m"(left.x87Control),
                 "=m"(left.x87));
  return damageOf(left);
}

#else

__attribute__((noinline))
uint32_t runtime::callChecked(void (*entry)(void **), void **arguments,
                              std::optional<Pattern> pattern) {
  constexpr size_t shallowBytes = 4096;
  if (pattern)
    poisonStack(*pattern, shallowBytes);
  entry(arguments);
  return 0;
}

uint32_t runtime::findAbiDamage() { return 0; }

#endif

std::string runtime::describeAbiDamage(uint32_t states) {
  if (states & CalleeSaved)
    return "did not restore a callee-saved register";
  if (states & DirectionFlag)
    return "left the direction flag set";
  if (states & FloatControl)
    return "changed the floating-point control register (MXCSR)";
  return "changed the state of the x87 unit (its control word or its stack)";
}
