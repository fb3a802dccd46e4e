//===- StudyCompare.h - baco study compare ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches of one space side by side: how good their results are, and how fast
// they came.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_STUDYCOMPARE_H
#define BACO_TOOLS_BACO_STUDYCOMPARE_H

#include "StudyTables.h"

namespace baco::tool {

/// A row for each study, in their order, and the parameters in which their best
/// configurations differ; as text or JSON. All figures are of single trials, as
/// the searches saw them; trials that failed in a final comparison count as
/// failed. InvalidArgument, naming two studies, if their spaces or the units of
/// their results differ.
std::string compareStudies(const std::vector<StudySummary> &studies,
                           bool isJson);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_STUDYCOMPARE_H
