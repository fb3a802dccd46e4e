//===- LaunchPlan.cpp - The launch of one candidate -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchPlan.h"

#include "KernelContents.h"
#include "baco/Command/CommandTemplate.h"
#include "baco/Support/Complaint.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

using namespace baco;
using namespace baco::kernels;

[[noreturn]] static void mistake(const std::string &what) {
  fail({ErrorCode::InvalidArgument, what});
}

std::string kernels::describeArgument(const KernelTask &task, size_t index) {
  const std::string &name = task.arguments[index].name;
  return "argument " + std::to_string(index + 1) +
         (name.empty() ? "" : " ('" + name + "')");
}

std::string kernels::withMacros(const KernelCode &code,
                                const LaunchPlan &plan) {
  std::string text;
  for (const auto &[name, value] : plan.macros)
    text += "#define " + name + " " + value + "\n";
  text += "#line 1 \"";
  for (char c : code.file)
    text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return text + "\"\n" + code.text;
}

static bool isMacroName(std::string_view name) {
  auto isLetter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !name.empty() && isLetter(name.front()) &&
         std::ranges::all_of(name, [&](char c) {
           return isLetter(c) || (c >= '0' && c <= '9');
         });
}

Result<LaunchPlanner> LaunchPlanner::create(const KernelTask &task,
                                            const Space &space, uint64_t seed) {
  LaunchPlanner planner(task, space, seed);
  return attempt([&] {
    planner.check();
    return planner;
  });
}

void LaunchPlanner::check() const {
  std::set<std::string> names;
  auto add = [&](const std::string &name, const std::string &what) {
    if (!isMacroName(name))
      mistake(what + " '" + name + "' can't be the name of a macro");
    if (!names.insert(name).second)
      mistake(what + " '" + name +
              "' has the name of another parameter or constant");
  };
  for (const Parameter &parameter : space.parameters())
    add(parameter.name(), "parameter");
  for (const auto &[name, value] : task.constants)
    add(name, "constant");
  auto checkCode = [&](const KernelCode &code, const std::string &whose) {
    for (const auto *sizes : {&code.global, &code.local})
      for (const Expression &size : *sizes)
        checkReads(size,
                   (sizes == &code.local ? "'local'" : "'global'") + whose,
                   /*readsParameters=*/true);
  };
  checkCode(task.code, "");
  if (task.reference)
    checkCode(*task.reference, " of the reference");
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    const KernelArgument &argument = task.arguments[i];
    bool isBuffer = argument.kind == KernelArgument::Kind::Buffer;
    for (const std::optional<Expression> *read :
         {&argument.value, &argument.size})
      if (*read)
        checkReads(**read, describeArgument(task, i), !isBuffer);
  }
}

void LaunchPlanner::checkReads(const Expression &expression,
                               const std::string &what,
                               bool readsParameters) const {
  for (const std::string &name : expression.variables()) {
    if (std::ranges::find(task.constants, name,
                          &std::pair<std::string, ParameterValue>::first) !=
        task.constants.end())
      continue;
    if (!space.indexOf(name))
      mistake(what + " reads '" + name +
              "', which is no parameter and no constant");
    if (!readsParameters)
      mistake(what + " reads the parameter '" + name +
              "', but is the same for all candidates; give constants "
              "only");
  }
}

const ParameterValue *
LaunchPlanner::valueOf(std::string_view name,
                       const Configuration &configuration) const {
  for (const auto &[constant, value] : task.constants)
    if (constant == name)
      return &value;
  std::optional<size_t> index = space.indexOf(name);
  return index && *index < configuration.size() ? &configuration[*index]
                                                : nullptr;
}

uint64_t LaunchPlanner::evaluateSize(const Expression &size,
                                     const std::string &what,
                                     const Configuration &configuration) const {
  Result<ParameterValue> value = size.evaluate(
      [&](std::string_view name) { return valueOf(name, configuration); });
  if (!value)
    mistake(what + ": " + value.error().message);
  if (const auto *integer = std::get_if<int64_t>(&*value); integer)
    if (*integer > 0)
      return static_cast<uint64_t>(*integer);
  // `/` between integers is a real.
  constexpr double most = 0x1p53;
  if (const auto *real = std::get_if<double>(&*value); real)
    if (*real > 0 && *real <= most && std::floor(*real) == *real)
      return static_cast<uint64_t>(*real);
  mistake(what + ", " + size.text() + ", is " + toString(*value) +
          ", and not a whole number above 0");
}

Result<uint64_t>
LaunchPlanner::sizeOfBuffer(const KernelArgument &argument) const {
  return attempt([&] { return evaluateSize(*argument.size, "the size", {}); });
}

uint64_t LaunchPlanner::bitsOf(size_t index,
                               const Configuration &configuration) const {
  const KernelArgument &argument = task.arguments[index];
  std::string what = describeArgument(task, index);
  if (argument.kind == KernelArgument::Kind::Buffer)
    return 0;
  if (argument.kind == KernelArgument::Kind::Local)
    return evaluateSize(*argument.size, what, configuration) *
           sizeOf(argument.type);
  std::vector<std::byte> bytes(sizeOf(argument.type));
  if (!argument.value) {
    fillRandomly(argument, seed, index, bytes);
  } else {
    Result<ParameterValue> value = argument.value->evaluate(
        [&](std::string_view name) { return valueOf(name, configuration); });
    if (!value)
      mistake(what + ": " + value.error().message);
    if (!storeScalar(argument.type, *value, bytes))
      mistake(what + " is " + toString(*value) + ", and no " +
              std::string(nameOf(argument.type)));
  }
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  return bits;
}

LaunchPlan LaunchPlanner::plan(const KernelCode &code,
                               const Configuration &configuration) const {
  LaunchPlan plan;
  for (const auto &[name, value] : task.constants)
    plan.macros.emplace_back(name, command::valueText(value));
  for (size_t i = 0; i < configuration.size(); ++i)
    plan.macros.emplace_back(space.parameters()[i].name(),
                             command::valueText(configuration[i]));
  for (const auto &[name, text] : plan.macros)
    if (text.find('\n') != std::string::npos)
      mistake("the value of '" + name +
              "' has several lines, and can't "
              "be a macro");
  for (size_t i = 0; i < code.global.size(); ++i) {
    std::string number = std::to_string(i);
    plan.global.push_back(
        evaluateSize(code.global[i], "global size " + number, configuration));
    if (code.local.empty())
      continue;
    uint64_t local =
        evaluateSize(code.local[i], "local size " + number, configuration);
    plan.local.push_back(local);
    if (code.isGrid &&
        __builtin_mul_overflow(plan.global[i], local, &plan.global[i]))
      mistake("global size " + number + " has no 64 bits");
    if (plan.global[i] % local != 0)
      mistake("global size " + number + ", " + std::to_string(plan.global[i]) +
              ", is no multiple of the local size " + std::to_string(local));
  }
  for (size_t i = 0; i < task.arguments.size(); ++i)
    plan.values.push_back(bitsOf(i, configuration));
  return plan;
}

Result<LaunchPlan>
LaunchPlanner::plan(const Configuration &configuration) const {
  return attempt([&] { return plan(task.code, configuration); });
}

Result<LaunchPlan> LaunchPlanner::planReference() const {
  Configuration defaults;
  for (const Parameter &parameter : space.parameters())
    defaults.push_back(parameter.initialValue());
  return attempt([&] { return plan(*task.reference, defaults); });
}
