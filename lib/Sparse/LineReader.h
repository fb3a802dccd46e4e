//===- LineReader.h - Lines of text files, maybe compressed -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPARSE_LINEREADER_H
#define BACO_LIB_SPARSE_LINEREADER_H

#include "baco/Support/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): zlib names it.
struct gzFile_s;

namespace baco::sparse {

/// Reads a text file, which gzip may have compressed, line by line.
class LineReader {
public:
  /// Fails if there is no such file, or it isn't a regular one.
  static Result<LineReader> open(const std::string &name);

  /// The next line without its end, or nothing at the end of the file. It is
  /// valid until the next call. Fails if a line has more than 64 KiB, or the
  /// file can't be read or uncompressed.
  Result<std::optional<std::string_view>> next();

  /// The number of the line that `next` returned last, from 1.
  uint64_t lineNumber() const { return number; }

  /// An error at that line: "NAME:LINE: why".
  Error error(const std::string &why) const;

private:
  struct Close {
    void operator()(gzFile_s *file) const;
  };

  LineReader() = default;
  /// Reads more of the file behind what is left; false at its end.
  Result<bool> fill();

  std::string name;
  std::unique_ptr<gzFile_s, Close> file;
  uint64_t number = 0;
  std::vector<char> buffer;
  size_t begin = 0;
  size_t end = 0;
};

/// Splits a line at white space; `words` is filled anew.
void splitWords(std::string_view line, std::vector<std::string_view> &words);

/// The whole of `word` as a finite number. "1.5D+03", as Fortran writes it, is
/// 1500.
std::optional<double> parseFinite(std::string_view word);

} // namespace baco::sparse

#endif // BACO_LIB_SPARSE_LINEREADER_H
