//===- CodeSampler.cpp - Samples of executed code -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/CodeSampler.h"

#include <atomic>
#include <csignal>
#include <ucontext.h>

using namespace baco;
using namespace baco::runtime;

static itimerval ticking;
static constexpr itimerval still{};

// Handlers can find their data in globals only.
static std::atomic<int64_t *> nextPlace, endOfPlaces;
static std::atomic<uint64_t> sampledOrigin;
static std::atomic<bool> isPausing;
static const int64_t *firstPlace;

static uint64_t interruptedAt(const void *context) {
  const mcontext_t &state =
      static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uint64_t>(state.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return state.pc;
#else
#error "the member with the address of the next instruction is unknown"
#endif
}

static void onTick(int, siginfo_t *, void *context) {
  int64_t *place = nextPlace;
  if (isPausing || place == endOfPlaces)
    return;
  *place = static_cast<int64_t>(interruptedAt(context) - sampledOrigin);
  nextPlace = place + 1;
}

void runtime::prepareToSample() {
  struct sigaction action{};
  action.sa_sigaction = onTick;
  // The stack of a kernel may be nearly full.
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigaction(SIGALRM, &action, nullptr);
}

void runtime::startSampling(std::span<int64_t> places, const void *origin,
                            int64_t periodUs) {
  ticking = {{0, periodUs}, {0, periodUs}};
  isPausing = true;
  sampledOrigin = reinterpret_cast<uint64_t>(origin);
  firstPlace = places.data();
  nextPlace = places.data();
  endOfPlaces = places.data() + places.size();
  setitimer(ITIMER_REAL, &ticking, nullptr);
}

void runtime::pauseSampling(bool isPaused) { isPausing = isPaused; }

size_t runtime::stopSampling() {
  setitimer(ITIMER_REAL, &still, nullptr);
  // A signal that is on its way finds no place.
  int64_t *last = nextPlace;
  endOfPlaces = last;
  return last - firstPlace;
}

std::array<const itimerval *, 2> runtime::samplingTimers() {
  return {&ticking, &still};
}
