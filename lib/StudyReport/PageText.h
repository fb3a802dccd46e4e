//===- PageText.h - The page without its data -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_STUDYREPORT_PAGETEXT_H
#define BACO_LIB_STUDYREPORT_PAGETEXT_H

#include <string_view>

namespace baco::studyreport {

/// The page before and after the JSON of a report, both made by
/// EmbedPage.cmake; empty if there is no library of plots.
extern const std::string_view pageBeforeData, pageAfterData;

} // namespace baco::studyreport

#endif // BACO_LIB_STUDYREPORT_PAGETEXT_H
