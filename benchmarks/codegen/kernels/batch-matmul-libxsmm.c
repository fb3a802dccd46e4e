//===- batch-matmul-libxsmm.c - Batched matrix multiplication by libxsmm --===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// C[b] += A[b] * B[b] for COUNT matrices of N x N, each by the kernel that
// libxsmm makes for this size.

enum { count = COUNT, extent = N };
#undef N
#undef T

#include <libxsmm.h>

void kernel(void **arguments) {
  const float(*A)[extent * extent] = arguments[0];
  const float(*B)[extent * extent] = arguments[1];
  float(*C)[extent * extent] = arguments[2];
  static libxsmm_smmfunction multiply;
  const float one = 1;
  if (!multiply)
    multiply = libxsmm_smmdispatch(extent, extent, extent, 0, 0, 0, &one, &one,
                                   0, 0);
  // Its matrices are by columns, and so the transposed ones: C' += B' A'.
  for (int b = 0; b < count; ++b)
    multiply(B[b], A[b], C[b]);
}
