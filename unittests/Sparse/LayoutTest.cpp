//===- LayoutTest.cpp - Tests of differences between formats --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/Layout.h"

#include <gtest/gtest.h>

using namespace baco::sparse;

static constexpr LevelKind dense = LevelKind::Dense;
static constexpr LevelKind compressed = LevelKind::Compressed;

static StorageFormat named(const char *name, size_t rank = 2) {
  return *namedFormat(name, rank);
}

TEST(LayoutTest, WidthsAreNoLayout) {
  StorageFormat narrow = named("csr");
  narrow.positionWidth = 16;
  EXPECT_TRUE(haveSameLayout(narrow, named("csr")));
  EXPECT_FALSE(haveSameLayout(narrow, named("csc")));
  EXPECT_FALSE(haveSameLayout(narrow, named("dcsr")));
  EXPECT_FALSE(haveSameLayout(named("coo"), named("dcsr")));
}

TEST(LayoutTest, ChunksOfDenseRowsAreRows) {
  StorageFormat chunks = {
      {{dense, 0, 16, 0}, {dense, 0, 4, 4}, {dense, 0, 1, 4}, {compressed, 1}}};
  EXPECT_TRUE(haveSameLayout(chunks, named("csr")));
  // Chunks by turns aren't.
  StorageFormat turns = {{{dense, 0, 1, 4}, {dense, 0, 4, 0}, {compressed, 1}}};
  EXPECT_FALSE(haveSameLayout(turns, named("csr")));
  StorageFormat blocks = {
      {{dense, 0, 4, 0}, {compressed, 1}, {dense, 0, 1, 4}}};
  EXPECT_FALSE(haveSameLayout(blocks, named("csr")));
}

TEST(LayoutTest, InnermostEntriesMayRepeat) {
  StorageFormat once = {{{compressed, 0}}},
                list = {{{compressed, 0, 1, 0, false}}};
  EXPECT_TRUE(haveSameLayout(once, list));
}

TEST(LayoutTest, SortsByLevelsThatChangeTheOrder) {
  EXPECT_EQ(countLevelsToSort(named("csr"), named("dcsr")), 0U);
  EXPECT_EQ(countLevelsToSort(named("csr"), named("coo")), 0U);
  EXPECT_EQ(countLevelsToSort(named("csr"), named("csc")), 1U);
  EXPECT_EQ(countLevelsToSort(named("csc"), named("csr")), 1U);
  // i, j, k to j, i, k; and to k, j, i.
  StorageFormat csf = named("csf", 3), other = csf;
  std::swap(other.levels[0], other.levels[1]);
  EXPECT_EQ(countLevelsToSort(csf, other), 1U);
  std::swap(other.levels[0], other.levels[2]);
  EXPECT_EQ(countLevelsToSort(csf, other), 1U);
  std::swap(other.levels[1], other.levels[2]);
  EXPECT_EQ(countLevelsToSort(csf, other), 2U);
}

TEST(LayoutTest, SortsByBlocks) {
  // Blocks of eight columns, and in them rows.
  StorageFormat columns = {
      {{dense, 1, 8, 0}, {dense, 0}, {compressed, 1, 1, 8}}};
  EXPECT_EQ(countLevelsToSort(named("csr"), columns), 1U);
  EXPECT_EQ(countLevelsToSort(columns, named("csr")), 1U);
  // Chunks of rows keep the order.
  StorageFormat chunks = {
      {{dense, 0, 16, 0}, {compressed, 0, 1, 16}, {compressed, 1}}};
  EXPECT_EQ(countLevelsToSort(named("csr"), chunks), 0U);
  // Blocks of which none is a part of the other.
  StorageFormat six = {{{dense, 1, 6, 0}, {dense, 0}, {compressed, 1, 1, 6}}};
  EXPECT_EQ(countLevelsToSort(columns, six), 3U);
}
