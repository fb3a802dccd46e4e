//===- JsonLine.h - Lines of JSON -------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DATABASE_JSONLINE_H
#define BACO_LIB_DATABASE_JSONLINE_H

#include <nlohmann/json.hpp>

#include <string_view>

namespace baco::database {

/// One line as JSON; discarded if it isn't, or if it is nested more deeply than
/// what we write. The library's values are destroyed recursively, so that a
/// million brackets must not become one.
nlohmann::ordered_json parseLine(std::string_view line);

} // namespace baco::database

#endif // BACO_LIB_DATABASE_JSONLINE_H
