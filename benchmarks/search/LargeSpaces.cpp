//===- LargeSpaces.cpp - Spaces that are hard to build --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LargeSpaces.h"

using namespace baco;
using namespace baco::bench;

/// `text` is known to be an expression.
static Constraint constraint(const std::string &text) {
  return {*Expression::parse(text), "", "", false};
}

static Parameter powersOfTwo(const std::string &name, int64_t from,
                             int64_t to) {
  std::vector<ParameterValue> values;
  for (int64_t value = from; value <= to; value *= 2)
    values.push_back(value);
  return *Parameter::ordinal(name, std::move(values), /*log=*/true);
}

SpaceParts baco::bench::xgemmDirect(int64_t n, bool localMemory) {
  SpaceParts parts;
  for (const char *name :
       {"WGD", "MDIMCD", "NDIMCD", "MDIMAD", "NDIMBD", "KWID"})
    parts.parameters.push_back(*Parameter::integer(name, 1, n));
  for (const char *name : {"VWMD", "VWND"})
    parts.parameters.push_back(powersOfTwo(name, 1, 8));
  for (const char *name : {"PADA", "PADB"})
    parts.parameters.push_back(*Parameter::integer(name, 0, 1));
  for (const char *text :
       {"divides(KWID, WGD)", "divides(MDIMCD * VWMD, WGD)",
        "divides(NDIMCD * VWND, WGD)", "divides(MDIMAD * VWMD, WGD)",
        "divides(NDIMBD * VWND, WGD)", "divides(MDIMAD, MDIMCD * NDIMCD)",
        "divides(MDIMCD * NDIMCD // MDIMAD, WGD)",
        "divides(NDIMBD, MDIMCD * NDIMCD)",
        "divides(MDIMCD * NDIMCD // NDIMBD, WGD)", "MDIMCD * NDIMCD <= 1024"})
    parts.constraints.push_back(constraint(text));
  if (localMemory)
    parts.constraints.push_back(
        constraint("4 * (WGD * (WGD + PADA) + WGD * (WGD + PADB)) <= 49152"));
  return parts;
}

SpaceParts baco::bench::matmulGpu() {
  SpaceParts parts;
  for (const char *name : {"v3", "v5", "v6", "v7"})
    parts.parameters.push_back(powersOfTwo(name, 4, 1024));
  for (const char *name : {"v4", "v8", "ls0", "ls1", "gs0", "gs1"})
    parts.parameters.push_back(powersOfTwo(name, 1, 1024));
  for (const char *text :
       {"v7 % v3 == 0", "v5 % v4 == 0", "v5 * v8 % v6 == 0", "1024 % v5 == 0",
        "1024 % v7 == 0", "1024 % v8 == 0", "1024 % gs0 == 0",
        "1024 % gs1 == 0", "v3 % 4 == 0", "v5 % 4 == 0", "v6 % 4 == 0",
        "v7 % 4 == 0", "gs0 % ls0 == 0", "gs1 % ls1 == 0", "ls0 * ls1 <= 1024",
        "49152 - 4 * v5 * v7 - 4 * v5 * v8 - 4 * v7 * v8 >= 0"})
    parts.constraints.push_back(constraint(text));
  return parts;
}

/// Whether a configuration of parameters p0, p1, ... meets a constraint.
static bool meets(const Configuration &values, const Constraint &constraint) {
  auto holds = constraint.expression.evaluate([&](std::string_view name) {
    return &values[std::stoul(std::string(name.substr(1)))];
  });
  return holds && *holds == ParameterValue(true);
}

SpaceParts baco::bench::synthetic(uint64_t seed) {
  constexpr size_t numParameters = 30, numConstraints = 20;
  SpaceParts parts;
  Random random(seed);
  std::vector<std::string> names;
  Configuration hidden;
  for (size_t k = 0; k < numParameters; ++k) {
    names.push_back("p" + std::to_string(k));
    parts.parameters.push_back(random.below(3) == 0
                                   ? powersOfTwo(names[k], 1, 512)
                                   : *Parameter::integer(names[k], 1, 10));
    hidden.push_back(parts.parameters[k].value(random.below(10)));
  }
  while (parts.constraints.size() < numConstraints) {
    std::vector<std::string> order = names;
    random.shuffle(order);
    const std::string &a = order[0], &b = order[1], &c = order[2];
    const std::string texts[] = {"divides(" + a + ", " + b + ")",
                                 a + " <= " + b,
                                 a + " * " + b + " <= 48",
                                 a + " * " + b + " % " + c + " == 0",
                                 a + " + " + b + " >= " + c,
                                 a + " * " + b + " * " + c + " <= 500",
                                 "4 * (" + a + " * " + b + " + " + b + " * " +
                                     c + ") <= 4096"};
    Constraint drawn = constraint(texts[random.below(std::size(texts))]);
    if (meets(hidden, drawn))
      parts.constraints.push_back(std::move(drawn));
  }
  return parts;
}

SpaceParts baco::bench::dense(uint64_t seed) {
  constexpr size_t numParameters = 20, numConstraints = 20, numValues = 32;
  SpaceParts parts;
  Random random(seed);
  std::vector<std::string> names;
  Configuration hidden;
  for (size_t k = 0; k < numParameters; ++k) {
    names.push_back("p" + std::to_string(k));
    parts.parameters.push_back(*Parameter::integer(names[k], 1, numValues));
    hidden.push_back(parts.parameters[k].value(random.below(numValues)));
  }
  while (parts.constraints.size() < numConstraints) {
    std::vector<std::string> order = names;
    random.shuffle(order);
    const std::string &a = order[0], &b = order[1], &c = order[2];
    std::string modulus = std::to_string(2 + random.below(8));
    std::string rest = std::to_string(random.below(8));
    const std::string texts[] = {
        "(" + a + " * " + b + " + " + c + ") % " + modulus + " == " + rest,
        "(" + a + " + " + b + " * " + c + ") % " + modulus + " != " + rest,
        a + " + " + b + " <= " + c,
        a + " * " + b + " <= " + c + " * " + order[3],
        a + " * " + b + " >= 8 * " + c,
        a + " * " + b + " * " + c + " <= 2000",
        a + " * " + b + " % " + c + " == 0",
        "max(" + a + ", " + b + ") <= 2 * " + c};
    Constraint drawn = constraint(texts[random.below(std::size(texts))]);
    if (meets(hidden, drawn))
      parts.constraints.push_back(std::move(drawn));
  }
  return parts;
}

SpaceParts baco::bench::withIdleReal(SpaceParts parts, bool trees) {
  parts.parameters.push_back(*Parameter::real("idle", 0, 1));
  if (!trees)
    for (Constraint &each : parts.constraints)
      each = constraint("(" + each.expression.text() + ") || idle < 0");
  return parts;
}
