//===- StockCheck.h - Does a stock mlir-opt make the same? ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries of a tuned library that are marked stock need nothing of baco.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_STOCKCHECK_H
#define BACO_BENCHMARKS_CODEGEN_STOCKCHECK_H

#include "CaseRunner.h"

namespace baco::benchmarks {

class StockCheck {
public:
  /// `settings` must outlive it.
  explicit StockCheck(const RunSettings &settings) : settings(settings) {}

  /// Applies the library in the file `library`, which has one function's entry,
  /// to `payload` by a stock mlir-opt, if the entry is stock. Says that the IR
  /// is that in the file `applied`, or why the entry isn't stock; an error if
  /// the IR is another one. New files are beside `payload`.
  llvm::Expected<std::string> check(const std::string &payload,
                                    const std::string &library,
                                    const std::string &applied) const;

private:
  llvm::Expected<std::string> writeStockPayload(const std::string &payload,
                                                bool isMarked) const;

  const RunSettings &settings;
};

/// The first function in which the modules in two files differ, or that only
/// one has; empty if they are the same. Locations and target options, which
/// stock tools ignore, don't count.
llvm::Expected<std::string> findModuleDifference(const std::string &file,
                                                 const std::string &other);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_STOCKCHECK_H
