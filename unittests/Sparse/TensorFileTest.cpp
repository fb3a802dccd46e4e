//===- TensorFileTest.cpp - Tests of files of sparse tensors
//----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/TensorFile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace baco;
using namespace baco::sparse;

namespace {
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
} // namespace

/// "2x3: (0,1)=5 ..."
static std::string describe(const Result<CoordinateTensor> &tensor) {
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

static const std::string general =
    "%%MatrixMarket matrix coordinate real general\n";

TEST_F(TensorFileTest, ReadsMatricesInAnyOrder) {
  EXPECT_EQ(describe(readTensorFile(write(
                "a.mtx", general + "% a comment\n\n2 3 3\n2 3 -1.5\n"
                                   "% between\n1 1 1e2\r\n  2\t1  +4  "))),
            "2x3: 0,0=100 1,0=4 1,2=-1.5");
  EXPECT_EQ(describe(readTensorFile(write("b.mtx", general + "4 5 0\n"))),
            "4x5:");
  EXPECT_EQ(describe(readTensorFile(write(
                "c.mtx", "%%matrixmarket MATRIX Coordinate Integer General\n"
                         "1 1 1\n1 1 -7\n"))),
            "1x1: 0,0=-7");
  // As Fortran writes it; and an entry that is zero stays.
  EXPECT_EQ(describe(readTensorFile(
                write("d.mtx", general + "1 2 2\n1 1 1.5D+03\n1 2 0\n"))),
            "1x2: 0,0=1500 0,1=0");
}

TEST_F(TensorFileTest, CompletesSymmetricMatrices) {
  EXPECT_EQ(describe(readTensorFile(write(
                "a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n"
                         "3 3 2\n2 2\n3 1\n"))),
            "3x3: 0,2=1 1,1=1 2,0=1");
  EXPECT_EQ(
      describe(readTensorFile(write(
          "b.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n"
                   "2 2 1\n2 1 3\n"))),
      "2x2: 0,1=-3 1,0=3");
}

TEST_F(TensorFileTest, ReadsTensorsOfAnyRank) {
  EXPECT_EQ(describe(readTensorFile(
                write("a.tns", "# a comment\n2 1 4 0.5\n1 3 1 2\n"))),
            "2x3x4: 0,2,0=2 1,0,3=0.5");
  EXPECT_EQ(describe(readTensorFile(
                write("b.tns", "# extended FROSTT format\n4 1\n2 3 4 5\n"
                               "2 3 4 5 6\n"))),
            "2x3x4x5: 1,2,3,4=6");
  EXPECT_EQ(describe(readTensorFile(
                write("c.tns", "# extended FROSTT format\n1 0\n7\n"))),
            "7:");
}

TEST_F(TensorFileTest, ErrorsHaveLineAndReason) {
  const std::string forms[][2] = {
      {"", "a.mtx:1: expected '%%MatrixMarket matrix coordinate FIELD "
           "SYMMETRY'"},
      {"1 1 1\n", "a.mtx:1: expected '%%MatrixMarket"},
      {"%%MatrixMarket vector coordinate real general\n",
       "a.mtx:1: the object 'vector'"},
      {"%%MatrixMarket matrix array real general\n",
       "a.mtx:1: the matrix is dense"},
      {"%%MatrixMarket matrix coordinate complex general\n",
       "a.mtx:1: complex matrices are not supported"},
      {"%%MatrixMarket matrix coordinate real hermitian\n",
       "a.mtx:1: hermitian matrices"},
      {"%%MatrixMarket matrix coordinate quaternion general\n",
       "a.mtx:1: the field 'quaternion'"},
      {"%%MatrixMarket matrix coordinate real diagonal\n",
       "a.mtx:1: the symmetry 'diagonal'"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n",
       "a.mtx:2: a matrix of 2x3 can't be symmetric"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n",
       "a.mtx:3: a skew-symmetric matrix has no entries on its diagonal"},
      {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 2 1.5\n",
       "a.mtx:3: the value '1.5' is not an integer"},
      {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 2 1.5\n",
       "a.mtx:3: expected a row and a column"},
      {general + "% only comments\n", "a.mtx:2: expected the numbers of rows"},
      {general + "2 2\n", "a.mtx:2: expected the numbers of rows"},
      {general + "2 -2 0\n", "a.mtx:2: expected the numbers of rows"},
      {general + "0 2 0\n", "a.mtx:2: the extent 0 is not positive"},
      {general + "9223372036854775807 9223372036854775807 0\n", "no error"},
      {general + "9223372036854775808 2 0\n", "a.mtx:2: expected the numbers"},
      {general + "2 2 1\n3 1 1\n",
       "a.mtx:3: the coordinate 3 is not in 1 to 2"},
      {general + "2 2 1\n0 1 1\n",
       "a.mtx:3: the coordinate 0 is not in 1 to 2"},
      {general + "2 2 1\n1.0 1 1\n",
       "a.mtx:3: the coordinate '1.0' is not an integer"},
      {general + "2 2 1\n1 1\n", "a.mtx:3: expected a row, a column"},
      {general + "2 2 1\n1 1 nan\n",
       "a.mtx:3: the value 'nan' is not a finite"},
      {general + "2 2 1\n1 1 1e999\n",
       "a.mtx:3: the value '1e999' is not a finite number"},
      {general + "2 2 1\n1 1 +-1\n", "a.mtx:3: the value '+-1' is not"},
      {general + "2 2 2\n1 1 1\n", "a.mtx:3: the file ends after 1 of the 2"},
      {general + "2 2 1\n1 1 1\n1 2 1\n",
       "a.mtx:4: the file has more entries than the 1"},
      {general + "2 2 3\n1 1 1\n1 2 1\n1 1 2\n",
       "a.mtx:5: the file has two entries at one place, in lines 3 and 5"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 2 1\n2 1 1\n",
       "two entries at one place, in lines 3 and 4"},
      {general + std::string(1 << 17, '1'), "a.mtx:2: the line has more than"},
  };
  for (const auto &[text, message] : forms)
    EXPECT_NE(error("a.mtx", text).find(message), std::string::npos)
        << text.substr(0, 100) << error("a.mtx", text);
}

TEST_F(TensorFileTest, ErrorsOfTensorsHaveLineAndReason) {
  const std::string extended = "# extended FROSTT format\n";
  const std::string forms[][2] = {
      {"# nothing\n", "a.tns:1: the file has no entries"},
      {"5\n", "a.tns:1: an entry has 1 to 16 coordinates"},
      {"1 2 3\n1 2\n", "a.tns:2: expected 2 coordinates and a value"},
      {"1 x 3\n", "a.tns:1: the coordinate 'x' is not an integer"},
      {"1 0 3\n", "a.tns:1: the coordinate 0 is not in 1 to"},
      {"1 1 inf\n", "a.tns:1: the value 'inf' is not a finite number"},
      {"1 1 1\n2 2 2\n1 1 3\n", "in lines 1 and 3"},
      {extended, "a.tns:1: the file has no entries"},
      {extended + "2\n", "a.tns:2: expected the rank and the number"},
      {extended + "2 1\n", "a.tns:2: expected 2 positive extents"},
      {extended + "2 1\n3 0\n", "a.tns:3: expected 2 positive extents"},
      {extended + "2 1\n3 3\n4 1 1\n", "the coordinate 4 is not in 1 to 3"},
      {extended + "2 2\n3 3\n1 1 1\n",
       "a.tns:4: the file ends after 1 of the 2"},
      {extended + "2 0\n3 3\n1 1 1\n", "a.tns:4: the file has more entries"},
  };
  for (const auto &[text, message] : forms)
    EXPECT_NE(error("a.tns", text).find(message), std::string::npos)
        << text << error("a.tns", text);
}

TEST_F(TensorFileTest, RefusesFilesThatAreNone) {
  EXPECT_EQ(readTensorFile(path("a.csv")).error().code,
            ErrorCode::InvalidArgument);
  EXPECT_EQ(readTensorFile(path("no.mtx")).error().code, ErrorCode::NotFound);
  std::filesystem::create_directory(path("folder.mtx"));
  EXPECT_EQ(readTensorFile(path("folder.mtx")).error().code,
            ErrorCode::InvalidArgument);
  // Nobody writes to this pipe.
  ASSERT_EQ(mkfifo(path("pipe.mtx").c_str(), 0600), 0);
  EXPECT_EQ(readTensorFile(path("pipe.mtx")).error().code,
            ErrorCode::InvalidArgument);
}

TEST_F(TensorFileTest, WritesWhatItReads) {
  std::string text = "# extended FROSTT format\n3 2\n2 3 4\n"
                     "1 1 1 0.1\n2 3 4 -1e-300\n";
  Result<CoordinateTensor> tensor = readTensorFile(write("a.tns", text));
  ASSERT_TRUE(tensor) << tensor.error().message;
  ASSERT_TRUE(writeTensorFile(*tensor, path("b.tns")));
  EXPECT_EQ(read("b.tns"), text);
  ASSERT_TRUE(writeTensorFile(*tensor, path("b.tns.gz")));
  EXPECT_EQ(read("b.tns.gz").substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(describe(readTensorFile(path("b.tns.gz"))), describe(tensor));
  EXPECT_EQ(writeTensorFile(*tensor, path("b.mtx")).error().code,
            ErrorCode::InvalidArgument);
  EXPECT_EQ(writeTensorFile(*tensor, path("no/b.tns")).error().code,
            ErrorCode::IOError);

  std::string matrix = general + "2 2 1\n2 1 3\n";
  Result<CoordinateTensor> other = readTensorFile(write("a.mtx", matrix));
  ASSERT_TRUE(other && writeTensorFile(*other, path("a.mtx")));
  EXPECT_EQ(read("a.mtx"), matrix);
}

TEST_F(TensorFileTest, DamagedArchivesAreErrors) {
  std::string text = general + "100 100 100\n";
  for (int i = 1; i <= 100; ++i)
    text += std::to_string(i) + " " + std::to_string(101 - i) + " " +
            std::to_string(i * 0.37) + "\n";
  Result<CoordinateTensor> tensor = readTensorFile(write("a.mtx", text));
  ASSERT_TRUE(tensor && writeTensorFile(*tensor, path("a.mtx.gz")));
  std::string archive = read("a.mtx.gz");
  EXPECT_NE(error("cut.mtx.gz", archive.substr(0, archive.size() / 2))
                .find("cut off"),
            std::string::npos);
  std::string flipped = archive;
  flipped[archive.size() / 2] ^= 0x10;
  EXPECT_NE(error("flipped.mtx.gz", flipped), "no error");
}
