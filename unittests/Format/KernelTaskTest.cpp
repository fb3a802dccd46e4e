//===- KernelTaskTest.cpp -------------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/KernelTask.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

using namespace baco;

namespace {
std::string mistake(const std::string &text) {
  Result<KernelTask> task = readKernelTask(text, "k.json");
  EXPECT_FALSE(task) << text;
  return task ? "" : task.error().message;
}

/// A task with further members on its second line.
std::string taskWith(const std::string &members) {
  return R"({"text": "kernel", "kernel": "k", "global": [1],
)" + members +
         "}";
}
} // namespace

TEST(KernelTaskTest, HasAllMembers) {
  std::string name = std::filesystem::temp_directory_path() / "baco-XXXXXX";
  std::string folder = mkdtemp(name.data());
  std::ofstream(folder + "/k.cl") << "the source\n";
  Result<KernelTask> task = readKernelTask(R"({
    "source": "k.cl", "kernel": "add", "options": "-cl-mad-enable",
    "grid": ["N // tile", 2], "local": ["tile", 1],
    "constants": {"N": 64, "TYPE": "float", "F": 0.5},
    "platform": "Portable", "device": "cpu", "tolerance": 0.001,
    "arguments": [
      {"scalar": "uint", "value": "N + 1", "name": "n"},
      {"scalar": "float"},
      {"buffer": "int", "size": "N", "random": [-1, 1], "file": "in.npy"},
      {"buffer": "double", "size": 8, "output": true, "expected": "out.bin"},
      {"local": "float", "size": "tile * 2"}
    ],
    "reference": {"kernel": "plain", "global": ["N"]}
  })",
                                           folder + "/k.json");
  ASSERT_TRUE(task) << task.error().message;
  EXPECT_EQ(task->code.text, "the source\n");
  EXPECT_EQ(task->code.file, folder + "/k.cl");
  EXPECT_EQ(task->code.kernel, "add");
  EXPECT_EQ(task->code.options, "-cl-mad-enable");
  EXPECT_TRUE(task->code.isGrid);
  ASSERT_EQ(task->code.global.size(), 2u);
  EXPECT_EQ(task->code.global[0].text(), "N // tile");
  EXPECT_EQ(task->code.local[1].asInteger(), 1);
  ASSERT_EQ(task->constants.size(), 3u);
  EXPECT_EQ(task->constants[1].second, ParameterValue(std::string("float")));
  EXPECT_EQ(task->platform, "Portable");
  EXPECT_EQ(task->device, "cpu");
  EXPECT_EQ(task->tolerance, 0.001);
  ASSERT_EQ(task->arguments.size(), 5u);
  EXPECT_EQ(task->arguments[0].name, "n");
  EXPECT_EQ(task->arguments[0].value->text(), "N + 1");
  EXPECT_FALSE(task->arguments[1].value);
  EXPECT_EQ(task->arguments[2].file, folder + "/in.npy");
  EXPECT_EQ(task->arguments[2].range, std::pair(-1.0, 1.0));
  EXPECT_TRUE(task->arguments[3].isOutput);
  EXPECT_EQ(task->arguments[3].expected, folder + "/out.bin");
  EXPECT_EQ(task->arguments[3].type, KernelScalar::Double);
  EXPECT_EQ(task->arguments[4].kind, KernelArgument::Kind::Local);
  ASSERT_TRUE(task->reference);
  EXPECT_EQ(task->reference->text, task->code.text);
  EXPECT_EQ(task->reference->kernel, "plain");
  task->setConstant("N", int64_t(5));
  EXPECT_EQ(task->constants[0].second, ParameterValue(int64_t(5)));
  std::filesystem::remove_all(folder);
}

TEST(KernelTaskTest, MistakesHaveAPlace) {
  EXPECT_EQ(mistake("[]"), "k.json:1:1: a kernel's file must be a JSON object");
  EXPECT_EQ(mistake(R"({"kernel": "k", "global": [1]})"),
            "k.json:1:1: the kernel needs 'source', a file, or 'text'");
  EXPECT_EQ(mistake(R"({"source": "none.cl", "kernel": "k", "global": [1]})"),
            "k.json:1:1: cannot read 'none.cl'");
  EXPECT_EQ(mistake(R"({"text": "k", "global": [1]})"),
            "k.json:1:1: the kernel needs 'kernel', the name of a function");
  EXPECT_EQ(mistake(R"({"text": "k", "kernel": "k"})"),
            "k.json:1:1: the kernel needs 'global', the numbers of work-items, "
            "or 'grid', those of work-groups");
  EXPECT_EQ(mistake(R"({"text": "k", "kernel": "k", "global": []})"),
            "k.json:1:1: the kernel needs one size at least");
  EXPECT_EQ(mistake(R"({"text": "k", "kernel": "k", "grid": [1]})"),
            "k.json:1:1: 'grid' of the kernel needs 'local'");
  EXPECT_EQ(
      mistake(R"({"text": "k", "kernel": "k",
 "global": ["1 +"]})"),
      "k.json:2:13: a size in 'global' of the kernel: in '1 +', column 4: "
      "expected a value, but the expression ends");
  EXPECT_EQ(mistake(taskWith("\"local\": [1, 2]")),
            "k.json:1:1: 'local' of the kernel needs as many sizes as 'global' "
            "has");
  EXPECT_EQ(mistake(taskWith("\"globl\": 1")),
            "k.json:1:1: a kernel's file has an unknown member 'globl'");
  EXPECT_EQ(mistake(taskWith("\"tolerance\": -1")),
            "k.json:1:1: 'tolerance' must be at least 0");
  EXPECT_EQ(mistake(taskWith("\"constants\": {\"N\": null}")),
            "k.json:2:20: constant 'N' has no value");
}

TEST(KernelTaskTest, ArgumentsAreChecked) {
  auto argument = [](const std::string &text) {
    return mistake(taskWith("\"arguments\": [" + text + "]"));
  };
  EXPECT_EQ(argument("{}"), "k.json:2:15: argument 1 needs 'scalar', 'buffer' "
                            "or 'local', with a type");
  EXPECT_EQ(
      argument(R"({"scalar": "int64"})"),
      "k.json:2:15: argument 1 has the type 'int64'; types are char, "
      "uchar, short, ushort, int, uint, long, ulong, half, float, double");
  EXPECT_EQ(argument(R"({"buffer": "int"})"),
            "k.json:2:15: argument 1 needs 'size', its number of elements");
  EXPECT_EQ(argument(R"({"scalar": "int", "size": 1})"),
            "k.json:2:15: argument 1 has an unknown member 'size'");
  EXPECT_EQ(argument(R"({"buffer": "int", "size": 1, "expected": "f"})"),
            "k.json:2:15: 'expected' of argument 1 needs \"output\": true");
  EXPECT_EQ(argument(R"({"scalar": "int", "random": [2, 1]})"),
            "k.json:2:43: 'random' of argument 1 must be the least and the "
            "largest value");
}
