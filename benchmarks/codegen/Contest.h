//===- Contest.h - Kernels that compute the same ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One set of operands, kernels that take turns on it, and whether they agree.
// All use the same memory, so that where it lies favors nobody, and each finds
// in the caches what the last one left.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_CONTEST_H
#define BACO_BENCHMARKS_CODEGEN_CONTEST_H

#include "Cases.h"
#include "SparseOperand.h"

#include "baco/Verification/Operands.h"

#include "llvm/Support/Error.h"

#include <functional>

namespace baco::benchmarks {

struct ContestOptions {
  /// For how long all kernels of a case are timed together, in seconds.
  double seconds = 4;
  /// The CPU for kernels of one thread.
  int cpu = 0;
};

/// Nanoseconds per execution, one for each round. Kernels that take much longer
/// than the others leave after the first.
using Times = std::vector<double>;

class Contest {
public:
  /// Operands, and the threads of the case, which must outlive it. Errors:
  /// operands of several types, no memory, too few cores.
  static llvm::Expected<std::unique_ptr<Contest>>
  create(const Case &target, runtime::Signature signature);

  /// Operands as kernels in C take them: where their data lie.
  llvm::Expected<void **> operandsOfC();
  /// Operands as `kernel` takes them.
  llvm::Expected<void **> operandsOf(const runtime::CompiledKernel &kernel);

  /// Runs `kernel` for the expected results.
  void setReference(const std::function<void()> &kernel);
  /// Runs `kernel` and compares: what differs, or nothing. Sets `timeNs` to
  /// what the run took.
  std::optional<std::string> findDifference(const std::function<void()> &kernel,
                                            double &timeNs);

  /// Times kernels in turn, the first of which is the one that the others are
  /// compared with. `estimates` is what they take roughly, 0 where that isn't
  /// known.
  llvm::Expected<std::vector<Times>>
  measure(const std::vector<std::function<void()>> &kernels,
          std::vector<double> estimates, const ContestOptions &options);

private:
  Contest(const Case &target, runtime::Signature signature)
      : target(target), signature(std::move(signature)) {}

  double timeOnce(const std::function<void()> &kernel, int64_t executions);
  std::vector<Times>
  takeTurns(const std::vector<std::function<void()>> &kernels,
            std::vector<double> estimates, double seconds);

  llvm::Error readSparse();
  /// The buffers of the sparse operand in `format`, if there is one.
  llvm::Expected<PackedBuffers *> pack(const sparse::CoordinateTensor &tensor,
                                       const sparse::StorageFormat &format);
  void **keep(std::vector<void *> pointers);

  const Case &target;
  /// Of dense operands.
  runtime::Signature signature;
  /// The sparse operand as C has it, and as the payload does if that has more
  /// dimensions.
  std::optional<sparse::CoordinateTensor> tensor, tensorOfPayload;
  std::vector<runtime::ArgumentData> inputs;
  std::unique_ptr<runtime::Operands> operands;
  struct Packed {
    const sparse::CoordinateTensor *entries;
    sparse::StorageFormat format;
    std::unique_ptr<PackedBuffers> buffers;
  };
  std::vector<Packed> packed;
  /// Arrays that were handed out; their places don't change.
  std::vector<std::unique_ptr<std::vector<void *>>> kept;
  void **ofC = nullptr;
  std::vector<std::byte> expected;
};

/// The ratio `theirs / ours` round by round, with its quartiles. Where one has
/// but a single time, that of the medians.
struct Ratio {
  double middle = 0, low = 0, high = 0;
  /// What the median may be, had there been more rounds: the upper end of its
  /// interval with 95 % confidence; `middle` where there are too few rounds for
  /// one.
  double most = 0;
  /// The lower end of that interval.
  double least = 0;
};
Ratio compareTimes(const Times &ours, const Times &theirs);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_CONTEST_H
