//===- MeasuredGpusTest.cpp - Tests of the option gpus --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/MeasuredGpus.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::driver;

/// Two of one model, and another one.
static std::vector<runtime::CudaDeviceFacts> makeGpus() {
  std::vector<runtime::CudaDeviceFacts> gpus(3);
  for (size_t i = 0; i < gpus.size(); ++i) {
    gpus[i].name = "H200";
    gpus[i].uuid = std::to_string(i);
    gpus[i].multiprocessors = i == 1 ? 114 : 132;
  }
  return gpus;
}

TEST(MeasuredGpusTest, NumbersChoose) {
  auto uuids = [](const char *text, size_t numGpus) {
    auto gpus = makeGpus();
    gpus.resize(numGpus);
    auto selected = selectGpus(gpus, text);
    if (!selected)
      return selected.error().message;
    std::string joined;
    for (const auto &gpu : *selected)
      joined += gpu.uuid;
    return joined;
  };
  EXPECT_EQ(uuids("0", 3), "0");
  EXPECT_EQ(uuids("1", 3), "1");
  EXPECT_EQ(uuids("2, 0", 3), "20");
  EXPECT_EQ(uuids("all", 1), "0");
  EXPECT_EQ(uuids("all", 3),
            "gpus=all: GPU 0 (H200) and GPU 1 (H200) are different models, "
            "whose times can't be compared; choose GPUs of one model");
  EXPECT_EQ(uuids("3", 3), "gpus=3: there is no GPU 3; the NVIDIA driver has "
                           "GPUs 0 to 2");
  EXPECT_EQ(uuids("1", 1),
            "gpus=1: there is no GPU 1; the NVIDIA driver has GPU 0");
  EXPECT_EQ(uuids("2,0,2", 3), "gpus=2,0,2: GPU 2 is there twice");
  for (const char *wrong : {"", ",", "0,", "-1", "0x1", "ALL", "0;2", "1e9",
                            "99999999999999999999"})
    EXPECT_EQ(uuids(wrong, 3),
              "gpus=" + std::string(wrong) +
                  ": give all, or numbers of GPUs with commas between, as 0,2");
}
