//===- CommandTesting.h - Folders of tests ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_COMMAND_COMMANDTESTING_H
#define BACO_UNITTESTS_COMMAND_COMMANDTESTING_H

#include "baco/Space/Space.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace baco::command::test {

inline Space makeSpace() {
  return *Space::create({*Parameter::integer("tile", 1, 64),
                         *Parameter::categorical("text", {"a b", "x"})});
}

inline std::string readAll(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Has a folder that ends with the test.
class FolderTest : public testing::Test {
protected:
  FolderTest() {
    std::string name = std::filesystem::temp_directory_path() / "baco-XXXXXX";
    folder = mkdtemp(name.data());
  }
  ~FolderTest() override { std::filesystem::remove_all(folder); }

  std::string folder;
};

} // namespace baco::command::test

#endif // BACO_UNITTESTS_COMMAND_COMMANDTESTING_H
