//===- Records.cpp - What was measured, in a file -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Records.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

using namespace baco;
using namespace baco::bench;

/// JSON has no infinities: bounds that aren't known are null.
static llvm::json::Value numberOrNull(double number) {
  return std::isfinite(number) ? llvm::json::Value(number)
                               : llvm::json::Value(nullptr);
}

static std::string toLine(const Record &record) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(
      llvm::json::Object{{"kind", record.kind},
                         {"kernel", record.kernel},
                         {"number", record.number},
                         {"ratio", record.ratio},
                         {"low", numberOrNull(record.low)},
                         {"high", numberOrNull(record.high)},
                         {"rounds", record.rounds},
                         {"claim", record.isClaim}});
  return text + "\n";
}

static std::optional<Record> fromLine(llvm::StringRef line) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  Record record;
  std::optional<double> low, high;
  llvm::json::Path::Root root;
  llvm::json::ObjectMapper map(*value, root);
  bool isRecord =
      map && map.map("kind", record.kind) && map.map("kernel", record.kernel) &&
      map.map("number", record.number) && map.map("ratio", record.ratio) &&
      map.map("low", low) && map.map("high", high) &&
      map.map("rounds", record.rounds) && map.map("claim", record.isClaim);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  record.low = low.value_or(-infinity);
  record.high = high.value_or(infinity);
  return isRecord ? std::optional(record) : std::nullopt;
}

Result<Records> Records::open(const std::string &path) {
  Records records;
  records.path = path;
  if (path.empty())
    return records;
  size_t keptBytes = 0;
  if (auto text = llvm::MemoryBuffer::getFile(path)) {
    llvm::StringRef rest = (*text)->getBuffer();
    for (size_t end; (end = rest.find('\n')) != llvm::StringRef::npos;) {
      std::optional<Record> record = fromLine(rest.take_front(end));
      if (!record)
        return {ErrorCode::Corrupt,
                "'" + path +
                    "' has a line that is not a record of a comparison: " +
                    rest.take_front(end).str()};
      records.records.push_back(std::move(*record));
      keptBytes += end + 1;
      rest = rest.drop_front(end + 1);
    }
  }
  records.file.reset(std::fopen(path.c_str(), "ae"));
  if (!records.file ||
      llvm::sys::fs::resize_file(fileno(records.file.get()), keptBytes))
    return {ErrorCode::IOError,
            "cannot write '" + path + "': " + std::strerror(errno)};
  return records;
}

const Record *Records::find(const std::string &kind, int number) const {
  for (const Record &record : records)
    if (record.kind == kind && record.number == number)
      return &record;
  return nullptr;
}

Result<void> Records::add(const Record &record) {
  records.push_back(record);
  if (!file)
    return {};
  std::string line = toLine(record);
  if (std::fputs(line.c_str(), file.get()) < 0 || std::fflush(file.get()) != 0)
    return {ErrorCode::IOError,
            "cannot write '" + path + "': " + std::strerror(errno)};
  return {};
}
