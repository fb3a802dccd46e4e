//===- NarrowToBF16Test.cpp - Tests of rounding f64 to bf16 ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled code against APFloat, next to where rounding changes its mind.
//
//===----------------------------------------------------------------------===//

#include "TestHelpers.h"

#include "baco/Target/CompileModule.h"

#include "llvm/ADT/APFloat.h"

#include <array>
#include <bit>
#include <cmath>

using namespace baco;
using namespace baco::target;
using llvm::APFloat;

/// Every bf16 and the middles between neighbors, themselves and with their
/// last bits changed as f64 and as f32, and what is beyond.
static std::vector<double> makeSamples() {
  std::vector<double> samples{1e300, -1e300, 1e-300, -1e-300, 5e-324};
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    for (uint32_t half : {0u, 0x8000u}) {
      double middle = std::bit_cast<float>(bits << 16 | half);
      samples.push_back(middle);
      for (double part : {std::ldexp(1, -52), std::ldexp(1, -30),
                          std::ldexp(1, -24), std::ldexp(1, -23)})
        for (double sign : {1.0, -1.0})
          samples.push_back(middle * (1 + sign * part));
    }
  samples.resize((samples.size() + 7) / 8 * 8);
  return samples;
}

namespace {
class NarrowToBF16Test : public ModuleTest {
protected:
  /// `load` and `store` access `step` elements at once: a vector of `shape`,
  /// or a scalar if that is empty.
  void expectExact(const std::string &load, const std::string &store, int step,
                   const std::string &shape);
};
} // namespace

void NarrowToBF16Test::expectExact(const std::string &load,
                                   const std::string &store, int step,
                                   const std::string &shape) {
  std::vector<double> samples = makeSamples();
  std::vector<uint16_t> results(samples.size());
  std::string count = std::to_string(samples.size());
  auto array = [&](const std::string &element) {
    return "memref<" + count + "x" + element + ">";
  };
  auto type = [&](const std::string &element) {
    return shape.empty() ? element : "vector<" + shape + element + ">";
  };
  auto vector = [&](const std::string &element) {
    return shape.empty() ? "" : ", " + type(element);
  };
  auto module = parse(
      "func.func @kernel(%x: " + array("f64") + ", %y: " + array("bf16") +
      ") {\n affine.for %i = 0 to " + count + " step " + std::to_string(step) +
      " {\n %v = " + load + " %x[%i] : " + array("f64") + vector("f64") +
      "\n %r = arith.truncf %v : " + type("f64") + " to " + type("bf16") +
      "\n " + store + " %r, %y[%i] : " + array("bf16") + vector("bf16") +
      "\n }\n return\n }");
  auto kernel = compileModule(*module, "kernel");
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  auto descriptor = [&](void *data) {
    int64_t address = reinterpret_cast<int64_t>(data);
    return std::array<int64_t, 5>{address, address, 0, int64_t(samples.size()),
                                  1};
  };
  auto x = descriptor(samples.data()), y = descriptor(results.data());
  void *arguments[] = {x.data(), y.data()};
  kernel->entry(arguments);
  for (size_t i = 0; i < samples.size(); ++i) {
    // Instructions from f32 to bf16 take denormals as 0.
    if (std::fabs(samples[i]) < 0x1p-126)
      continue;
    APFloat exact(samples[i]);
    bool losesInfo;
    exact.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &losesInfo);
    APFloat result(APFloat::BFloat(), llvm::APInt(16, results[i]));
    EXPECT_TRUE(exact.isNaN() ? result.isNaN() : exact.bitwiseIsEqual(result))
        << std::hexfloat << samples[i];
  }
}

TEST_F(NarrowToBF16Test, RoundsScalarsOnce) {
  expectExact("affine.load", "affine.store", 1, "");
}

TEST_F(NarrowToBF16Test, RoundsVectorsOnce) {
  expectExact("affine.vector_load", "affine.vector_store", 8, "8x");
}
