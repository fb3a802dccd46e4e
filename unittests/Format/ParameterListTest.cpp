//===- ParameterListTest.cpp - Parameter lists ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/OpenResults.h"

#include "baco/Format/Scenario.h"
#include "baco/Format/TuningSchema.h"

#include <gtest/gtest.h>

using namespace baco;
using Results = std::vector<std::pair<Configuration, Outcome>>;

TEST(ParameterListTest, ParameterListsRoundTrip) {
  std::vector<LayerParameters> layers = {
      {"matmul", {{"tile", int64_t(32)}, {"order", Permutation{1, 0}}}},
      {"softmax", {{"x", 0.5}, {"mode", std::string("a")}, {"f", true}}}};
  std::string text = writeParameterList(layers);
  auto read = readParameterList(text, "f");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(writeParameterList(*read), text);
  EXPECT_EQ((*read)[1].location, "f:10:5");
  read = readParameterList(R"([{"layer_kind": "m", "wg": [256, 64]}])");
  ASSERT_TRUE(read);
  EXPECT_EQ((*read)[0].assignment,
            (Assignment{{"wg_0", int64_t(256)}, {"wg_1", int64_t(64)}}));
  auto error = [](const char *json) {
    auto list = readParameterList(json, "f");
    return list ? "no error" : list.error().message;
  };
  EXPECT_EQ(error("{}"), "f:1:1: a parameter list must be a JSON list of the "
                         "parameters of layers");
  EXPECT_EQ(error("[\n{\"tile\": 1}]"),
            "f:2:1: the parameters of a layer need a text 'layer_kind'");
  EXPECT_NE(error(R"([{"layer_kind": "m", "a": {}}])").find("parameter 'a'"),
            std::string::npos);
  EXPECT_NE(error(R"([{"layer_kind": "m", "a": [[7]]}])").find("[7] is no"),
            std::string::npos);
}
