//===- ExtractReductions.h - Statements that accumulate ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_EXTRACTREDUCTIONS_H
#define BACO_LIB_LOOPNEST_EXTRACTREDUCTIONS_H

#include "baco/LoopNest/Extract.h"

namespace baco::loopnest {

/// The index of the write in `statement.accesses` if the statement is
/// `X[f] = X[f] op v`, where `op` is a sum (or difference), product, minimum or
/// maximum, possibly of several terms, and no other access refers to X.
std::optional<size_t> findReduction(const NestStatement &statement);

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_EXTRACTREDUCTIONS_H
