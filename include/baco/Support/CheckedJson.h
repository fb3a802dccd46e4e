//===- CheckedJson.h - JSON that others have written ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_CHECKEDJSON_H
#define BACO_SUPPORT_CHECKEDJSON_H

#include <nlohmann/json.hpp>

#include <concepts>
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

#endif // BACO_SUPPORT_CHECKEDJSON_H
