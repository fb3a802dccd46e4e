//===- StudyChanges.h - baco study merge, prune -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_STUDYCHANGES_H
#define BACO_TOOLS_BACO_STUDYCHANGES_H

#include "Arguments.h"

namespace baco::tool {

/// `baco study merge`, `baco study prune`; return the exit code.
int mergeStudies(const Arguments &arguments);
int pruneStudies(const Arguments &arguments);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_STUDYCHANGES_H
