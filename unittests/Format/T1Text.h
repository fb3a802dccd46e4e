//===- T1Text.h - T1 files as text ------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_FORMAT_T1TEXT_H
#define BACO_UNITTESTS_FORMAT_T1TEXT_H

#include <string>

namespace baco {

/// A parameter of a T1 file.
inline std::string parameter(const std::string &type, const std::string &values,
                             const std::string &more = "") {
  return R"({"Name": "a", "Type": ")" + type + R"(", "Values": ")" + values +
         "\"" + more + "}";
}

/// One parameter of each kind but the real, constraints and a condition.
inline const char mixed[] = R"({"parameters": [
  {"name": "order", "kind": "permutation", "size": 3, "metric": "kendall",
   "default": [1, 0, 2]},
  {"name": "tile", "kind": "ordinal", "values": [16, 32], "log": true,
   "default": 32, "weights": [1, 2]},
  {"name": "u", "kind": "integer", "range": [0, 12], "step": 4},
  {"name": "x", "kind": "ordinal", "values": [0.5, 2]},
  {"name": "isa", "kind": "categorical", "values": ["avx2", "it's\n\\"]},
  {"name": "n", "kind": "categorical", "values": [3, 1]},
  {"name": "pad", "kind": "boolean", "default": true}],
  "constraints": [
  {"expression": "tile % 32 == 0 || pos(order, 0) < 2", "reason": "because"},
  {"expression": "!pad || u < tile * x && isa != \"avx2\"", "advisory": true}],
  "count": ")";

} // namespace baco

#endif // BACO_UNITTESTS_FORMAT_T1TEXT_H
