//===- KernelMessages.cpp - To and from the process with a device ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMessages.h"

#include "baco/Support/CheckedJson.h"

using namespace baco;
using namespace baco::kernels;

static std::string dump(const CheckedJson &json) {
  // A compiler's words may be in any encoding.
  return json.dump(-1, ' ', false, CheckedJson::error_handler_t::replace);
}

std::string KernelRequest::encode() const {
  if (!plan)
    return dump({{"run", repeat}});
  return dump({{"macros", plan->macros},
               {"global", plan->global},
               {"local", plan->local},
               {"values", plan->values}});
}

Result<KernelRequest> KernelRequest::decode(std::string_view text) {
  try {
    CheckedJson json = CheckedJson::parse(text);
    KernelRequest request;
    if (json.contains("run")) {
      json.at("run").get_to(request.repeat);
      return request;
    }
    LaunchPlan &plan = request.plan.emplace();
    json.at("macros").get_to(plan.macros);
    json.at("global").get_to(plan.global);
    json.at("local").get_to(plan.local);
    json.at("values").get_to(plan.values);
    return request;
  } catch (const CheckedJson::exception &e) {
    return {ErrorCode::Corrupt, std::string("no request: ") + e.what()};
  }
}

std::string KernelAnswer::encode() const {
  return dump({{"status", statusName(failure.status)},
               {"message", failure.message},
               {"sticky", failure.isSticky},
               {"times", times},
               {"energy", energy},
               {"device", device},
               {"counters", counters},
               {"code", static_cast<int>(code)}});
}

Result<KernelAnswer> KernelAnswer::decode(std::string_view text) {
  try {
    CheckedJson json = CheckedJson::parse(text);
    KernelAnswer answer;
    std::optional<Status> status =
        parseStatus(json.at("status").get<std::string>());
    if (!status)
      return {ErrorCode::Corrupt, "no answer: an unknown status"};
    answer.failure = {*status, json.at("message").get<std::string>(),
                      json.at("sticky").get<bool>()};
    json.at("times").get_to(answer.times);
    json.at("energy").get_to(answer.energy);
    json.at("device").get_to(answer.device);
    json.at("counters").get_to(answer.counters);
    answer.code = static_cast<ErrorCode>(json.at("code").get<int>());
    return answer;
  } catch (const CheckedJson::exception &e) {
    return {ErrorCode::Corrupt, std::string("no answer: ") + e.what()};
  }
}
