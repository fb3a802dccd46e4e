//===- LoopCommandNames.cpp - Names of knobs in commands ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields of commands and conditions of splits may name knobs: which names there
// are, and how values get into their places.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/LoopCommands.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace baco;
using polyhedral::LoopArgument;

using EmitError = function_ref<InFlightDiagnostic()>;

bool baco::isCommandList(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list && !list.empty() && llvm::all_of(list, [](Attribute element) {
           return isa<LoopCommandAttr>(element);
         });
}

/// Numbers of any type as the i64 that fields hold.
static Attribute asField(Attribute value) {
  auto number = dyn_cast_or_null<IntegerAttr>(value);
  if (!number || isa<BoolAttr>(value))
    return value;
  std::optional<int64_t> exact = number.getAPSInt().tryExtValue();
  return exact ? Builder(value.getContext()).getI64IntegerAttr(*exact) : value;
}

static StringAttr print(Attribute value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return StringAttr::get(value.getContext(), text);
}

/// The value of a knob as that of an argument which names it.
static Attribute asArgument(LoopArgument::Kind kind, Attribute value) {
  if (kind == LoopArgument::Kind::Fusion && !isa<StringAttr>(value))
    return print(value);
  FailureOr<SmallVector<int64_t>> order = getIntegerList(value);
  if (kind != LoopArgument::Kind::LoopOrder || failed(order))
    return value;
  // Knobs count from 0, as permutations do, and commands count loops from 1.
  for (int64_t &loop : *order)
    ++loop;
  return Builder(value.getContext()).getI64ArrayAttr(*order);
}

Attribute baco::resolveKnobNames(Attribute command,
                                 function_ref<Attribute(StringRef)> knobs) {
  auto loopCommand = cast<LoopCommandAttr>(command);
  auto numberOf = [&](std::string_view name) -> std::optional<int64_t> {
    auto number = dyn_cast_or_null<IntegerAttr>(asField(knobs(name)));
    return number ? std::optional(number.getInt()) : std::nullopt;
  };
  SmallVector<Attribute> arguments(loopCommand.getArguments());
  for (auto [argument, field] :
       llvm::zip_equal(loopCommand.getInfo().arguments(), arguments)) {
    auto name = dyn_cast<StringAttr>(field);
    if (!name)
      continue;
    if (argument.kind == LoopArgument::Kind::Condition)
      field = StringAttr::get(command.getContext(),
                              polyhedral::bindNames(name.getValue(), numberOf));
    else if (Attribute value = asField(knobs(name)))
      field = asArgument(argument.kind, value);
  }
  return LoopCommandAttr::get(command.getContext(), loopCommand.getKind(),
                              arguments);
}

std::optional<StringRef> baco::findUnknownName(Attribute command,
                                               ArrayRef<StringRef> known) {
  auto loopCommand = cast<LoopCommandAttr>(command);
  constexpr StringLiteral fusions[] = {"min", "max", "smart"};
  std::optional<StringRef> unknown;
  auto check = [&](StringRef name) {
    if (!unknown && !llvm::is_contained(known, name))
      unknown = name;
  };
  for (auto [argument, field] : llvm::zip_equal(
           loopCommand.getInfo().arguments(), loopCommand.getArguments())) {
    auto name = dyn_cast<StringAttr>(field);
    if (name && argument.kind == LoopArgument::Kind::Condition)
      polyhedral::forEachName(name.getValue(), check);
    else if (name && (argument.kind != LoopArgument::Kind::Fusion ||
                      !llvm::is_contained(fusions, name.getValue())))
      check(name);
  }
  return unknown;
}

LogicalResult baco::verifyKnobNames(EmitError emitError, Attribute command,
                                    ArrayRef<StringRef> known,
                                    StringRef where) {
  std::optional<StringRef> name = findUnknownName(command, known);
  if (!name)
    return success();
  InFlightDiagnostic diag = emitError()
                            << command << " names \"" << *name
                            << "\", which is not a knob of " << where;
  if (StringRef near = nearestName(*name, known); !near.empty())
    diag << "; did you mean \"" << near << "\"?";
  return diag;
}

std::string baco::findInvalidField(Attribute command) {
  auto loopCommand = cast<LoopCommandAttr>(command);
  for (auto [argument, value] :
       llvm::zip_equal(loopCommand.getInfo().arguments(),
                       toLoopCommand(loopCommand).arguments)) {
    bool isAbsent = std::holds_alternative<std::monostate>(value);
    if (auto valid = checkValue(argument, value); !valid && !isAbsent)
      return valid.error().message;
  }
  return "";
}
