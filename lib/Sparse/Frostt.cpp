//===- Frostt.cpp - The reader of FROSTT files ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"

#include "baco/Support/Complaint.h"
#include "baco/Support/ParseNumber.h"

#include <algorithm>

using namespace baco;
using namespace baco::sparse;

namespace {
/// Reads one file. Without announced extents, they are the largest coordinates.
class FrosttReader {
public:
  explicit FrosttReader(LineReader &reader) : reader(reader) {}

  CoordinateTensor read();

private:
  /// The next line of numbers; false at the end of the file. Sets `isExtended`
  /// at the comment that says so.
  bool nextWords();
  /// The two lines behind that comment.
  void readHeader();
  /// Adds the entry in `words`.
  void addEntry();

  LineReader &reader;
  std::vector<std::string_view> words;
  bool isExtended = false;
  int64_t announced = -1;
  /// Empty before the first entry of a file that announces none.
  std::vector<int64_t> extents;
  std::vector<int64_t> unbounded;
  /// The coordinates of the entry that is read.
  std::vector<int64_t> at;
  std::vector<int64_t> places;
  std::vector<double> values;
  std::vector<uint64_t> lines;
};
} // namespace

bool FrosttReader::nextWords() {
  while (true) {
    std::optional<std::string_view> line = need(reader.next());
    if (!line)
      return false;
    splitWords(*line, words);
    if (words.empty())
      continue;
    if (!words[0].starts_with('#'))
      return true;
    // Only the comments before the first numbers count: `read` doesn't look at
    // this again.
    isExtended |= line->find("extended FROSTT format") != line->npos;
  }
}

void FrosttReader::readHeader() {
  auto parseSizes = [&](int64_t least) {
    std::vector<int64_t> sizes;
    // Words that are no numbers are below each least size.
    for (std::string_view word : words)
      sizes.push_back(parseNumber<int64_t>(word).value_or(-1));
    return std::ranges::all_of(sizes,
                               [&](int64_t size) { return size >= least; })
               ? sizes
               : std::vector<int64_t>();
  };
  std::vector<int64_t> counts = parseSizes(0);
  if (counts.size() != 2)
    fail(reader.error("expected the rank and the number of entries"));
  announced = counts[1];
  bool found = nextWords();
  if (found)
    extents = parseSizes(1);
  if (!found || static_cast<int64_t>(extents.size()) != counts[0])
    fail(reader.error("expected " + std::to_string(counts[0]) +
                      " positive extents"));
  // This builder only checks, so that the error has the header's line.
  if (Result<TensorBuilder> builder = TensorBuilder::create(extents); !builder)
    fail(reader.error(builder.error().message));
}

void FrosttReader::addEntry() {
  // The first entry of a plain file decides the rank.
  if (values.empty() && announced < 0) {
    extents.assign(words.size() - 1, 0);
    unbounded.assign(words.size() - 1, INT64_MAX);
  }
  if (words.size() != extents.size() + 1)
    fail(reader.error("expected " + std::to_string(extents.size()) +
                      " coordinates and a value"));
  if (extents.empty() || extents.size() > CoordinateTensor::maxRank)
    fail(reader.error("an entry has 1 to " +
                      std::to_string(CoordinateTensor::maxRank) +
                      " coordinates and a value"));
  std::string wrong = parseCoordinates(std::span(words).first(words.size() - 1),
                                       announced < 0 ? unbounded : extents, at);
  if (!wrong.empty())
    fail(reader.error(wrong));
  std::optional<double> value = parseFinite(words.back());
  if (!value)
    fail(reader.error("the value '" + std::string(words.back()) +
                      "' is not a finite number"));
  if (announced < 0)
    // A plain file doesn't say its extents, so the builder, which needs them,
    // has to wait for the last entry.
    for (size_t d = 0; d < at.size(); ++d)
      extents[d] = std::max(extents[d], at[d] + 1);
  places.insert(places.end(), at.begin(), at.end());
  values.push_back(*value);
  lines.push_back(reader.lineNumber());
}

CoordinateTensor FrosttReader::read() {
  bool found = nextWords();
  if (found && isExtended) {
    readHeader();
    found = nextWords();
  }
  for (; found; found = nextWords()) {
    // The number is negative, and so never reached, in a plain file.
    if (static_cast<int64_t>(values.size()) == announced)
      fail(reader.error("the file has more entries than the " +
                        std::to_string(announced) + " that it announces"));
    addEntry();
  }
  if (announced > static_cast<int64_t>(values.size()))
    fail(reader.error("the file ends after " + std::to_string(values.size()) +
                      " of the " + std::to_string(announced) +
                      " entries that it announces"));
  if (extents.empty())
    fail(reader.error("the file has no entries, and so no extents"));
  Result<TensorBuilder> builder = TensorBuilder::create(extents);
  if (!builder)
    fail(reader.error(builder.error().message));
  for (size_t entry = 0; entry < values.size(); ++entry)
    builder->add(
        std::span(places).subspan(entry * extents.size(), extents.size()),
        values[entry]);
  return need(finishEntries(std::move(*builder), lines, reader));
}

Result<CoordinateTensor> sparse::readFrostt(LineReader &reader) {
  return attempt([&] { return FrosttReader(reader).read(); });
}
