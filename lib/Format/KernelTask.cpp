//===- KernelTask.cpp - A kernel in OpenCL C or CUDA C++ ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/KernelTask.h"

#include "JsonPlaces.h"
#include "Members.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace baco;

namespace {
struct ScalarFact {
  std::string_view name;
  size_t bytes;
};
/// In the order of KernelScalar.
constexpr ScalarFact scalarFacts[] = {{"char", 1},   {"uchar", 1}, {"short", 2},
                                      {"ushort", 2}, {"int", 4},   {"uint", 4},
                                      {"long", 8},   {"ulong", 8}, {"half", 2},
                                      {"float", 4},  {"double", 8}};

class KernelTaskReader {
public:
  KernelTaskReader(const Json &json, JsonPlaces &places,
                   const std::string &file)
      : json(json), places(places),
        folder(std::filesystem::path(file).parent_path()) {}

  KernelTask read();

private:
  void readCode(const Json &from, const std::string &what, KernelCode &code);
  void readSource(const Json &from, const std::string &what, KernelCode &code);
  std::vector<Expression> readSizes(const Json &from, const std::string &what,
                                    const char *name);
  std::optional<Expression>
  readExpression(const Json &from, const std::string &what, const char *name);
  void readConstants();
  void readArgument(const Json &from, size_t number);
  void readRange(const Json &from, const std::string &what,
                 KernelArgument &argument);
  std::string pathOf(const std::string &name) const {
    return name.empty() ? name : (folder / name).string();
  }

  const Json &json;
  JsonPlaces &places;
  std::filesystem::path folder;
  KernelTask task;
};
} // namespace

size_t baco::sizeOf(KernelScalar type) {
  return scalarFacts[static_cast<size_t>(type)].bytes;
}

std::string_view baco::nameOf(KernelScalar type) {
  return scalarFacts[static_cast<size_t>(type)].name;
}

bool baco::isFloat(KernelScalar type) { return type >= KernelScalar::Half; }

void KernelTask::setConstant(const std::string &name,
                             const ParameterValue &value) {
  auto known = std::ranges::find(
      constants, name, &std::pair<std::string, ParameterValue>::first);
  if (known != constants.end())
    known->second = value;
  else
    constants.emplace_back(name, value);
}

/// An expression from a text or a number.
static Expression toExpression(const Json &json, const std::string &what) {
  if (json.is_string()) {
    Result<Expression> parsed = Expression::parse(json.get<std::string>());
    if (!parsed)
      fail(corrupt(what + ": " + parsed.error().message));
    return *parsed;
  }
  std::optional<ParameterValue> value = toValue(json);
  if (!value || !isNumber(*value))
    fail(corrupt(what + " must be an expression or a number"));
  return Expression::literal(*value);
}

std::optional<Expression>
KernelTaskReader::readExpression(const Json &from, const std::string &what,
                                 const char *name) {
  auto found = from.find(name);
  if (found == from.end())
    return std::optional<Expression>();
  return places.within(*found, [&] {
    return toExpression(*found, "'" + std::string(name) + "' of " + what);
  });
}

std::vector<Expression> KernelTaskReader::readSizes(const Json &from,
                                                    const std::string &what,
                                                    const char *name) {
  std::vector<Expression> sizes;
  auto found = from.find(name);
  if (found == from.end())
    return sizes;
  std::string whole = "'" + std::string(name) + "' of " + what;
  if (!found->is_array() || found->size() > 3)
    fail(places.locate(
        *found, corrupt(whole + " must be a list of up to three sizes")));
  for (const Json &size : *found)
    sizes.push_back(places.within(
        size, [&] { return toExpression(size, "a size in " + whole); }));
  return sizes;
}

void KernelTaskReader::readSource(const Json &from, const std::string &what,
                                  KernelCode &code) {
  std::string source = readText(from, what, "source");
  code.text = readText(from, what, "text");
  if (source.empty() == code.text.empty())
    fail(corrupt(what + " needs 'source', a file, or 'text'"));
  code.file = source.empty() ? "text" : pathOf(source);
  if (source.empty())
    return;
  std::ifstream stream(code.file, std::ios::binary);
  code.text.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream)
    fail({ErrorCode::IOError, "cannot read '" + code.file + "'"});
}

void KernelTaskReader::readCode(const Json &from, const std::string &what,
                                KernelCode &code) {
  // The reference may be in the same file.
  if (&from == &json || from.contains("source") || from.contains("text")) {
    readSource(from, what, code);
  } else {
    code.file = task.code.file;
    code.text = task.code.text;
  }
  code.kernel = readText(from, what, "kernel");
  code.options = readText(from, what, "options");
  if (code.kernel.empty())
    fail(corrupt(what + " needs 'kernel', the name of a function"));
  if (from.contains("global") == from.contains("grid"))
    fail(corrupt(what + " needs 'global', the numbers of work-items, or "
                        "'grid', those of work-groups"));
  code.isGrid = from.contains("grid");
  code.global = readSizes(from, what, code.isGrid ? "grid" : "global");
  code.local = readSizes(from, what, "local");
  if (code.global.empty())
    fail(corrupt(what + " needs one size at least"));
  if (!code.local.empty() && code.local.size() != code.global.size())
    fail(corrupt("'local' of " + what + " needs as many sizes as '" +
                 (code.isGrid ? "grid" : "global") + "' has"));
  if (code.isGrid && code.local.empty())
    fail(corrupt("'grid' of " + what + " needs 'local'"));
}

void KernelTaskReader::readConstants() {
  auto found = json.find("constants");
  if (found == json.end())
    return;
  if (!found->is_object())
    fail(places.locate(
        *found, corrupt("'constants' must be an object of names and values")));
  for (const auto &[name, member] : found->items()) {
    std::optional<ParameterValue> value = toValue(member);
    if (!value)
      fail(places.locate(member,
                         corrupt("constant '" + name + "' has no value")));
    task.setConstant(name, *value);
  }
}

void KernelTaskReader::readRange(const Json &from, const std::string &what,
                                 KernelArgument &argument) {
  auto found = from.find("random");
  if (found == from.end())
    return;
  bool isPair = found->is_array() && found->size() == 2 &&
                found->at(0).is_number() && found->at(1).is_number();
  if (!isPair || !(found->at(0).get<double>() <= found->at(1).get<double>()))
    fail(places.locate(*found,
                       corrupt("'random' of " + what +
                               " must be the least and the largest value")));
  argument.range = {found->at(0).get<double>(), found->at(1).get<double>()};
}

void KernelTaskReader::readArgument(const Json &from, size_t number) {
  std::string what = "argument " + std::to_string(number);
  using Kind = KernelArgument::Kind;
  static constexpr std::pair<const char *, Kind> kinds[] = {
      {"scalar", Kind::Scalar},
      {"buffer", Kind::Buffer},
      {"local", Kind::Local}};
  KernelArgument argument;
  const char *kindName = nullptr;
  for (const auto &[name, kind] : kinds)
    if (from.is_object() && from.contains(name)) {
      kindName = name;
      argument.kind = kind;
    }
  if (!kindName)
    fail(corrupt(what + " needs 'scalar', 'buffer' or 'local', with a type"));
  (argument.kind == Kind::Scalar
       ? checkMembers(from, what, {"scalar", "value", "random", "name"})
   : argument.kind == Kind::Buffer
       ? checkMembers(
             from, what,
             {"buffer", "size", "file", "random", "output", "expected", "name"})
       : checkMembers(from, what, {"local", "size", "name"}));
  std::string type = readText(from, what, kindName);
  const auto *fact = std::ranges::find(scalarFacts, type, &ScalarFact::name);
  if (fact == std::ranges::end(scalarFacts)) {
    std::string names;
    for (const ScalarFact &one : scalarFacts)
      names += (names.empty() ? "" : ", ") + std::string(one.name);
    fail(corrupt(what + " has the type '" + type + "'; types are " + names));
  }
  argument.type = KernelScalar(fact - std::ranges::begin(scalarFacts));
  argument.value = readExpression(from, what, "value");
  argument.size = readExpression(from, what, "size");
  if (argument.kind != Kind::Scalar && !argument.size)
    fail(corrupt(what + " needs 'size', its number of elements"));
  argument.file = pathOf(readText(from, what, "file"));
  argument.expected = pathOf(readText(from, what, "expected"));
  argument.name = readText(from, what, "name");
  argument.isOutput = readFlag(from, what, "output");
  if (!argument.expected.empty() && !argument.isOutput)
    fail(corrupt("'expected' of " + what + " needs \"output\": true"));
  readRange(from, what, argument);
  task.arguments.push_back(std::move(argument));
}

KernelTask KernelTaskReader::read() {
  const std::string what = "a kernel's file";
  checkMembers(json, what,
               {"source", "text", "kernel", "options", "global", "grid",
                "local", "constants", "arguments", "reference", "platform",
                "device", "tolerance"});
  readCode(json, "the kernel", task.code);
  readConstants();
  if (auto list = json.find("arguments"); list != json.end()) {
    if (!list->is_array())
      fail(corrupt("'arguments' must be a list"));
    for (const Json &argument : *list)
      places.within(argument,
                    [&] { readArgument(argument, task.arguments.size() + 1); });
  }
  if (auto found = json.find("reference"); found != json.end())
    places.within(*found, [&] {
      checkMembers(
          *found, "the reference",
          {"source", "text", "kernel", "options", "global", "grid", "local"});
      readCode(*found, "the reference", task.reference.emplace());
    });
  task.platform = readText(json, what, "platform");
  task.device = readText(json, what, "device");
  task.tolerance = readNumber(json, what, "tolerance");
  if (task.tolerance && !(*task.tolerance >= 0))
    fail(corrupt("'tolerance' must be at least 0"));
  return std::move(task);
}

Result<KernelTask> baco::readKernelTask(std::string_view text,
                                        const std::string &file) {
  return readJson(text, file, [&](const Json &json, JsonPlaces &places) {
    return KernelTaskReader(json, places, file).read();
  });
}
