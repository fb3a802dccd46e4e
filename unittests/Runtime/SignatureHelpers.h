//===- SignatureHelpers.h - Signatures and arguments in tests ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_RUNTIME_SIGNATUREHELPERS_H
#define BACO_UNITTESTS_RUNTIME_SIGNATUREHELPERS_H

#include "baco/Protocol/Candidate.h"
#include "baco/Verification/Inputs.h"

#include <cstring>
#include <string>
#include <vector>

namespace baco::runtime::test {

/// Why the signature is refused; "" if it isn't.
inline std::string errorOf(const Signature &signature) {
  Result<void> valid = signature.validate();
  return valid ? "" : valid.error().message;
}

/// The elements of an argument of type T.
template <typename T>
std::vector<double> toDoubles(const ArgumentData &data) {
  std::vector<T> values(data.size() / sizeof(T));
  std::memcpy(values.data(), data.data(), data.size());
  return {values.begin(), values.end()};
}

} // namespace baco::runtime::test

#endif // BACO_UNITTESTS_RUNTIME_SIGNATUREHELPERS_H
