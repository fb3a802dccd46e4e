//===- NvidiaGpu.cpp - Properties and limits of NVIDIA GPUs ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Support/NvidiaGpu.h"

using namespace baco;

static constexpr int64_t kiB = 1 << 10, miB = 1 << 20;

// clang-format off
static constexpr NvidiaGpu gpus[] = {
    //         resident       shared
    //         threads blocks memory     opt-in     reserved unit
    //         f32  f16  f64 int  matrix product       SMs  MHz   GB/s  L2
    {"sm_70",  2048, 32,  96 * kiB,  96 * kiB,  0,   256,
               64,  128, 32, 64, 512, "V100 SXM2", 80,  1530, 900,  6 * miB},
    {"sm_75",  1024, 16,  64 * kiB,  64 * kiB,  0,   256,
               64,  128, 2,  64, 512, "T4", 40,  1590, 320,  4 * miB},
    {"sm_80",  2048, 32, 164 * kiB, 163 * kiB,  kiB, 128,
               64,  256, 32, 64, 1024, "A100 SXM", 108, 1410, 1555, 40 * miB},
    {"sm_86",  1536, 16, 100 * kiB,  99 * kiB,  kiB, 128,
               128, 128, 2,  64, 512, "A10", 72,  1695, 600,  6 * miB},
    {"sm_87",  1536, 16, 164 * kiB, 163 * kiB,  kiB, 128,
               128, 256, 2,  64, 1024, "Jetson AGX Orin", 16, 1300, 204, 4 * miB},
    {"sm_89",  1536, 24, 100 * kiB,  99 * kiB,  kiB, 128,
               128, 128, 2,  64, 512, "L40S", 142, 2520, 864,  96 * miB},
    {"sm_90",  2048, 32, 228 * kiB, 227 * kiB,  kiB, 128,
               128, 256, 64, 64, 2048, "H100 SXM", 132, 1980, 3350, 50 * miB},
    {"sm_100", 2048, 32, 228 * kiB, 227 * kiB,  kiB, 128,
               128, 256, 64, 64, 4096, "B200", 148, 1965, 8000, 126 * miB},
    {"sm_103", 2048, 32, 228 * kiB, 227 * kiB,  kiB, 128,
               128, 256, 2,  64, 4096, "B300", 148, 1980, 8000, 126 * miB},
    {"sm_120", 1536, 24, 100 * kiB,  99 * kiB,  kiB, 128,
               128, 128, 2,  128, 256, "RTX 5090", 170, 2407, 1792, 96 * miB},
    {"sm_121", 1536, 24, 100 * kiB,  99 * kiB,  kiB, 128,
               128, 128, 2,  128, 512, "GB10", 48, 2520, 273, 24 * miB},
};
// clang-format on

const NvidiaGpu *baco::findNvidiaGpu(std::string_view chip) {
  if (chip.ends_with('a') || chip.ends_with('f'))
    chip.remove_suffix(1);
  for (const NvidiaGpu &gpu : gpus)
    if (gpu.chip == chip)
      return &gpu;
  return nullptr;
}

std::string baco::listNvidiaChips() {
  std::string list;
  for (const NvidiaGpu &gpu : gpus)
    list += (list.empty() ? "" : ", ") + std::string(gpu.chip);
  return list;
}
