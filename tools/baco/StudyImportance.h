//===- StudyImportance.h - baco study importance ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_STUDYIMPORTANCE_H
#define BACO_TOOLS_BACO_STUDYIMPORTANCE_H

#include "StudyTables.h"

namespace baco::tool {

/// How much the parameters of a study matter, as text or JSON. InvalidArgument
/// if it has too few trials that work.
Result<std::string> writeImportance(const StudySummary &study, uint64_t seed,
                                    bool isJson);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_STUDYIMPORTANCE_H
