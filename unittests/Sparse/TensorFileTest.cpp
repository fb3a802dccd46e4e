//===- TensorFileTest.cpp - Tests of files of sparse tensors
//----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorFileFixture.h"

using namespace baco;
using namespace baco::sparse;

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
