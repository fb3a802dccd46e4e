//===- CheckCommands.cpp - Knobs in the fields of commands ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestChoices.h"

#include "baco/IR/LoopCommands.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::NamedSequenceOp;
using transform::tune::KnobOp;

namespace {
/// A knob that commands may name, and values of it.
struct NamedKnob {
  StringRef name;
  SmallVector<Attribute> values;
};
} // namespace

/// The first and last so many numbers of a domain are tried.
static constexpr uint64_t numEnds = 16;

static SmallVector<NamedKnob> knobsOf(const Choices &choices,
                                      NamedSequenceOp sequence) {
  SmallVector<NamedKnob> knobs;
  for (const Choice &choice : choices.all())
    if (choice.sequence == sequence && choice.type)
      knobs.push_back({choice.name, sampleValues(choice, numEnds)});
  sequence.walk([&](KnobOp knob) {
    if (std::optional<Attribute> selected = knob.getSelected())
      knobs.push_back({knob.getName(), {*selected}});
  });
  return knobs;
}

/// Puts each value of each knob into `command` by itself.
static LogicalResult checkCommand(Operation *op, Attribute command,
                                  ArrayRef<NamedKnob> knobs) {
  auto emitError = [&] { return op->emitOpError(); };
  SmallVector<StringRef> names;
  for (const NamedKnob &knob : knobs)
    names.push_back(knob.name);
  if (failed(verifyKnobNames(emitError, command, names, "the sequence")))
    return failure();
  for (const NamedKnob &knob : knobs)
    for (Attribute value : knob.values) {
      Attribute resolved = resolveKnobNames(command, [&](StringRef name) {
        return name == knob.name ? value : Attribute();
      });
      if (resolved == command)
        break;
      std::string what = findInvalidField(resolved);
      if (what.empty() && !findUnknownName(resolved, names).empty())
        what = "it is not a value of a field";
      if (!what.empty())
        return emitError() << "knob '" << knob.name << "' may be " << value
                           << ", which does not fit " << command << ": "
                           << what;
    }
  return success();
}

LogicalResult schedule::checkCommands(const Choices &choices) {
  for (NamedSequenceOp sequence : choices.sequences()) {
    SmallVector<NamedKnob> knobs = knobsOf(choices, sequence);
    auto check = [&](Operation *op) -> LogicalResult {
      if (isDead(op))
        return success();
      for (NamedAttribute attribute : op->getAttrs())
        if (isCommandList(attribute.getValue()))
          for (Attribute command : cast<ArrayAttr>(attribute.getValue()))
            if (failed(checkCommand(op, command, knobs)))
              return failure();
      return success();
    };
    if (failed(visitAll<Operation *>(sequence, check)))
      return failure();
  }
  return success();
}
