//===- TemplateTest.cpp - Payloads with sizes -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expectations are by hand.
//
//===----------------------------------------------------------------------===//

#include "Template.h"

#include "gtest/gtest.h"

using namespace baco::benchmarks;

static Case makeCase() {
  Case target;
  target.sizes = {{"N", 10}};
  target.words = {{"LOOP", "i"}};
  return target;
}

static std::string expand(const char *text) {
  auto result = expandTemplate(text, makeCase());
  return result ? *result : "error: " + llvm::toString(result.takeError());
}

TEST(TemplateTest, ReplacesSizesWordsAndTypes) {
  EXPECT_EQ(expand("%{{LOOP}} to {{N}}x{{T}}"), "%i to 10xf32");
  Case isDouble = makeCase();
  isDouble.isSingle = false;
  EXPECT_EQ(*expandTemplate("{{T}}", isDouble), "f64");
}

TEST(TemplateTest, Computes) {
  EXPECT_EQ(expand("{{N-1}} {{N+2}} {{N/2}}"), "9 12 5");
}

TEST(TemplateTest, KeepsTextWithoutPlaceholders) {
  EXPECT_EQ(expand(""), "");
  EXPECT_EQ(expand("{ a }"), "{ a }");
}

TEST(TemplateTest, NamesWhatHasNoValue) {
  for (const char *name : {"M", "M-1", "N-x", "N/0", "LOOP+1", ""}) {
    std::string text = std::string("{{") + name + "}}";
    EXPECT_EQ(expand(text.c_str()), "error: the payload's placeholder '" +
                                        text + "' has no value in this case");
  }
}
