//===- CheckedJson.h - JSON that others have written ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_CHECKEDJSON_H
#define BACO_SUPPORT_CHECKEDJSON_H

// Half of the time of a file that uses JSON would go to the question what could
// be converted.
#define JSON_USE_IMPLICIT_CONVERSIONS 0
#define JSON_HAS_THREE_WAY_COMPARISON 0
#include <nlohmann/json.hpp>

#include <concepts>
#include <limits>
#include <optional>
#include <utility>

namespace baco {

template <typename T, typename = void>
struct CheckedSerializer : nlohmann::adl_serializer<T> {};

/// Integers are read from integers that they hold. nlohmann::json casts, which
/// turns 2.5 into 2, and is undefined for 1e30.
template <std::integral T>
  requires(!std::same_as<T, bool>)
struct CheckedSerializer<T, void> : nlohmann::adl_serializer<T> {
  // The name that it calls.
  template <typename Json>
  // NOLINTNEXTLINE(readability-identifier-naming)
  static void from_json(const Json &json, T &value) {
    auto take = [&](auto integer) {
      if (!std::in_range<T>(integer))
        throw Json::out_of_range::create(
            406, "number " + json.dump() + " is out of its range", &json);
      value = static_cast<T>(integer);
    };
    using Unsigned = typename Json::number_unsigned_t;
    using Integer = typename Json::number_integer_t;
    if (const auto *found = json.template get_ptr<const Unsigned *>())
      take(*found);
    else if (const auto *found = json.template get_ptr<const Integer *>())
      take(*found);
    else
      throw Json::type_error::create(302, "an integer is expected", &json);
  }
};

/// JSON has no NaN: it is null.
template <std::floating_point T>
struct CheckedSerializer<T, void> : nlohmann::adl_serializer<T> {
  template <typename Json>
  // NOLINTNEXTLINE(readability-identifier-naming)
  static void from_json(const Json &json, T &value) {
    if (json.is_null())
      value = std::numeric_limits<T>::quiet_NaN();
    else
      nlohmann::adl_serializer<T>::from_json(json, value);
  }
};

/// Nothing is null.
template <typename T>
struct CheckedSerializer<std::optional<T>, void> {
  template <typename Json>
  // NOLINTNEXTLINE(readability-identifier-naming)
  static void to_json(Json &json, const std::optional<T> &value) {
    json = value ? Json(*value) : Json();
  }
  template <typename Json>
  // NOLINTNEXTLINE(readability-identifier-naming)
  static void from_json(const Json &json, std::optional<T> &value) {
    value =
        json.is_null() ? std::nullopt : std::optional(json.template get<T>());
  }
};

/// nlohmann::json, whose `get` and `get_to` throw where an integer isn't one.
using CheckedJson =
    nlohmann::basic_json<std::map, std::vector, std::string, bool, int64_t,
                         uint64_t, double, std::allocator, CheckedSerializer>;

} // namespace baco

/// NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE for CheckedJson.
#define BACO_JSON_FIELDS(Type, ...)                                            \
  static void to_json(baco::CheckedJson &nlohmann_json_j,                      \
                      const Type &nlohmann_json_t) {                           \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))   \
  }                                                                            \
  static void from_json(const baco::CheckedJson &nlohmann_json_j,              \
                        Type &nlohmann_json_t) {                               \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__)) \
  }

// NOLINTBEGIN(bugprone-macro-parentheses): types stand alone.
/// Conversions of an enumeration by the functions `nameOf`, to a text, and
/// `parse`, to an optional. Unlike those of NLOHMANN_JSON_SERIALIZE_ENUM, they
/// refuse other texts.
#define BACO_JSON_NAMES(Type, nameOf, parse)                                   \
  static void to_json(baco::CheckedJson &json, Type value) {                   \
    json = nameOf(value);                                                      \
  }                                                                            \
  static void from_json(const baco::CheckedJson &json, Type &value) {          \
    auto parsed = parse(json.get<std::string>());                              \
    if (!parsed)                                                               \
      throw baco::CheckedJson::other_error::create(501, "unknown " #Type,      \
                                                   &json);                     \
    value = *parsed;                                                           \
  }
// NOLINTEND(bugprone-macro-parentheses)

#endif // BACO_SUPPORT_CHECKEDJSON_H
