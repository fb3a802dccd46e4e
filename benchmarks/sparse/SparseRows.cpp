//===- SparseRows.cpp - Sparse kernels and their data ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The extents of a case are those of its tensor, which is read for that.
//
//===----------------------------------------------------------------------===//

#include "SparseRows.h"

#include "baco/Sparse/TensorSource.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace baco;
using namespace baco::benchmarks;

namespace {
struct Data {
  std::string name, text;
  std::vector<int64_t> extents;
  int64_t entries;
  /// Rows, or slices of the first dimension, that aren't empty.
  int64_t filledRows;
  /// Of a tensor of order 3, how many times more fibers that aren't empty it
  /// has along the last dimension than along the one before it.
  double fiberRatio = 0;
};
} // namespace

static std::vector<std::string> generatedData(bool isSmall) {
  if (isSmall)
    return {"rmat(scale=6, degree=4)", "banded(rows=40, width=3, fill=0.5)",
            "skewed(extents=20x14x17, entries=300)",
            "skewed(extents=12x6x14x17, entries=300)"};
  return {"rmat(scale=14, degree=8)",
          "banded(rows=20000, width=8, fill=0.5)",
          "stencil(points=27, side=20)",
          "blocks(side=50, size=3)",
          "uniform(extents=10000x10000, entries=200000)",
          "uniform(extents=1000x500x100, entries=500000)",
          "skewed(extents=2000x1000x500, entries=300000)",
          "uniform(extents=500x30x400x300, entries=300000)",
          "skewed(extents=183x24x1140x1717, entries=300000)"};
}

/// Files of tensors in a folder, in the order of their names.
static llvm::Expected<std::vector<std::string>>
listFiles(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code error;
  llvm::sys::fs::directory_iterator at(folder, error), end;
  for (; !error && at != end; at.increment(error))
    if (sparse::formatOfFile(at->path()))
      files.push_back(at->path());
  if (error)
    return llvm::createStringError("--data: '" + folder +
                                   "' can't be read: " + error.message());
  llvm::sort(files);
  return files;
}

static int64_t countFilledRows(const sparse::CoordinateTensor &tensor) {
  std::vector<bool> isFilled(tensor.extents()[0]);
  for (size_t entry = 0; entry < tensor.numEntries(); ++entry)
    isFilled[tensor.coordinates(entry)[0]] = true;
  return llvm::count(isFilled, true);
}

/// The number of fibers along `dimension` of a tensor of order 3 that aren't
/// empty.
static int64_t countFilledFibers(const sparse::CoordinateTensor &tensor,
                                 size_t dimension) {
  size_t inner = dimension == 2 ? 1 : 2, outer = dimension == 0 ? 1 : 0;
  // Extents are below 2^31.
  std::vector<int64_t> fibers;
  for (size_t entry = 0; entry < tensor.numEntries(); ++entry) {
    std::span<const int64_t> at = tensor.coordinates(entry);
    fibers.push_back(at[outer] * tensor.extents()[inner] + at[inner]);
  }
  llvm::sort(fibers);
  return std::unique(fibers.begin(), fibers.end()) - fibers.begin();
}

static llvm::Expected<std::vector<Data>> readData(bool isSmall,
                                                  const std::string &folder) {
  std::vector<std::string> texts = generatedData(isSmall);
  if (!folder.empty()) {
    auto files = listFiles(folder);
    if (!files)
      return files.takeError();
    llvm::append_range(texts, *files);
  }
  std::vector<Data> all;
  for (const std::string &text : texts) {
    auto tensor = sparse::readTensor(text);
    if (!tensor)
      return llvm::createStringError(tensor.error().message);
    std::string name =
        llvm::sys::path::filename(text).split(".mtx").first.str();
    all.push_back({llvm::StringRef(name).split(".tns").first.str(), text,
                   tensor->extents(),
                   static_cast<int64_t>(tensor->numEntries()),
                   countFilledRows(*tensor)});
    if (tensor->extents().size() == 3)
      all.back().fiberRatio =
          static_cast<double>(countFilledFibers(*tensor, 2)) /
          static_cast<double>(countFilledFibers(*tensor, 1));
  }
  return all;
}

/// The order of loops that visits the fibers along dimension 1 of a tensor of
/// order 3. Extents that have divisors are split, with the loop in a tile
/// behind all others (lib/Schedule/AnnotateSparse.cpp).
static std::string interchangedOrder(llvm::ArrayRef<int64_t> extents) {
  int64_t numLoops = 3;
  std::string order;
  for (int64_t loop : {0, 2}) {
    order += std::to_string(loop) + ", ";
    bool isSplit = false;
    for (int64_t size = 2; size < extents[loop] && !isSplit; ++size)
      isSplit = extents[loop] % size == 0;
    if (isSplit)
      order += std::to_string(numLoops++) + ", ";
  }
  return "[" + order + "1]";
}

/// What a careful person would choose, knowing the kernel and the data:
/// README.md says why.
static std::string expertChoice(const std::string &kernel, const Data &data) {
  std::string choice = R"("positions": 32, "coordinates": 32)";
  bool hasEmptyRows = 4 * data.filledRows < 3 * data.extents[0];
  if (kernel == "spmv" && hasEmptyRows)
    choice += R"(, "format": "dcsr")";
  // Two vectors of 256 bits.
  constexpr int64_t longRow = 8;
  if (kernel == "spmv" && data.entries >= longRow * data.filledRows)
    choice += R"(, "vl": 4, "peel": 1)";
  if (kernel == "ttv" && data.fiberRatio > 2)
    choice += R"(, "unroll": 1, "order": )" + interchangedOrder(data.extents);
  if (kernel == "sddmm")
    choice += R"(, "vl": 16)";
  if (kernel == "sddmm" || kernel == "mttkrp")
    choice += R"(, "factor": 1)";
  return "{" + choice + "}";
}

static Case makeCase(const std::string &kernel, const Data &data,
                     const std::string &storage, int64_t columns) {
  Case result;
  result.name = data.name;
  if (columns > 0)
    result.name += ", N=" + std::to_string(columns);
  result.payload = kernel + ".mlir";
  result.isSingle = false;
  result.tensor = data.text;
  result.storage = storage;
  result.sizes = {{"ENTRIES", data.entries}};
  if (columns > 0)
    result.sizes.emplace_back("N", columns);
  result.expert = expertChoice(kernel, data);
  return result;
}

static Baseline clang(const std::string &label, const std::string &file,
                      const std::string &function) {
  return {.label = label,
          .group = label,
          .code = CSource{CSource::Clang, file, function}};
}

/// Kernels that a careful person writes in C, of which the fastest counts.
static std::vector<Baseline> byHand(const std::string &kernel) {
  std::vector<std::pair<std::string, std::string>> variants;
  if (kernel == "spmv")
    variants = {{"gathers", "gathers"}, {"loads", "loads"}};
  if (kernel == "spmm")
    variants = {{"4 sums", "4"}, {"8 sums", "8"}};
  std::vector<Baseline> baselines;
  for (const auto &[text, suffix] : variants) {
    baselines.push_back(
        clang("by hand, " + text, "hand.c", "kernel_" + kernel + "_" + suffix));
    baselines.back().group = "by hand";
  }
  return baselines;
}

static Case makeMatrixCase(const std::string &kernel, const Data &data,
                           int64_t columns) {
  Case result = makeCase(kernel, data, "dc", columns);
  if (kernel == "sddmm")
    result.tensor = "numbered(" + data.text + ")";
  result.sizes.emplace_back("ROWS", data.extents[0]);
  result.sizes.emplace_back("COLUMNS", data.extents[1]);
  result.reference = {CSource::Strict, "csr.c", "kernel_" + kernel};
  double terms = kernel == "sddmm" ? 2.0 * columns + 1
                                   : 2.0 * std::max<int64_t>(columns, 1);
  result.flops = terms * static_cast<double>(data.entries);
  result.baselines = {clang("clang", "csr.c", "kernel_" + kernel)};
  llvm::append_range(result.baselines, byHand(kernel));
  if (kernel != "sddmm")
    result.baselines.push_back(
        {.label = "Eigen",
         .group = "Eigen",
         .code = CSource{CSource::Clang, "eigen.cpp", "kernel_" + kernel}});
  return result;
}

static Case makeTensorCase(const std::string &kernel, const Data &data,
                           int64_t columns) {
  bool isTtv = kernel == "ttv";
  Case result = makeCase(kernel, data, isTtv ? "dcc" : "dccc", columns);
  llvm::StringRef letters = isTtv ? "IJK" : "IKLM";
  for (auto [letter, extent] : llvm::zip_equal(letters, data.extents))
    result.sizes.emplace_back(std::string(1, letter), extent);
  result.reference = {CSource::Strict, "csf.c", "kernel_" + kernel};
  result.flops = static_cast<double>(data.entries) *
                 (isTtv ? 2 : 4.0 * static_cast<double>(columns));
  result.baselines = {clang("clang", "csf.c", "kernel_" + kernel)};
  if (!isTtv)
    result.baselines.push_back(
        clang("clang, factored", "csf.c", "kernel_mttkrp_factored"));
  return result;
}

/// TACO's code for a kernel, with the compilers of which its users may have
/// either: GCC, which is TACO's default, believes its `restrict`.
static std::vector<Baseline> taco(const std::string &kernel) {
  TacoCode code;
  code.kernel = kernel;
  if (kernel == "spmv") {
    code.expression = "y(i) = B(i,k) * x(k)";
    code.formats = {"B:ds"};
  } else if (kernel == "spmm") {
    code.expression = "A(i,j) = B(i,k) * C(k,j)";
    code.formats = {"B:ds"};
  } else if (kernel == "sddmm") {
    code.expression = "A(i,j) = B(i,j) * C(i,k) * D(j,k)";
    code.formats = {"A:ds", "B:ds"};
  } else if (kernel == "ttv") {
    code.expression = "A(i,j) = B(i,j,k) * c(k)";
    code.formats = {"B:dss"};
  } else {
    code.expression = "A(i,j) = B(i,k,l,m) * C(k,j) * D(l,j) * E(m,j)";
    code.formats = {"B:dsss"};
  }
  TacoCode byGcc = code;
  byGcc.compiler = CSource::Gcc;
  return {{.label = "TACO", .group = "TACO", .code = std::move(code)},
          {.label = "TACO, gcc", .group = "TACO", .code = std::move(byGcc)}};
}

llvm::Expected<std::vector<Row>>
baco::benchmarks::makeSparseRows(bool isSmall, const std::string &folder) {
  auto data = readData(isSmall, folder);
  if (!data)
    return data.takeError();
  std::vector<Row> rows = {
      {"spmv", "sparse matrix times vector, f64", {}},
      {"spmm", "sparse matrix times matrix, f64", {}},
      {"sddmm", "products at the entries of a sparse matrix, f64", {}},
      {"ttv", "sparse tensor times vector, f64", {}},
      {"mttkrp", "sparse tensor of order 4 times Khatri-Rao product, f64", {}}};
  bool hasTaco = !llvm::sys::findProgramByName("taco").getError();
  auto add = [&](size_t row, Case added) {
    if (hasTaco)
      llvm::append_range(added.baselines, taco(rows[row].name));
    added.baselines.push_back(
        {.label = "sparsifier", .group = "sparsifier", .code = Sparsifier{}});
    addDefault(added);
    added.baselines.push_back({.label = "expert",
                               .group = "expert",
                               .code = FixedChoice{added.expert}});
    rows[row].cases.push_back(std::move(added));
  };
  // Columns of dense operands. The paper has 256 for products of matrices.
  int64_t few = isSmall ? 20 : 32;
  std::vector<int64_t> counts = {64, 256};
  if (isSmall)
    counts = {20};
  for (const Data &each : *data)
    switch (each.extents.size()) {
    case 2:
      add(0, makeMatrixCase("spmv", each, 0));
      for (int64_t count : counts) {
        add(1, makeMatrixCase("spmm", each, count));
        add(2, makeMatrixCase("sddmm", each, count));
      }
      break;
    case 3:
      add(3, makeTensorCase("ttv", each, 0));
      break;
    case 4:
      add(4, makeTensorCase("mttkrp", each, few));
      break;
    default:
      break;
    }
  return rows;
}
