//===- LoopCommandNames.cpp - Names of knobs in commands ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields of commands and conditions of splits may name knobs: finds these
// names, and replaces them by values.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/LoopCommands.h"

#include "ParseQuietly.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

bool baco::isCommandList(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list && !list.empty() && llvm::all_of(list, [](Attribute element) {
           return isa<LoopCommandInterface>(element);
         });
}

/// Calls `visit` with the words of a condition and with what is between them.
static void forEachPart(StringRef condition,
                        function_ref<void(StringRef part)> visit) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  while (!condition.empty()) {
    StringRef part = condition.take_while(isWord);
    if (part.empty())
      part = condition.take_until(isWord);
    visit(part);
    condition = condition.drop_front(part.size());
  }
}

/// `condition` with words replaced by values.
static std::string resolveWords(StringRef condition,
                                function_ref<Attribute(StringRef)> valueOf) {
  std::string result;
  forEachPart(condition, [&](StringRef part) {
    auto value = dyn_cast_or_null<IntegerAttr>(
        isIdentifier(part) ? valueOf(part) : Attribute());
    result += value ? std::to_string(value.getInt()) : part.str();
  });
  return result;
}

/// Numbers of any type as the i64 that fields hold.
static Attribute asField(Attribute value) {
  auto number = dyn_cast_or_null<IntegerAttr>(value);
  if (!number || isa<BoolAttr>(value))
    return value;
  std::optional<int64_t> exact = number.getAPSInt().tryExtValue();
  return exact ? Builder(value.getContext()).getI64IntegerAttr(*exact) : value;
}

/// The field of `command` that is a text; null if it has none.
static StringAttr textOf(Attribute command) {
  if (auto split = dyn_cast<LoopSplitAttr>(command))
    return split.getCondition();
  if (auto automatic = dyn_cast<LoopAutoAttr>(command))
    return automatic.getFusion();
  return {};
}

static StringAttr print(Attribute value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return StringAttr::get(value.getContext(), text);
}

Attribute baco::resolveKnobNames(Attribute command,
                                 function_ref<Attribute(StringRef)> knobs) {
  MLIRContext *context = command.getContext();
  auto valueOf = [&](StringRef name) { return asField(knobs(name)); };
  if (auto split = dyn_cast<LoopSplitAttr>(command))
    command = LoopSplitAttr::get(
        context, split.getStatement(), split.getLoop(),
        StringAttr::get(context, resolveWords(split.getCondition(), valueOf)));
  StringAttr text = textOf(command);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](StringAttr name) -> Attribute {
    Attribute value = valueOf(name.getValue());
    // These two fields hold only strings.
    if (value && name == text && !isa<StringAttr>(value))
      return isa<LoopAutoAttr>(command) ? print(value) : name;
    return value ? value : name;
  });
  Attribute resolved = replacer.replace(command);
  // Knobs count from 0, as permutations do, and commands count loops from 1.
  auto permute = dyn_cast<LoopPermuteAttr>(command);
  if (!permute || !isa<StringAttr>(permute.getOrder()))
    return resolved;
  auto after = cast<LoopPermuteAttr>(resolved);
  FailureOr<SmallVector<int64_t>> order = getIntegerList(after.getOrder());
  if (failed(order))
    return resolved;
  for (int64_t &loop : *order)
    ++loop;
  return LoopPermuteAttr::get(context, Builder(context).getI64ArrayAttr(*order),
                              after.getStatement());
}

/// Whether `name` is `prefix` and a number.
static bool isNumbered(StringRef name, StringRef prefix) {
  return name.consume_front(prefix) && !name.empty() &&
         llvm::all_of(name, llvm::isDigit);
}

/// Whether conditions read `word` as something other than a knob. After
/// `exists`, any name is allowed.
static bool isKnownWord(StringRef word) {
  static constexpr StringLiteral keywords[] = {
      "and",     "ceil", "ceild", "exists", "false", "floor", "floord",
      "implies", "max",  "min",   "mod",    "not",   "or",    "true"};
  return isNumbered(word, "L") || isNumbered(word, "p") ||
         llvm::is_contained(keywords, word.lower());
}

std::optional<StringRef> baco::findUnknownName(Attribute command,
                                               ArrayRef<StringRef> known) {
  StringAttr text = textOf(command);
  bool isSplit = isa<LoopSplitAttr>(command);
  constexpr StringLiteral fusions[] = {"min", "max", "smart"};
  std::optional<StringRef> unknown;
  auto check = [&](StringRef name) {
    if (!unknown && !llvm::is_contained(known, name))
      unknown = name;
  };
  if (isSplit && !text.getValue().contains_insensitive("exists"))
    forEachPart(text, [&](StringRef part) {
      if (isIdentifier(part) && !isKnownWord(part))
        check(part);
    });
  command.walk<WalkOrder::PreOrder>([&](Attribute field) {
    if (isa<KnobAttr>(field))
      return WalkResult::skip();
    auto name = dyn_cast<StringAttr>(field);
    bool isText = name && name == text &&
                  (isSplit || llvm::is_contained(fusions, name.getValue()));
    if (name && !isText)
      check(name.getValue());
    return WalkResult::advance();
  });
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
  std::string message;
  parseQuietly(print(command), command.getContext(), message);
  return message;
}
