//===- HostInfoTest.cpp - Tests of HostInfo -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/HostInfo.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

using baco::schedule::HostCpu;
using baco::schedule::HostInfo;

TEST(HostInfoTest, GivenValuesWin) {
  auto info = HostInfo::parse(
      "vector-bytes=32,vector-registers=16,l1=32768,l2=262144,l3=0,threads=3");
  ASSERT_TRUE(static_cast<bool>(info)) << llvm::toString(info.takeError());
  EXPECT_EQ(info->vectorBytes, 32);
  EXPECT_EQ(info->vectorRegisters, 16);
  EXPECT_EQ(info->l1Bytes, 32768);
  EXPECT_EQ(info->l2Bytes, 262144);
  EXPECT_EQ(info->l3Bytes, 0);
  EXPECT_EQ(info->threads, 3);
}

TEST(HostInfoTest, TheRestComesFromThisMachine) {
  HostInfo here = HostInfo::detect();
  auto info = HostInfo::parse(" l2 = 12345 ");
  ASSERT_TRUE(static_cast<bool>(info)) << llvm::toString(info.takeError());
  EXPECT_EQ(info->l2Bytes, 12345);
  EXPECT_EQ(info->vectorBytes, here.vectorBytes);
  EXPECT_EQ(info->l1Bytes, here.l1Bytes);
  EXPECT_EQ(info->threads, 1);
}

TEST(HostInfoTest, OtherVectorsHaveNoDotProducts) {
  HostInfo other;
  other.dotProducts = 1;
  auto dotProductsOf = [&](llvm::StringRef text) {
    auto info = HostInfo::parse(text, other);
    EXPECT_TRUE(static_cast<bool>(info)) << llvm::toString(info.takeError());
    return info->dotProducts;
  };
  EXPECT_EQ(dotProductsOf("l2=4321"), 1);
  EXPECT_EQ(dotProductsOf("vector-bytes=64"), 0);
  EXPECT_EQ(dotProductsOf("dot-products=1,vector-bytes=64"), 1);
  EXPECT_EQ(dotProductsOf("dot-products=0"), 0);
  EXPECT_EQ(dotProductsOf(other.str()), 1);
  other.dotProducts = 2;
  EXPECT_EQ(dotProductsOf(other.str()), 2);
  EXPECT_EQ(dotProductsOf("cpu=sapphirerapids"), 2);
  EXPECT_EQ(dotProductsOf("cpu=znver4"), 1);
}

TEST(HostInfoTest, ThisMachineIsPlausible) {
  HostInfo here = HostInfo::detect();
  EXPECT_GE(here.vectorBytes, 16);
  EXPECT_GE(here.vectorRegisters, 8);
  // From 8 KiB (small cores) to 1 MiB.
  EXPECT_GE(here.l1Bytes, 8 << 10);
  EXPECT_LE(here.l1Bytes, 1 << 20);
  EXPECT_GE(here.l2Bytes, here.l1Bytes);
}

TEST(HostInfoTest, CachesAreKnownWhereLinuxDescribesNone) {
  if (std::filesystem::exists("/sys/devices/system/cpu/cpu0/cache"))
    GTEST_SKIP() << "Linux describes them";
  HostInfo here = HostInfo::detect(), unknown;
  auto expected = [](int name, int64_t otherwise) {
    int64_t size = sysconf(name);
    return size > 0 ? size : otherwise;
  };
  EXPECT_EQ(here.l1Bytes, expected(_SC_LEVEL1_DCACHE_SIZE, unknown.l1Bytes));
  EXPECT_EQ(here.l2Bytes, expected(_SC_LEVEL2_CACHE_SIZE, unknown.l2Bytes));
  EXPECT_EQ(here.l3Bytes, 0);
}

TEST(HostInfoTest, RestComesFromTheGivenMachine) {
  HostInfo other;
  other.l1Bytes = 1234;
  auto info = HostInfo::parse("l2=4321", other);
  ASSERT_TRUE(static_cast<bool>(info)) << llvm::toString(info.takeError());
  EXPECT_EQ(info->l1Bytes, 1234);
  EXPECT_EQ(info->l2Bytes, 4321);
}

TEST(HostCpuTest, IsReadAsItWasWritten) {
  HostCpu here = HostCpu::detect();
  EXPECT_NE(here.name, "");
  HostCpu again = HostCpu::parse(here.name, here.featureText());
  EXPECT_EQ(again.name, here.name);
  EXPECT_EQ(again.features, here.features);
}

#ifdef __x86_64__
TEST(HostCpuTest, NamedOnesHaveTheirVectors) {
  // By the System V ABI's levels of x86-64.
  for (auto [name, bytes] :
       {std::pair("x86-64-v2", 16), {"x86-64-v3", 32}, {"x86-64-v4", 64}}) {
    auto cpu = HostCpu::named(name);
    ASSERT_TRUE(static_cast<bool>(cpu)) << llvm::toString(cpu.takeError());
    EXPECT_EQ(HostInfo::detect(*cpu).vectorBytes, bytes) << name;
    EXPECT_EQ(HostInfo::detect(*cpu).dotProducts, 0) << name;
    EXPECT_EQ(cpu->has("avx"), bytes > 16) << name;
  }
  auto zen4 = HostCpu::named("znver4");
  ASSERT_TRUE(static_cast<bool>(zen4)) << llvm::toString(zen4.takeError());
  EXPECT_EQ(HostInfo::detect(*zen4).dotProducts, 1);
  auto unknown = HostCpu::named("z80");
  ASSERT_FALSE(static_cast<bool>(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "LLVM knows no CPU 'z80'; 'llc -mtriple=x86_64 -mcpu=help' lists "
            "those of x86-64, and -mtriple=aarch64 those of AArch64");
}
#endif

TEST(HostInfoTest, OtherArchitecturesAreKnownByTheirCpus) {
  auto info = HostInfo::parse("l2=524288,cpu=neoverse-v1");
  ASSERT_TRUE(static_cast<bool>(info)) << llvm::toString(info.takeError());
  EXPECT_EQ(info->str(),
            "cpu=neoverse-v1,vector-bytes=16,vector-registers=32,l1=65536,"
            "l2=524288,l3=33554432,threads=1");
  EXPECT_EQ(info->codeCpu(), "neoverse-v1");
  auto again = HostInfo::parse(info->str());
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->str(), info->str());
  auto cpu = HostCpu::named("neoverse-v1");
  ASSERT_TRUE(static_cast<bool>(cpu)) << llvm::toString(cpu.takeError());
  EXPECT_TRUE(cpu->has("sve"));
  EXPECT_FALSE(HostCpu::named("neoverse-n1")->has("sve"));
  EXPECT_EQ(baco::schedule::tripleOf("neoverse-n1").rfind("aarch64", 0), 0u);
  EXPECT_EQ(baco::schedule::tripleOf("znver4").rfind("x86_64", 0), 0u);
}

TEST(HostInfoTest, WrongTextIsAnError) {
  for (const char *text :
       {"l4=1", "l1", "l1=", "l1=-1", "l1=0", "l2=1e6", "l2=99999999999999999",
        "vector-bytes=24", "vector-bytes=8", "vector-registers=2000000",
        "threads=0", "threads=65", "cpu=z80", "cpu=", "="}) {
    auto info = HostInfo::parse(text);
    EXPECT_FALSE(static_cast<bool>(info)) << text;
    llvm::consumeError(info.takeError());
  }
}

TEST(HostInfoTest, ThreadsAreCounted) {
  HostInfo info;
  info.threads = 3;
  EXPECT_FALSE(static_cast<bool>(info.useThreads(1)));
  EXPECT_EQ(info.threads, 3);
  EXPECT_FALSE(static_cast<bool>(info.useThreads(64)));
  EXPECT_EQ(info.threads, 64);
  EXPECT_FALSE(static_cast<bool>(info.useThreads(0)));
  EXPECT_GE(info.threads, 1);
  for (int64_t count : {-1, 65})
    EXPECT_NE(llvm::toString(info.useThreads(count)), "") << count;
}
