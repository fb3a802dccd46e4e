//===- Export.h - Trials as JSON lines --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text form of a study's trials (`*.trials.jsonl`): one JSON object a line,
// without anything that depends on the clock, so that the same trials are the
// same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_EXPORT_H
#define BACO_DATABASE_EXPORT_H

#include "baco/Database/Trial.h"
#include "baco/Support/Result.h"

#include <string_view>
#include <vector>

namespace baco::database {

/// One line per trial with an outcome, in the given order; pending trials are
/// left out. Keys: trial, configuration, status, time_ns (null unless ok),
/// spread, samples, compile_ns, run_ns, and message if there is one. Numbers
/// read back exactly; bytes of a message that aren't UTF-8 become U+FFFD.
std::string writeTrialsJsonl(const std::vector<Trial> &trials);

/// The inverse; empty lines are skipped. `configuration` is the object's text
/// on one line, `state` is empty. Only `configuration` and `status` are
/// required, and `time_ns` > 0 where the status is ok. Corrupt, naming the
/// line.
Result<std::vector<Trial>> readTrialsJsonl(std::string_view text);

} // namespace baco::database

#endif // BACO_DATABASE_EXPORT_H
