//===- MatrixMarket.cpp - The reader of Matrix Market files ---------------===//
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
struct Header {
  bool hasValues = true;
  bool isInteger = false;
  bool isSymmetric = false;
  bool isSkew = false;

  bool isMirrored() const { return isSymmetric || isSkew; }
};
} // namespace

static std::string inLowerCase(std::string_view word) {
  std::string text(word);
  // std::tolower depends on the locale.
  for (char &c : text)
    c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// "%%MatrixMarket matrix coordinate real symmetric", in any case.
static Header parseHeader(std::string_view line, const LineReader &reader) {
  std::vector<std::string_view> words;
  splitWords(line, words);
  std::vector<std::string> lower;
  std::ranges::transform(words, std::back_inserter(lower), inLowerCase);
  if (lower.size() != 5 || lower[0] != "%%matrixmarket")
    fail(reader.error("expected '%%MatrixMarket matrix coordinate FIELD "
                      "SYMMETRY'"));
  if (lower[1] != "matrix")
    fail(reader.error("the object '" + lower[1] +
                      "' is not supported, only 'matrix' is"));
  if (lower[2] == "array")
    fail(reader.error("the matrix is dense ('array'); save it as .npy, and "
                      "give that"));
  if (lower[2] != "coordinate")
    fail(reader.error("the format '" + lower[2] +
                      "' is unknown; it is 'coordinate' or 'array'"));
  Header header;
  const std::string &field = lower[3];
  if (field == "complex")
    fail(reader.error("complex matrices are not supported; write the real "
                      "and the imaginary part as matrices of their own"));
  if (field != "real" && field != "double" && field != "integer" &&
      field != "pattern")
    fail(reader.error("the field '" + field +
                      "' is unknown; it is real, integer, pattern or complex"));
  header.hasValues = field != "pattern";
  header.isInteger = field == "integer";
  const std::string &symmetry = lower[4];
  if (symmetry == "hermitian")
    fail(reader.error("hermitian matrices are complex, which is not "
                      "supported"));
  if (symmetry != "general" && symmetry != "symmetric" &&
      symmetry != "skew-symmetric")
    fail(reader.error("the symmetry '" + symmetry +
                      "' is unknown; it is general, symmetric, "
                      "skew-symmetric or hermitian"));
  header.isSymmetric = symmetry == "symmetric";
  header.isSkew = symmetry == "skew-symmetric";
  if (header.isSkew && !header.hasValues)
    fail(reader.error("a pattern can't be skew-symmetric: it has no signs"));
  return header;
}

/// The next line that is neither a comment nor blank, in words. Empty at the
/// end of the file.
static bool nextWords(LineReader &reader,
                      std::vector<std::string_view> &words) {
  while (true) {
    std::optional<std::string_view> line = need(reader.next());
    words.clear();
    if (!line)
      return false;
    if (line->starts_with('%'))
      continue;
    splitWords(*line, words);
    if (!words.empty())
      return true;
  }
}

/// The line with rows, columns and entries.
static std::pair<TensorBuilder, int64_t> parseSizes(const Header &header,
                                                    LineReader &reader) {
  std::vector<std::string_view> words;
  nextWords(reader, words);
  std::vector<int64_t> sizes;
  for (std::string_view word : words)
    sizes.push_back(parseNumber<int64_t>(word).value_or(-1));
  // TensorBuilder refuses extents of zero itself, with a message that says so.
  if (sizes.size() != 3 || std::ranges::min(sizes) < 0)
    fail(reader.error("expected the numbers of rows, columns and entries"));
  if (header.isMirrored() && sizes[0] != sizes[1])
    fail(reader.error("a matrix of " + std::to_string(sizes[0]) + "x" +
                      std::to_string(sizes[1]) + " can't be symmetric"));
  Result<TensorBuilder> builder = TensorBuilder::create({sizes[0], sizes[1]});
  if (!builder)
    fail(reader.error(builder.error().message));
  return {std::move(*builder), sizes[2]};
}

static CoordinateTensor readAll(LineReader &reader) {
  Header header = parseHeader(need(reader.next()).value_or(""), reader);
  auto [builder, announced] = parseSizes(header, reader);

  std::vector<std::string_view> words;
  std::vector<int64_t> at;
  std::vector<uint64_t> lines;
  size_t numWords = header.hasValues ? 3 : 2;
  for (int64_t count = 0;; ++count) {
    bool found = nextWords(reader, words);
    // A line is wrong behind the announced entries, and none is wrong before
    // their end.
    if (found == (count == announced))
      fail(reader.error(
          "the file " +
          (found ? "has more entries than the "
                 : "ends after " + std::to_string(count) + " of the ") +
          std::to_string(announced) + " that it announces"));
    if (!found)
      break;
    if (words.size() != numWords)
      fail(reader.error(header.hasValues
                            ? "expected a row, a column and a value"
                            : "expected a row and a column"));
    std::string wrong =
        parseCoordinates(std::span(words).first(2), builder.extents(), at);
    if (!wrong.empty())
      fail(reader.error(wrong));
    // Entries of a pattern have no value, and count as 1.
    std::optional<double> value = 1;
    if (header.hasValues)
      value = parseFinite(words[2]);
    if (!value || (header.isInteger && !parseNumber<int64_t>(words[2])))
      fail(reader.error("the value '" + std::string(words[2]) + "' is not " +
                        (header.isInteger ? "an integer" : "a finite number")));
    // The diagonal equals its own negative there, so the format has no entries
    // on it.
    if (header.isSkew && at[0] == at[1])
      fail(reader.error("a skew-symmetric matrix has no entries on its "
                        "diagonal"));
    builder.add(at, *value);
    lines.push_back(reader.lineNumber());
    // The other half gets the same line, so that an entry which the file has in
    // both halves is reported as a duplicate.
    if (header.isMirrored() && at[0] != at[1]) {
      std::swap(at[0], at[1]);
      builder.add(at, header.isSkew ? -*value : *value);
      lines.push_back(reader.lineNumber());
    }
  }
  return need(finishEntries(std::move(builder), lines, reader));
}

Result<CoordinateTensor> sparse::readMatrixMarket(LineReader &reader) {
  return attempt([&] { return readAll(reader); });
}
