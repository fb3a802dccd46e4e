//===- GeneratorTextTest.cpp - Texts of generators ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratorErrors.h"
#include "baco/Sparse/TensorSource.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::sparse;

TEST(GeneratorTextTest, TextsThatAreWrongAreErrors) {
  const std::string_view forms[][2] = {
      {"", "there is no generator ''"},
      {"rmat", "expected 'rmat(KEY=VALUE, ...)'"},
      {"graph()", "there is no generator 'graph', only rmat, banded"},
      {"rmat(size=3)", "there is no 'size', only scale, degree, seed"},
      {"rmat(scale=3, scale=4)", "'scale' is given twice"},
      {"rmat(scale=3,)", "no error"},
      {"rmat(scale=3,,)", "there is no ''"},
      {"rmat(scale=0)", "'scale' is an integer from 1 to 28, not '0'"},
      {"rmat(scale=2.5)", "'scale' is an integer from 1 to 28, not '2.5'"},
      {"rmat(scale=28)", "this may have more than 2^28 entries"},
      {"rmat(seed=-1)", "'seed' is an integer from 0"},
      {"banded(width=1)", "'rows' is missing"},
      {"banded(rows=5, width=1, fill=1.5)", "'fill' is a number from 0 to 1"},
      {"banded(rows=5, width=1, fill=nan)", "'fill' is a number from 0 to 1"},
      {"stencil(points=8, side=2)", "'points' is 5, 9, 7 or 27"},
      {"stencil(points=27, side=268435456)", "more than 2^28 entries"},
      {"blocks(side=16384)", "more than 2^28 entries"},
      {"uniform(extents=, entries=1)", "'extents' is a list"},
      {"uniform(extents=3x, entries=1)", "'extents' is a list"},
      {"uniform(extents=3x0, entries=1)", "'extents' is a list"},
      {"uniform(extents=9223372036854775807x9223372036854775807x4, entries=1)",
       "the product of the extents exceeds 2^127"},
  };
  for (const auto &[text, message] : forms)
    EXPECT_NE(error(text).find(message), std::string::npos) << error(text);
}
