//===- ParameterList.cpp - Parameter lists of lighthouse ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonPlaces.h"
#include "Members.h"
#include "baco/Format/OpenResults.h"

using namespace baco;

static LayerParameters readLayer(const Json &json) {
  if (!json.is_object())
    fail(corrupt("the parameters of a layer must be a JSON object"));
  auto kind = json.find("layer_kind");
  if (kind == json.end() || !kind->is_string())
    fail(corrupt("the parameters of a layer need a text 'layer_kind'"));
  LayerParameters layer{kind->get<std::string>(), {}};
  for (const auto &[name, member] : json.items()) {
    if (name == "layer_kind")
      continue;
    std::optional<ParameterValue> value = toValue(member);
    if (value) {
      layer.assignment.emplace_back(name, std::move(*value));
      continue;
    }
    if (!member.is_array())
      fail(corrupt("parameter '" + name + "': " + printJson(member, -1) +
                   " is no number, text, truth value or list"));
    // Each element is a parameter of its own.
    for (size_t i = 0; i < member.size(); ++i) {
      std::optional<ParameterValue> element = toValue(member[i]);
      if (!element || std::holds_alternative<Permutation>(*element))
        fail(corrupt("parameter '" + name + "': " + printJson(member[i], -1) +
                     " is no number, text or truth value"));
      layer.assignment.emplace_back(name + "_" + std::to_string(i),
                                    std::move(*element));
    }
  }
  return layer;
}

Result<std::vector<LayerParameters>>
baco::readParameterList(std::string_view text, const std::string &file) {
  return readJson(text, file, [](const Json &json, JsonPlaces &places) {
    if (!json.is_array())
      fail(corrupt("a parameter list must be a JSON list of the parameters of "
                   "layers"));
    std::vector<LayerParameters> layers;
    for (const Json &each : json) {
      layers.push_back(places.within(each, [&] { return readLayer(each); }));
      layers.back().location = places.of(each);
    }
    return layers;
  });
}

std::string
baco::writeParameterList(const std::vector<LayerParameters> &layers) {
  Json list = Json::array();
  for (const LayerParameters &layer : layers) {
    Json json = {{"layer_kind", layer.layerKind}};
    for (const auto &[name, value] : layer.assignment)
      json[name] = toJson(value);
    list.push_back(std::move(json));
  }
  return printJson(list, /*indent=*/4) + "\n";
}
