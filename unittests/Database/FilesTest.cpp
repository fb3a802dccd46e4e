//===- FilesTest.cpp - Tests of whole files -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contents, permissions, and failures that leave the old file.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Files.h"

#include "TestHelpers.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace baco;
using namespace baco::database;
using baco::test::runUnprivileged;
using baco::test::TemporaryFolder;

namespace fs = std::filesystem;

static size_t numFiles(const fs::path &folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(FilesTest, WritesAndReadsAnyBytes) {
  TemporaryFolder folder;
  std::string path = folder.file("a");
  for (const std::string &text :
       {std::string(), std::string("a\0b\n", 4), std::string(200000, 'x')}) {
    ASSERT_TRUE(writeFileAtomically(path, text));
    Result<std::string> read = readFile(path);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, text);
  }
  EXPECT_EQ(numFiles(folder.path()), 1u) << "no temporary file is left";
}

TEST(FilesTest, KeepsPermissions) {
  TemporaryFolder folder;
  std::string path = folder.file("a");
  mode_t old = umask(027);
  ASSERT_TRUE(writeFileAtomically(path, "1"));
  EXPECT_EQ(umask(old), mode_t(027)) << "the mask itself is unchanged";
  EXPECT_EQ(static_cast<int>(fs::status(path).permissions()), 0640);
  fs::permissions(path, static_cast<fs::perms>(0755));
  ASSERT_TRUE(writeFileAtomically(path, "2"));
  EXPECT_EQ(static_cast<int>(fs::status(path).permissions()), 0755);
}

TEST(FilesTest, FollowsLinks) {
  TemporaryFolder folder;
  fs::create_symlink("a", folder.file("link"));
  ASSERT_TRUE(writeFileAtomically(folder.file("a"), "1"));
  ASSERT_TRUE(writeFileAtomically(folder.file("link"), "2"));
  EXPECT_TRUE(fs::is_symlink(folder.file("link")));
  EXPECT_EQ(*readFile(folder.file("a")), "2");
}

TEST(FilesTest, LeavesWhatIsNoRegularFile) {
  TemporaryFolder folder;
  std::string pipe = folder.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ASSERT_TRUE(writeFileAtomically(pipe, "text"));
  char got[8];
  EXPECT_EQ(read(reader, got, sizeof(got)), 4);
  close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(FilesTest, FailuresNameTheFileAndLeaveTheOldOne) {
  TemporaryFolder folder;
  std::string missing = folder.file("none/a");
  Result<void> written = writeFileAtomically(missing, "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            "cannot write '" + missing + "': No such file or directory");
  Result<std::string> read = readFile(missing);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message,
            "cannot read '" + missing + "': No such file or directory");
  read = readFile(folder.path().string());
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("not a regular file"), std::string::npos);

  // A folder can't be replaced by a file; the temporary file is removed.
  std::string taken = folder.file("taken");
  fs::create_directory(taken);
  EXPECT_FALSE(writeFileAtomically(taken, "x"));
  EXPECT_EQ(numFiles(folder.path()), 1u);

  std::string path = folder.file("a");
  ASSERT_TRUE(writeFileAtomically(path, "old"));
  fs::permissions(folder.path(), static_cast<fs::perms>(0555));
  EXPECT_EQ(runUnprivileged([&] {
              Result<void> refused = writeFileAtomically(path, "new");
              return !refused && refused.error().message ==
                                     "cannot write '" + path +
                                         "': Permission denied"
                         ? 0
                         : 1;
            }),
            0);
  fs::permissions(folder.path(), static_cast<fs::perms>(0777));
  EXPECT_EQ(*readFile(path), "old");
}
