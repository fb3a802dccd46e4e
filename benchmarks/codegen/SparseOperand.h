//===- SparseOperand.h - A sparse operand in any format ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sparse operand of a case. Its competitors take it in formats of their
// own, so that each has its own buffers; dense operands are shared.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_SPARSEOPERAND_H
#define BACO_BENCHMARKS_CODEGEN_SPARSEOPERAND_H

#include "baco/Sparse/Storage.h"
#include "baco/Verification/Operands.h"

#include "llvm/Support/Error.h"

namespace baco::benchmarks {

/// The buffers of one format: positions and coordinates of each level, as far
/// as it has them, and values.
class PackedBuffers {
public:
  static llvm::Expected<std::unique_ptr<PackedBuffers>>
  create(const sparse::CoordinateTensor &tensor,
         const sparse::StorageFormat &format, bool isSingle);

  /// Where the elements lie.
  std::vector<void *> data() const;
  /// Memref descriptors of rank 1.
  std::vector<void *> descriptors();

private:
  PackedBuffers() = default;
  llvm::Error add(const std::byte *bytes, size_t count, size_t elementSize);

  std::vector<runtime::GuardedBuffer> buffers;
  /// {allocated, aligned, offset, size, stride}.
  std::vector<std::array<int64_t, 5>> words;
};

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_SPARSEOPERAND_H
