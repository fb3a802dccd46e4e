//===- SparseCandidates.h - Candidates with a sparse argument ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of the test worker: y[i] += sum over k of A[i][k] * x[k], f64, each
// with A in a format of its own; right ones, and ones that are wrong in ways
// that only code for sparse tensors can be.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_RUNTIME_SPARSECANDIDATES_H
#define BACO_UNITTESTS_RUNTIME_SPARSECANDIDATES_H

#include "baco/Protocol/Candidate.h"

namespace baco::test {

/// The signature for the square matrix `source`.
runtime::Signature sparseSignature(const std::string &source, int64_t rows);

/// The candidate of that name, if there is one. "csr" is the plain one. Its
/// object code is its name.
std::optional<runtime::CompiledKernel>
findSparseKernel(const std::string &name);

} // namespace baco::test

#endif // BACO_UNITTESTS_RUNTIME_SPARSECANDIDATES_H
