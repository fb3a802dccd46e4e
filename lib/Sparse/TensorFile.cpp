//===- TensorFile.cpp - Files of sparse tensors ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/TensorSource.h"

#include "Readers.h"

#include "baco/Support/ParseNumber.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <zlib.h>

using namespace baco;
using namespace baco::sparse;

static constexpr std::string_view compressed = ".gz";

Result<FileFormat> sparse::formatOfFile(const std::string &name) {
  std::string_view stem = name;
  // The suffix before .gz decides, so both formats may be compressed.
  if (stem.ends_with(compressed))
    stem.remove_suffix(compressed.size());
  if (stem.ends_with(".mtx"))
    return FileFormat::MatrixMarket;
  if (stem.ends_with(".tns"))
    return FileFormat::Frostt;
  return {ErrorCode::InvalidArgument,
          "'" + name + "' does not end in .mtx, .tns, .mtx.gz or .tns.gz"};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::string sparse::describePlace(std::span<const int64_t> coordinates) {
  std::string text = "(";
  // Files count from 1, and messages go with what the user sees in the file.
  for (int64_t coordinate : coordinates)
    text += (text.size() > 1 ? ", " : "") + std::to_string(coordinate + 1);
  return text + ")";
}

std::string sparse::parseCoordinates(std::span<const std::string_view> words,
                                     const std::vector<int64_t> &extents,
                                     std::vector<int64_t> &coordinates) {
  coordinates.clear();
  for (size_t d = 0; d < words.size(); ++d) {
    std::optional<int64_t> number = parseNumber<int64_t>(words[d]);
    // A fraction such as 1.0 is no coordinate, either.
    if (!number)
      return "the coordinate '" + std::string(words[d]) +
             "' is not an integer of 64 bits";
    if (*number < 1 || *number > extents[d])
      return "the coordinate " + std::string(words[d]) + " is not in 1 to " +
             std::to_string(extents[d]);
    coordinates.push_back(*number - 1);
  }
  return "";
}

Result<CoordinateTensor>
sparse::finishEntries(TensorBuilder builder, const std::vector<uint64_t> &lines,
                      const LineReader &reader) {
  std::optional<TensorBuilder::Duplicates> duplicates;
  CoordinateTensor tensor = std::move(builder).finish(&duplicates);
  // Adding them up, or keeping one, are both usual, and programs differ in it,
  // so the reader doesn't guess.
  if (duplicates)
    return reader.error("the file has two entries at one place, in lines " +
                        std::to_string(lines[duplicates->first]) + " and " +
                        std::to_string(lines[duplicates->second]) +
                        "; add them up first");
  return tensor;
}

Result<CoordinateTensor> sparse::readTensorFile(const std::string &name) {
  Result<FileFormat> format = formatOfFile(name);
  if (!format)
    return format.error();
  Result<LineReader> reader = LineReader::open(name);
  if (!reader)
    return reader.error();
  return *format == FileFormat::MatrixMarket ? readMatrixMarket(*reader)
                                             : readFrostt(*reader);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// Writes text to a file, and remembers whether all went well.
class Writer {
public:
  Writer(const std::string &name, bool compresses)
      // The mode T writes plain text; without it, zlib compresses.
      : file(gzopen(name.c_str(), compresses ? "wb" : "wbT")) {}
  ~Writer() {
    if (file)
      gzclose(file);
  }
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;

  void operator<<(std::string_view text) {
    isFine = isFine && file &&
             gzwrite(file, text.data(), static_cast<unsigned>(text.size())) ==
                 static_cast<int>(text.size());
  }
  void operator<<(int64_t number) { *this << std::to_string(number); }
  void operator<<(double number) {
    // The shortest text that is read back as the same double has at most 24
    // characters.
    char text[32];
    auto [end, code] = std::to_chars(text, text + sizeof(text), number);
    *this << std::string_view(text, static_cast<size_t>(end - text));
  }

  bool finish() {
    // zlib buffers, and may find out only when it closes that the disk is full.
    bool isClosed = file && gzclose(file) == Z_OK;
    file = nullptr;
    return isFine && isClosed;
  }

private:
  gzFile file;
  bool isFine = true;
};
} // namespace

static void writeHeader(const CoordinateTensor &tensor, FileFormat format,
                        Writer &out) {
  auto writeExtents = [&] {
    for (size_t d = 0; d < tensor.rank(); ++d) {
      out << (d == 0 ? "" : " ");
      out << tensor.extents()[d];
    }
  };
  auto numEntries = static_cast<int64_t>(tensor.numEntries());
  if (format == FileFormat::MatrixMarket) {
    // The tensor has both halves of a symmetric matrix, so each entry is
    // written.
    out << "%%MatrixMarket matrix coordinate real general\n";
    writeExtents();
    out << " ";
    out << numEntries;
  } else {
    // Without this header, readers take the largest coordinates as extents, and
    // empty slices at the end are lost.
    out << "# extended FROSTT format\n";
    out << static_cast<int64_t>(tensor.rank());
    out << " ";
    out << numEntries;
    out << "\n";
    writeExtents();
  }
  out << "\n";
}

Result<void> sparse::writeTensorFile(const CoordinateTensor &tensor,
                                     const std::string &name) {
  Result<FileFormat> format = formatOfFile(name);
  if (!format)
    return format.error();
  if (*format == FileFormat::MatrixMarket && tensor.rank() != 2)
    return {ErrorCode::InvalidArgument,
            "'" + name + "' is for matrices, but the tensor has " +
                std::to_string(tensor.rank()) + " dimensions; use .tns"};
  // Renaming is atomic: readers, and the tensor's own file if it is
  // overwritten, see the old text or all of the new one. Processes don't share
  // a part.
  std::string part = name + ".part" + std::to_string(getpid());
  Writer out(part, name.ends_with(compressed));
  writeHeader(tensor, *format, out);
  for (size_t entry = 0; entry < tensor.numEntries(); ++entry) {
    for (int64_t coordinate : tensor.coordinates(entry)) {
      out << coordinate + 1;
      out << " ";
    }
    out << tensor.values()[entry];
    out << "\n";
  }
  if (out.finish() && std::rename(part.c_str(), name.c_str()) == 0)
    return {};
  Error error{ErrorCode::IOError,
              "can't write '" + name + "': " + std::strerror(errno)};
  unlink(part.c_str());
  return error;
}
