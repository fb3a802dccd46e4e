//===- NpyFile.cpp - Arrays in NumPy's file format ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header is a Python dictionary. Only its form that `numpy.save` writes is
// read: the three keys, strings without escapes, and a tuple of integers.
//
//===----------------------------------------------------------------------===//

#include "baco/Support/NpyFile.h"
#include "NpyTypes.h"

#include "baco/Support/Complaint.h"
#include "baco/Support/ContentHash.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <numeric>
#include <sys/stat.h>
#include <unistd.h>

using namespace baco;

int64_t NpyHeader::numElements() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<>());
}

std::string baco::describeShape(const std::vector<int64_t> &shape) {
  if (shape.empty())
    return "()";
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
/// A regular file that is open for reading.
class InputFile {
public:
  explicit InputFile(const std::string &name);
  InputFile(const InputFile &) = delete;
  ~InputFile() { close(descriptor); }

  /// Fills `size` bytes at `data` from the file's byte `offset` on.
  void read(uint64_t offset, void *data, size_t size) const;

  uint64_t byteSize = 0;

private:
  std::string name;
  int descriptor;
};
} // namespace

// Opening a pipe must not wait for somebody to write to it.
InputFile::InputFile(const std::string &name)
    : name(name), descriptor(open(name.c_str(), O_RDONLY | O_CLOEXEC |
                                                    O_NONBLOCK | O_NOCTTY)) {
  struct stat info;
  if (descriptor < 0 || fstat(descriptor, &info) != 0)
    fail({ErrorCode::IOError,
          "'" + name + "' can't be read: " + std::strerror(errno)});
  if (!S_ISREG(info.st_mode)) {
    close(descriptor);
    fail({ErrorCode::IOError,
          "'" + name + "' is no regular file; save the array to one"});
  }
  byteSize = static_cast<uint64_t>(info.st_size);
}

void InputFile::read(uint64_t offset, void *data, size_t size) const {
  for (size_t done = 0; done < size;) {
    ssize_t got = pread(descriptor, static_cast<char *>(data) + done,
                        size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      fail({ErrorCode::IOError,
            "'" + name + "' can't be read: " +
                (got < 0 ? std::strerror(errno) : "it ends too early")});
    done += static_cast<size_t>(got);
  }
}

//===----------------------------------------------------------------------===//
// Headers
//===----------------------------------------------------------------------===//

namespace {
/// Reads the dictionary. Each function takes the token that it names from the
/// front of the text, and returns whether it was there.
class HeaderReader {
public:
  explicit HeaderReader(std::string_view text) : rest(text) {}
  /// Sets the type, the shape and the order. The error names the expected
  /// token.
  std::optional<std::string> read(NpyHeader &header);

private:
  void skipSpaces() {
    rest.remove_prefix(
        std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  }
  bool take(std::string_view token);
  bool takeString(std::string &text);
  bool takeBool(bool &value);
  bool takeShape(std::vector<int64_t> &shape);
  std::optional<std::string> readEntry(NpyHeader &header);

  std::string_view rest;
  bool hasType = false, hasShape = false, hasOrder = false;
};
} // namespace

bool HeaderReader::take(std::string_view token) {
  skipSpaces();
  if (!rest.starts_with(token))
    return false;
  rest.remove_prefix(token.size());
  return true;
}

bool HeaderReader::takeString(std::string &text) {
  skipSpaces();
  if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
    return false;
  size_t end = rest.find(rest[0], 1);
  if (end == std::string_view::npos)
    return false;
  text = rest.substr(1, end - 1);
  rest.remove_prefix(end + 1);
  // Messages show it.
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 127; });
}

bool HeaderReader::takeBool(bool &value) {
  value = take("True");
  return value || take("False");
}

bool HeaderReader::takeShape(std::vector<int64_t> &shape) {
  shape.clear();
  if (!take("("))
    return false;
  while (!take(")")) {
    int64_t extent = 0;
    skipSpaces();
    auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), extent);
    if (error != std::errc() || extent < 0)
      return false;
    rest.remove_prefix(end - rest.data());
    // As Python 2 wrote large numbers.
    (void)take("L");
    shape.push_back(extent);
    if (!take(",") && !rest.starts_with(')'))
      return false;
  }
  return true;
}

std::optional<std::string> HeaderReader::readEntry(NpyHeader &header) {
  std::string key;
  if (!takeString(key) || !take(":"))
    return "a key and a colon are expected";
  if (key == "descr" && !hasType) {
    skipSpaces();
    if (rest.starts_with('['))
      return "its elements are records; save each field as an array";
    if (hasType = takeString(header.type); !hasType)
      return "'descr' must be a string";
  } else if (key == "fortran_order" && !hasOrder) {
    if (hasOrder = takeBool(header.isFortranOrder); !hasOrder)
      return "'fortran_order' must be True or False";
  } else if (key == "shape" && !hasShape) {
    if (hasShape = takeShape(header.shape); !hasShape)
      return "'shape' must be a tuple of integers, at least 0";
  } else {
    return "it has another key than 'descr', 'fortran_order' and 'shape', or "
           "one twice";
  }
  return std::nullopt;
}

std::optional<std::string> HeaderReader::read(NpyHeader &header) {
  if (!take("{"))
    return "a dictionary is expected";
  while (!take("}")) {
    if (std::optional<std::string> error = readEntry(header))
      return error;
    skipSpaces();
    if (!take(",") && !rest.starts_with('}'))
      return "a comma is missing";
  }
  skipSpaces();
  if (!rest.empty())
    return "there is something behind the dictionary";
  if (!hasType || !hasShape || !hasOrder)
    return "'descr', 'fortran_order' or 'shape' is missing";
  return std::nullopt;
}

/// Sets the size of elements.
static void readType(const std::string &file, NpyHeader &header) {
  std::string start = "'" + file + "' holds elements of type '" + header.type;
  char order = header.type.empty() ? ' ' : header.type[0];
  std::string code = header.type.substr(header.type.empty() ? 0 : 1);
  header.elementSize = sizeOfNpyType(code);
  if (header.elementSize == 0)
    fail({ErrorCode::Unsupported,
          start + "'; save numbers or booleans, for example by "
                  "array.astype(numpy.float32)"});
  // Bytes and opaque elements have no order.
  bool isOrdered = header.elementSize > 1 && code[0] != 'V';
  if (order != '<' && (order != '|' || isOrdered))
    fail({ErrorCode::Unsupported,
          start + "', which aren't little-endian; save them as '<" + code +
              "', for example by array.astype('<" + code + "')"});
}

/// Checks that the file has exactly the elements of `header`.
static void checkSize(const std::string &file, const NpyHeader &header,
                      uint64_t fileSize) {
  unsigned __int128 bytes = header.elementSize;
  // Far above any file, far below overflow. An empty dimension may come last.
  constexpr unsigned __int128 most = static_cast<unsigned __int128>(1) << 62;
  bool isEmpty = std::ranges::find(header.shape, 0) != header.shape.end();
  for (int64_t extent : header.shape) {
    if (extent > 0)
      bytes *= static_cast<uint64_t>(extent);
    if (bytes > most)
      fail({ErrorCode::Corrupt, "'" + file + "' can't have the shape " +
                                    describeShape(header.shape) +
                                    " that its header says"});
  }
  auto expected = isEmpty ? uint64_t(0) : static_cast<uint64_t>(bytes);
  uint64_t actual = fileSize - header.offset;
  if (actual != expected)
    fail({ErrorCode::Corrupt, "'" + file + "' has " + std::to_string(actual) +
                                  " bytes of elements, but its header says " +
                                  std::to_string(expected) + ", " +
                                  describeShape(header.shape) + " of '" +
                                  header.type + "'; save it again"});
}

static NpyHeader readHeader(const std::string &file) {
  InputFile input(file);
  auto corrupt = [&](const std::string &why) {
    fail({ErrorCode::Corrupt, "'" + file + "' " + why});
  };
  constexpr std::string_view magic = "\x93NUMPY";
  // The magic, the version, and the length of the header in 2 or 4 bytes.
  unsigned char start[12] = {};
  size_t startSize = std::min<uint64_t>(sizeof start, input.byteSize);
  input.read(0, start, startSize);
  if (std::memcmp(start, "PK", 2) == 0)
    corrupt("is an archive; give it as one array, saved by numpy.save");
  if (startSize < 10 || std::memcmp(start, magic.data(), magic.size()) != 0)
    corrupt("isn't a file of numpy.save: it doesn't begin as one");
  int major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0)
    corrupt("has version " + std::to_string(major) + "." +
            std::to_string(minor) +
            " of NumPy's format, but only 1.0, 2.0 and 3.0 are known");
  int lengthBytes = major == 1 ? 2 : 4;
  uint64_t length = 0;
  for (int i = lengthBytes; i-- > 0;)
    length = length << 8 | start[8 + i];
  NpyHeader header;
  header.offset = 8 + lengthBytes + length;
  // Headers of arrays of numbers take about a hundred bytes.
  constexpr uint64_t longest = 1 << 16;
  if (length > longest || header.offset > input.byteSize)
    corrupt("has no complete header: it should take " + std::to_string(length) +
            " bytes; save it again");
  std::string text(length, '\0');
  input.read(8 + lengthBytes, text.data(), length);
  if (std::optional<std::string> why = HeaderReader(text).read(header))
    corrupt("has a header that isn't one of numpy.save: " + *why);
  readType(file, header);
  checkSize(file, header, input.byteSize);
  return header;
}

Result<NpyHeader> baco::readNpyHeader(const std::string &file) {
  return attempt([&] { return readHeader(file); });
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The elements of an array in Fortran's order, in row-major order.
static std::vector<std::byte>
inRowMajorOrder(const std::vector<std::byte> &data, const NpyHeader &header) {
  std::vector<std::byte> ordered(data.size());
  size_t rank = header.shape.size(), size = header.elementSize;
  std::vector<int64_t> index(rank), strides(rank, 1);
  for (size_t i = 1; i < rank; ++i)
    strides[i] = strides[i - 1] * header.shape[i - 1];
  int64_t from = 0;
  for (size_t to = 0; to < data.size(); to += size) {
    std::memcpy(&ordered[to], &data[from * size], size);
    for (size_t i = rank; i-- > 0;) {
      from += strides[i];
      if (++index[i] < header.shape[i])
        break;
      from -= strides[i] * header.shape[i];
      index[i] = 0;
    }
  }
  return ordered;
}

Result<std::vector<std::byte>> baco::readNpyElements(const std::string &file,
                                                     const NpyHeader &header) {
  return attempt([&] {
    InputFile input(file);
    std::vector<std::byte> data(header.numElements() * header.elementSize);
    input.read(header.offset, data.data(), data.size());
    return header.isFortranOrder ? inRowMajorOrder(data, header) : data;
  });
}

Result<std::string> baco::hashNpyFile(const std::string &file,
                                      const NpyHeader &header) {
  return attempt([&] {
    InputFile input(file);
    ContentHash hash;
    hash.add(header.type + " " + describeShape(header.shape) +
             (header.isFortranOrder ? " F " : " C "));
    std::string chunk(1 << 16, '\0');
    uint64_t end = header.offset + header.numElements() * header.elementSize;
    for (uint64_t at = header.offset; at < end; at += chunk.size()) {
      size_t size = std::min<uint64_t>(chunk.size(), end - at);
      input.read(at, chunk.data(), size);
      hash.add(std::string_view(chunk).substr(0, size));
    }
    return hash.digits();
  });
}
