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

#include "baco/Sparse/TensorSource.h"

#include <cstring>
#include <map>
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

/// A sum of products of a sparse operand and dense ones.
struct Kernel {
  /// A letter for each iterator, in the order of the loops.
  std::string iterators;
  /// Subscripts: of the sparse operand, of the dense ones, of the result.
  std::string sparse;
  std::vector<std::string> dense;
  std::string result;
  std::map<char, int64_t> extents;

  std::vector<int64_t> shapeOf(const std::string &subscripts) const {
    std::vector<int64_t> shape;
    for (char letter : subscripts)
      shape.push_back(extents.at(letter));
    return shape;
  }
  /// The element of a row-major tensor where the iterators have these values.
  size_t indexOf(const std::string &subscripts,
                 const std::map<char, int64_t> &values) const {
    int64_t index = 0;
    for (char letter : subscripts)
      index = index * extents.at(letter) + values.at(letter);
    return static_cast<size_t>(index);
  }
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

/// (i, k) of ik.
std::string listOf(const std::string &letters) {
  std::string text;
  for (char letter : letters)
    text += (text.empty() ? "" : ", ") + std::string(1, letter);
  return "(" + text + ")";
}

/// The payload, with `sum` of the result so far %a and the product %p. The
/// result is zero before.
std::string payloadOf(const Kernel &kernel, const std::string &levels,
                      const std::string &attributes,
                      const std::string &sum = "arith.addf %a, %p : f64") {
  std::string sparse = typeOf(kernel.shapeOf(kernel.sparse), ", #B");
  std::string result = typeOf(kernel.shapeOf(kernel.result));
  std::string maps, arguments = "%b: " + sparse, operands = "%b",
                    types = sparse, block = "%x: f64", product = "%x", body;
  auto addMap = [&](const std::string &subscripts) {
    maps += (maps.empty() ? "" : ", ") + std::string("affine_map<") +
            listOf(kernel.iterators) + " -> " + listOf(subscripts) + ">";
  };
  addMap(kernel.sparse);
  for (size_t i = 0; i < kernel.dense.size(); ++i) {
    std::string number = std::to_string(i),
                type = typeOf(kernel.shapeOf(kernel.dense[i]));
    addMap(kernel.dense[i]);
    arguments += ", %d" + number + ": " + type;
    operands += ", %d" + number;
    types += ", " + type;
    block += ", %y" + number + ": f64";
    bool isLast = i + 1 == kernel.dense.size();
    std::string name = isLast ? "%p" : "%p" + number;
    body += name + " = arith.mulf " + product + ", %y" + number + " : f64\n";
    product = name;
  }
  addMap(kernel.result);
  std::string kinds;
  for (char letter : kernel.iterators)
    kinds += std::string(kinds.empty() ? "" : ", ") +
             (llvm::is_contained(kernel.result, letter) ||
                      (letter != 'k' && kernel.result == "p")
                  ? "\"parallel\""
                  : "\"reduction\"");
  return "#B = #sparse_tensor.encoding<{" + levels + "}>\nfunc.func @f(" +
         arguments + ") -> " + result + " attributes {" + attributes +
         "} {\n%e = tensor.empty() : " + result +
         "\n%zero = arith.constant 0.0 : f64\n"
         "%z = linalg.fill ins(%zero : f64) outs(%e : " +
         result + ") -> " + result +
         "\n%r = linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [" + kinds + "]} ins(" + operands + " : " +
         types + ") outs(%z : " + result + ") attrs = {sorted = true} {\n^bb(" +
         block + ", %a: f64):\n" + body + "%s = " + sum +
         "\nlinalg.yield %s : f64\n} -> " + result + "\nreturn %r : " + result +
         "\n}\n";
}

/// What the kernel is to compute of the entries.
std::vector<double> expected(const Kernel &kernel,
                             const sparse::CoordinateTensor &b) {
  std::vector<double> result(numbersOf(kernel.shapeOf(kernel.result)).size());
  std::string free;
  for (char letter : kernel.iterators)
    if (!llvm::is_contained(kernel.sparse, letter))
      free += letter;
  std::vector<int64_t> shape = kernel.shapeOf(free);
  size_t points = numbersOf(shape).size();
  for (size_t e = 0; e < b.numEntries(); ++e) {
    std::map<char, int64_t> values;
    for (size_t d = 0; d < kernel.sparse.size(); ++d)
      values[kernel.sparse[d]] = b.coordinates(e)[d];
    for (size_t point = 0; point < points; ++point) {
      auto rest = static_cast<int64_t>(point);
      for (size_t f = free.size(); f-- > 0; rest /= shape[f])
        values[free[f]] = rest % shape[f];
      double product = b.values()[e];
      for (const std::string &subscripts : kernel.dense)
        product *= numberAt(kernel.indexOf(subscripts, values));
      result[kernel.indexOf(kernel.result, values)] += product;
    }
  }
  return result;
}

/// Entries of that shape, with small integers.
sparse::CoordinateTensor entriesOf(const std::vector<int64_t> &extents) {
  std::string shape;
  for (int64_t extent : extents)
    shape += (shape.empty() ? "" : "x") + std::to_string(extent);
  auto drawn =
      sparse::generateTensor("uniform(extents=" + shape + ", entries=60)");
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
    for (const std::string &subscripts : kernel.dense) {
      std::vector<int64_t> shape = kernel.shapeOf(subscripts);
      buffers.emplace_back(numbersOf(shape), shape);
    }
    // What it held doesn't matter.
    std::vector<int64_t> shape = kernel.shapeOf(kernel.result);
    std::vector<double> result(numbersOf(shape).size(), 1e300);
    buffers.emplace_back(result, shape);
    std::vector<void *> arguments;
    for (Buffer &buffer : buffers)
      arguments.push_back(buffer.descriptor.data());
    compiled.entry(arguments.data());
    return buffers.back().numbers(result.size());
  }

  std::vector<double>
  runVariant(const Kernel &kernel,
             std::variant<CompiledKernel, CompileFailure> got,
             const sparse::CoordinateTensor &tensor) {
    if (auto *failure = std::get_if<CompileFailure>(&got)) {
      ADD_FAILURE() << failure->message;
      return {};
    }
    return run(kernel, std::get<CompiledKernel>(got), tensor);
  }

  /// Compiles and calls the payload as it is.
  void expectRight(const Kernel &kernel, const std::string &levels,
                   const std::string &options) {
    SCOPED_TRACE(kernel.iterators + ": " + levels + " " + options);
    sparse::CoordinateTensor b = entriesOf(kernel.shapeOf(kernel.sparse));
    ModuleCompiler compiler;
    auto signature = compiler.setUp(
        setUpText(payloadOf(kernel, levels, options), "module {}"));
    ASSERT_TRUE(signature) << signature.error().message;
    EXPECT_EQ(runVariant(kernel, compiler.compilePlain(), b),
              expected(kernel, b));
  }
};

const Kernel spmv = {"ik", "ik", {"k"}, "i", {{'i', 13}, {'k', 17}}};
const Kernel spmm = {
    "ikj", "ik", {"kj"}, "ij", {{'i', 13}, {'k', 17}, {'j', 11}}};
const Kernel ttv = {"ijk", "ijk", {"k"}, "ij", {{'i', 5}, {'j', 6}, {'k', 7}}};
const Kernel mttkrp = {"iklmj",
                       "iklm",
                       {"kj", "lj", "mj"},
                       "ij",
                       {{'i', 5}, {'k', 4}, {'l', 3}, {'m', 6}, {'j', 9}}};

Kernel inOrder(Kernel kernel, const std::string &iterators) {
  kernel.iterators = iterators;
  return kernel;
}

struct Case {
  std::string levels;
  /// The loops over the levels.
  std::string order;
};

const Case matrixCases[] = {
    {"map = (i, k) -> (i : dense, k : compressed)", "ik"},
    {"map = (i, k) -> (k : dense, i : compressed)", "ki"},
    {"map = (i, k) -> (i : compressed, k : compressed)", "ik"},
    {"map = (i, k) -> (i : compressed(nonunique), k : singleton(soa))", "ik"},
    {"map = (i, k) -> (i : dense, k : dense)", "ik"},
};
} // namespace

TEST_F(SparseKernelsTest, MatricesInAllFormats) {
  for (const Case &one : matrixCases)
    for (const char *options :
         {"", "baco.sparse_vl = 8", "baco.sparse_vl = 8, baco.sparse_simd32",
          "baco.sparse_vl = 2, baco.sparse_peel",
          "baco.sparse_vl = 4, baco.sparse_peel, baco.sparse_simd32",
          "baco.sparse_factor", "baco.sparse_parallel = \"none\""}) {
      expectRight(inOrder(spmv, one.order), one.levels, options);
      expectRight(inOrder(spmm, one.order + "j"), one.levels, options);
    }
}

TEST_F(SparseKernelsTest, AllWidths) {
  for (const char *width : {"8", "16", "32", "64"})
    for (const char *options :
         {"baco.sparse_vl = 4, baco.sparse_simd32",
          "baco.sparse_vl = 4, baco.sparse_simd32, baco.sparse_peel",
          "baco.sparse_vl = 4, baco.sparse_peel"})
      expectRight(spmv,
                  matrixCases[0].levels + ", posWidth = " + width +
                      ", crdWidth = " + width,
                  options);
}

TEST_F(SparseKernelsTest, DenseIteratorsAnywhere) {
  for (const char *order : {"ijk", "jik"})
    for (const char *options : {"", "baco.sparse_vl = 3"})
      expectRight(inOrder(spmm, order), matrixCases[0].levels, options);
}

TEST_F(SparseKernelsTest, FactorsAreTakenOut) {
  for (const char *order : {"iklmj", "ikljm", "ikjlm", "ijklm", "jiklm"})
    for (const char *options :
         {"baco.sparse_factor", "baco.sparse_factor, baco.sparse_vl = 4",
          "baco.sparse_factor, baco.sparse_vl = 2, baco.sparse_peel"})
      expectRight(inOrder(mttkrp, order),
                  "map = (i, k, l, m) -> (i : dense, k : compressed, "
                  "l : dense, m : compressed), crdWidth = 8",
                  options);
}

// A tile of columns is summed in a vector unless it is too long for that.
TEST_F(SparseKernelsTest, ManyColumns) {
  Kernel wide = spmm;
  for (int64_t columns : {1, 2, 128, 129, 300}) {
    wide.extents['j'] = columns;
    for (const char *options : {"", "baco.sparse_vl = 4, baco.sparse_peel"})
      expectRight(wide, matrixCases[0].levels, options);
  }
}

TEST_F(SparseKernelsTest, TensorsOfHigherRank) {
  for (const char *options :
       {"", "baco.sparse_vl = 8", "baco.sparse_vl = 2, baco.sparse_peel"}) {
    expectRight(ttv,
                "map = (i, j, k) -> (i : compressed, j : compressed, "
                "k : compressed), posWidth = 32, crdWidth = 16",
                options);
    expectRight(ttv,
                "map = (i, j, k) -> (i : compressed(nonunique), "
                "j : singleton(nonunique, soa), k : singleton(soa))",
                options);
    expectRight(inOrder(ttv, "kij"),
                "map = (i, j, k) -> (k : dense, i : dense, j : compressed)",
                options);
    expectRight(mttkrp,
                "map = (i, k, l, m) -> (i : dense, k : compressed, "
                "l : compressed, m : compressed), crdWidth = 8",
                options);
  }
}

TEST_F(SparseKernelsTest, Blocks) {
  Kernel blocked = spmm;
  blocked.extents = {{'i', 12}, {'k', 16}, {'j', 7}};
  for (const char *options : {"", "baco.sparse_vl = 8",
                              "baco.sparse_parallel = \"dense-outer-loop\""}) {
    expectRight(blocked,
                "map = (i, k) -> (i floordiv 2 : dense, k floordiv 4 : "
                "compressed, i mod 2 : dense, k mod 4 : dense)",
                options);
    // Only one iterator has blocks, and any place among the others.
    for (const char *order : {"ikj", "jik", "kij"})
      for (const char *levels :
           {"map = (i, k) -> (i floordiv 2 : dense, i mod 2 : dense, "
            "k : compressed)",
            "map = (i, k) -> (i floordiv 2 : dense, k : compressed, "
            "i mod 2 : dense)",
            "map = (i, k) -> (i : dense, k floordiv 4 : compressed, "
            "k mod 4 : dense)"})
        expectRight(inOrder(blocked, order), levels, options);
    // A block of columns after the other.
    if (!llvm::StringRef(options).contains("parallel"))
      expectRight(blocked,
                  "map = (i, k) -> (k floordiv 4 : dense, i : dense, "
                  "k mod 4 : compressed)",
                  options);
  }
}

// Each with its iterators in other orders, of which those that are split have
// more: 4 visits the elements of tiles of i, and 5 those of k.
TEST_F(SparseKernelsTest, TilesOfLevels) {
  Kernel tiled = spmm;
  tiled.extents = {{'i', 12}, {'k', 16}, {'j', 6}};
  sparse::CoordinateTensor b = entriesOf({12, 16});
  for (const char *choice :
       {R"(format = "csr", order = array<i64: 0, 3, 1, 4, 2>,
           tiles = array<i64: 4, 8, 0>)",
        R"(format = "csc", order = array<i64: 1, 4, 2, 0, 3>,
           tiles = array<i64: 3, 2, 0>, vl = 4 : i64)",
        R"(format = "coo", order = array<i64: 1, 0, 4, 2, 3>,
           tiles = array<i64: 4, 8, 0>)",
        R"(format = "csf", order = array<i64: 1, 2, 0, 3, 4>,
           tiles = array<i64: 4, 8, 0>, coordinates = 8 : i64)",
        R"(format = "dense-dense-csf", order = array<i64: 1, 0, 4, 3, 2, 5>,
           tiles = array<i64: 6, 2, 3>)",
        R"(format = "dense-dense-csf", order = array<i64: 0, 3, 1, 4, 2>,
           tiles = array<i64: 4, 16, 0>, parallel = "dense-outer-loop")"}) {
    SCOPED_TRACE(choice);
    ModuleCompiler compiler;
    auto signature = compiler.setUp(
        setUpText(payloadOf(tiled, matrixCases[0].levels, ""),
                  R"(module attributes {transform.with_named_sequence} {
          transform.named_sequence @__transform_main(
              %root: !transform.any_op {transform.readonly}) {
            %op = transform.structured.match ops{["linalg.generic"]} in %root
              : (!transform.any_op) -> !transform.any_op
            %loops = transform.baco.sparsify %op {)" +
                      std::string(choice) +
                      R"(} : (!transform.any_op) -> !transform.any_op
            transform.yield
          }
        })"));
    ASSERT_TRUE(signature) << signature.error().message;
    EXPECT_EQ(runVariant(tiled, compiler.compile("{}"), b), expected(tiled, b));
  }
}

// A third coordinate, the entry's number, makes the result dense.
TEST_F(SparseKernelsTest, ResultPerEntry) {
  sparse::CoordinateTensor drawn = entriesOf({9, 12});
  auto count = static_cast<int64_t>(drawn.numEntries());
  Kernel sddmm = {"ijpk",
                  "ijp",
                  {"ik", "jk"},
                  "p",
                  {{'i', 9}, {'j', 12}, {'p', count}, {'k', 10}}};
  auto builder = sparse::TensorBuilder::create({9, 12, count});
  for (int64_t e = 0; e < count; ++e)
    builder->add(
        std::array{drawn.coordinates(e)[0], drawn.coordinates(e)[1], e},
        drawn.values()[e]);
  sparse::CoordinateTensor b = std::move(*builder).finish();
  for (const char *options : {"", "baco.sparse_vl = 8"}) {
    ModuleCompiler compiler;
    auto signature = compiler.setUp(setUpText(
        payloadOf(sddmm,
                  "map = (i, j, p) -> (i : dense, j : compressed(nonunique), "
                  "p : singleton(soa)), posWidth = 32, crdWidth = 32",
                  options),
        "module {}"));
    ASSERT_TRUE(signature) << signature.error().message;
    // Ten products are added to zero.
    EXPECT_EQ(signature->reductionLength, 11);
    EXPECT_EQ(runVariant(sddmm, compiler.compilePlain(), b),
              expected(sddmm, b));
  }
}

TEST_F(SparseKernelsTest, ParallelLoopsRunInTheTeam) {
  for (const auto &[levels, strategy] :
       {std::pair{matrixCases[0].levels, "dense-outer-loop"},
        std::pair{matrixCases[2].levels, "any-storage-outer-loop"}})
    for (const char *team :
         {"", ", baco.team_chunk = 4",
          ", baco.team_schedule = \"dynamic\", baco.team_chunk = 2",
          ", baco.team_schedule = \"guided\", baco.team_threads = 2"}) {
      SCOPED_TRACE(team);
      ModuleCompiler compiler;
      auto signature = compiler.setUp(
          setUpText(payloadOf(spmm, levels,
                              "baco.sparse_parallel = \"" +
                                  std::string(strategy) + "\"" + team),
                    "module {}"));
      ASSERT_TRUE(signature) << signature.error().message;
      sparse::CoordinateTensor b = entriesOf({13, 17});
      auto kernel = compiler.compilePlain();
      ASSERT_EQ(kernel.index(), 0U) << std::get<CompileFailure>(kernel).message;
      EXPECT_TRUE(std::get<CompiledKernel>(kernel).isParallel);
      EXPECT_EQ(runVariant(spmm, std::move(kernel), b), expected(spmm, b));
    }
}

TEST_F(SparseKernelsTest, ParallelReductionsAreRefused) {
  ModuleCompiler compiler;
  auto signature = compiler.setUp(
      setUpText(payloadOf(inOrder(spmm, "kij"), matrixCases[1].levels,
                          "baco.sparse_parallel = \"dense-outer-loop\""),
                "module {}"));
  ASSERT_TRUE(signature) << signature.error().message;
  EXPECT_NE(
      failureOf(compiler.compilePlain())
          .message.find("several of its iterations may write one element"),
      std::string::npos);
}

TEST_F(SparseKernelsTest, VariantsForVerification) {
  // What is subtracted needs a majorant and roundings.
  std::string difference = "arith.subf %a, %p : f64";
  sparse::CoordinateTensor b = entriesOf({13, 17});
  std::vector<double> sizes(13), differences(13);
  for (size_t e = 0; e < b.numEntries(); ++e) {
    double product = b.values()[e] * numberAt(b.coordinates(e)[1]);
    sizes[b.coordinates(e)[0]] += std::abs(product);
    differences[b.coordinates(e)[0]] -= product;
  }
  for (size_t one : {0, 2, 3}) {
    ModuleCompiler compiler;
    auto signature = compiler.setUp(setUpText(
        payloadOf(spmv, matrixCases[one].levels, "", difference), "module {}"));
    ASSERT_TRUE(signature) << signature.error().message;
    EXPECT_TRUE(compiler.needsErrorBound());
    EXPECT_TRUE(compiler.needsPerturbed());
    EXPECT_EQ(runVariant(spmv, compiler.compileReference(), b), differences);
    EXPECT_EQ(runVariant(spmv, compiler.compileChecked(), b), differences);
    EXPECT_EQ(runVariant(spmv, compiler.compileErrorBound(), b), sizes);
    std::vector<double> perturbed =
        runVariant(spmv, compiler.compilePerturbed(), b);
    EXPECT_NE(perturbed, differences);
    ASSERT_EQ(perturbed.size(), differences.size());
    for (size_t i = 0; i < differences.size(); ++i)
      EXPECT_NEAR(perturbed[i], differences[i], 1e-12);
  }
}

TEST_F(SparseKernelsTest, LoadedKernelsKnowTheirFormats) {
  ModuleCompiler compiler;
  ASSERT_TRUE(compiler.setUp(
      setUpText(payloadOf(spmv,
                          matrixCases[3].levels + ", posWidth = 16, "
                                                  "crdWidth = 8",
                          ""),
                "module {}")));
  auto kernel = compiler.compilePlain();
  ASSERT_EQ(kernel.index(), 0U) << std::get<CompileFailure>(kernel).message;
  ModuleCompiler other;
  auto loaded = other.load(std::get<CompiledKernel>(kernel).object, 0);
  ASSERT_EQ(loaded.index(), 0U) << std::get<CompileFailure>(loaded).message;
  const sparse::StorageFormat &format =
      std::get<CompiledKernel>(loaded).formats.at(0);
  EXPECT_EQ(format.positionWidth, 16U);
  EXPECT_EQ(format.coordinateWidth, 8U);
  ASSERT_EQ(format.levels.size(), 2U);
  EXPECT_FALSE(format.levels[0].isUnique);
  EXPECT_EQ(format.levels[1].kind, sparse::LevelKind::Singleton);
  EXPECT_EQ(format.levels[1].dimension, 1U);
  sparse::CoordinateTensor b = entriesOf({13, 17});
  EXPECT_EQ(runVariant(spmv, std::move(loaded), b), expected(spmv, b));
}

TEST_F(SparseKernelsTest, SignatureIsThatOfLogicalOperands) {
  ModuleCompiler compiler;
  auto signature = compiler.setUp(
      setUpText(payloadOf(spmm, matrixCases[0].levels, ""), "module {}"));
  ASSERT_TRUE(signature) << signature.error().message;
  ASSERT_EQ(signature->arguments.size(), 3U);
  const Argument &b = signature->arguments[0];
  EXPECT_TRUE(b.isSparse);
  EXPECT_FALSE(b.isOutput);
  EXPECT_EQ(b.shape, (std::vector<int64_t>{13, 17}));
  EXPECT_EQ(b.type, ElementType::F64);
  ASSERT_TRUE(b.source);
  EXPECT_EQ(b.source->kind, Source::Kind::Tensor);
  EXPECT_TRUE(sparse::generateTensor(b.source->file)) << b.source->file;
  EXPECT_FALSE(signature->arguments[1].isSparse);
  EXPECT_TRUE(signature->arguments[2].isOutput);
  EXPECT_FALSE(signature->arguments[2].isRead);
  // The length of a row, at most, and the zero before it.
  EXPECT_EQ(signature->reductionLength, 18);
  EXPECT_EQ(signature->productBytes, 0);
}

TEST_F(SparseKernelsTest, SaysWhatKernelsMayNotDo) {
  auto errorOf = [](const std::string &text) {
    ModuleCompiler compiler;
    auto signature = compiler.setUp(setUpText(text, "module {}"));
    return signature ? "no error" : signature.error().message;
  };
  EXPECT_EQ(errorOf(payloadOf(
                spmv, "map = (i, k) -> (i : batch, k : compressed)", "")),
            "function 'f' can't be called: the format of argument 0 isn't "
            "supported: level 0 is 'batch'; use 'dense'");
  std::string csr =
      "#B = #sparse_tensor.encoding<{" + matrixCases[0].levels + "}>\n";
  EXPECT_EQ(errorOf(csr + "func.func @f(%b: tensor<4x4xf64, #B>) -> "
                          "tensor<4x4xf64, #B> { return %b : "
                          "tensor<4x4xf64, #B> }"),
            "function 'f' can't be called: it returns a sparse tensor, which "
            "isn't supported; return a dense one, as of the entries' values");
}
