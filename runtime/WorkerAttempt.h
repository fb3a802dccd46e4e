//===- WorkerAttempt.h - Inputs of the first check --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_WORKERATTEMPT_H
#define BACO_RUNTIME_WORKERATTEMPT_H

#include "baco/Runtime/Worker.h"

namespace baco::runtime {

/// Inputs of the first check that were tried.
struct Worker::Attempt {
  InputKind kind;
  bool isPositive;
  Check check = {};
  /// Whether tolerances are meaningful, by the majorant if there is one.
  bool isTight = false;
};

} // namespace baco::runtime

#endif // BACO_RUNTIME_WORKERATTEMPT_H
