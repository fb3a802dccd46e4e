//===- Sandbox.cpp - What a candidate may do ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Sandbox.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

using namespace baco;
using namespace baco::runtime;

#if defined(__SANITIZE_ADDRESS__)
const bool runtime::isAddressSanitized = true;
#elif defined(__has_feature)
const bool runtime::isAddressSanitized = __has_feature(address_sanitizer);
#else
const bool runtime::isAddressSanitized = false;
#endif

#if defined(__x86_64__)
static constexpr uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static constexpr uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "the sandbox knows the system calls of x86-64 and AArch64 only"
#endif

//===----------------------------------------------------------------------===//
// Entering
//===----------------------------------------------------------------------===//

/// Leaves word that `step` failed, and of errno.
static bool refuse(ControlBlock &control, const char *step) {
  std::snprintf(control.setUpFailure, sizeof control.setUpFailure, "%s: %s",
                step, std::strerror(errno));
  return false;
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

/// When the system has no memory left, this process is killed before others:
/// what a candidate takes is the easiest to do without.
static void volunteerForOutOfMemory() {
  // Refused where /proc is not mounted: then the system chooses.
  if (FILE *file = std::fopen("/proc/self/oom_score_adj", "we")) {
    std::fputs("1000", file);
    std::fclose(file);
  }
}

/// Moves the descriptors to their places and closes all others, those of the
/// coordinator and of other children above all.
static bool arrangeDescriptors(int socket, int output) {
  // Out of the way first: any of them may have one of the numbers 0 to 3.
  int highSocket = fcntl(socket, F_DUPFD, 16);
  int highOutput = fcntl(output, F_DUPFD, 16);
  int null = open("/dev/null", O_RDONLY);
  int highNull = fcntl(null, F_DUPFD, 16);
  return highSocket >= 0 && highOutput >= 0 && highNull >= 0 &&
         dup2(highNull, 0) == 0 && dup2(highOutput, 1) == 1 &&
         dup2(highOutput, 2) == 2 && dup2(highSocket, 3) == 3 &&
         syscall(SYS_close_range, 4u, ~0u, 0u) == 0;
}

bool runtime::enterChild(pid_t parent, int socket, int output,
                         const ResourceLimits &limits, ControlBlock &control) {
  setpgid(0, 0);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
    return refuse(control, "prctl(PR_SET_PDEATHSIG)");
  // The parent may have died before that.
  if (getppid() != parent)
    return false;
  volunteerForOutOfMemory();
  prctl(PR_SET_DUMPABLE, 0);

  for (int signal : {SIGTERM, SIGPIPE, SIGINT, SIGHUP, SIGCHLD})
    std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);

  if (!arrangeDescriptors(socket, output))
    return refuse(control, "arranging descriptors");
  // Temporary files of the compiler fit; a disk full of output does not.
  constexpr uint64_t maxFileBytes = 256 << 20;
  if (!setLimit(RLIMIT_CORE, 0))
    return refuse(control, "setrlimit(RLIMIT_CORE)");
  if (!setLimit(RLIMIT_FSIZE, maxFileBytes))
    return refuse(control, "setrlimit(RLIMIT_FSIZE)");
  // A little more at the end, so that SIGXCPU comes before SIGKILL.
  if (!setLimit(RLIMIT_CPU, limits.cpuSeconds, 2))
    return refuse(control, "setrlimit(RLIMIT_CPU)");
  if (!isAddressSanitized && !setLimit(RLIMIT_AS, limits.addressSpace))
    return refuse(control, "setrlimit(RLIMIT_AS)");
  return true;
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

/// A stack of its own: the usual one may have overflowed.
static std::byte handlerStack[64 << 10];

[[noreturn]] static void onAllocationFailure() {
  deathNote->outOfMemory = 1;
  _exit(1);
}

static void onFatalSignal(int signal, siginfo_t *, void *) {
  if (!isAddressSanitized) {
    void *probe = mmap(nullptr, memoryProbeBytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (probe == MAP_FAILED && errno == ENOMEM)
      deathNote->outOfMemory = 1;
  }
  // SA_RESETHAND has restored the default action, SA_NODEFER lets it act now.
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

static void onForbiddenCall(int, siginfo_t *info, void *) {
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

  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  action.sa_sigaction = onFatalSignal;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT})
    sigaction(signal, &action, nullptr);
  action.sa_sigaction = onForbiddenCall;
  sigaction(SIGSYS, &action, nullptr);
}

//===----------------------------------------------------------------------===//
// System calls
//===----------------------------------------------------------------------===//

/// What computing, allocating, printing, timing and dying need. tgkill is for
/// abort() and has its own rule.
static constexpr int allowedCalls[] = {__NR_read,
                                       __NR_write,
                                       __NR_writev,
                                       __NR_close,
                                       __NR_lseek,
                                       __NR_fstat,
                                       __NR_newfstatat,
                                       __NR_mmap,
                                       __NR_munmap,
                                       __NR_mremap,
                                       __NR_mprotect,
                                       __NR_madvise,
                                       __NR_brk,
                                       __NR_futex,
                                       __NR_sched_yield,
                                       __NR_getcpu,
                                       __NR_clock_gettime,
                                       __NR_clock_getres,
                                       __NR_gettimeofday,
                                       __NR_nanosleep,
                                       __NR_clock_nanosleep,
                                       __NR_getpid,
                                       __NR_getppid,
                                       __NR_gettid,
                                       __NR_getrandom,
                                       __NR_sigaltstack,
                                       __NR_rt_sigprocmask,
                                       __NR_rt_sigreturn,
                                       __NR_restart_syscall,
                                       __NR_recvfrom,
                                       __NR_sendto,
                                       __NR_exit,
                                       __NR_exit_group};

bool runtime::isSystemCallAllowed(int64_t number) {
  return std::find(std::begin(allowedCalls), std::end(allowedCalls), number) !=
         std::end(allowedCalls);
}

bool runtime::forbidSystemCalls(ControlBlock &control) {
  constexpr uint32_t number = offsetof(seccomp_data, nr);
  constexpr uint32_t arch = offsetof(seccomp_data, arch);
  // The low word of the first argument: both machines are little-endian.
  constexpr uint32_t firstArgument = offsetof(seccomp_data, args[0]);
  auto load = [](uint32_t offset) -> sock_filter {
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset);
  };
  auto skipUnlessEqual = [](uint32_t value, uint8_t skip) -> sock_filter {
    return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip);
  };
  auto answer = [](uint32_t action) -> sock_filter {
    return BPF_STMT(BPF_RET | BPF_K, action);
  };

  // Another architecture's calls have other numbers.
  std::vector<sock_filter> filter = {
      load(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
      answer(SECCOMP_RET_KILL_PROCESS), load(number)};
  for (int call : allowedCalls) {
    filter.push_back(skipUnlessEqual(call, 1));
    filter.push_back(answer(SECCOMP_RET_ALLOW));
  }
  // Signals to this process only.
  filter.push_back(skipUnlessEqual(__NR_tgkill, 3));
  filter.push_back(load(firstArgument));
  filter.push_back(skipUnlessEqual(getpid(), 1));
  filter.push_back(answer(SECCOMP_RET_ALLOW));
  filter.push_back(answer(SECCOMP_RET_TRAP));

  sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  // Without SPEC_ALLOW older kernels switch off speculative store forwarding in
  // filtered processes, which would change the times that we measure.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return refuse(control, "prctl(PR_SET_NO_NEW_PRIVS)");
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
              SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
              &program) != 0)
    return refuse(control, "seccomp");
  return true;
}

std::string runtime::describeSystemCall(int64_t number) {
  static constexpr std::pair<int, const char *> names[] = {
#ifdef __NR_fork
      {__NR_fork, "fork"},
      {__NR_vfork, "vfork"},
      {__NR_open, "open"},
#endif
      {__NR_clone, "clone"},
      {__NR_clone3, "clone3"},
      {__NR_execve, "execve"},
      {__NR_execveat, "execveat"},
      {__NR_openat, "openat"},
      {__NR_kill, "kill"},
      {__NR_tkill, "tkill"},
      {__NR_tgkill, "tgkill"},
      {__NR_socket, "socket"},
      {__NR_ptrace, "ptrace"},
      {__NR_setsid, "setsid"},
      {__NR_setpgid, "setpgid"},
      {__NR_rt_sigaction, "rt_sigaction"},
      {__NR_ioctl, "ioctl"}};
  std::string text = std::to_string(number);
  for (auto [call, name] : names)
    if (call == number)
      text += std::string(" (") + name + ")";
  return text;
}
