//===- LibraryTextTest.cpp - Tests of the text of libraries ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/LibraryText.h"

#include <gtest/gtest.h>

using namespace baco;

/// A printed sequence with these attributes.
static std::string sequence(const std::string &name,
                            const std::string &attributes) {
  return "  transform.named_sequence @" + name +
         "(%arg0: !transform.any_op {transform.readonly})" + attributes +
         " {\n    transform.foreach %arg0 : !transform.any_op {\n    }\n"
         "    transform.yield \n  }";
}

static std::string entry(const std::string &name, const std::string &fields) {
  return sequence(name, " attributes {baco.entry = {" + fields + "}}");
}

static std::string module(const std::string &body) {
  return "// Of a test.\nmodule attributes {transform.with_named_sequence} "
         "{\n" +
         body + "}\n";
}

TEST(LibraryTextTest, FieldsAreRead) {
  std::vector<EntryText> entries = splitLibrary(module(
      entry("tuned.f", "as_written, configuration = \"{\\22N\\22:1}\", "
                       "fingerprint = \"12\", function = \"a\\22b\\5C\", "
                       "outcome = \"tuned\", stock = \"structure\", "
                       "structure = \"34\"") +
      "\n" + sequence("tuned.f.part", "") + "\n" +
      entry("\"tuned. g(\"", "fingerprint = \"56\", function = \" g(\", "
                             "outcome = \"plain\"") +
      "\n"));
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "tuned.f");
  EXPECT_EQ(entries[0].fingerprint, "12");
  EXPECT_EQ(entries[0].function, "a\"b\\");
  EXPECT_EQ(entries[0].structure, "34");
  EXPECT_TRUE(entries[0].isAsWritten);
  EXPECT_TRUE(entries[0].isScheduled);
  EXPECT_EQ(entries[0].stock, MatcherKind::Structure);
  EXPECT_EQ(entries[0].line, 3u);
  EXPECT_NE(entries[0].text.find("@tuned.f.part("), std::string::npos);
  EXPECT_TRUE(entries[0].text.ends_with("\n  }"));
  EXPECT_EQ(entryField(entries[0], "configuration"), "{\"N\":1}");
  EXPECT_EQ(entryField(entries[0], "cpu"), "");
  EXPECT_EQ(entries[1].name, "\"tuned. g(\"");
  EXPECT_EQ(entries[1].line, 13u);
  EXPECT_FALSE(entries[1].isScheduled);
  EXPECT_FALSE(entries[1].isAsWritten);
  EXPECT_EQ(entries[1].stock, MatcherKind::None);
}

TEST(LibraryTextTest, MatchersAreLeftOut) {
  for (std::string name : {"tuned.f", "\"tuned. f\""}) {
    bool isQuoted = name.front() == '"';
    auto prefixed = [&](const std::string &prefix) {
      return isQuoted ? "\"" + prefix + name.substr(1) : prefix + name;
    };
    std::string first = entry(name, "fingerprint = \"1\", function = \"f\", "
                                    "outcome = \"tuned\", stock = "
                                    "\"structure\""),
                part = sequence(prefixed("match.other."), ""),
                others = sequence(prefixed("match."), "") + "\n" +
                         sequence(prefixed("only."), "") + "\n";
    std::vector<EntryText> entries =
        splitLibrary(module(first + "\n" + others + part + "\n"));
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(withoutMatchers(entries[0]), first + "\n" + part);
    entries[0].stock = MatcherKind::Fingerprint;
    EXPECT_EQ(withoutMatchers(entries[0]), entries[0].text);
  }
}

TEST(LibraryTextTest, OtherTextHasNoEntries) {
  for (const std::string &text :
       {std::string(), std::string("\n"), module(""),
        module(sequence("f", "") + "\n"),
        std::string("\n  transform.named_sequence @"),
        std::string("\n  transform.named_sequence @\"x"),
        std::string("\n  transform.named_sequence @f(\0", 32)})
    EXPECT_TRUE(splitLibrary(text).empty()) << text;
  // Damaged, but no crash.
  for (const char *head : {"@f baco.entry", "@\"f baco.entry",
                           "@f(baco.entry = {function = \"", "@baco.entry"})
    EXPECT_EQ(splitLibrary(std::string("\n  transform.named_sequence ") + head)
                  .size(),
              1u);
}

TEST(LibraryTextTest, OnlyWholeLibrariesHaveEntries) {
  const std::string first = entry("f", "fingerprint = \"1\"") + "\n",
                    second = entry("g", "fingerprint = \"2\"") + "\n";
  for (const char *end : {"", "\n", "\r\n"})
    EXPECT_EQ(findEntries(module(first + second) + end).size(), 2u);
  const std::string start = "<<<<<<< ours\n", between = "=======\n",
                    end = ">>>>>>> theirs\n";
  for (const std::string &body :
       {start + first + between + second + end, first + start + second,
        first + second + end, first + "  // A comment.\n" + second})
    EXPECT_TRUE(findEntries(module(body)).empty()) << body;
  std::string whole = module(first + second);
  EXPECT_TRUE(findEntries(whole.substr(0, whole.size() - 2)).empty());
  EXPECT_TRUE(findEntries(first + second).empty());
}

TEST(LibraryTextTest, WhatIsJoinedIsSplit) {
  std::vector<EntryText> entries = splitLibrary(module(
      entry("a", "fingerprint = \"1\", outcome = \"tuned\", "
                 "stock = \"structure\"") +
      "\n" + sequence("match.a", "") + "\n" + sequence("only.a", "") + "\n" +
      entry("\"b c\"", "fingerprint = \"2\", outcome = \"default\", "
                       "stock = \"fingerprint\"") +
      "\n" + entry("d", R"(fingerprint = "3", outcome = "plain")") + "\n"));
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_TRUE(worksInStockTools(entries));
  std::string text = joinLibrary(entries);
  EXPECT_NE(text.find("@__transform_main"), std::string::npos);
  EXPECT_NE(text.find("%root0 @match.a -> @take_function"), std::string::npos);
  EXPECT_NE(text.find("include @\"b c\" failures"), std::string::npos);
  EXPECT_NE(text.find("{baco.fingerprint = \"2\"} in %root1"),
            std::string::npos);
  std::vector<EntryText> again = splitLibrary(text);
  ASSERT_EQ(again.size(), 3u);
  for (size_t i = 0; i < again.size(); ++i)
    EXPECT_EQ(again[i].text, entries[i].text);
  EXPECT_EQ(joinLibrary(again), text);
}

TEST(LibraryTextTest, StockToolsAreForWhatTheyCanRead) {
  std::vector<EntryText> entries = splitLibrary(module(
      entry("a", "fingerprint = \"1\", outcome = \"tuned\", "
                 "stock = \"fingerprint\"") +
      "\n" +
      entry("b", "fingerprint = \"1\", outcome = \"tuned\", "
                 "stock = \"fingerprint\"") +
      "\n" + entry("c", R"(fingerprint = "2", outcome = "tuned")") + "\n"));
  EXPECT_FALSE(worksInStockTools(entries));
  EXPECT_EQ(joinLibrary(entries).find("@__transform_main"), std::string::npos);
  std::vector<EntryText> stock = stockEntries(entries);
  ASSERT_EQ(stock.size(), 2u);
  EXPECT_TRUE(worksInStockTools(stock));
  std::string text = joinLibrary(stock);
  EXPECT_NE(text.find("include @a "), std::string::npos);
  EXPECT_EQ(text.find("include @b "), std::string::npos)
      << "one function gets one schedule";
  EXPECT_FALSE(worksInStockTools({}));
}

TEST(LibraryTextTest, EntriesOfOneNameAreReplaced) {
  std::vector<EntryText> before =
      splitLibrary(module(entry("a", "fingerprint = \"1\"") + "\n" +
                          entry("b", "fingerprint = \"2\"") + "\n"));
  std::vector<EntryText> after =
      splitLibrary(module(entry("b", "fingerprint = \"3\"") + "\n" +
                          entry("c", "fingerprint = \"4\"") + "\n"));
  std::vector<EntryText> united = replaceEntries(before, after);
  ASSERT_EQ(united.size(), 3u);
  EXPECT_EQ(united[0].fingerprint, "1");
  EXPECT_EQ(united[1].fingerprint, "3");
  EXPECT_EQ(united[2].fingerprint, "4");
}
