//===- MetricsJson.h - Several results as JSON ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DATABASE_METRICSJSON_H
#define BACO_LIB_DATABASE_METRICSJSON_H

#include "baco/Support/Json.h"
#include "baco/Support/Outcome.h"

namespace baco::database {

/// The values by name.
inline Json writeMetrics(const std::vector<Metric> &metrics) {
  auto json = Json::object();
  for (const Metric &metric : metrics)
    json[metric.name] = metric.value;
  return json;
}

/// The inverse; nullopt if it has another form.
inline std::optional<std::vector<Metric>> readMetrics(const Json &json) {
  if (!json.is_object())
    return std::nullopt;
  std::vector<Metric> metrics;
  for (const auto &[name, value] : json.items()) {
    if (!value.is_number())
      return std::nullopt;
    metrics.push_back({name, value.get<double>()});
  }
  return metrics;
}

/// The numbers of a list; nullopt if it has another form.
inline std::optional<std::vector<double>> readNumbers(const Json &json) {
  if (!json.is_array())
    return std::nullopt;
  std::vector<double> numbers;
  for (const Json &value : json) {
    if (!value.is_number())
      return std::nullopt;
    numbers.push_back(value.get<double>());
  }
  return numbers;
}

} // namespace baco::database

#endif // BACO_LIB_DATABASE_METRICSJSON_H
