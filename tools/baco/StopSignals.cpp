//===- StopSignals.cpp - Signals that ask to stop -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StopSignals.h"

#include <csignal>

using namespace baco;

std::atomic<bool> tool::stopRequested = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler must be able to set it");

void tool::stopBySignals(bool interruptsReads) {
  struct sigaction action = {};
  action.sa_handler = [](int) { stopRequested = true; };
  action.sa_flags = SA_RESETHAND;
  if (!interruptsReads)
    action.sa_flags |= SA_RESTART;
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
}
