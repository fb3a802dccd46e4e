//===- Template.cpp - Payloads with sizes ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the text.
//
//===----------------------------------------------------------------------===//

#include "Template.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace baco::benchmarks;
using llvm::StringRef;

static std::optional<int64_t> findSize(StringRef name, const Case &target) {
  for (const auto &[key, value] : target.sizes)
    if (name == key)
      return value;
  return std::nullopt;
}

static std::optional<std::string> findWord(StringRef name, const Case &target) {
  if (name == "T")
    return target.isSingle ? "f32" : "f64";
  for (const auto &[key, value] : target.words)
    if (name == key)
      return value;
  if (std::optional<int64_t> size = findSize(name, target))
    return std::to_string(*size);
  return std::nullopt;
}

/// `NAME`, or `NAME-1` and the like.
static std::optional<std::string> evaluate(StringRef text, const Case &target) {
  size_t at = text.find_first_of("+-/");
  if (at == StringRef::npos)
    return findWord(text, target);
  std::optional<int64_t> left = findSize(text.take_front(at), target);
  int64_t right = 0;
  if (!left || text.drop_front(at + 1).getAsInteger(10, right) || right < 1)
    return std::nullopt;
  char op = text[at];
  int64_t value = op == '+'   ? *left + right
                  : op == '-' ? *left - right
                              : *left / right;
  return std::to_string(value);
}

llvm::Expected<std::string>
baco::benchmarks::expandTemplate(StringRef text, const Case &target) {
  std::string result;
  while (true) {
    auto [before, rest] = text.split("{{");
    result += before;
    if (before.size() == text.size())
      return result;
    auto [name, after] = rest.split("}}");
    std::optional<std::string> value = evaluate(name, target);
    if (!value)
      return llvm::createStringError("the payload's placeholder '{{" + name +
                                     "}}' has no value in this case");
    result += *value;
    text = after;
  }
}

std::string baco::benchmarks::caseFileName(const std::string &row,
                                           const std::string &name) {
  std::string result = row + "-" + name;
  for (char &c : result)
    if (!llvm::isAlnum(c))
      c = '-';
  return result;
}

llvm::Expected<std::string>
baco::benchmarks::writePayload(const std::string &sourceDir,
                               const std::string &workDir,
                               const std::string &name, const Case &target) {
  std::string source = sourceDir + "/" + target.payload;
  std::string file = workDir + "/" + name + ".mlir";
  auto text = llvm::MemoryBuffer::getFile(source);
  if (!text)
    return llvm::createStringError(
        "'" + source + "' can't be read: " + text.getError().message());
  auto expanded = expandTemplate((*text)->getBuffer(), target);
  if (!expanded)
    return expanded.takeError();
  std::error_code error;
  llvm::raw_fd_ostream stream(file, error);
  if (!error) {
    stream << *expanded;
    stream.close();
    error = stream.error();
  }
  if (error)
    return llvm::createStringError("'" + file +
                                   "' can't be written: " + error.message());
  return file;
}
