//===- Sanitizer.h - How this program is instrumented -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_SANITIZER_H
#define BACO_SUPPORT_SANITIZER_H

namespace baco {

/// Whether AddressSanitizer checks this program: its shadow takes all of the
/// address space, and a process many milliseconds to begin and to end.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool isAddressSanitized = true;
#elif defined(__has_feature)
inline constexpr bool isAddressSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool isAddressSanitized = false;
#endif

} // namespace baco

#endif // BACO_SUPPORT_SANITIZER_H
