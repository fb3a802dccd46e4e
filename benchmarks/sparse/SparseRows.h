//===- SparseRows.h - Sparse kernels and their data -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SPARSE_SPARSEROWS_H
#define BACO_BENCHMARKS_SPARSE_SPARSEROWS_H

#include "Cases.h"

#include "llvm/Support/Error.h"

namespace baco::benchmarks {

/// A row for each of the five kernels that BaCO's paper takes from TACO
/// (section 5.1), on generated tensors, and on those of the folder `data`,
/// unless it is empty: files that lib/Sparse reads. Those of two dimensions are
/// for products of matrices, of three for TTV, of four for MTTKRP.
llvm::Expected<std::vector<Row>> makeSparseRows(bool isSmall,
                                                const std::string &data);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_SPARSE_SPARSEROWS_H
