//===- StockSparsifier.h - What upstream's tools make of it -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way to machine code that a user has without baco: mlir-opt,
// mlir-translate and clang.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_STOCKSPARSIFIER_H
#define BACO_BENCHMARKS_CODEGEN_STOCKSPARSIFIER_H

#include "baco/Protocol/Candidate.h"

#include "llvm/Support/Error.h"

namespace baco::benchmarks {

/// Compiles the function `kernel` of `file`, whose first argument of
/// `numArguments` (an output that it returns counts) is a sparse tensor of
/// `format`, by stock tools of which `optimizer` is mlir-opt. What they make is
/// in files whose names begin with `stem`.
llvm::Expected<runtime::CompiledKernel>
compileByStockTools(const std::string &file,
                    const sparse::StorageFormat &format, size_t numArguments,
                    const std::string &optimizer, const std::string &stem);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_STOCKSPARSIFIER_H
