//===- KernelMessages.cpp - To and from the process with a device ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMessages.h"

#include "baco/Support/Json.h"

using namespace baco;
using namespace baco::kernels;

namespace baco {
// NOLINTBEGIN(readability-identifier-naming): names that the library calls.
BACO_JSON_NAMES(Status, statusName, parseStatus)
namespace runtime {
BACO_JSON_FIELDS(DeviceFailure, status, message, isSticky)
} // namespace runtime
namespace kernels {
BACO_JSON_FIELDS(LaunchPlan, macros, global, local, values)
BACO_JSON_FIELDS(KernelRequest, plan, repeat)
BACO_JSON_FIELDS(KernelAnswer, failure, times, energy, device, counters, code)
} // namespace kernels
// NOLINTEND(readability-identifier-naming)
} // namespace baco

template <typename T>
static Result<T> read(std::string_view text, const char *what) {
  try {
    return parseCheckedJson(text).get<T>();
  } catch (const CheckedJson::exception &e) {
    return {ErrorCode::Corrupt, std::string("no ") + what + ": " + e.what()};
  }
}

std::string KernelRequest::encode() const { return printCheckedJson(*this); }

Result<KernelRequest> KernelRequest::decode(std::string_view text) {
  return read<KernelRequest>(text, "request");
}

std::string KernelAnswer::encode() const { return printCheckedJson(*this); }

Result<KernelAnswer> KernelAnswer::decode(std::string_view text) {
  return read<KernelAnswer>(text, "answer");
}
