//===- VerdictText.cpp - Verdicts on commands as constraints --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerdictText.h"

#include "baco/Schedule/Choices.h"
#include "baco/Space/Expression.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using loopnest::CommandVerdict;

namespace {
/// Writes which leaves of a diagram are meant.
class VerdictWriter {
public:
  using Leaves = llvm::function_ref<bool(const CommandVerdict::Node &)>;

  VerdictWriter(const CommandVerdict &verdict,
                ArrayRef<const Parameter *> parameters, Leaves meant)
      : verdict(verdict), parameters(parameters), meant(meant) {}

  /// An expression that is false there.
  std::string write();

private:
  /// Whether a knob is one of the values with these indices.
  std::string member(size_t knob, ArrayRef<uint64_t> values) const;
  std::string writeInner(const CommandVerdict::Node &node) const;

  const CommandVerdict &verdict;
  ArrayRef<const Parameter *> parameters;
  Leaves meant;
  std::vector<std::string> texts;
};
} // namespace

std::string VerdictWriter::member(size_t knob,
                                  ArrayRef<uint64_t> values) const {
  const Parameter &parameter = *parameters[knob];
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

std::string VerdictWriter::writeInner(const CommandVerdict::Node &node) const {
  // The values of each text, in the order in which these come.
  llvm::MapVector<StringRef, SmallVector<uint64_t>> groups;
  for (auto [value, child] : llvm::enumerate(node.children))
    groups[texts[child]].push_back(value);
  if (groups.size() == 1)
    return groups.front().first.str();
  // Where one is always true, the other counts for the other values.
  auto free = groups.find("true");
  if (groups.size() == 2 && free != groups.end()) {
    const auto &other =
        groups.front().first == "true" ? groups.back() : groups.front();
    std::string text = member(*node.knob, free->second);
    return other.first == "false" ? text : text + " || " + other.first.str();
  }
  SmallVector<std::string> parts;
  for (const auto &[text, values] : groups) {
    if (text == "false")
      continue;
    std::string part = member(*node.knob, values);
    if (text != "true")
      part += " && " + (text.contains(" || ") ? "(" + text + ")" : text).str();
    parts.push_back(std::move(part));
  }
  return llvm::join(parts, " || ");
}

std::string VerdictWriter::write() {
  for (const CommandVerdict::Node &node : verdict.nodes)
    texts.push_back(node.knob     ? writeInner(node)
                    : meant(node) ? "false"
                                  : "true");
  return texts.back();
}

std::string schedule::writeVerdict(const CommandVerdict &verdict,
                                   ArrayRef<const Parameter *> parameters,
                                   VerdictWriter::Leaves meant) {
  return VerdictWriter(verdict, parameters, meant).write();
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
