//===- NpyFileTest.cpp - Tests of NumPy's file format ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files are written byte by byte as the format says.
//
//===----------------------------------------------------------------------===//

#include "baco/Support/NpyFile.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace baco;

namespace {
class NpyFileTest : public testing::Test {
protected:
  NpyFileTest() {
    const testing::TestInfo *test =
        testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() /
             (std::string("baco-npy-") + test->name() + "-" +
              std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    file = folder / "x.npy";
  }
  ~NpyFileTest() override { std::filesystem::remove_all(folder); }

  void write(const std::string &bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
  }
  /// Writes a file of version 1.0.
  void write(const std::string &header, const std::string &data) {
    write(start(1, header.size(), 2) + header + data);
  }
  /// The magic, the version, and the length of a header in so many bytes.
  static std::string start(char major, uint64_t length, int lengthBytes) {
    std::string text = std::string("\x93NUMPY") + major + '\0';
    for (int i = 0; i < lengthBytes; ++i)
      text += static_cast<char>(length >> 8 * i & 255);
    return text;
  }
  static std::string dictionary(const std::string &type,
                                const std::string &shape,
                                const std::string &order = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + order +
           ", 'shape': " + shape + ", }\n";
  }
  /// The message of the error that the file gives.
  std::string error(const std::string &bytes) {
    write(bytes);
    Result<NpyHeader> header = readNpyHeader(file);
    EXPECT_FALSE(header) << bytes;
    return header ? "" : header.error().message;
  }
  std::string error(const std::string &header, const std::string &data) {
    return error(start(1, header.size(), 2) + header + data);
  }

  std::filesystem::path folder;
  std::string file;
};
} // namespace

template <typename T>
static std::string bytesOf(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(T)};
}

template <typename T>
static std::vector<T> valuesOf(const Result<std::vector<std::byte>> &data) {
  std::vector<T> values;
  if (!data)
    return values;
  values.resize(data->size() / sizeof(T));
  std::memcpy(values.data(), data->data(), data->size());
  return values;
}

TEST_F(NpyFileTest, ReadsAllVersions) {
  std::string header = dictionary("<f4", "(2, 3)");
  std::vector<float> values = {1, 2, 3, 4, 5, 6};
  for (char major : {1, 2, 3}) {
    int lengthBytes = major == 1 ? 2 : 4;
    write(start(major, header.size(), lengthBytes) + header + bytesOf(values));
    Result<NpyHeader> read = readNpyHeader(file);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->shape, (std::vector<int64_t>{2, 3}));
    EXPECT_FALSE(read->isFortranOrder);
    EXPECT_EQ(read->elementSize, 4u);
    EXPECT_EQ(valuesOf<float>(readNpyElements(file, *read)), values);
    EXPECT_TRUE(isNpyType(*read, "f32"));
    EXPECT_FALSE(isNpyType(*read, "f64"));
    EXPECT_FALSE(isNpyType(*read, "i32"));
  }
}

TEST_F(NpyFileTest, ReadsEachType) {
  struct Case {
    const char *type, *element;
    size_t size;
  };
  for (auto [type, element, size] :
       {Case{"<f2", "f16", 2}, Case{"|V2", "bf16", 2}, Case{"<V2", "bf16", 2},
        Case{"<f4", "f32", 4}, Case{"<f8", "f64", 8}, Case{"|b1", "i1", 1},
        Case{"|i1", "i8", 1}, Case{"|u1", "i8", 1}, Case{"<i2", "i16", 2},
        Case{"<u2", "i16", 2}, Case{"<i4", "i32", 4}, Case{"<u4", "i32", 4},
        Case{"<i8", "i64", 8}, Case{"<u8", "i64", 8}, Case{"<i8", "index", 8},
        Case{"<c8", "complex<f32>", 8}, Case{"<c16", "complex<f64>", 16}}) {
    write(dictionary(type, "(3,)"), std::string(3 * size, 'x'));
    Result<NpyHeader> header = readNpyHeader(file);
    ASSERT_TRUE(header) << header.error().message;
    EXPECT_TRUE(isNpyType(*header, element)) << type;
    EXPECT_EQ(header->elementSize, size);
    EXPECT_TRUE(npyTypeFor(element));
  }
  EXPECT_EQ(npyTypeFor("f32"), "numpy.float32");
  EXPECT_FALSE(npyTypeFor("i7"));
}

TEST_F(NpyFileTest, FortranOrderIsTurned) {
  // Of [[[0, 1], [2, 3], [4, 5]]] + 6 i in the first dimension.
  write(dictionary("<i4", "(2, 3, 2)", "True"),
        bytesOf<int32_t>({0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}));
  Result<NpyHeader> header = readNpyHeader(file);
  ASSERT_TRUE(header);
  EXPECT_EQ(valuesOf<int32_t>(readNpyElements(file, *header)),
            (std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST_F(NpyFileTest, ReadsOtherSpellings) {
  write("{\"shape\":(), \"fortran_order\" : True,\"descr\": \"<f8\"}  \n",
        bytesOf<double>({2.5}));
  Result<NpyHeader> header = readNpyHeader(file);
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_TRUE(header->shape.empty());
  EXPECT_EQ(valuesOf<double>(readNpyElements(file, *header)),
            std::vector<double>{2.5});
  EXPECT_EQ(describeShape(header->shape), "()");

  write(dictionary("<f8", "(3L, 0)"), "");
  header = readNpyHeader(file);
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->numElements(), 0);
  EXPECT_EQ(describeShape(header->shape), "3x0");
  EXPECT_TRUE(readNpyElements(file, *header)->empty());
}

TEST_F(NpyFileTest, OtherFilesAreRefused) {
  auto has = [](const std::string &text, const char *part) {
    return text.find(part) != std::string::npos &&
           text.find('\n') == std::string::npos;
  };
  std::string good = dictionary("<f4", "(2,)"), two(8, 'x');
  const char *notOurs = "isn't a file of numpy.save";
  EXPECT_TRUE(has(error(""), notOurs));
  EXPECT_TRUE(has(error("\x93NUM"), notOurs));
  EXPECT_TRUE(has(error("text of some length"), notOurs));
  EXPECT_TRUE(has(error("PK\x03\x04 more than ten bytes"), "is an archive"));
  EXPECT_TRUE(has(error(start(4, 4, 4) + "abcd"), "has version 4.0"));
  EXPECT_TRUE(has(error(start(0, 4, 4) + "abcd"), "has version 0.0"));
  // Headers that end too early, or never.
  EXPECT_TRUE(has(error(start(1, 200, 2) + good), "no complete header"));
  EXPECT_TRUE(has(error(start(2, 0xffffffff, 4) + good), "no complete header"));
  EXPECT_TRUE(has(error(start(2, 0, 4)), "a dictionary is expected"));
  const char *header = "has a header that isn't one of numpy.save: ";
  for (const char *text :
       {"",
        "{",
        "}",
        "{}",
        "[1]",
        "{'descr'",
        "{'descr'}",
        "{'descr':}",
        "{'descr': '<f4}",
        "{descr: '<f4'}",
        "{'descr': <f4}",
        "{'descr': '<f4' 'shape': (2,)}",
        "{'descr': '<\nf4'}",
        "{'descr': '\x1b[1m'}",
        "{'other': 1}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2.0,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': "
        "(99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'descr': "
        "'<f4'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} more"})
    EXPECT_TRUE(has(error(text, two), header)) << text;
  // What isn't a number, or in another order of bytes.
  for (const char *type : {"|O", "<U4", "|S1", "<M8[ns]", "|V7", "<f16", "",
                           "<", "f4", "<i3", "<f", "u", "<  "})
    EXPECT_TRUE(has(error(dictionary(type, "(2,)"), two), "holds elements of"))
        << type;
  for (const char *type : {">f4", "=f4", "|f4", ">i8", " f4"})
    EXPECT_TRUE(has(error(dictionary(type, "(2,)"), two), "little-endian"))
        << type;
  // Another size than the header says.
  EXPECT_TRUE(has(error(good, ""), "has 0 bytes of elements, but its header "
                                   "says 8, 2 of '<f4'; save it again"));
  EXPECT_TRUE(has(error(good, two.substr(1)), "has 7 bytes"));
  EXPECT_TRUE(has(error(good, two + "x"), "has 9 bytes"));
  EXPECT_TRUE(has(error(dictionary("<f4", "(9223372036854775807,)"), two),
                  "can't have the shape"));
  EXPECT_TRUE(has(error(dictionary("<f4", "(4294967296, 4294967296)"), two),
                  "can't have the shape"));
  EXPECT_TRUE(has(error(dictionary("<f4", "(0, 4294967296, 4294967296)"), ""),
                  "can't have the shape"));
}

TEST_F(NpyFileTest, WhatIsNoFileIsRefused) {
  auto message = [](const std::string &name) {
    Result<NpyHeader> header = readNpyHeader(name);
    return header ? "" : header.error().message;
  };
  EXPECT_EQ(message(file),
            "'" + file + "' can't be read: No such file or directory");
  EXPECT_EQ(message(folder), "'" + folder.string() +
                                 "' is no regular file; save the array to one");
  EXPECT_NE(message("/dev/zero").find("is no regular file"), std::string::npos);
  // Nobody writes to it.
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_NE(message(file).find("is no regular file"), std::string::npos);
}

TEST_F(NpyFileTest, FilesThatShrinkAreRefused) {
  write(dictionary("<f4", "(2,)"), std::string(8, 'x'));
  Result<NpyHeader> header = readNpyHeader(file);
  ASSERT_TRUE(header);
  write(dictionary("<f4", "(2,)"), std::string(4, 'x'));
  Result<std::vector<std::byte>> elements = readNpyElements(file, *header);
  ASSERT_FALSE(elements);
  EXPECT_NE(elements.error().message.find("it ends too early"),
            std::string::npos);
  EXPECT_FALSE(hashNpyFile(file, *header));
}

TEST_F(NpyFileTest, HashesTellContentsApart) {
  auto hash = [&](const std::string &header, const std::string &data) {
    write(header, data);
    Result<NpyHeader> read = readNpyHeader(file);
    EXPECT_TRUE(read) << read.error().message;
    return *hashNpyFile(file, *read);
  };
  std::string data(200000, 'a'), other = data;
  other.back() = 'b';
  std::string first = hash(dictionary("<f4", "(50000,)"), data);
  EXPECT_EQ(first.size(), 32u);
  EXPECT_EQ(hash(dictionary("<f4", "(50000,)") + "    ", data), first);
  EXPECT_NE(hash(dictionary("<f4", "(50000,)"), other), first);
  EXPECT_NE(hash(dictionary("<i4", "(50000,)"), data), first);
  EXPECT_NE(hash(dictionary("<f4", "(2, 25000)"), data), first);
  EXPECT_NE(hash(dictionary("<f4", "(50000,)", "True"), data), first);
}
