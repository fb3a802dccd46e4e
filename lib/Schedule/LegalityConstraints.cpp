//===- LegalityConstraints.cpp - Verdicts on commands as constraints ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LegalityConstraints.h"

#include "baco/Expression/Expression.h"
#include "baco/Schedule/Choices.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using loopnest::CommandLegality;

/// Whether the knob `parameter` is one of the values with these indices.
static std::string member(const Parameter &parameter,
                          ArrayRef<uint64_t> values) {
  std::string name = variableText(parameter.name());
  SmallVector<std::string> members, others;
  for (uint64_t i = 0; i < parameter.size(); ++i)
    (llvm::is_contained(values, i) ? members : others)
        .push_back(toString(parameter.value(i)));
  if (members.size() == 1)
    return name + " == " + members.front();
  if (others.size() == 1)
    return name + " != " + others.front();
  bool isMost = !others.empty() && others.size() < members.size();
  return (isMost ? "!in(" : "in(") + name + ", {" +
         llvm::join(isMost ? others : members, ", ") + "})";
}

/// The text of an inner node, by the `texts` of its children.
static std::string writeInner(const CommandLegality::Node &node,
                              const Parameter &knob,
                              ArrayRef<std::string> texts) {
  // The values of each text, in the order in which these come.
  llvm::MapVector<StringRef, SmallVector<uint64_t>> groups;
  for (auto [value, child] : llvm::enumerate(node.children))
    groups[texts[child]].push_back(value);
  if (groups.size() == 1)
    return groups.front().first.str();
  // If one text is always true, the other one counts for the other values.
  auto free = groups.find("true");
  if (groups.size() == 2 && free != groups.end()) {
    const auto &other =
        groups.front().first == "true" ? groups.back() : groups.front();
    std::string text = member(knob, free->second);
    return other.first == "false" ? text : text + " || " + other.first.str();
  }
  SmallVector<std::string> parts;
  for (const auto &[text, values] : groups) {
    if (text == "false")
      continue;
    std::string part = member(knob, values);
    if (text != "true")
      part += " && " + (text.contains(" || ") ? "(" + text + ")" : text).str();
    parts.push_back(std::move(part));
  }
  return llvm::join(parts, " || ");
}

std::string schedule::writeLegality(
    const CommandLegality &verdict, ArrayRef<const Parameter *> parameters,
    llvm::function_ref<bool(const CommandLegality::Node &)> meant) {
  std::vector<std::string> texts;
  for (const CommandLegality::Node &node : verdict.nodes)
    texts.push_back(node.knob ? writeInner(node, *parameters[*node.knob], texts)
                    : meant(node) ? "false"
                                  : "true");
  return texts.back();
}

std::string schedule::describeRefusal(const loopnest::CommandRefusal &refusal) {
  std::string text = refusal.reason;
  SmallVector<std::string> places;
  for (const auto &[name, location] : refusal.names)
    if (std::string place = describe(location); !place.empty())
      places.push_back(name + " is at " + place);
  if (!places.empty())
    text += " (" + llvm::join(places, ", ") + ")";
  return text;
}
