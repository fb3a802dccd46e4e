//===- Claims.h - Threshold for claimed differences -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The smallest difference between times that is reported, the same for
// decisions and for reports.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_CLAIMS_H
#define BACO_SUPPORT_CLAIMS_H

namespace baco {

/// A kernel is called faster than another only if it is certain that the other
/// one takes so much more of its time. Smaller differences depend on where a
/// program happens to lie in memory, and are of no use to anybody.
inline constexpr double minSpeedup = 0.005;

} // namespace baco

#endif // BACO_SUPPORT_CLAIMS_H
