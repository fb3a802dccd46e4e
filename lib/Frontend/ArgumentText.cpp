//===- ArgumentText.cpp - Values of arguments in options ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR doesn't keep the names of values. The location of an argument is where
// the file writes its name.
//
//===----------------------------------------------------------------------===//

#include "ArgumentText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace baco::frontend;

/// Splits `text` at commas that aren't in parentheses.
static SmallVector<StringRef> splitValues(StringRef text) {
  SmallVector<StringRef> values;
  size_t begin = 0;
  int depth = 0;
  for (auto [i, c] : llvm::enumerate(text)) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ',' || depth > 0)
      continue;
    values.push_back(text.slice(begin, i));
    begin = i + 1;
  }
  values.push_back(text.drop_front(begin));
  return values;
}

/// The function with a body of this name, or an error that lists those that
/// there are, with `values` for the first of them.
static llvm::Expected<func::FuncOp>
findFunction(ModuleOp module, StringRef name, StringRef values) {
  std::string names, first;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (function.getName() == name)
      return function;
    if (first.empty())
      first = function.getName().str();
    names += (names.empty() ? "'@" : ", '@") + function.getName().str() + "'";
  }
  return llvm::createStringError(
      "no function '@" + name + "' with a body" +
      (names.empty()
           ? ""
           : ": there are " + names + "; write " + first + ":" + values.str()));
}

llvm::Expected<SmallVector<ArgumentTexts>>
baco::frontend::readArgumentTexts(ModuleOp module, StringRef text,
                                  StringRef example) {
  SmallVector<ArgumentTexts> all;
  if (text.empty())
    return all;
  auto error = [&](StringRef part) {
    return llvm::createStringError("'" + part + "' is not of the form " +
                                   example);
  };
  SmallVector<StringRef> groups;
  text.split(groups, ';');
  for (StringRef group : groups) {
    // The name of a function may have colons.
    size_t colon = group.take_until([](char c) { return c == '='; }).rfind(':');
    bool hasFunction = colon != StringRef::npos;
    ArgumentTexts read;
    if (!hasFunction && all.empty())
      return error(group);
    if (!hasFunction) {
      read.function = all.back().function;
    } else {
      StringRef name = group.take_front(colon).trim().ltrim('@');
      if (name.empty())
        return error(group);
      llvm::Expected<func::FuncOp> function =
          findFunction(module, name, group.drop_front(colon + 1));
      if (!function)
        return function.takeError();
      read.function = *function;
    }
    StringRef rest = hasFunction ? group.drop_front(colon + 1) : group;
    for (StringRef value : splitValues(rest)) {
      auto [argument, its] = value.split('=');
      if (argument.trim().empty() || its.trim().empty())
        return error(group);
      read.values.emplace_back(argument.trim().str(), its.trim().str());
    }
    all.push_back(std::move(read));
  }
  return all;
}

/// The name that the file gives to an argument, without `%`; empty if that
/// isn't known.
static std::string nameOf(BlockArgument argument) {
  auto place = argument.getLoc()->findInstanceOf<FileLineColLoc>();
  if (!place || place.getFilename().getValue() == "-")
    return {};
  auto buffer = llvm::MemoryBuffer::getFile(place.getFilename().getValue());
  if (!buffer)
    return {};
  StringRef text = (*buffer)->getBuffer();
  for (unsigned line = 1; line < place.getLine(); ++line)
    text = text.split('\n').second;
  text = text.take_until([](char c) { return c == '\n'; });
  text = text.drop_front(
      std::min<size_t>(text.size(), std::max(place.getColumn(), 1u) - 1));
  if (!text.consume_front("%"))
    return {};
  return text
      .take_while([](char c) {
        return llvm::isAlnum(c) || StringRef("_$.-").contains(c);
      })
      .str();
}

llvm::Expected<unsigned> baco::frontend::findArgument(func::FuncOp function,
                                                      StringRef name) {
  unsigned count = function.getNumArguments(), number;
  if (!name.getAsInteger(10, number) && number < count)
    return number;
  std::string names;
  for (BlockArgument argument : function.getArguments()) {
    std::string known = nameOf(argument);
    if (!known.empty() && name.ltrim('%') == known)
      return argument.getArgNumber();
    names += known.empty() ? "" : ", '" + known + "'";
  }
  return llvm::createStringError(
      "function '@" + function.getName() + "' has no argument '" + name +
      "': write a number from 0 to " + llvm::Twine(count - 1) +
      (names.empty() ? "" : ", or one of the names " + names.substr(2)));
}
