//===- CheckedJsonTest.cpp - Tests of JSON that others have written -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Support/CheckedJson.h"

#include <gtest/gtest.h>

#include <cmath>

#include <optional>

using namespace baco;

namespace {
struct Counts {
  int few = 0;
  std::vector<uint8_t> small;
};
BACO_JSON_FIELDS(Counts, few, small)

enum class Side { Left, Right };
std::string nameOf(Side side) { return side == Side::Left ? "left" : "right"; }
std::optional<Side> parseSide(const std::string &name) {
  if (name != "left" && name != "right")
    return std::nullopt;
  return name == "left" ? Side::Left : Side::Right;
}
BACO_JSON_NAMES(Side, nameOf, parseSide)

struct Choices {
  std::optional<Side> side;
  double time = 0;
};
BACO_JSON_FIELDS(Choices, side, time)
} // namespace

template <typename T>
static std::optional<T> read(const char *text) {
  try {
    return CheckedJson::parse(text).get<T>();
  } catch (const CheckedJson::exception &) {
    return std::nullopt;
  }
}

TEST(CheckedJsonTest, IntegersAreReadFromIntegersThatTheyHold) {
  EXPECT_EQ(read<int>("-7"), -7);
  EXPECT_EQ(read<int64_t>("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(read<uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(read<int64_t>("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(read<double>("3"), 3.0);
  EXPECT_EQ(read<bool>("true"), true);
  for (const char *text : {"2.5", "2.0", "1e30", "-1e30", "true", "null",
                           "\"3\"", "[3]", "2147483648", "-2147483649"})
    EXPECT_EQ(read<int>(text), std::nullopt) << text;
  EXPECT_EQ(read<int64_t>("9223372036854775808"), std::nullopt);
  EXPECT_EQ(read<uint64_t>("-1"), std::nullopt);
  EXPECT_EQ(read<bool>("1"), std::nullopt);
}

TEST(CheckedJsonTest, MembersAreCheckedToo) {
  std::optional<Counts> counts = read<Counts>(R"({"few":3,"small":[0,255]})");
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->few, 3);
  EXPECT_EQ(counts->small, (std::vector<uint8_t>{0, 255}));
  EXPECT_EQ(CheckedJson(*counts).dump(), R"({"few":3,"small":[0,255]})");
  EXPECT_FALSE(read<Counts>(R"({"few":3.5,"small":[]})"));
  EXPECT_FALSE(read<Counts>(R"({"few":3,"small":[256]})"));
  EXPECT_FALSE(read<Counts>(R"({"few":3})"));
}

TEST(CheckedJsonTest, NothingIsNull) {
  EXPECT_EQ(CheckedJson(Choices{Side::Right, 0.5}).dump(),
            R"({"side":"right","time":0.5})");
  EXPECT_EQ(CheckedJson(Choices{std::nullopt, std::nan("")}).dump(),
            R"({"side":null,"time":null})");
  auto nothing = read<Choices>(R"({"side":null,"time":null})");
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->side, std::nullopt);
  EXPECT_TRUE(std::isnan(nothing->time));
  EXPECT_EQ(read<Choices>(R"({"side":"left","time":2})")->side, Side::Left);
  for (const char *text :
       {R"({"side":"up","time":2})", R"({"side":1,"time":2})",
        R"({"side":"left","time":"2"})", R"({"time":2})"})
    EXPECT_FALSE(read<Choices>(text)) << text;
}
