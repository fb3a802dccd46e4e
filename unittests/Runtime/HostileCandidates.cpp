//===- HostileCandidates.cpp - Candidates that do harm --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostileCandidates.h"

#include <array>
#include <cerrno>
#include <cfenv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <sched.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace baco::test;

static Kernel right;
void baco::test::setRightKernel(Kernel kernel) { right = kernel; }

static volatile long sink;
static volatile bool always = true;

static float *dataOf(void **arguments, int i) {
  return *(static_cast<float **>(arguments[i]) + 1);
}

static void hang(void ** = nullptr) {
  while (always)
    sink = 1;
}

static void crash(void ** = nullptr) {
  *reinterpret_cast<volatile int *>(8) = 1;
}

/// Writable memory that this process shares with the worker, as the compiler
/// can find it in /proc.
static std::array<std::pair<char *, char *>, 64> shared;
static size_t numShared;

static void findShared() {
  FILE *maps = std::fopen("/proc/self/maps", "re");
  char line[512], mode[5];
  unsigned long begin, end;
  while (maps && std::fgets(line, sizeof line, maps))
    if (std::sscanf(line, "%lx-%lx %4s", &begin, &end, mode) == 3 &&
        mode[3] == 's' && numShared < shared.size())
      shared[numShared++] = {reinterpret_cast<char *>(begin),
                             reinterpret_cast<char *>(end)};
  if (maps)
    std::fclose(maps);
}

static void scribble() {
  for (size_t i = 0; i < numShared; ++i)
    std::memset(shared[i].first, 0xff, shared[i].second - shared[i].first);
}

static void ignoreSignals() {
  for (int signal = 1; signal < NSIG; ++signal)
    std::signal(signal, SIG_IGN);
}

static void blockSignals() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Leaves NaN unless the compiler's floating-point environment is gone.
static void needsDefaultRounding(void **arguments) {
  right(arguments);
  volatile float tiny = 1e-40f;
  if (std::fegetround() != FE_TONEAREST || tiny * 1.0f == 0.0f)
    dataOf(arguments, 2)[0] = std::nanf("");
}

static volatile int zero;

__attribute__((no_sanitize("undefined"))) static void divide(void **) {
  sink = 1000 / zero;
}

const std::map<std::string, Kernel> baco::test::hostileKernels = {
    // Faults of the processor; some divide by zero without one.
    {"divide", divide},
    {"illegal", [](void **) { __builtin_trap(); }},
    {"jump-nowhere", [](void **) { reinterpret_cast<void (*)()>(16)(); }},
    {"run-data",
     [](void **arguments) {
       reinterpret_cast<void (*)()>(dataOf(arguments, 0))();
     }},
    {"write-code",
     [](void **) { *reinterpret_cast<volatile char *>(&crash) = 0; }},
    {"bus", [](void **) { raise(SIGBUS); }},
    {"free-twice",
     [](void **) {
       void *volatile block = std::malloc(40);
       std::free(block);
       std::free(block);
     }},
    {"leave-thread", [](void **) { pthread_exit(nullptr); }},
    {"exit-thread", [](void **) { syscall(SYS_exit, 0); }},

    // Signals and time.
    {"ignore-sigterm", [](void **) { std::signal(SIGTERM, SIG_IGN); }},
    {"block-and-crash",
     [](void **) {
       blockSignals();
       crash();
     }},
    {"block-and-hang",
     [](void **) {
       blockSignals();
       hang();
     }},
    {"interval",
     [](void **) {
       itimerval soon{{0, 1}, {0, 1}};
       setitimer(ITIMER_REAL, &soon, nullptr);
     }},
    {"sleep", [](void **) { sleep(1000000); }},
    {"kill-all", [](void **) { kill(-1, SIGKILL); }},
    {"stop-parent", [](void **) { kill(getppid(), SIGSTOP); }},
    {"signal-parent",
     [](void **) { syscall(SYS_tgkill, getppid(), getppid(), SIGKILL); }},

    // What the system grants.
    {"raise-limits",
     [](void **) {
       rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
       setrlimit(RLIMIT_CORE, &limit);
     }},
    {"priority", [](void **) { setpriority(PRIO_PROCESS, 0, -20); }},
    {"other-cpu",
     [](void **) {
       cpu_set_t all;
       std::memset(&all, 0xff, sizeof all);
       sched_setaffinity(0, sizeof all, &all);
     }},
    {"survive-parent", [](void **) { prctl(PR_SET_PDEATHSIG, 0); }},
    {"other-user", [](void **) { sink = setuid(65534); }},

    // Files and other things with names.
    {"shared-memory",
     [](void **) { sink = shm_open("/baco-hostile", O_CREAT | O_RDWR, 0600); }},
    {"memfd", [](void **) { sink = memfd_create("hostile", 0); }},
    {"unlink", [](void **) { sink = unlink("baco-hostile"); }},

    // Its own memory.
    {"unmap-arguments",
     [](void **arguments) {
       for (int i = 0; i < 3; ++i)
         munmap(reinterpret_cast<void *>(
                    reinterpret_cast<size_t>(dataOf(arguments, i)) & -4096),
                4096);
     }},
    {"unguard",
     [](void **arguments) {
       auto *page = reinterpret_cast<char *>(
           (reinterpret_cast<size_t>(dataOf(arguments, 2)) & -4096) + 4096);
       mprotect(page, 4096, PROT_READ | PROT_WRITE);
     }},
    {"map-over-guard",
     [](void **arguments) {
       auto *page = reinterpret_cast<char *>(
           (reinterpret_cast<size_t>(dataOf(arguments, 2)) & -4096) + 4096);
       sink = reinterpret_cast<long>(mmap(
           page, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
           0));
     }},
    {"write-to-parent",
     [](void **) {
       iovec here{const_cast<int *>(&zero), sizeof zero};
       iovec there = here;
       sink = process_vm_writev(getppid(), &here, 1, &there, 1, 0);
     }},

    // The floating-point environment.
    {"leave-traps",
     [](void **arguments) {
       right(arguments);
       feenableexcept(FE_INEXACT | FE_INVALID | FE_DIVBYZERO);
     }},
    {"leave-rounding",
     [](void **arguments) {
       right(arguments);
       std::fesetround(FE_UPWARD);
     }},

    // The worker's ends of pipe and socket.
    {"close-all",
     [](void **arguments) {
       right(arguments);
       for (int descriptor = 0; descriptor < 64; ++descriptor)
         close(descriptor);
     }},
    {"flood-socket",
     [](void **) {
       uint32_t sequence = 12345;
       while (always)
         sink = send(3, &sequence, sizeof sequence, 0);
     }},
    {"garbage-socket",
     [](void **) {
       char garbage[2048];
       std::memset(garbage, 0xa5, sizeof garbage);
       for (size_t size = 1; size < sizeof garbage; ++size)
         sink = send(3, garbage, size, MSG_DONTWAIT);
       hang();
     }},
    {"empty-packet",
     [](void **arguments) {
       sink = send(3, "", 0, 0);
       right(arguments);
     }},
    {"steal-command",
     [](void **) {
       char command[256];
       sink = recv(3, command, sizeof command, 0);
     }},
};

//===----------------------------------------------------------------------===//
// Compilations
//===----------------------------------------------------------------------===//

__attribute__((noinline)) static int recurse(int depth) {
  volatile char frame[65536];
  frame[depth % 7] = 1;
  return always ? recurse(depth + 1) + frame[0] : 0;
}

/// What a file operation that must fail said.
static Kernel report(std::string &message, long result) {
  message = result < 0 ? std::strerror(errno) : "it succeeded";
  return nullptr;
}

template <void (*deed)()>
static Kernel thenRight(std::string &) {
  deed();
  return right;
}

static void forkOnce() { sink = fork(); }
static void forkWithoutEnd() {
  while (always)
    sink = fork();
}
/// Would leave a process behind that is in nobody's group.
static void daemonize() {
  if (fork() == 0) {
    setsid();
    if (fork() != 0)
      _exit(0);
    hang();
  }
}
static void execute() { execl("/bin/true", "true", nullptr); }
static void spawnShell() { sink = std::system("true"); }
static void killAll() { kill(-1, SIGKILL); }
static void killParent() { kill(getppid(), SIGKILL); }
static void stopParent() { kill(getppid(), SIGSTOP); }
static void signalParent() {
  syscall(SYS_tgkill, getppid(), getppid(), SIGKILL);
}
static void traceParent() { ptrace(PTRACE_ATTACH, getppid(), 0, 0); }
static void leaveSession() { sink = setsid(); }
static void surviveParent() { prctl(PR_SET_PDEATHSIG, 0); }
static void changeUser() { sink = setuid(65534); }
static void connectOut() { sink = socket(AF_INET, SOCK_STREAM, 0); }
static void useRing() {
  io_uring_params parameters{};
  sink = syscall(SYS_io_uring_setup, 4, &parameters);
}
static void overflowStack() { sink = recurse(0); }
static void throwOut() { throw std::runtime_error("thrown by the compiler"); }
static void stopItself() { raise(SIGSTOP); }
static void closeAll() {
  for (int descriptor = 0; descriptor < 64; ++descriptor)
    close(descriptor);
}
static void fakeAnswers() {
  for (uint32_t sequence = 0; sequence < 16; ++sequence)
    sink = write(3, &sequence, sizeof sequence);
  hang();
}
static void scribbleOnShared() {
  findShared();
  scribble();
}

const std::map<std::string, Compilation> baco::test::hostileCompilations = {
    // Processes.
    {"compile-fork", thenRight<forkOnce>},
    {"compile-fork-bomb", thenRight<forkWithoutEnd>},
    {"compile-daemon", thenRight<daemonize>},
    {"compile-exec", thenRight<execute>},
    {"compile-shell", thenRight<spawnShell>},
    {"compile-kill-all", thenRight<killAll>},
    {"compile-kill-parent", thenRight<killParent>},
    {"compile-stop-parent", thenRight<stopParent>},
    {"compile-signal-parent", thenRight<signalParent>},
    {"compile-trace-parent", thenRight<traceParent>},
    {"compile-leave-session", thenRight<leaveSession>},
    {"compile-survive-parent", thenRight<surviveParent>},
    {"compile-other-user", thenRight<changeUser>},
    {"compile-socket", thenRight<connectOut>},
    {"compile-ring", thenRight<useRing>},
    {"compile-thread",
     [](std::string &) {
       std::thread([] { hang(); }).detach();
       return right;
     }},

    // Ends.
    {"compile-stack-overflow", thenRight<overflowStack>},
    {"compile-throw", thenRight<throwOut>},
    {"compile-stop-itself", thenRight<stopItself>},
    {"compile-close-all", thenRight<closeAll>},
    {"compile-fake-answers", thenRight<fakeAnswers>},

    // Files and limits: refused with an error that it can survive.
    {"compile-write-file",
     [](std::string &message) {
       return report(message,
                     open("/tmp/baco-hostile", O_CREAT | O_WRONLY, 0600));
     }},
    {"compile-fill-memory",
     [](std::string &message) {
       return report(message,
                     shm_open("/baco-hostile", O_CREAT | O_RDWR, 0600));
     }},
    {"compile-memfd",
     [](std::string &message) {
       return report(message, memfd_create("hostile", 0));
     }},
    {"compile-unlink",
     [](std::string &message) {
       return report(message, unlink("baco-hostile"));
     }},
    {"compile-mkdir",
     [](std::string &message) {
       return report(message, mkdir("baco-hostile", 0700));
     }},
    {"compile-raise-limits",
     [](std::string &message) {
       rlimit limit{};
       if (getrlimit(RLIMIT_CORE, &limit) != 0 || limit.rlim_max != 0)
         return report(message, 0);
       return report(message, setrlimit(RLIMIT_CORE, &limit));
     }},

    // What it leaves behind for the kernel.
    {"compile-ignore-signals",
     [](std::string &) -> Kernel {
       ignoreSignals();
       blockSignals();
       return crash;
     }},
    {"compile-handle-signals",
     [](std::string &) -> Kernel {
       std::signal(SIGSYS, [](int) {});
       return [](void **) { sink = fork(); };
     }},
    {"compile-interval",
     [](std::string &) -> Kernel {
       // 0.5 s from now.
       itimerval soon{{0, 0}, {0, 500000}};
       setitimer(ITIMER_REAL, &soon, nullptr);
       return hang;
     }},
    {"compile-rounding",
     [](std::string &) -> Kernel {
       std::fesetround(FE_UPWARD);
#ifdef __x86_64__
       // Flush results and operands that are subnormal.
       __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
       return needsDefaultRounding;
     }},
    {"compile-scribble", thenRight<scribbleOnShared>},
    {"scribble",
     [](std::string &) -> Kernel {
       findShared();
       return [](void **arguments) {
         right(arguments);
         scribble();
       };
     }},
    {"scribble-and-crash",
     [](std::string &) -> Kernel {
       findShared();
       return [](void **) {
         scribble();
         crash();
       };
     }},
};
