//===- KnobTable.cpp - A space to read ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/KnobTable.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/LoopCommands.h"
#include "baco/Space/ExplainChoice.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// The uses of a knob, in the order of the schedule, each text once.
using Uses = SmallVector<std::string>;

static void add(const llvm::Twine &use, Uses &uses) {
  if (std::string text = use.str(); !llvm::is_contained(uses, text))
    uses.push_back(std::move(text));
}

/// Whether an element of `binding` is the name of the knob.
static bool namesKnob(Attribute binding, StringRef knob) {
  bool found = false;
  binding.walk([&](StringAttr name) { found |= name.getValue() == knob; });
  return found;
}

/// The arguments of `command` that are the knob, or conditions that read it.
static void addUses(LoopCommandAttr command, StringRef knob, Uses &uses) {
  std::string loop;
  for (auto [argument, field] :
       llvm::zip_equal(command.getInfo().arguments(), command.getArguments()))
    if (auto number = dyn_cast_or_null<IntegerAttr>(field);
        number && argument.kind == polyhedral::LoopArgument::Kind::Loop)
      loop = (" of loop " + llvm::Twine(number.getInt())).str();
  for (auto [argument, field] :
       llvm::zip_equal(command.getInfo().arguments(), command.getArguments())) {
    if (!field || !namesKnob(field, knob))
      continue;
    add(command.getInfo().mnemonic + llvm::Twine(" ") + argument.name + loop +
            ": " + argument.meaning,
        uses);
  }
}

/// Adds the uses of the knob in the attributes of `op`.
static void addUses(Operation *op, StringRef knob, Uses &uses) {
  for (NamedAttribute attribute : op->getAttrs())
    if (isCommandList(attribute.getValue()))
      for (Attribute command : cast<ArrayAttr>(attribute.getValue()))
        addUses(cast<LoopCommandAttr>(command), knob, uses);
  auto bound = op->getAttrOfType<DictionaryAttr>(BacoDialect::kBind);
  for (NamedAttribute entry :
       bound ? bound.getValue() : ArrayRef<NamedAttribute>())
    if (namesKnob(entry.getValue(), knob))
      add(op->getName().getStringRef() + " " + entry.getName().getValue(),
          uses);
}

/// The places of `knob` in a list, as in " of iterators 0, 1"; empty if it
/// isn't there.
static std::string placesOf(mlir::Value knob, ArrayRef<OpFoldResult> sizes) {
  SmallVector<std::string> places;
  for (auto [place, size] : llvm::enumerate(sizes))
    if (size == OpFoldResult(knob))
      places.push_back(std::to_string(place));
  return places.empty()
             ? ""
             : (places.size() == 1 ? " of iterator " : " of iterators ") +
                   llvm::join(places, ", ");
}

/// Describes how `user` uses the value of a knob.
static std::string describeUse(Operation *user, mlir::Value knob) {
  std::string name = user->getName().getStringRef().str();
  if (auto tile = dyn_cast<transform::TileUsingForOp>(user))
    return name + placesOf(knob, tile.getMixedSizes());
  if (auto tile = dyn_cast<transform::TileUsingForallOp>(user))
    return name + placesOf(knob, tile.getMixedTileSizes()) +
           placesOf(knob, tile.getMixedNumThreads());
  return name;
}

static Uses usesOf(const schedule::Choice &choice) {
  Uses uses;
  for (Operation *op : choice.ops) {
    if (isa<transform::tune::AlternativesOp>(op))
      add("one of the alternatives", uses);
    for (Operation *user : op->getUsers())
      add(describeUse(user, op->getResult(0)), uses);
  }
  transform::NamedSequenceOp sequence = choice.sequence;
  sequence->walk([&](Operation *op) { addUses(op, choice.name, uses); });
  return uses;
}

static void writeKnob(const Parameter &parameter, const Uses &uses,
                      llvm::raw_ostream &stream) {
  stream << "  " << parameter.name() << " = "
         << toString(parameter.initialValue()) << "  of "
         << describeValues(parameter) << "\n";
  for (const std::string &use : uses)
    stream << "    " << use << "\n";
}

std::string schedule::writeKnobTable(StringRef kernel, const Space &space,
                                     const Choices &choices) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  size_t number = space.parameters().size();
  stream << kernel << ": " << number << (number == 1 ? " knob, " : " knobs, ")
         << (space.isCountExact() ? "" : "at most ") << space.count()
         << " configurations\n";
  for (const Parameter &parameter : space.parameters()) {
    const auto *choice =
        llvm::find_if(choices.all(), [&](const schedule::Choice &one) {
          return one.parameter.name() == parameter.name();
        });
    writeKnob(parameter,
              choice == choices.all().end() ? Uses() : usesOf(*choice), stream);
  }
  for (const Constraint &constraint : space.constraints()) {
    stream << (constraint.advisory ? "  advised: " : "  needed: ")
           << constraint.expression.text() << "\n";
    if (!constraint.reason.empty())
      stream << "    " << constraint.reason << "\n";
  }
  return text;
}
