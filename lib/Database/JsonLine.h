//===- JsonLine.h - Lines of JSON -------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exports and journals have a line for each study, trial and final.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DATABASE_JSONLINE_H
#define BACO_LIB_DATABASE_JSONLINE_H

#include "baco/Database/Final.h"
#include "baco/Support/Json.h"

#include <string_view>

namespace baco::database {

/// tryParseJson of a line, with the depth of what we write.
Json parseLine(std::string_view line);

/// Reads the member "final" that `writeFinalJson` writes; nullopt if it has
/// another form, or is inconsistent.
std::optional<Final> readFinalJson(const Json &json);

/// Times of rounds, an array of positive numbers; nullopt if it isn't one.
std::optional<std::vector<double>> readRounds(const Json &json);

} // namespace baco::database

#endif // BACO_LIB_DATABASE_JSONLINE_H
