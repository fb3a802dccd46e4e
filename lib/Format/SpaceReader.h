//===- SpaceReader.h - Spaces from JSON -------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reading half of SpaceFormat.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FORMAT_SPACEREADER_H
#define BACO_LIB_FORMAT_SPACEREADER_H

#include "JsonPlaces.h"
#include "baco/Space/Space.h"

namespace baco {

std::string_view kindName(ParameterKind kind);
std::optional<ParameterKind> parseKind(std::string_view text);
std::string_view metricName(PermutationMetric metric);
std::optional<PermutationMetric> parseMetric(std::string_view text);

/// Reads one space.
class SpaceReader {
public:
  SpaceReader(const Json &json, JsonPlaces &places)
      : json(json), places(places) {}

  Space read();

private:
  void readParameter(const Json &json);
  Result<Parameter> readDomain(const Json &json, const std::string &name);
  Result<Parameter> readRange(const Json &json, const std::string &name,
                              bool isReal, bool log);
  void readCondition(const Json &json, const std::string &name);
  void readConstraint(const Json &json);

  const Json &json;
  JsonPlaces &places;
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  std::vector<Condition> conditions;
};

} // namespace baco

#endif // BACO_LIB_FORMAT_SPACEREADER_H
