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
using polyhedral::LoopCommand;
using polyhedral::LoopValue;

using EmitError = function_ref<InFlightDiagnostic()>;

bool baco::isCommandList(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list && !list.empty() && llvm::all_of(list, [](Attribute element) {
           return isa<LoopCommandAttr>(element);
         });
}

/// Numbers of any type as the i64 that fields hold.
static Attribute asField(Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  if (!number || isa<BoolAttr>(value))
    return value;
  std::optional<int64_t> exact = number.getAPSInt().tryExtValue();
  return exact ? Builder(value.getContext()).getI64IntegerAttr(*exact) : value;
}

Attribute baco::resolveKnobNames(Attribute command,
                                 function_ref<Attribute(StringRef)> knobs) {
  LoopCommand bound = toLoopCommand(cast<LoopCommandAttr>(command));
  bindKnobs(bound, [&](std::string_view name) -> std::optional<LoopValue> {
    Attribute value = knobs(name);
    return value ? std::optional(toValue(asField(value))) : std::nullopt;
  });
  return LoopCommandAttr::get(command.getContext(), bound.kind,
                              toFields(command.getContext(), bound));
}

std::string baco::findUnknownName(Attribute command,
                                  ArrayRef<StringRef> known) {
  return findName(toLoopCommand(cast<LoopCommandAttr>(command)),
                  [&](std::string_view name) {
                    return llvm::is_contained(known, StringRef(name));
                  });
}

LogicalResult baco::verifyKnobNames(EmitError emitError, Attribute command,
                                    ArrayRef<StringRef> known,
                                    StringRef where) {
  std::string name = findUnknownName(command, known);
  if (name.empty())
    return success();
  InFlightDiagnostic diag = emitError()
                            << command << " names \"" << name
                            << "\", which is not a knob of " << where;
  if (StringRef near = nearestName(name, known); !near.empty())
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
