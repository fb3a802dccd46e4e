//===- FinalJson.h - Reading final comparisons ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that the text forms of final comparisons share; the public header
// doesn't depend on the JSON library.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DATABASE_FINALJSON_H
#define BACO_LIB_DATABASE_FINALJSON_H

#include "baco/Database/Final.h"

#include <nlohmann/json.hpp>

namespace baco::database {

/// Reads the member "final" that `writeFinalJson` writes; nullopt if it has
/// another form, or is inconsistent.
std::optional<Final> readFinalJson(const nlohmann::ordered_json &json);

/// Times of rounds, an array of positive numbers; nullopt if it isn't one.
std::optional<std::vector<double>>
readRounds(const nlohmann::ordered_json &json);

} // namespace baco::database

#endif // BACO_LIB_DATABASE_FINALJSON_H
