//===- TestOutcomes.h - Ends of trials ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_DATABASE_TESTOUTCOMES_H
#define BACO_UNITTESTS_DATABASE_TESTOUTCOMES_H

#include "baco/Support/Outcome.h"

namespace baco::test {

inline Outcome ended(Status status, double timeNs) {
  Outcome outcome;
  outcome.status = status;
  outcome.timeNs = timeNs;
  return outcome;
}

inline Outcome ok(double timeNs) { return ended(Status::Ok, timeNs); }

} // namespace baco::test

#endif // BACO_UNITTESTS_DATABASE_TESTOUTCOMES_H
