//===- GeneratorText.cpp - The text that describes a generator ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratorText.h"

#include "LineReader.h"

#include "baco/Support/ParseNumber.h"

#include <algorithm>

using namespace baco;
using namespace baco::sparse;

using Kind = GeneratorField::Kind;

/// Numbers of this size are exact as a double, too.
static constexpr double maxSeed = 9007199254740992.0;

static std::string_view trim(std::string_view text) {
  size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos)
    return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// The part of `text` before `separator`, which is removed together with it.
static std::string_view takePart(std::string_view &text, char separator) {
  size_t end = std::min(text.find(separator), text.size());
  std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trim(part);
}

static Error invalid(std::string message) {
  return {ErrorCode::InvalidArgument, std::move(message)};
}

double GeneratorText::number(std::string_view name) const {
  auto found = std::ranges::find(given, name, &Given::name);
  assert(found != given.end() && "a field of this generator");
  return found->value;
}

Result<void> GeneratorText::set(const GeneratorField &field,
                                std::string_view value) {
  auto wrong = [&](const std::string &expected) {
    return invalid("'" + field.name + "' is " + expected + ", not '" +
                   std::string(value) + "'");
  };
  double number = 0;
  if (field.kind == Kind::Extents) {
    for (std::string_view rest = value; !rest.empty();) {
      std::optional<int64_t> extent = parseNumber<int64_t>(takePart(rest, 'x'));
      if (!extent || *extent < 1)
        return wrong("a list of positive extents such as 100x200");
      sizes.push_back(*extent);
    }
    // The loop stops before an empty part at the end, as in 100x.
    if (sizes.empty() || value.ends_with('x'))
      return wrong("a list of positive extents such as 100x200");
  } else if (field.kind == Kind::Integer) {
    std::optional<int64_t> integer = parseNumber<int64_t>(value);
    // No bound is below 0, so text that is no integer fails the comparison,
    // too.
    number = static_cast<double>(integer.value_or(-1));
    if (!integer || number < field.least || number > field.greatest)
      return wrong("an integer from " +
                   std::to_string(static_cast<int64_t>(field.least)) + " to " +
                   std::to_string(static_cast<int64_t>(field.greatest)));
  } else {
    std::optional<double> real = parseFinite(value);
    if (!real || *real < field.least || *real > field.greatest)
      return wrong("a number from " +
                   std::to_string(static_cast<int64_t>(field.least)) + " to " +
                   std::to_string(static_cast<int64_t>(field.greatest)));
    number = *real;
  }
  given.push_back({field.name, number});
  return {};
}

Result<GeneratorText> GeneratorText::parse(const GeneratorForm &form,
                                           std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')'))
    return invalid("expected '" + form.name + "(KEY=VALUE, ...)'");
  std::string_view rest = text.substr(1, text.size() - 2);
  std::vector<GeneratorField> fields = form.fields;
  fields.push_back({.name = "seed", .usual = 1, .greatest = maxSeed});
  GeneratorText result;
  // Blanks alone are an empty list, but blanks behind a comma are a field that
  // is missing.
  for (bool isFirst = true; isFirst ? !trim(rest).empty() : !rest.empty();
       isFirst = false) {
    std::string_view value = takePart(rest, ',');
    // Without '=', the value is empty, and no field takes that.
    std::string_view key = takePart(value, '=');
    auto field = std::ranges::find(fields, key, &GeneratorField::name);
    if (field == fields.end()) {
      std::string names;
      for (const GeneratorField &each : fields)
        names += (names.empty() ? "" : ", ") + each.name;
      return invalid("there is no '" + std::string(key) + "', only " + names);
    }
    if (std::ranges::count(result.given, key, &Given::name) != 0)
      return invalid("'" + std::string(key) + "' is given twice");
    if (Result<void> set = result.set(*field, trim(value)); !set)
      return set.error();
  }
  for (const GeneratorField &field : fields) {
    if (std::ranges::count(result.given, field.name, &Given::name) != 0)
      continue;
    if (!field.usual)
      return invalid("'" + field.name + "' is missing");
    result.given.push_back({field.name, *field.usual});
  }
  return result;
}
