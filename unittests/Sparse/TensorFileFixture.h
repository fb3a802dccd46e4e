//===- TensorFileFixture.h - A folder for tensor files ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_SPARSE_TENSORFILEFIXTURE_H
#define BACO_UNITTESTS_SPARSE_TENSORFILEFIXTURE_H

#include "baco/Sparse/TensorSource.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace baco::sparse {

class TensorFileTest : public testing::Test {
protected:
  TensorFileTest() {
    const testing::TestInfo *test =
        testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() /
             (std::string("baco-sparse-") + test->name() + "-" +
              std::to_string(getpid()));
    std::filesystem::create_directories(folder);
  }
  ~TensorFileTest() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string &name) const { return folder / name; }
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string read(const std::string &name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// The message for a file of that text, without the folder.
  std::string error(const std::string &name, const std::string &text) const {
    Result<CoordinateTensor> tensor = readTensorFile(write(name, text));
    if (tensor)
      return "no error";
    std::string message = tensor.error().message;
    size_t at = message.find(folder.string());
    return at == message.npos ? message
                              : message.erase(at, folder.string().size() + 1);
  }

  std::filesystem::path folder;
};

/// "2x3: (0,1)=5 ..."
inline std::string describe(const Result<CoordinateTensor> &tensor) {
  if (!tensor)
    return tensor.error().message;
  std::string text;
  for (int64_t extent : tensor->extents())
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  text += ":";
  for (size_t entry = 0; entry < tensor->numEntries(); ++entry) {
    char separator = ' ';
    for (int64_t coordinate : tensor->coordinates(entry)) {
      text += separator + std::to_string(coordinate);
      separator = ',';
    }
    std::ostringstream value;
    value << tensor->values()[entry];
    text += "=" + value.str();
  }
  return text;
}

/// The first line of most matrices.
inline const std::string general =
    "%%MatrixMarket matrix coordinate real general\n";

} // namespace baco::sparse

#endif // BACO_UNITTESTS_SPARSE_TENSORFILEFIXTURE_H
