//===- LoopCommands.cpp - Commands on loop nests --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a command's arguments may hold, how they are written, and what they are
// in lib/Polyhedral.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/LoopCommands.h"
#include "baco/IR/RecipeFields.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;
using polyhedral::checkValue;
using polyhedral::infoOf;
using polyhedral::LoopArgument;
using polyhedral::LoopCommand;
using polyhedral::LoopCommandInfo;
using polyhedral::LoopCommandKind;
using polyhedral::LoopValue;

using EmitError = function_ref<InFlightDiagnostic()>;

LoopValue baco::toValue(Attribute field) {
  if (isa<UnitAttr>(field))
    return std::monostate();
  if (auto number = dyn_cast<IntegerAttr>(field);
      number && number.getType().isSignlessInteger(64))
    return number.getInt();
  if (auto text = dyn_cast<StringAttr>(field))
    return text.str();
  if (auto knob = dyn_cast<KnobAttr>(field))
    return knob.getName().str();
  auto toList = [](Attribute attribute) -> std::optional<std::vector<int64_t>> {
    FailureOr<SmallVector<int64_t>> list = getIntegerList(attribute);
    if (failed(list))
      return std::nullopt;
    return std::vector<int64_t>(list->begin(), list->end());
  };
  if (auto list = toList(field))
    return *list;
  std::vector<std::vector<int64_t>> rows;
  if (auto array = dyn_cast<ArrayAttr>(field))
    for (Attribute element : array)
      if (auto row = toList(element))
        rows.push_back(*row);
  if (!rows.empty() && rows.size() == cast<ArrayAttr>(field).size())
    return rows;
  std::string text;
  llvm::raw_string_ostream(text) << '`' << field << '`';
  return text;
}

/// Checks the values of a knob.
static LogicalResult verifyKnob(EmitError emitError,
                                const LoopArgument &argument, KnobAttr knob) {
  auto refuse = [&] {
    return emitError() << "knob '" << knob.getName() << "': ";
  };
  StringRef name = argument.name;
  switch (argument.kind) {
  case LoopArgument::Kind::Matrix:
  case LoopArgument::Kind::Condition:
  case LoopArgument::Kind::Fusion:
    return refuse() << name << " can't be a knob";
  case LoopArgument::Kind::Places:
  case LoopArgument::Kind::Coefficients:
  case LoopArgument::Kind::LoopOrder:
  case LoopArgument::Kind::DimensionOrder:
    if (isa<PermutationAttr>(knob.getDomain()))
      return success();
    return refuse() << (name == "order" ? "an order" : "a list")
                    << " needs a permutation domain, but has "
                    << knob.getDomain();
  default:
    break;
  }
  SmallVector<int64_t> values;
  if (auto ordinal = dyn_cast<OrdinalAttr>(knob.getDomain()))
    values = {ordinal.getValues().front(), ordinal.getValues().back()};
  else if (auto range = dyn_cast<IntegerRangeAttr>(knob.getDomain()))
    values = {range.getLower(), range.getUpper()};
  else
    return refuse() << name << " must be an integer, but its domain is "
                    << knob.getDomain();
  if (argument.minimum && values[0] < *argument.minimum)
    return refuse() << name << " must be at least " << *argument.minimum
                    << ", but " << values[0] << " is among its values";
  if (knob.getDomain().contains(
          IntegerAttr::get(IntegerType::get(knob.getContext(), 64), 0)))
    values.push_back(0);
  for (int64_t value : values)
    if (auto valid = checkValue(argument, value); !valid)
      return refuse() << valid.error().message;
  return success();
}

static LogicalResult verifyArgument(EmitError emitError,
                                    const LoopArgument &argument,
                                    Attribute field) {
  if (auto knob = dyn_cast<KnobAttr>(field))
    return verifyKnob(emitError, argument, knob);
  if (auto valid = checkValue(argument, toValue(field)); !valid)
    return emitError() << valid.error().message;
  return success();
}

LogicalResult LoopCommandAttr::verify(EmitError emitError, LoopCommandKind kind,
                                      ArrayRef<Attribute> arguments) {
  const LoopCommandInfo &info = infoOf(kind);
  for (auto [argument, field] : llvm::zip_equal(info.arguments(), arguments)) {
    if (!isa<UnitAttr>(field)) {
      if (failed(verifyArgument(emitError, argument, field)))
        return failure();
    } else if (!argument.isOptional) {
      return emitError() << StringRef(info.mnemonic) << " needs '"
                         << StringRef(argument.name) << "'";
    }
  }
  auto has = [&](StringRef name) {
    return !isa<UnitAttr>(arguments[*info.find(name)]);
  };
  if (kind == LoopCommandKind::DataCopy && has("index") && has("order"))
    return emitError() << "index and order both set the layout of the buffer; "
                          "give only one of them";
  if (kind == LoopCommandKind::DataCopy && has("whole") &&
      (has("index") || has("order") || has("panel")))
    return emitError() << "a copy of the whole array has its layout; leave "
                          "out index, order and panel, or whole";
  return success();
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

Attribute LoopCommandAttr::parse(AsmParser &parser,
                                 const LoopCommandInfo &info) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute absent = UnitAttr::get(parser.getContext());
  SmallVector<Attribute> arguments(info.arguments().size(), absent);
  auto parseArgument = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    std::optional<size_t> index = info.find(name);
    if (!index || arguments[*index] != absent)
      return parser.emitError(loc)
             << StringRef(info.mnemonic) << " has "
             << (index ? "'" + name + "' twice" : "no '" + name + "'");
    return failure(parser.parseEqual() ||
                   parser.parseAttribute(arguments[*index]));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseArgument))
    return {};
  return parser.getChecked<LoopCommandAttr>(loc, parser.getContext(), info.kind,
                                            ArrayRef(arguments));
}

/// Arguments that aren't optional come first.
void LoopCommandAttr::print(AsmPrinter &printer) const {
  printer << StringRef(getInfo().mnemonic) << "<";
  llvm::ListSeparator comma;
  for (bool isOptional : {false, true})
    for (auto [argument, field] :
         llvm::zip_equal(getInfo().arguments(), getArguments()))
      if (argument.isOptional == isOptional && !isa<UnitAttr>(field)) {
        printer << StringRef(comma) << StringRef(argument.name) << " = ";
        printer.printAttributeWithoutType(field);
      }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Commands of lib/Polyhedral
//===----------------------------------------------------------------------===//

static Attribute toField(MLIRContext *context, const LoopValue &value,
                         function_ref<Attribute(StringRef)> nameKnob) {
  Builder builder(context);
  if (const auto *number = std::get_if<int64_t>(&value))
    return builder.getI64IntegerAttr(*number);
  if (const auto *word = std::get_if<std::string>(&value))
    return nameKnob(*word);
  if (const auto *list = std::get_if<std::vector<int64_t>>(&value))
    return builder.getI64ArrayAttr(*list);
  if (const auto *rows = std::get_if<std::vector<std::vector<int64_t>>>(&value))
    return builder.getArrayAttr(
        llvm::map_to_vector(*rows, [&](ArrayRef<int64_t> row) -> Attribute {
          return builder.getI64ArrayAttr(row);
        }));
  return builder.getUnitAttr();
}

SmallVector<Attribute>
baco::toFields(MLIRContext *context, const LoopCommand &command,
               function_ref<Attribute(StringRef)> nameKnob) {
  SmallVector<Attribute> fields;
  auto quote = [&](StringRef text) { return StringAttr::get(context, text); };
  for (auto [argument, value] :
       llvm::zip_equal(infoOf(command.kind).arguments(), command.arguments))
    fields.push_back(toField(
        context, value, argument.isText() || !nameKnob ? quote : nameKnob));
  return fields;
}

LoopCommand baco::toLoopCommand(LoopCommandAttr command) {
  LoopCommand result{command.getKind(), {}};
  for (Attribute field : command.getArguments())
    result.arguments.push_back(toValue(field));
  return result;
}

FailureOr<ArrayAttr> baco::parseLoopScript(MLIRContext *context,
                                           StringRef script,
                                           EmitError emitError) {
  auto written = polyhedral::parseLoopScript(script);
  if (!written)
    return emitError() << written.error().message;
  SmallVector<Attribute> commands;
  for (const auto &[command, text] : *written) {
    auto emitAtCommand = [&, &text = text] {
      InFlightDiagnostic diag = emitError();
      diag << "'" << text << "': ";
      return diag;
    };
    SmallVector<Attribute> fields = toFields(context, command);
    auto attribute = LoopCommandAttr::getChecked(
        emitAtCommand, context, command.kind, ArrayRef(fields));
    if (!attribute)
      return failure();
    commands.push_back(attribute);
  }
  return ArrayAttr::get(context, commands);
}
