//===- VectorMathTest.cpp - Tests of functions of vectors -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled vectors against the C library in double precision, over all of f32.
//
//===----------------------------------------------------------------------===//

#include "KernelMath.h"
#include "TestHelpers.h"

#include "baco/Target/CompileModule.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace baco;
using namespace baco::target;

namespace {
struct Function {
  const char *op;
  double (*exact)(double);
  /// The largest error to expect, in units in the last place.
  double bound;
};

/// The distance of two floats next to `value`, also if it is denormal.
double unitOf(double value) {
  int exponent;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent - 24, -149));
}
} // namespace

/// Floats of all magnitudes and both signs, and the special ones.
static std::vector<float> makeFloats() {
  std::vector<float> samples;
  // A prime that is no neighbor of a power of two.
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 4099)
    samples.push_back(std::bit_cast<float>(uint32_t(bits)));
  // Where these functions change most.
  for (int i = -200000; i < 200000; ++i)
    samples.push_back(float(i) / 1500);
  using Limits = std::numeric_limits<float>;
  for (float x : {0.0f, Limits::infinity(), Limits::quiet_NaN(), Limits::max(),
                  Limits::min(), Limits::denorm_min(), 1.0f})
    samples.insert(samples.end(), {x, -x});
  while (samples.size() % 16 != 0)
    samples.push_back(1);
  return samples;
}

namespace {
class VectorMathTest : public ModuleTest {
protected:
  /// What the op makes of each element, after `prepare` has changed the module;
  /// their number is a multiple of 16.
  std::vector<float> evaluate(const std::string &op,
                              std::vector<float> elements,
                              void (*prepare)(mlir::Operation *)) {
    std::string array = "memref<" + std::to_string(elements.size()) + "xf32>";
    auto module = parse("func.func @kernel(%x: " + array + R"() {
      affine.for %i = 0 to )" +
                        std::to_string(elements.size()) + R"( step 16 {
        %v = affine.vector_load %x[%i] : )" +
                        array + R"(, vector<16xf32>
        %r = )" + op + R"( %v : vector<16xf32>
        affine.vector_store %r, %x[%i] : )" +
                        array + R"(, vector<16xf32>
      }
      return
    })");
    if (prepare)
      prepare(*module);
    auto kernel = compileModule(*module, "kernel");
    if (!kernel) {
      ADD_FAILURE() << llvm::toString(kernel.takeError());
      return {};
    }
    int64_t address = reinterpret_cast<int64_t>(elements.data());
    int64_t words[5] = {address, address, 0, int64_t(elements.size()), 1};
    void *arguments[] = {words};
    kernel->entry(arguments);
    return elements;
  }

  /// `bases` to the power of `exponents`, as kernels compute it; their number
  /// is a multiple of 16.
  std::vector<float> raise(std::vector<float> bases,
                           std::vector<float> exponents) {
    std::string size = std::to_string(bases.size()),
                array = "memref<" + size + "xf32>";
    auto module = parse("func.func @kernel(%x: " + array + ", %y: " + array +
                        R"() {
      affine.for %i = 0 to )" +
                        size + R"( step 16 {
        %v = affine.vector_load %x[%i] : )" +
                        array + R"(, vector<16xf32>
        %w = affine.vector_load %y[%i] : )" +
                        array + R"(, vector<16xf32>
        %r = math.powf %v, %w : vector<16xf32>
        affine.vector_store %r, %x[%i] : )" +
                        array + R"(, vector<16xf32>
      }
      return
    })");
    expandPowers(*module);
    auto kernel = compileModule(*module, "kernel");
    if (!kernel) {
      ADD_FAILURE() << llvm::toString(kernel.takeError());
      return {};
    }
    auto addressOf = [](std::vector<float> &numbers) {
      return reinterpret_cast<int64_t>(numbers.data());
    };
    int64_t count = int64_t(bases.size());
    int64_t first[5] = {addressOf(bases), addressOf(bases), 0, count, 1},
            second[5] = {addressOf(exponents), addressOf(exponents), 0, count,
                         1};
    void *arguments[] = {first, second};
    kernel->entry(arguments);
    return bases;
  }

  /// Expects that errors are within their bounds.
  void check(llvm::ArrayRef<Function> functions,
             void (*prepare)(mlir::Operation *) = nullptr) {
    std::vector<float> samples = makeFloats();
    for (const Function &function : functions) {
      std::vector<float> results = evaluate(function.op, samples, prepare);
      ASSERT_EQ(results.size(), samples.size());
      double worst = 0;
      float where = 0;
      for (size_t i = 0; i < samples.size(); ++i) {
        double exact = function.exact(samples[i]);
        float nearest = float(exact);
        double error;
        if (std::isnan(exact))
          error = std::isnan(results[i]) ? 0 : INFINITY;
        else if (std::isinf(nearest) || std::isinf(results[i]) ||
                 std::isnan(results[i]))
          error = results[i] == nearest ? 0 : INFINITY;
        else
          error = std::abs(results[i] - exact) / unitOf(exact);
        if (error > worst) {
          worst = error;
          where = samples[i];
        }
      }
      EXPECT_LE(worst, function.bound)
          << function.op << " of " << where << " is off the most";
    }
  }
};
} // namespace

TEST_F(VectorMathTest, ErrorsAreSmall) {
  const Function functions[] = {
      {"math.exp", std::exp, 2},
      {"math.expm1", std::expm1, 4},
      {"math.log", std::log, 2},
      {"math.log2", std::log2, 4},
      {"math.log1p", std::log1p, 4},
      {"math.tanh", std::tanh, 5},
      {"math.erf", std::erf, 4},
      {"math.erfc", std::erfc, 4},
      {"math.asin", std::asin, 6},
      {"math.acos", std::acos, 4},
      // Of the C library, for each lane.
      {"math.sin", std::sin, 1},
      {"math.atan", std::atan, 1},
      {"math.cbrt", std::cbrt, 1},
      {"math.exp2", std::exp2, 1},
  };
  check(functions);
}

// Those in kernels for GPUs, compiled for this CPU.
TEST_F(VectorMathTest, ErrorsInKernelsAreSmall) {
  const Function turns[] = {{"math.sin", std::sin, 3},
                            {"math.cos", std::cos, 3},
                            {"math.tan", std::tan, 6}};
  check(turns, expandTrigonometry);
  const Function powers[] = {{"math.exp2", std::exp2, 1},
                             {"math.log10", std::log10, 1},
                             {"math.cbrt", std::cbrt, 1},
                             {"math.sinh", std::sinh, 1},
                             {"math.cosh", std::cosh, 1}};
  check(powers, expandPowers);
}

// All pairs of floats that matter to pow, and random ones.
TEST_F(VectorMathTest, PowersInKernelsAreThoseOfC) {
  std::vector<float> numbers = {0,        1,      2,           0.5f,
                                3,        1.5f,   1e-3,        1e3f,
                                1e-40,    0x1p24, 1e30f,       0x1p23 + 1,
                                INFINITY, NAN,    0.99999994f, 1.0000001f};
  for (size_t i = numbers.size(); i-- > 0;)
    numbers.push_back(-numbers[i]);
  std::mt19937 random(1);
  std::vector<float> bases, exponents;
  for (float base : numbers)
    for (float exponent : numbers) {
      bases.push_back(base);
      exponents.push_back(exponent);
    }
  for (int i = 0; i < 100000; ++i) {
    bases.push_back(std::exp(float(random() % 20000) / 200 - 50));
    exponents.push_back(float(random() % 40000) / 1000 - 20);
  }
  while (bases.size() % 16 != 0) {
    bases.push_back(1);
    exponents.push_back(1);
  }
  std::vector<float> results = raise(bases, exponents);
  ASSERT_EQ(results.size(), bases.size());
  for (size_t i = 0; i < bases.size(); ++i) {
    double exact = std::pow(double(bases[i]), double(exponents[i]));
    std::string which = std::to_string(bases[i]) + " to the " +
                        std::to_string(exponents[i]) + " is " +
                        std::to_string(results[i]);
    if (std::isnan(exact))
      EXPECT_TRUE(std::isnan(results[i])) << which;
    else if (std::isinf(float(exact)) || float(exact) == 0)
      EXPECT_EQ(results[i], float(exact)) << which;
    else
      EXPECT_LE(std::abs(results[i] - exact), unitOf(exact)) << which;
    EXPECT_TRUE(std::isnan(exact) ||
                std::signbit(results[i]) == std::signbit(exact))
        << which;
  }
}
