//===- StudyKeyTest.cpp - Tests of fingerprints ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Published vectors and properties of keys.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/StudyKey.h"

#include <gtest/gtest.h>

using namespace baco::database;

TEST(StudyKeyTest, HashMatchesPublishedVectors) {
  // From the FNV authors' list; the last two also by Python's big integers.
  EXPECT_EQ(contentHash(""), "6c62272e07bb014262b821756295c58d");
  EXPECT_EQ(contentHash("a"), "d228cb696f1a8caf78912b704e4a8964");
  EXPECT_EQ(contentHash("foobar"), "343e1662793c64bf6f0d3597ba446f18");
}

TEST(StudyKeyTest, LengthsAreHashed) {
  // FNV-1a of "1:a2:bc" by Python's big integers.
  EXPECT_EQ(studyKey({{"a", "bc"}}), "350af1eede4ff78cdc7d3d2672323b26");
  EXPECT_NE(studyKey({{"a", "bc"}}), studyKey({{"ab", "c"}}));
  EXPECT_NE(studyKey({{"a", "b"}, {"c", "d"}}),
            studyKey({{"c", "d"}, {"a", "b"}}));
  EXPECT_NE(studyKey({}), studyKey({{"", ""}}));
}
