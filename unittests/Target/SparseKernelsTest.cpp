//===- SparseKernelsTest.cpp - Tests of kernels on sparse tensors ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the kernels of the BaCO paper in many formats, and compares what
// they compute with loops over the list of entries. All numbers are small
// integers, so that sums are exact in any order.
//
//===----------------------------------------------------------------------===//

#include "CompilerTesting.h"

#include "baco/Runtime/Team.h"
#include "baco/Sparse/Generators.h"

#include <numeric>

using namespace baco;
using namespace baco::runtime;
using namespace baco::target;
using namespace baco::target::test;

namespace {
/// A vector in memory with its memref descriptor.
struct Buffer {
  Buffer(const void *data, size_t bytes, std::vector<int64_t> shape) {
    words.resize((bytes + 7) / 8 + 1);
    std::memcpy(words.data(), data, bytes);
    auto address = reinterpret_cast<int64_t>(words.data());
    descriptor = {address, address, 0};
    llvm::append_range(descriptor, shape);
    int64_t stride = std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                     std::multiplies<>());
    for (int64_t extent : shape) {
      stride = extent == 0 ? 0 : stride / extent;
      descriptor.push_back(stride);
    }
  }
  explicit Buffer(const std::vector<double> &numbers,
                  std::vector<int64_t> shape = {})
      : Buffer(numbers.data(), numbers.size() * sizeof(double),
               shape.empty() ? std::vector<int64_t>{std::ssize(numbers)}
                             : std::move(shape)) {}
  explicit Buffer(const sparse::IndexArray &numbers)
      : Buffer(numbers.data().data(), numbers.data().size(),
               {static_cast<int64_t>(numbers.size())}) {}

  std::vector<double> numbers(size_t count) const {
    std::vector<double> result(count);
    std::memcpy(result.data(), words.data(), count * sizeof(double));
    return result;
  }

  std::vector<int64_t> words, descriptor;
};

/// A kernel of one sparse operand b, dense ones, and a dense result.
struct Kernel {
  /// Extents of b, and of the dense operands.
  std::vector<int64_t> extents;
  std::vector<std::vector<int64_t>> dense;
  std::vector<int64_t> result;
  /// In the order of the operands, the result last.
  std::string maps, iterators;
};

/// Integers from -4 to 4.
double numberAt(size_t i) { return static_cast<double>(i * 7 % 9) - 4; }

std::vector<double> numbersOf(const std::vector<int64_t> &shape) {
  std::vector<double> numbers(
      std::accumulate(shape.begin(), shape.end(), size_t(1),
                      [](size_t a, int64_t b) { return a * size_t(b); }));
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = numberAt(i);
  return numbers;
}

std::string typeOf(const std::vector<int64_t> &shape,
                   const std::string &encoding = "") {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + "f64" + encoding + ">";
}

/// The payload, of which the result is zero before.
std::string payloadOf(const Kernel &kernel, const std::string &levels,
                      const std::string &attributes) {
  std::string result = typeOf(kernel.result);
  std::string arguments = "%b: " + typeOf(kernel.extents, ", #B");
  std::string operands = "%b", types = typeOf(kernel.extents, ", #B");
  std::string product = "%x", body;
  std::string block = "%x: f64";
  for (size_t i = 0; i < kernel.dense.size(); ++i) {
    std::string number = std::to_string(i);
    arguments += ", %d" + number + ": " + typeOf(kernel.dense[i]);
    operands += ", %d" + number;
    types += ", " + typeOf(kernel.dense[i]);
    block += ", %y" + number + ": f64";
    body += "%p" + number + " = arith.mulf " + product + ", %y" + number +
            " : f64\n";
    product = "%p" + number;
  }
  return "#B = #sparse_tensor.encoding<{" + levels +
         "}>\n"
         "func.func @f(" +
         arguments + ") -> " + result + " attributes {" + attributes +
         "} {\n"
         "%e = tensor.empty() : " +
         result +
         "\n"
         "%zero = arith.constant 0.0 : f64\n"
         "%z = linalg.fill ins(%zero : f64) outs(%e : " +
         result + ") -> " + result +
         "\n"
         "%r = linalg.generic {indexing_maps = [" +
         kernel.maps + "], iterator_types = [" + kernel.iterators + "]} ins(" +
         operands + " : " + types + ") outs(%z : " + result +
         ") attrs = {sorted = true} {\n^bb(" + block + ", %a: f64):\n" + body +
         "%s = arith.addf %a, " + product +
         " : f64\n"
         "linalg.yield %s : f64\n} -> " +
         result + "\nreturn %r : " + result + "\n}\n";
}

/// Entries of that shape, with small integers.
sparse::CoordinateTensor entriesOf(const std::vector<int64_t> &extents,
                                   const std::string &entries = "60") {
  std::string shape;
  for (int64_t extent : extents)
    shape += (shape.empty() ? "" : "x") + std::to_string(extent);
  auto drawn = sparse::generateTensor("uniform(extents=" + shape +
                                      ", entries=" + entries + ")");
  auto builder = sparse::TensorBuilder::create(extents);
  for (size_t e = 0; e < drawn->numEntries(); ++e)
    builder->add(drawn->coordinates(e), numberAt(3 * e + 1));
  return std::move(*builder).finish();
}

class SparseKernelsTest : public ::testing::Test {
protected:
  /// Compiles and calls a variant of the kernel.
  std::vector<double> run(const Kernel &kernel, CompiledKernel compiled,
                          const sparse::CoordinateTensor &tensor) {
    EXPECT_EQ(compiled.formats.size(), 1U);
    auto packed = sparse::pack(tensor, compiled.formats[0]);
    if (!packed) {
      ADD_FAILURE() << packed.error().message;
      return {};
    }
    std::vector<Buffer> buffers;
    for (size_t l = 0; l < packed->levels.size(); ++l) {
      sparse::LevelKind kind = compiled.formats[0].levels[l].kind;
      if (kind == sparse::LevelKind::Compressed)
        buffers.emplace_back(packed->levels[l].positions);
      if (kind != sparse::LevelKind::Dense)
        buffers.emplace_back(packed->levels[l].coordinates);
    }
    buffers.emplace_back(packed->values);
    for (const std::vector<int64_t> &shape : kernel.dense)
      buffers.emplace_back(numbersOf(shape), shape);
    // What it held doesn't matter.
    std::vector<double> result(numbersOf(kernel.result).size(), 1e300);
    buffers.emplace_back(result, kernel.result);
    std::vector<void *> arguments;
    for (Buffer &buffer : buffers)
      arguments.push_back(buffer.descriptor.data());
    compiled.entry(arguments.data());
    return buffers.back().numbers(result.size());
  }

  std::vector<double> runVariant(
      const Kernel &kernel, std::variant<CompiledKernel, CompileFailure> got,
      const sparse::CoordinateTensor &tensor) {
    if (auto *failure = std::get_if<CompileFailure>(&got)) {
      ADD_FAILURE() << failure->message;
      return {};
    }
    return run(kernel, std::get<CompiledKernel>(got), tensor);
  }
};

//===----------------------------------------------------------------------===//
// The kernels, and what they are to compute
//===----------------------------------------------------------------------===//

const Kernel spmv = {{13, 17},
                     {{17}},
                     {13},
                     "affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, "
                     "affine_map<(i, k) -> (i)>",
                     R"("parallel", "reduction")"};

std::vector<double> expectedSpmv(const sparse::CoordinateTensor &b) {
  std::vector<double> y(13);
  for (size_t e = 0; e < b.numEntries(); ++e)
    y[b.coordinates(e)[0]] += b.values()[e] * numberAt(b.coordinates(e)[1]);
  return y;
}

/// The order (i, k, j), or (k, i, j) for formats by columns.
Kernel spmm(bool isByColumns) {
  std::string order = isByColumns ? "(k, i, j)" : "(i, k, j)";
  return {{13, 17},
          {{17, 11}},
          {13, 11},
          "affine_map<" + order + " -> (i, k)>, affine_map<" + order +
              " -> (k, j)>, affine_map<" + order + " -> (i, j)>",
          isByColumns ? R"("reduction", "parallel", "parallel")"
                      : R"("parallel", "reduction", "parallel")"};
}

std::vector<double> expectedSpmm(const sparse::CoordinateTensor &b) {
  std::vector<double> a(13 * 11);
  for (size_t e = 0; e < b.numEntries(); ++e)
    for (int64_t j = 0; j < 11; ++j)
      a[b.coordinates(e)[0] * 11 + j] +=
          b.values()[e] * numberAt(b.coordinates(e)[1] * 11 + j);
  return a;
}

struct Case {
  const char *levels;
  bool isByColumns;
};

constexpr Case matrixCases[] = {
    {"map = (i, k) -> (i : dense, k : compressed)", false},
    {"map = (i, k) -> (k : dense, i : compressed)", true},
    {"map = (i, k) -> (i : compressed, k : compressed)", false},
    {"map = (i, k) -> (i : compressed(nonunique), k : singleton(soa))", false},
    {"map = (i, k) -> (i : dense, k : dense)", false},
};
} // namespace

TEST_F(SparseKernelsTest, SpmmInAllFormatsAndWidths) {
  for (const Case &one : matrixCases)
    for (const char *width : {"8", "16", "32", "64"})
      for (const char *options :
           {"", "baco.sparse_vl = 8", "baco.sparse_vl = 3",
            "baco.sparse_vl = 8, baco.sparse_simd32"}) {
        std::string levels = std::string(one.levels) + ", posWidth = " + width +
                             ", crdWidth = " + width;
        SCOPED_TRACE(levels + " " + options);
        Kernel kernel = spmm(one.isByColumns);
        sparse::CoordinateTensor b = entriesOf(kernel.extents);
        ModuleCompiler compiler;
        auto signature = compiler.setUp(setUpText(
            payloadOf(kernel, levels, options), "module {}"));
        ASSERT_TRUE(signature) << signature.error().message;
        EXPECT_EQ(runVariant(kernel, compiler.compilePlain(), b),
                  expectedSpmm(b));
      }
}
