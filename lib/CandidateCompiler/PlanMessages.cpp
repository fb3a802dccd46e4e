//===- PlanMessages.cpp - Messages about plans as JSON --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/PlanMessages.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace baco;
using namespace baco::target;
namespace json = llvm::json;

static std::string print(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

std::string baco::target::encode(const PlanQuestion &question) {
  json::Array ops;
  for (uint64_t op : question.ops)
    ops.push_back(static_cast<int64_t>(op));
  return print(json::Object{{"kind", static_cast<int64_t>(question.kind)},
                            {"host", question.host},
                            {"copy", question.isInCopy},
                            {"function", json::fixUTF8(question.function)},
                            {"ops", std::move(ops)}});
}

std::string baco::target::encode(const PlanAnswer &answer) {
  json::Array remarks;
  for (const auto &[location, text] : answer.remarks)
    remarks.push_back(
        json::Array{json::fixUTF8(location), json::fixUTF8(text)});
  return print(json::Object{{"error", json::fixUTF8(answer.error)},
                            {"recipe", json::fixUTF8(answer.recipe)},
                            {"count", static_cast<int64_t>(answer.count)},
                            {"remarks", std::move(remarks)}});
}

static Error notUnderstood() {
  return {ErrorCode::Corrupt, "a message about plans can't be decoded"};
}

Result<PlanQuestion> baco::target::decodePlanQuestion(std::string_view text) {
  auto value = json::parse(text);
  if (!value)
    return llvm::consumeError(value.takeError()), notUnderstood();
  PlanQuestion question;
  int64_t kind = -1;
  std::vector<int64_t> ops;
  json::Path::Root root;
  json::ObjectMapper map(*value, root);
  if (!map || !map.map("kind", kind) || kind < 0 ||
      kind > static_cast<int64_t>(PlanQuestion::Kind::PlanRowFusion) ||
      !map.map("host", question.host) || !map.map("copy", question.isInCopy) ||
      !map.map("function", question.function) || !map.map("ops", ops) ||
      ops.empty())
    return notUnderstood();
  question.kind = static_cast<PlanQuestion::Kind>(kind);
  question.ops.assign(ops.begin(), ops.end());
  return question;
}

Result<PlanAnswer> baco::target::decodePlanAnswer(std::string_view text) {
  auto value = json::parse(text);
  if (!value)
    return llvm::consumeError(value.takeError()), notUnderstood();
  PlanAnswer answer;
  int64_t count = -1;
  std::vector<std::vector<std::string>> remarks;
  json::Path::Root root;
  json::ObjectMapper map(*value, root);
  if (!map || !map.map("error", answer.error) ||
      !map.map("recipe", answer.recipe) || !map.map("count", count) ||
      count < 0 || !map.map("remarks", remarks))
    return notUnderstood();
  answer.count = count;
  for (std::vector<std::string> &remark : remarks) {
    if (remark.size() != 2)
      return notUnderstood();
    answer.remarks.emplace_back(std::move(remark[0]), std::move(remark[1]));
  }
  return answer;
}
