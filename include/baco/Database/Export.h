//===- Export.h - Trials as text --------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text forms of a study's trials: one JSON object a line
// (`*.trials.jsonl`), or a table (CSV), without anything that depends on the
// clock, so that the same trials are the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_EXPORT_H
#define BACO_DATABASE_EXPORT_H

#include "baco/Database/Final.h"
#include "baco/Support/Result.h"

#include <string_view>
#include <vector>

namespace baco::database {

/// One line per trial with an outcome, in the given order; pending trials are
/// left out. Keys: trial, configuration, status, time_ns (null unless ok),
/// spread, samples, compile_ns, run_ns, kernel if it isn't empty, and message
/// if there is one; of a trial that failed in a final comparison, status and
/// message are those of that failure, and `search` has the status and time that
/// the search was told: {"status", "time_ns"}. Numbers read back exactly; bytes
/// of a message that aren't UTF-8 become U+FFFD.
std::string writeTrialsJsonl(const std::vector<Trial> &trials,
                             std::string_view kernel = {});

/// The line that ends the export of a study: what the study ended in
/// (writeFinalJson), which is the last one of `finals`. Empty if there is none,
/// or if it follows from the trials: then the fastest one was kept, without a
/// comparison.
std::string writeFinalJsonl(const std::vector<Final> &finals,
                            std::string_view kernel = {});

/// The inverse of both; what `writeFinalJsonl` writes is added to `finals`,
/// which may be null. Empty lines are skipped. `configuration` is the object's
/// text on one line, `state` is empty. Only `configuration` and `status` are
/// required, and `time_ns` > 0 where the status is ok. Corrupt, naming the
/// line. InvalidArgument if a line names a kernel other than `kernel`; empty:
/// any.
Result<std::vector<Trial>>
readTrialsJsonl(std::string_view text, std::string_view kernel = {},
                std::vector<Final> *finals = nullptr);

/// The same as a table (RFC 4180) with a column for each parameter instead of
/// `configuration`; orders are written "(0, 2, 1)". A cell is empty where JSON
/// has null. It has no final comparisons: a trial that failed in one is a
/// failure, as if the search had known. InvalidArgument if a parameter has the
/// name of another column, or if the configurations have not the same
/// parameters. Corrupt if one isn't an object.
Result<std::string> writeTrialsCsv(const std::vector<Trial> &trials,
                                   std::string_view kernel = {});

/// A cell of such a table that reads back as `text`: readers trim cells without
/// quotes.
std::string csvCell(std::string text);

} // namespace baco::database

#endif // BACO_DATABASE_EXPORT_H
