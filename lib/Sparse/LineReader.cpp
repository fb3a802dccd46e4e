//===- LineReader.cpp - Lines of text files, maybe compressed -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineReader.h"

#include "baco/Support/ParseNumber.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

using namespace baco;
using namespace baco::sparse;

static constexpr size_t maxLine = 1 << 16;
static constexpr size_t chunk = 1 << 18;

void LineReader::Close::operator()(gzFile_s *file) const { gzclose(file); }

Error LineReader::error(const std::string &why) const {
  // Errors in an empty file are those of the first line, too.
  return {ErrorCode::InvalidArgument,
          name + ":" + std::to_string(std::max<uint64_t>(number, 1)) + ": " +
              why};
}

Result<LineReader> LineReader::open(const std::string &name) {
  // Opening a pipe must not wait for somebody to write to it.
  int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return {errno == ENOENT ? ErrorCode::NotFound : ErrorCode::IOError,
            "can't open '" + name + "': " + std::strerror(errno)};
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor);
    return {ErrorCode::InvalidArgument, "'" + name + "' is not a regular file"};
  }
  LineReader reader;
  reader.name = name;
  reader.file.reset(gzdopen(descriptor, "rb"));
  if (!reader.file) {
    close(descriptor);
    return {ErrorCode::OutOfMemory, "no memory is left to read '" + name + "'"};
  }
  // zlib reads files that aren't compressed, too, so the name's suffix doesn't
  // matter here.
  gzbuffer(reader.file.get(), chunk);
  return reader;
}

Result<bool> LineReader::fill() {
  // `next` refuses a line above `maxLine` before it fills, so what is left has
  // at most that size, and a chunk fits behind it.
  buffer.resize(maxLine + chunk);
  std::memmove(buffer.data(), buffer.data() + begin, end - begin);
  end -= begin;
  begin = 0;
  int count = gzread(file.get(), buffer.data() + end, chunk);
  int code = Z_OK;
  const char *why = gzerror(file.get(), &code);
  // zlib may return bytes from before the damage together with an error code,
  // so the count alone doesn't show all errors.
  if (count < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    // The error belongs to the line that `next` would have returned.
    ++number;
    // zlib has this code where the file ends inside of the compressed stream.
    if (code == Z_BUF_ERROR)
      return error("the compressed file is cut off here; fetch it again");
    return error(std::string("can't read on: ") +
                 (code == Z_ERRNO ? std::strerror(errno) : why));
  }
  end += static_cast<size_t>(count);
  return count > 0;
}

Result<std::optional<std::string_view>> LineReader::next() {
  while (true) {
    const char *from = buffer.data() + begin;
    size_t left = end - begin;
    // The buffer is null before the first fill, and memchr must not get null,
    // not even for no bytes.
    const void *found = left == 0 ? nullptr : std::memchr(from, '\n', left);
    size_t length =
        found ? static_cast<size_t>(static_cast<const char *>(found) - from)
              : left;
    if (length > maxLine) {
      ++number;
      return error("the line has more than 64 KiB: this is not a text file of "
                   "a tensor");
    }
    if (!found) {
      Result<bool> more = fill();
      if (!more)
        return more.error();
      if (*more)
        continue;
      // A file that ends with a line end has no empty line behind it.
      if (left == 0)
        return std::optional<std::string_view>();
      from = buffer.data() + begin; // the last line, which has no end
    }
    begin += length + (found ? 1 : 0);
    ++number;
    return std::optional(std::string_view(from, length));
  }
}

void sparse::splitWords(std::string_view line,
                        std::vector<std::string_view> &words) {
  // Lines of files from Windows end in "\r\n", and keep the "\r".
  constexpr std::string_view space = " \t\r\v\f";
  words.clear();
  for (size_t at = line.find_first_not_of(space); at != line.npos;) {
    size_t stop = std::min(line.find_first_of(space, at), line.size());
    words.push_back(line.substr(at, stop - at));
    at = line.find_first_not_of(space, stop);
  }
}

std::optional<double> sparse::parseFinite(std::string_view word) {
  // Most numbers need no copy; a number in Fortran's form fails here.
  std::optional<double> value = parseNumber<double>(word);
  if (size_t at = word.find_first_of("dD"); !value && at != word.npos) {
    std::string text(word);
    text[at] = 'e';
    value = parseNumber<double>(text);
  }
  // Words such as "nan" and "inf" are numbers for parseNumber.
  return value && std::isfinite(*value) ? value : std::nullopt;
}
