//===- Sandbox.cpp - Limits and confinement of candidates -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Sandbox.h"
#include "baco/Support/Sanitizer.h"

#include "baco/Verification/Operands.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

//===----------------------------------------------------------------------===//
// Entering
//===----------------------------------------------------------------------===//

bool runtime::refuse(ControlBlock &control, const char *step) {
  std::snprintf(control.setUpFailure, sizeof control.setUpFailure, "%s: %s",
                step, std::strerror(errno));
  return false;
}

void runtime::refuseBecause(ControlBlock &control, const std::string &why) {
  std::snprintf(control.setUpFailure, sizeof control.setUpFailure, "%s",
                why.c_str());
}

/// Sets both limits, the soft one `grace` below the hard one, which cannot be
/// raised.
static bool setLimit(__rlimit_resource resource, uint64_t value,
                     uint64_t grace = 0) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0)
    return false;
  limit.rlim_max = std::min<rlim_t>(limit.rlim_max, value + grace);
  limit.rlim_cur = limit.rlim_max - std::min<rlim_t>(limit.rlim_max, grace);
  return setrlimit(resource, &limit) == 0;
}

/// When the system runs out of memory, this process is killed first, because
/// losing a candidate costs least.
static void volunteerForOutOfMemory() {
  // Refused where /proc is not mounted: then the system chooses.
  if (FILE *file = std::fopen("/proc/self/oom_score_adj", "we")) {
    std::fputs("1000", file);
    std::fclose(file);
  }
}

/// Moves the descriptors to their places and closes all others, those of the
/// coordinator and of other children above all.
static bool arrangeDescriptors(int socket, int output, int device) {
  // Move them first, because any of them may have one of the numbers 0 to 3.
  int highSocket = fcntl(socket, F_DUPFD, 16);
  int highOutput = fcntl(output, F_DUPFD, 16);
  int null = open("/dev/null", O_RDONLY);
  int highNull = fcntl(null, F_DUPFD, 16);
  int highDevice = device >= 0 ? fcntl(device, F_DUPFD, 16) : -1;
  if (device >= 0 && highDevice < 0)
    return false;
  return highSocket >= 0 && highOutput >= 0 && highNull >= 0 &&
         dup2(highNull, 0) == 0 && dup2(highOutput, 1) == 1 &&
         dup2(highOutput, 2) == 2 && dup2(highSocket, 3) == 3 &&
         (device < 0 || dup2(highDevice, 4) == 4) &&
         syscall(SYS_close_range, device < 0 ? 4u : 5u, ~0u, 0u) == 0;
}

bool runtime::enterChild(pid_t parent, int socket, int output,
                         const ResourceLimits &limits, ControlBlock &control,
                         int device) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
    return refuse(control, "prctl(PR_SET_PDEATHSIG)");
  // The parent may have died before that.
  if (getppid() != parent)
    return false;
  volunteerForOutOfMemory();
  prctl(PR_SET_DUMPABLE, 0);

  resetSignals();
  if (!arrangeDescriptors(socket, output, device))
    return refuse(control, "arranging descriptors");
  if (!setLimit(RLIMIT_CORE, 0))
    return refuse(control, "setrlimit(RLIMIT_CORE)");
  // A little more at the end, so that SIGXCPU comes before SIGKILL.
  if (!setLimit(RLIMIT_CPU, limits.cpuSeconds, 2))
    return refuse(control, "setrlimit(RLIMIT_CPU)");
  if (!isAddressSanitized && !setLimit(RLIMIT_AS, limits.addressSpace))
    return refuse(control, "setrlimit(RLIMIT_AS)");
  return true;
}

void runtime::resetSignals() {
  for (int signal = 1; signal < NSIG; ++signal)
    // Fails for those that cannot be caught.
    std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  itimerval off{};
  for (__itimer_which timer : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF})
    setitimer(timer, &off, nullptr);
}

int runtime::countThreads() {
  // A folder has a link in each of its subfolders, and two more.
  struct stat tasks{};
  return stat("/proc/self/task", &tasks) == 0 ? tasks.st_nlink - 2 : 1;
}

uint64_t runtime::addressSpaceInUse() {
  unsigned long pages = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%lu", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return uint64_t{pages} * sysconf(_SC_PAGESIZE);
}

//===----------------------------------------------------------------------===//
// Dying
//===----------------------------------------------------------------------===//

// Handlers can find their data in globals only. They are of the child.
static ControlBlock *deathNote;
static size_t memoryProbeBytes;
static const Operands *watchedOperands;

/// A separate stack, because the usual one may have overflowed.
static std::byte handlerStack[64 << 10];

[[noreturn]] static void onAllocationFailure() {
  deathNote->outOfMemory = 1;
  _exit(1);
}

void runtime::blameWritesTo(const Operands &operands) {
  watchedOperands = &operands;
}

static void noteWrite(const void *address) {
  auto place = watchedOperands->placeOf(address);
  if (place)
    (place->isInside ? deathNote->changedArgument
                     : deathNote->damagedArgument) = place->argument + 1;
}

/// Whether a fault is one of storing, and not of loading or of fetching code.
static bool isWrite([[maybe_unused]] const void *context) {
#ifdef __x86_64__
  // Bit 1 of the error code of a page fault (Intel SDM, volume 3, 5.7).
  constexpr greg_t writes = 2;
  return static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] &
         writes;
#else
  return true;
#endif
}

static void onFatalSignal(int signal, siginfo_t *info, void *context) {
  if (signal == SIGSEGV && watchedOperands && isWrite(context))
    noteWrite(info->si_addr);
  if (!isAddressSanitized) {
    void *probe = mmap(nullptr, memoryProbeBytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (probe == MAP_FAILED && errno == ENOMEM)
      deathNote->outOfMemory = 1;
  }
  // SA_RESETHAND has restored the default action, SA_NODEFER lets it act now.
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

/// Without a sanitizer's code, which takes locks that the interrupted code may
/// have.
__attribute__((no_sanitize("address"))) static void
onForbiddenCall(int, siginfo_t *info, void *) {
  deathNote->forbiddenCall = int64_t{info->si_syscall} + 1;
  _exit(1);
}

void runtime::installDeathHandlers(ControlBlock &control,
                                   uint64_t memoryLimit) {
  deathNote = &control;
  memoryProbeBytes = memoryLimit / 2;
  std::set_new_handler(onAllocationFailure);
  stack_t stack{};
  stack.ss_sp = handlerStack;
  stack.ss_size = sizeof handlerStack;
  sigaltstack(&stack, nullptr);

  struct sigaction action{};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  action.sa_sigaction = onFatalSignal;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT})
    sigaction(signal, &action, nullptr);
  action.sa_sigaction = onForbiddenCall;
  sigaction(SIGSYS, &action, nullptr);
}
