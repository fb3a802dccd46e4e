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
/// Writes the condition of one refusal in a diagram.
class VerdictWriter {
public:
  VerdictWriter(const CommandVerdict &verdict,
                ArrayRef<const Parameter *> parameters, size_t refusal)
      : verdict(verdict), parameters(parameters), refusal(refusal) {}

  /// An expression that is false where the refusal applies.
  std::string write();

private:
  /// Whether a knob is one of the values with these indices.
  std::string member(size_t knob, ArrayRef<uint64_t> values) const;
  std::string writeInner(const CommandVerdict::Node &node) const;

  const CommandVerdict &verdict;
  ArrayRef<const Parameter *> parameters;
  size_t refusal;
  std::vector<std::string> texts;
};
} // namespace

std::string VerdictWriter::member(size_t knob,
                                  ArrayRef<uint64_t> values) const {
  const Parameter &parameter = *parameters[knob];
  std::string name = variableText(parameter.name());
  if (values.size() == 1)
    return name + " == " + toString(parameter.value(values.front()));
  SmallVector<std::string> list;
  for (uint64_t value : values)
    list.push_back(toString(parameter.value(value)));
  return "in(" + name + ", {" + llvm::join(list, ", ") + "})";
}

std::string VerdictWriter::writeInner(const CommandVerdict::Node &node) const {
  // The values of each text, in the order in which these come.
  llvm::MapVector<StringRef, SmallVector<uint64_t>> groups;
  for (auto [value, child] : llvm::enumerate(node.children))
    groups[texts[child]].push_back(value);
  if (groups.size() == 1)
    return groups.front().first.str();
  auto none = groups.find("false");
  size_t numForbidden = none == groups.end() ? 0 : none->second.size();
  if (groups.size() == 2 && groups.contains("true") && numForbidden > 0 &&
      numForbidden < node.children.size() - numForbidden)
    return "!(" + member(*node.knob, none->second) + ")";
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
    texts.push_back(node.knob                 ? writeInner(node)
                    : node.refusal == refusal ? "false"
                                              : "true");
  return texts.back();
}

std::string schedule::writeVerdict(const CommandVerdict &verdict,
                                   ArrayRef<const Parameter *> parameters,
                                   size_t refusal) {
  return VerdictWriter(verdict, parameters, refusal).write();
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
