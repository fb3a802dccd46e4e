//===- LoopScript.cpp - CHiLL's notation for commands ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Commands with positional arguments are rewritten to the syntax of their
// attributes, whose parser does the rest.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/LoopCommands.h"

#include "ParseQuietly.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

namespace {
/// A command's name in CHiLL, its attribute, and what its arguments mean.
struct Notation {
  StringLiteral name;
  StringLiteral mnemonic;
  /// Names of fields, separated by spaces; `?` before the optional ones.
  StringLiteral fields;
};
} // namespace

static constexpr Notation notations[] = {
    {"original", "loop_original", ""},
    {"permute", "loop_permute", "order"},
    {"permute", "loop_permute", "statement order"},
    {"tile", "loop_tile", "statement loop size ?outer"},
    {"split", "loop_split", "statement loop condition"},
    {"nonsingular", "loop_nonsingular", "matrix"},
    {"nonsingular", "loop_nonsingular", "statement matrix"},
    {"skew", "loop_skew", "statement loop coefficients"},
    {"shift", "loop_shift", "statement loop amount"},
    {"scale", "loop_scale", "statement loop factor"},
    {"reverse", "loop_reverse", "statement loop"},
    {"distribute", "loop_distribute", "statements loop"},
    {"fuse", "loop_fuse", "statements loop"},
    {"align", "loop_align", "statement loop"},
    {"unroll", "loop_unroll", "statement loop factor"},
    {"vectorize", "loop_vectorize", "statement loop width"},
    {"parallelize", "loop_parallelize", "statement loop"},
    {"datacopy", "loop_copy", "statement loop reference ?index"},
    {"expand", "loop_expand", "statement loop reference"},
    {"prefetch", "loop_prefetch", "statement loop ahead"},
    {"auto", "loop_auto", "fusion"},
};

/// Cuts `text` at commas that are not in brackets.
static SmallVector<StringRef> splitArguments(StringRef text) {
  SmallVector<StringRef> arguments;
  if (text.trim().empty())
    return arguments;
  size_t start = 0, depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '[')
      ++depth;
    else if (i < text.size() && text[i] == ']' && depth > 0)
      --depth;
    else if (i == text.size() || (text[i] == ',' && depth == 0)) {
      arguments.push_back(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  return arguments;
}

/// Whether MLIR reads `argument` as a number or a list; else it is a string.
static bool isNumberOrList(StringRef argument) {
  int64_t value;
  return argument.starts_with("[") || !argument.getAsInteger(10, value);
}

/// The notation that takes so many arguments; null if none does.
static const Notation *find(StringRef name, size_t numArguments,
                            std::string &known) {
  const Notation *result = nullptr;
  for (const Notation &notation : notations) {
    if (notation.name != name)
      continue;
    SmallVector<StringRef> fields;
    notation.fields.split(fields, ' ', -1, /*KeepEmpty=*/false);
    size_t required =
        llvm::count_if(fields, [](StringRef f) { return f.front() != '?'; });
    if (required <= numArguments && numArguments <= fields.size())
      result = &notation;
    known += (known.empty() ? "" : " or ") + name.str() + "(" +
             llvm::join(fields, ", ") + ")";
  }
  return result;
}

static Attribute parseCommand(MLIRContext *context, StringRef name,
                              StringRef argumentText, EmitError emitError) {
  SmallVector<StringRef> arguments = splitArguments(argumentText);
  std::string known;
  const Notation *notation = find(name, arguments.size(), known);
  if (!notation) {
    InFlightDiagnostic diag = emitError()
                              << "'" << name << "(" << argumentText << ")' ";
    if (!known.empty())
      diag << "has " << arguments.size() << " arguments; expected " << known;
    else
      diag << "is not a command; the commands are original, permute, tile, "
              "split, nonsingular, skew, shift, scale, reverse, distribute, "
              "fuse, align, unroll, vectorize, parallelize, datacopy, expand, "
              "prefetch and auto";
    return {};
  }
  SmallVector<StringRef> fields;
  notation->fields.split(fields, ' ', -1, /*KeepEmpty=*/false);
  std::string text = "#baco." + notation->mnemonic.str() + "<";
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    std::string value = argument.str();
    // Quotes and the like can't leave the string when written as \xx.
    if (!isNumberOrList(argument)) {
      value = "\"";
      for (char c : argument)
        value += "\\" + llvm::toHex(StringRef(&c, 1));
      value += "\"";
    }
    text +=
        (index ? ", " : "") + fields[index].ltrim('?').str() + " = " + value;
  }
  // Errors come at the place of the script, not in the text made here.
  std::string message;
  Attribute command = parseQuietly(text + ">", context, message);
  if (!command)
    emitError() << "'" << name << "(" << argumentText << ")': " << message;
  return command;
}

FailureOr<ArrayAttr> baco::parseLoopScript(MLIRContext *context,
                                           StringRef script,
                                           EmitError emitError) {
  SmallVector<Attribute> commands;
  std::string text;
  for (StringRef line : llvm::split(script, '\n'))
    text += line.split('#').first.str() + "\n";
  StringRef rest = text;
  while (!(rest = rest.ltrim(" \t\n\r;")).empty()) {
    StringRef name = rest.take_until([](char c) { return c == '('; }).rtrim();
    size_t open = rest.find('('), close = rest.find(')');
    if (open == StringRef::npos || close == StringRef::npos || close < open ||
        !isIdentifier(name))
      return emitError() << "expected a command such as tile(0,2,TJ), but "
                            "found '"
                         << rest.take_until([](char c) { return c == '\n'; })
                         << "'";
    Attribute command =
        parseCommand(context, name, rest.slice(open + 1, close), emitError);
    if (!command)
      return failure();
    commands.push_back(command);
    rest = rest.drop_front(close + 1);
  }
  return ArrayAttr::get(context, commands);
}
