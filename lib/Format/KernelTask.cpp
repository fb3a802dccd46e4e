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
  KernelTaskReader(const Json &json, JsonPlaces places, const std::string &file)
      : json(json), places(std::move(places)),
        folder(std::filesystem::path(file).parent_path()) {}

  Result<KernelTask> read();

private:
  Result<void> readCode(const Json &from, const std::string &what,
                        KernelCode &code);
  Result<void> readSource(const Json &from, const std::string &what,
                          KernelCode &code);
  Result<std::vector<Expression>>
  readSizes(const Json &from, const std::string &what, const char *name);
  Result<std::optional<Expression>>
  readExpression(const Json &from, const std::string &what, const char *name);
  Result<void> readConstants();
  Result<void> readArgument(const Json &from, size_t number);
  Result<void> readRange(const Json &from, const std::string &what,
                         KernelArgument &argument);
  std::string pathOf(const std::string &name) const {
    return name.empty() ? name : (folder / name).string();
  }

  const Json &json;
  JsonPlaces places;
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
static Result<Expression> toExpression(const Json &json,
                                       const std::string &what) {
  if (json.is_string()) {
    Result<Expression> parsed = Expression::parse(json.get<std::string>());
    if (!parsed)
      return corrupt(what + ": " + parsed.error().message);
    return parsed;
  }
  std::optional<ParameterValue> value = toValue(json);
  if (!value || !isNumber(*value))
    return corrupt(what + " must be an expression or a number");
  return Expression::literal(*value);
}

Result<std::optional<Expression>>
KernelTaskReader::readExpression(const Json &from, const std::string &what,
                                 const char *name) {
  auto found = from.find(name);
  if (found == from.end())
    return std::optional<Expression>();
  Result<Expression> read =
      toExpression(*found, "'" + std::string(name) + "' of " + what);
  if (!read)
    return places.locate(*found, read.error());
  return std::optional(std::move(*read));
}

Result<std::vector<Expression>>
KernelTaskReader::readSizes(const Json &from, const std::string &what,
                            const char *name) {
  std::vector<Expression> sizes;
  auto found = from.find(name);
  if (found == from.end())
    return sizes;
  std::string whole = "'" + std::string(name) + "' of " + what;
  if (!found->is_array() || found->size() > 3)
    return places.locate(
        *found, corrupt(whole + " must be a list of up to three sizes"));
  for (const Json &size : *found) {
    Result<Expression> read = toExpression(size, "a size in " + whole);
    if (!read)
      return places.locate(size, read.error());
    sizes.push_back(std::move(*read));
  }
  return sizes;
}

Result<void> KernelTaskReader::readSource(const Json &from,
                                          const std::string &what,
                                          KernelCode &code) {
  Result<std::string> source = readText(from, what, "source"),
                      text = readText(from, what, "text");
  for (const auto *read : {&source, &text})
    if (!*read)
      return read->error();
  if (source->empty() == text->empty())
    return corrupt(what + " needs 'source', a file, or 'text'");
  code.file = source->empty() ? "text" : pathOf(*source);
  code.text = *text;
  if (source->empty())
    return {};
  std::ifstream stream(code.file, std::ios::binary);
  code.text.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream)
    return Error{ErrorCode::IOError, "cannot read '" + code.file + "'"};
  return {};
}

Result<void> KernelTaskReader::readCode(const Json &from,
                                        const std::string &what,
                                        KernelCode &code) {
  // The reference may be in the same file.
  if (&from == &json || from.contains("source") || from.contains("text")) {
    if (Result<void> read = readSource(from, what, code); !read)
      return read;
  } else {
    code.file = task.code.file;
    code.text = task.code.text;
  }
  Result<std::string> kernel = readText(from, what, "kernel"),
                      options = readText(from, what, "options");
  for (const auto *read : {&kernel, &options})
    if (!*read)
      return read->error();
  if (kernel->empty())
    return corrupt(what + " needs 'kernel', the name of a function");
  code.kernel = *kernel;
  code.options = *options;
  if (from.contains("global") == from.contains("grid"))
    return corrupt(what + " needs 'global', the numbers of work-items, or "
                          "'grid', those of work-groups");
  code.isGrid = from.contains("grid");
  Result<std::vector<Expression>> global = readSizes(from, what,
                                                     code.isGrid ? "grid"
                                                                 : "global"),
                                  local = readSizes(from, what, "local");
  for (const auto *read : {&global, &local})
    if (!*read)
      return read->error();
  if (global->empty())
    return corrupt(what + " needs one size at least");
  if (!local->empty() && local->size() != global->size())
    return corrupt("'local' of " + what + " needs as many sizes as '" +
                   (code.isGrid ? "grid" : "global") + "' has");
  if (code.isGrid && local->empty())
    return corrupt("'grid' of " + what + " needs 'local'");
  code.global = std::move(*global);
  code.local = std::move(*local);
  return {};
}

Result<void> KernelTaskReader::readConstants() {
  auto found = json.find("constants");
  if (found == json.end())
    return {};
  if (!found->is_object())
    return places.locate(
        *found, corrupt("'constants' must be an object of names and values"));
  for (const auto &[name, member] : found->items()) {
    std::optional<ParameterValue> value = toValue(member);
    if (!value)
      return places.locate(member,
                           corrupt("constant '" + name + "' has no value"));
    task.setConstant(name, *value);
  }
  return {};
}

Result<void> KernelTaskReader::readRange(const Json &from,
                                         const std::string &what,
                                         KernelArgument &argument) {
  auto found = from.find("random");
  if (found == from.end())
    return {};
  bool isPair = found->is_array() && found->size() == 2 &&
                found->at(0).is_number() && found->at(1).is_number();
  if (!isPair || !(found->at(0).get<double>() <= found->at(1).get<double>()))
    return places.locate(*found,
                         corrupt("'random' of " + what +
                                 " must be the least and the largest value"));
  argument.range = {found->at(0).get<double>(), found->at(1).get<double>()};
  return {};
}

Result<void> KernelTaskReader::readArgument(const Json &from, size_t number) {
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
    return corrupt(what + " needs 'scalar', 'buffer' or 'local', with a type");
  Result<void> known =
      argument.kind == Kind::Scalar
          ? checkMembers(from, what, {"scalar", "value", "random", "name"})
      : argument.kind == Kind::Buffer
          ? checkMembers(from, what,
                         {"buffer", "size", "file", "random", "output",
                          "expected", "name"})
          : checkMembers(from, what, {"local", "size", "name"});
  if (!known)
    return known;
  Result<std::string> type = readText(from, what, kindName);
  if (!type)
    return type.error();
  const auto *fact = std::ranges::find(scalarFacts, *type, &ScalarFact::name);
  if (fact == std::ranges::end(scalarFacts)) {
    std::string names;
    for (const ScalarFact &one : scalarFacts)
      names += (names.empty() ? "" : ", ") + std::string(one.name);
    return corrupt(what + " has the type '" + *type + "'; types are " + names);
  }
  argument.type = KernelScalar(fact - std::ranges::begin(scalarFacts));
  auto value = readExpression(from, what, "value"),
       size = readExpression(from, what, "size");
  for (const auto *read : {&value, &size})
    if (!*read)
      return read->error();
  argument.value = std::move(*value);
  argument.size = std::move(*size);
  if (argument.kind != Kind::Scalar && !argument.size)
    return corrupt(what + " needs 'size', its number of elements");
  Result<std::string> file = readText(from, what, "file"),
                      expected = readText(from, what, "expected"),
                      name = readText(from, what, "name");
  for (const auto *read : {&file, &expected, &name})
    if (!*read)
      return read->error();
  argument.name = *name;
  argument.file = pathOf(*file);
  argument.expected = pathOf(*expected);
  Result<bool> isOutput = readFlag(from, what, "output");
  if (!isOutput)
    return isOutput.error();
  argument.isOutput = *isOutput;
  if (!argument.expected.empty() && !argument.isOutput)
    return corrupt("'expected' of " + what + " needs \"output\": true");
  if (Result<void> range = readRange(from, what, argument); !range)
    return range;
  task.arguments.push_back(std::move(argument));
  return {};
}

Result<KernelTask> KernelTaskReader::read() {
  const std::string what = "a kernel's file";
  auto fail = [&](const Error &error) { return places.locate(json, error); };
  if (Result<void> known =
          checkMembers(json, what,
                       {"source", "text", "kernel", "options", "global", "grid",
                        "local", "constants", "arguments", "reference",
                        "platform", "device", "tolerance"});
      !known)
    return fail(known.error());
  if (Result<void> code = readCode(json, "the kernel", task.code); !code)
    return fail(code.error());
  if (Result<void> constants = readConstants(); !constants)
    return fail(constants.error());
  if (auto list = json.find("arguments"); list != json.end()) {
    if (!list->is_array())
      return fail(corrupt("'arguments' must be a list"));
    for (const Json &argument : *list)
      if (Result<void> read = readArgument(argument, task.arguments.size() + 1);
          !read)
        return places.locate(argument, read.error());
  }
  if (auto found = json.find("reference"); found != json.end()) {
    Result<void> known = checkMembers(
        *found, "the reference",
        {"source", "text", "kernel", "options", "global", "grid", "local"});
    if (known)
      known = readCode(*found, "the reference", task.reference.emplace());
    if (!known)
      return places.locate(*found, known.error());
  }
  Result<std::string> platform = readText(json, what, "platform"),
                      device = readText(json, what, "device");
  for (const auto *read : {&platform, &device})
    if (!*read)
      return fail(read->error());
  task.platform = *platform;
  task.device = *device;
  Result<std::optional<double>> tolerance = readNumber(json, what, "tolerance");
  if (!tolerance)
    return fail(tolerance.error());
  if (*tolerance && !(**tolerance >= 0))
    return fail(corrupt("'tolerance' must be at least 0"));
  task.tolerance = *tolerance;
  return std::move(task);
}

Result<KernelTask> baco::readKernelTask(std::string_view text,
                                        const std::string &file) {
  Result<Json> json = parseJson(text, file);
  if (!json)
    return json.error();
  JsonPlaces places;
  if (!file.empty())
    places = JsonPlaces(file, text, *json);
  return KernelTaskReader(*json, std::move(places), file).read();
}
