//===- PtxasTest.cpp - Tests of running ptxas -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs in the place of ptxas are shell scripts. The texts are those of
// ptxas 13.0.88.
//
//===----------------------------------------------------------------------===//

#include "baco/Device/Ptxas.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

namespace {
/// A folder with a program.
class PtxasTest : public testing::Test {
protected:
  void SetUp() override {
    char pattern[] = "/tmp/baco-ptxas-XXXXXX";
    ASSERT_TRUE(mkdtemp(pattern));
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string &script) {
    std::string path = folder + "/ptxas";
    std::ofstream(path) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  /// What becomes of `ptx` by `script`.
  Assembly assemble(const std::string &script, std::string_view ptx) {
    auto assembler = PtxAssembler::start(write(script), "sm_90");
    EXPECT_TRUE(assembler);
    Result<Assembly> made = (*assembler)->assemble(ptx);
    EXPECT_TRUE(made);
    return made ? *made : Assembly();
  }

  std::string folder;
};
} // namespace

TEST_F(PtxasTest, TextGoesInAndCodeAndReportComeOut) {
  // Larger than what a pipe or a socket holds.
  std::string ptx(3 << 20, 'x');
  Assembly made = assemble(R"(
test "$*" = "-v -arch=sm_90 /dev/stdin -o $5" || exit 3
cat "$3" > "$5"
echo "ptxas info    : Compiling entry function 'k' for 'sm_90'"
echo "ptxas info    : Used 40 registers, used 0 barriers, 16 bytes smem" >&2
)",
                           ptx);
  EXPECT_EQ(made.error, "");
  EXPECT_TRUE(made.code == ptx);
  ASSERT_EQ(made.kernels.count("k"), 1u);
  EXPECT_EQ(made.kernels["k"].registers, 40);
  EXPECT_EQ(made.kernels["k"].sharedBytes, 16);
}

TEST_F(PtxasTest, SeveralTextsAreAssembled) {
  auto assembler = PtxAssembler::start(write("cat /dev/stdin >$5"), "sm_90");
  ASSERT_TRUE(assembler);
  for (const char *text : {"one", "", "another"}) {
    Result<Assembly> made = (*assembler)->assemble(text);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->code, text);
  }
}

TEST_F(PtxasTest, FailuresAreOneLine) {
  EXPECT_EQ(
      assemble("echo 'ptxas error   : too much' >&2; echo more; exit 255", "x")
          .error,
      "ptxas: too much");
  EXPECT_EQ(assemble("exit 7", "x").error, "ptxas: exit code 7");
  EXPECT_EQ(assemble("kill -SEGV $$", "x").error,
            "ptxas was ended by signal 11");
  // A flood is not kept.
  EXPECT_EQ(assemble("yes | head -c 1000000; exit 1", "x").error, "ptxas: y");
  auto assembler = PtxAssembler::start(folder + "/none", "sm_90");
  ASSERT_TRUE(assembler);
  Result<Assembly> made = (*assembler)->assemble("x");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->error, "ptxas: " + folder +
                             "/none can't be run: No such file or directory");
}

/// Waits until the process `pid` is gone, or a zombie that init has; false
/// after ten seconds.
static bool isGone(pid_t pid) {
  for (int i = 0; i < 1000; ++i) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    if (!(stat >> number >> name >> state) || state == "Z" || state == "X")
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST_F(PtxasTest, AllEndsWithTheCallersProcess) {
  std::string program = write("echo $$ >" + folder + "/new; mv " + folder +
                              "/new " + folder + "/pid; exec sleep 1000");
  pid_t child = fork();
  if (child == 0) {
    auto assembler = PtxAssembler::start(program, "sm_90");
    if (assembler)
      static_cast<void>((*assembler)->assemble("x"));
    _exit(0);
  }
  pid_t ptxas = 0;
  for (int i = 0; i < 1000 && ptxas == 0; ++i) {
    std::ifstream(folder + "/pid") >> ptxas;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_GT(ptxas, 0);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(isGone(ptxas));
}

TEST_F(PtxasTest, ThePathsOfTheCallerStayClosed) {
  // The helper must not keep a socket open whose end somebody waits for.
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  auto assembler = PtxAssembler::start(write("exit 0"), "sm_90");
  ASSERT_TRUE(assembler);
  ASSERT_TRUE((*assembler)->assemble("x"));
  close(pipes[1]);
  char byte = 0;
  EXPECT_EQ(read(pipes[0], &byte, 1), 0);
  close(pipes[0]);
}
