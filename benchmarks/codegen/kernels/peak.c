//===- peak.c - The machine's peak in multiplications and additions -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// FLOPS operations of type T, all of them fused multiply-adds in registers:
// sixteen independent chains hide the latency of two units.

#ifdef __AVX512F__
#define BYTES 64
#else
#define BYTES 32
#endif
#define CHAINS 16

typedef T Vector __attribute__((vector_size(BYTES)));

void kernel(void **arguments) {
  Vector sums[CHAINS];
  for (int c = 0; c < CHAINS; ++c)
    sums[c] = (Vector){} + (T)c;
  Vector factor = (Vector){} + (T)0.5, addend = (Vector){} + (T)0.25;
  for (long i = 0; i < FLOPS / 2 / CHAINS / (long)(BYTES / sizeof(T)); ++i)
    for (int c = 0; c < CHAINS; ++c) {
      sums[c] = sums[c] * factor + addend;
      // No compiler may see that the chains converge.
      __asm__ volatile("" : "+v"(sums[c]));
    }
}
