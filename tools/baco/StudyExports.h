//===- StudyExports.h - baco study export -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_STUDYEXPORTS_H
#define BACO_TOOLS_BACO_STUDYEXPORTS_H

#include "Arguments.h"
#include "StudyTables.h"

namespace baco::tool {

/// The formats of `baco study export`, the usual one first.
inline constexpr std::string_view exportFormats[] = {
    "json", "csv", "t4", "kernel-tuner", "lighthouse", "library", "stock"};

/// Whether a file in the format holds any number of studies.
bool holdsManyStudies(std::string_view format);

/// The tuned library of `entries`, which are those of the database at `path`,
/// or the part of it for stock tools.
std::string writeLibrary(const std::vector<EntryText> &entries,
                         const std::string &path, bool isForStockTools);

/// The studies, exactly one unless holdsManyStudies, in one of exportFormats
/// that is of trials.
std::string exportStudies(const std::vector<StudySummary> &studies,
                          std::string_view format);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_STUDYEXPORTS_H
