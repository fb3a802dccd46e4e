//===- RandomSpaces.h - Random spaces for property tests --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small spaces whose constraints use every construct that enumeration, sharing
// and neighbors treat in a way of their own.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_SPACE_RANDOMSPACES_H
#define BACO_UNITTESTS_SPACE_RANDOMSPACES_H

#include "SpaceTesting.h"

namespace baco::testing {

struct RandomSpace {
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  std::vector<Condition> conditions;
  std::string text;
};

/// Makes spaces of 2 to 6 parameters and at most `maxRaw` raw configurations.
class RandomSpaces {
public:
  explicit RandomSpaces(uint64_t seed, uint64_t maxRaw)
      : random(seed), maxRaw(maxRaw) {}

  RandomSpace next() {
    RandomSpace space;
    uint64_t raw = 1;
    size_t count = 2 + random.below(5);
    while (space.parameters.size() < count) {
      Parameter parameter =
          makeParameter("p" + std::to_string(space.parameters.size()));
      if (raw * parameter.size() > maxRaw)
        break;
      raw *= parameter.size();
      if (random.below(2))
        parameter.defaultValue =
            parameter.value(random.below(parameter.size()));
      space.parameters.push_back(std::move(parameter));
    }
    parameters = &space.parameters;
    for (uint64_t i = random.below(5); i > 0; --i) {
      std::string text = condition(2);
      space.text += text + "; ";
      Expression expression = parse(text);
      if (random.below(6) == 0)
        expression = asCall("call" + std::to_string(i), expression);
      space.constraints.push_back({std::move(expression), "", "", false});
    }
    if (random.below(3) == 0 && space.parameters.size() > 1) {
      size_t k = 1 + random.below(space.parameters.size() - 1);
      std::vector<Parameter> earlier(space.parameters.begin(),
                                     space.parameters.begin() + k);
      parameters = &earlier;
      std::string text = condition(1);
      space.text += space.parameters[k].name() + " if " + text;
      space.conditions.push_back({space.parameters[k].name(), parse(text)});
    }
    return space;
  }

private:
  /// The same as C++ code: what fails is false.
  static Expression asCall(const std::string &name,
                           const Expression &expression) {
    std::vector<std::string> reads = expression.variables();
    return Expression::call(
        name, reads,
        [expression, reads](std::span<const ParameterValue> values) {
          auto value = expression.evaluate([&](std::string_view variable) {
            size_t k = 0;
            while (reads[k] != variable)
              ++k;
            return &values[k];
          });
          return value && *value == ParameterValue(true);
        });
  }

  Parameter makeParameter(std::string name) {
    switch (random.below(8)) {
    case 0:
      return *Parameter::boolean(std::move(name));
    case 1:
      return categorical(std::move(name), {"none", "outer", "inner"});
    case 2:
      return *Parameter::permutation(std::move(name), 3);
    case 3:
      return ordinal(std::move(name), {1, 2, 3, 4, 6, 8, 12, 16});
    case 4:
      return *Parameter::ordinal(std::move(name),
                                 {0.5, int64_t(1), 1.5, 2.0, int64_t(6)});
    case 5: {
      int64_t lower = static_cast<int64_t>(random.below(20)) - 10;
      return *Parameter::integer(std::move(name), lower,
                                 lower + random.below(50), 1 + random.below(3));
    }
    default:
      return *Parameter::integer(std::move(name), 1, 1 + random.below(30));
    }
  }

  std::string pick(std::initializer_list<const char *> choices) {
    return choices.begin()[random.below(choices.size())];
  }

  /// The name of a parameter of some kind, or else a fallback.
  std::string name(bool (*accepts)(const Parameter &), std::string fallback) {
    std::vector<std::string> names;
    for (const Parameter &parameter : *parameters)
      if (accepts(parameter))
        names.push_back(parameter.name());
    return names.empty() ? fallback : names[random.below(names.size())];
  }
  std::string number() {
    if (random.below(5) == 0)
      return std::to_string(static_cast<int>(random.below(40)) - 8);
    return name([](const Parameter &p) { return p.isNumeric(); }, "7");
  }
  std::string order() {
    return name(
        [](const Parameter &p) {
          return p.kind() == ParameterKind::Permutation;
        },
        "(1, 2, 0)");
  }

  std::string term(int depth) {
    if (depth == 0)
      return number();
    std::string a = term(depth - 1), b = term(depth - 1);
    switch (random.below(14)) {
    case 0:
      return "(" + a + " + " + b + ")";
    case 1:
      return "(" + a + " - " + b + ")";
    case 2:
    case 3:
      return a + " * " + b;
    case 4:
      return "(" + a + " // " + b + ")";
    case 5:
      return "(" + a + " / " + b + ")";
    case 6:
      return pick({"min(", "max("}) + a + ", " + b + ")";
    case 7:
      return pick({"abs(", "log2(", "pow2("}) + a + ")";
    case 8:
      return "pos(" + order() + ", " + pick({"0", "1", "2", "3"}) + ")";
    case 9:
      return order() + "[" + pick({"0", "1", "2"}) + "]";
    case 10:
      return "(" + number() + " + " + number() + " - " + number() + ")";
    case 11:
      return number() + " * " + number() + " * " + number();
    default:
      return number();
    }
  }

  std::string condition(int depth) {
    std::string left = depth ? condition(depth - 1) : "true";
    std::string right = depth ? condition(depth - 1) : "false";
    switch (random.below(depth ? 16 : 12)) {
    case 0:
    case 1:
      return "divides(" + term(1) + ", " + term(1) + ")";
    case 2:
      return number() + " % " + number() + " == 0";
    case 3:
      return term(1) + " % " + number() + pick({" == 0", " != 1"});
    case 4:
      return "in(" + number() + ", {1, 2, " + number() + ", 4})";
    case 5:
      return name(
                 [](const Parameter &p) {
                   return p.kind() == ParameterKind::Categorical;
                 },
                 "\"outer\"") +
             pick({" == \"outer\"", " != \"none\""});
    case 6:
      return name(
          [](const Parameter &p) { return p.kind() == ParameterKind::Boolean; },
          "true");
    case 7:
      return "is_pow2(" + term(1) + ")";
    case 12:
      return "(" + left + " || " + right + ")";
    case 13:
      return "(" + left + " && " + right + ")";
    case 14:
      return "!(" + left + ")";
    case 15:
      return left + " && " + right;
    default:
      return term(2) + pick({" <= ", " < ", " >= ", " > ", " == ", " != "}) +
             term(1);
    }
  }

  Random random;
  uint64_t maxRaw;
  const std::vector<Parameter> *parameters = nullptr;
};

} // namespace baco::testing

#endif // BACO_UNITTESTS_SPACE_RANDOMSPACES_H
