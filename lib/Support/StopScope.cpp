//===- StopScope.cpp - A request to stop, for deep calls ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Support/StopScope.h"

using baco::StopScope;

static thread_local const std::atomic<bool> *current = nullptr;

StopScope::StopScope(const std::atomic<bool> *stop) : outer(current) {
  current = stop;
}

StopScope::~StopScope() { current = outer; }

bool StopScope::isStopped() { return current && *current; }
