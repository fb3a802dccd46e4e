//===- VerifyCase.h - One comparison of outputs ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_RUNTIME_VERIFYCASE_H
#define BACO_UNITTESTS_RUNTIME_VERIFYCASE_H

#include "baco/Verification/Verify.h"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace baco::runtime::test {

/// One output vector of type T.
template <typename T>
struct Case {
  Case(ElementType type, std::vector<T> expected, std::vector<T> magnitude,
       int64_t reductionLength = 1) {
    signature.arguments = {
        {type, true, {static_cast<int64_t>(expected.size())}, true}};
    signature.reductionLength = reductionLength;
    reference.expected = bytesOf(expected);
    reference.magnitude = bytesOf(magnitude);
  }

  std::string compare(const std::vector<T> &got) const {
    return findMismatch(signature, reference, bytesOf(got).data())
        .value_or("equal");
  }

  std::vector<std::byte> bytesOf(const std::vector<T> &values) const {
    std::vector<std::byte> bytes(OutputLayout(signature).byteSize());
    if (!values.empty())
      std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
    return bytes;
  }

  Signature signature;
  Reference reference;
};

inline constexpr float infinite = std::numeric_limits<float>::infinity();
inline constexpr float undefined = std::numeric_limits<float>::quiet_NaN();

} // namespace baco::runtime::test

#endif // BACO_UNITTESTS_RUNTIME_VERIFYCASE_H
