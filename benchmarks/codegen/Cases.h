//===- Cases.h - What is compared -------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of the table, their cases, and what stands beside ours in each: data
// only. A case is a payload in MLIR with sizes, and baselines that compute the
// same.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_CASES_H
#define BACO_BENCHMARKS_CODEGEN_CASES_H

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace baco::benchmarks {

/// A C or C++ source under `kernels/`, compiled for this machine.
struct CSource {
  enum Compiler { Clang, Gcc, Polly, Strict };
  /// `Strict` is Clang without reassociation and contraction: the reference.
  Compiler compiler = Clang;
  std::string file;
  std::string function = "kernel";
  /// Link calls of expf and the like to the vector functions of libmvec.
  bool usesVectorMath = false;
  /// -ffast-math.
  bool isFast = true;
  /// Further ones, and those of libraries, which come last.
  std::vector<std::string> flags = {}, libraries = {};
};

/// What TACO's tool generates for an expression by its default schedule.
struct TacoCode {
  CSource::Compiler compiler = CSource::Clang;
  /// The function `kernel_KERNEL` in `taco.c` passes our operands to it.
  std::string kernel;
  /// As the tool takes it: `y(i) = B(i,k) * x(k)`.
  std::string expression;
  /// Of tensors that aren't dense: `B:ds`.
  std::vector<std::string> formats;
};

/// What a library makes of the case: of its sizes M, N, K and the like.
struct LibraryCall {
  /// As BlasLibrary::Kind.
  enum Library { OpenBlas, Blis, Atlas, OneDnn };
  enum Routine {
    /// C += A B.
    Gemm,
    /// B := L^-1 B.
    Trsm,
    /// A convolution as one product with a matrix of patches.
    ConvolutionByGemm,
    /// A product for each matrix of a batch.
    GemmLoop,
  };
  Library library = OpenBlas;
  Routine routine = Gemm;
};

std::string nameOf(LibraryCall::Library library);

/// Another payload that we tune, for comparison.
struct OtherPayload {
  std::string file;
};

/// The case's own payload with these values of its schedule's knobs, a JSON
/// object; the others, and all if it is empty, have their defaults.
struct FixedChoice {
  std::string configuration;
};

/// The case's own payload, tuned with a recipe for each op.
struct WithoutGroups {};

/// The case's own payload, with a sparse operand, by upstream's tools and
/// clang.
struct Sparsifier {};

/// One competitor.
struct Baseline {
  /// Unique within the case.
  std::string label;
  /// What a bar names. Of several baselines in a group the fastest counts.
  std::string group;
  std::variant<CSource, LibraryCall, OtherPayload, FixedChoice, WithoutGroups,
               Sparsifier, TacoCode>
      code;
  /// Floating-point operations, if not those of the case: a roofline's.
  double flops = 0;
  /// Rooflines compute something else.
  bool isRoofline = false;
};

/// What the operands hold.
enum class Contents {
  /// Uniform in [-1, 1).
  Uniform,
  /// The same, but the first operand is a square matrix that can be solved
  /// with: small beside its diagonal, which is in [1, 2).
  Solvable,
};

struct Case {
  /// Unique within the row.
  std::string name;
  /// A file under `kernels/` with a function `kernel`, with placeholders: see
  /// expandTemplate. Its schedule is its own, or else an automatic one.
  std::string payload;
  /// Macros of the C sources, and values of placeholders.
  std::vector<std::pair<std::string, int64_t>> sizes;
  /// Placeholders that are no numbers; `T`, the element type, goes without
  /// saying.
  std::vector<std::pair<std::string, std::string>> words = {};
  bool isSingle = true;
  /// The independent result.
  CSource reference;
  /// Of one execution. Where `bytes` is given, rates are in GB/s.
  double flops = 0, bytes = 0;
  /// The kernel works on its own output, which must be restored before each
  /// execution.
  bool isInPlace = false;
  Contents contents = Contents::Uniform;
  /// Whether the plain lowering is measured, too: it may take minutes.
  bool hasPlain = true;
  /// What the first operand, if it is sparse, has for entries: see
  /// sparse::readTensor.
  std::string tensor = {};
  /// How C sources take its first dimensions: a level for each, dense (`d`) or
  /// compressed (`c`).
  std::string storage = {};
  /// What a careful person would choose, as a FixedChoice has it; empty if
  /// nobody said.
  std::string expert = {};
  /// That schedules may use. More than one: by the wall clock.
  int threads = 1;
  std::vector<Baseline> baselines = {};

  /// One of `sizes`, which must be there.
  int64_t size(const std::string &wanted) const;
};

struct Row {
  std::string name;
  std::string title;
  std::vector<Case> cases;
};

/// All rows; with `isSmall`, every case has sizes that take no time.
std::vector<Row> makeRows(bool isSmall);

/// The PolyBench row.
Row makePolyBenchRow(bool isSmall);

/// Three layers of products, bias and relu, on tensors and in memory.
Row makeMlpRow(bool isSmall);

/// Heads of attention, on tensors and in memory.
Row makeAttentionRow(bool isSmall);

/// 3 x 3 convolutions of ResNet, against compilers and libraries.
Row makeConvRow(bool isSmall);

/// Convolutions and products of the networks of benchmarks/models with constant
/// weights, against oneDNN's own formats and the default.
Row makeLayersRow(bool isSmall);

/// The most that the machine computes.
Baseline peak();

Baseline library(LibraryCall::Library library, LibraryCall::Routine routine);

/// C += A B.
Case matmulCase(int64_t m, int64_t n, int64_t k, bool isSingle);

/// Orders of the loops in C, by the names of the functions.
void addOrders(Case &target, const std::string &file,
               std::initializer_list<const char *> orders);

/// Where nothing is tuned, the default of the automatic schedule is checked.
void addDefault(Case &target);

/// Cases of one kernel over a range of sizes, the first one being that for
/// which it is tuned. For rows matmul, trsm and jacobi; else empty.
std::vector<Case> makeSweep(const std::string &row, bool isSmall);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_CASES_H
