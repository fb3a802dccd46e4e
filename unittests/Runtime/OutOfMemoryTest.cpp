//===- OutOfMemoryTest.cpp - Tests of the kernel's record of kills --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/OutOfMemory.h"

#include "baco/Runtime/ChildProcess.h"
#include "baco/Runtime/Job.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

using namespace baco;
using namespace baco::runtime;

namespace {
class OutOfMemoryTest : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "baco-oom-XXXXXX";
    ASSERT_TRUE(mkdtemp(name.data()));
    root = name;
    folders = {root / "proc", root / "cgroup"};
  }
  void TearDown() override { std::filesystem::remove_all(root); }

  void write(const std::string &path, const std::string &text) {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }

  std::filesystem::path root;
  SystemFolders folders;
};
} // namespace

TEST_F(OutOfMemoryTest, ReadsTheControlGroupOfVersion2) {
  write("proc/self/cgroup", "0::/user/baco\n");
  write("proc/vmstat", "pgfault 7\noom_kill 9\n");
  write("cgroup/user/baco/memory.events",
        "low 0\nhigh 1\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n");
  EXPECT_EQ(countOutOfMemoryKills(folders), 2);
}

TEST_F(OutOfMemoryTest, ReadsTheControlGroupOfVersion1) {
  write("proc/self/cgroup", "5:cpu:/a\n4:hugetlb,memory:/b\n0::/\n");
  write("proc/vmstat", "oom_kill 9\n");
  write("cgroup/memory/b/memory.oom_control",
        "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");
  EXPECT_EQ(countOutOfMemoryKills(folders), 4);
  // The name as it is outside of the container.
  write("proc/self/cgroup", "4:memory:/docker/0123\n");
  write("cgroup/memory/memory.oom_control", "under_oom 0\noom_kill 5\n");
  EXPECT_EQ(countOutOfMemoryKills(folders), 5);
}

TEST_F(OutOfMemoryTest, ReadsTheMachineWithoutAGroupThatCounts) {
  EXPECT_EQ(countOutOfMemoryKills(folders), 0);
  write("proc/self/cgroup", "no colon\n0::/\n");
  write("proc/vmstat", "pgfault 7\noom_kill 9\nnr_foll 1\n");
  EXPECT_EQ(countOutOfMemoryKills(folders), 9);
}
