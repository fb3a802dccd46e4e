//===- NativeCandidates.cpp - Candidates of the test worker ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeCandidates.h"

#include "baco/Protocol/Clock.h"
#include "baco/Runtime/Serve.h"
#include "baco/Runtime/Team.h"
#include "baco/Verification/Floats.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;
using namespace baco::test;

/// The data of a memref argument.
static float *dataOf(void **arguments, int i) {
  return *(static_cast<float **>(arguments[i]) + 1);
}

static volatile int sink;
/// Keeps the compiler from seeing that an allocation is of no use.
static void *volatile block;
static volatile bool always = true;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void test::good(void **arguments) {
  float *a = dataOf(arguments, 0), *b = dataOf(arguments, 1),
        *c = dataOf(arguments, 2);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < columns; ++k)
      c[i] += a[i * columns + k] * b[k];
}

/// The terms in another order: other roundings.
static void backward(void **arguments) {
  float *a = dataOf(arguments, 0), *b = dataOf(arguments, 1),
        *c = dataOf(arguments, 2);
  for (int64_t i = 0; i < rows; ++i) {
    float sum = 0;
    for (int64_t k = columns; k-- > 0;)
      sum += a[i * columns + k] * b[k];
    c[i] += sum;
  }
}

static void slow(void **arguments) {
  for (int i = 0; i < 20000; ++i)
    sink = i;
  good(arguments);
}

static void millisecond(void **arguments) {
  for (int64_t start = threadCpuNs(); threadCpuNs() - start <= 1'000'000;) {
  }
  good(arguments);
}

/// Takes longer than the reference of a set-up that makes all checks.
static void isLong(void **arguments) {
  for (int64_t start = threadCpuNs(); threadCpuNs() - start <= 150'000'000;) {
  }
  good(arguments);
}

static void lastTermMissing(void **arguments) {
  good(arguments);
  float *a = dataOf(arguments, 0), *b = dataOf(arguments, 1);
  dataOf(arguments, 2)[3] -= a[3 * columns + columns - 1] * b[columns - 1];
}

static void notANumber(void **arguments) {
  good(arguments);
  dataOf(arguments, 2)[5] = std::nanf("");
}

void test::segfault(void **) { *reinterpret_cast<volatile int *>(8) = 1; }
static void divideByZero(void **) { raise(SIGFPE); }
static void aborts(void **) { std::abort(); }
void test::complains(void **) {
  std::fputs("assertion i < n does not hold\n", stderr);
  std::abort();
}
static void throws(void **) { throw std::runtime_error("thrown"); }
void test::exits(void **) { std::exit(0); }
static void exitsAtOnce(void **) { _exit(0); }
static void killsItself(void **) { raise(SIGKILL); }
static void stopsItself(void **) { raise(SIGSTOP); }

/// Ends with the places of its stack, of new memory and of its arguments.
/// The first check puts all arguments at the beginnings of pages.
static void saysWhere(void **arguments) {
  constexpr uintptr_t pageBytes = 4096;
  if (reinterpret_cast<uintptr_t>(dataOf(arguments, 0)) % pageBytes == 0)
    return good(arguments);
  block = std::malloc(24);
  int local = 0;
  std::fprintf(stderr, "%p %p %p %p\n", static_cast<void *>(&local),
               static_cast<void *>(block),
               static_cast<void *>(dataOf(arguments, 0)),
               static_cast<void *>(dataOf(arguments, 1)));
  std::abort();
}

void test::hangs(void **) {
  while (always)
    sink = 1;
}

__attribute__((noinline)) static int overflow(int depth) {
  volatile char frame[65536];
  frame[depth % 7] = 1;
  return always ? overflow(depth + 1) + frame[0] : 0;
}
static void overflowsStack(void **) { sink = overflow(0); }

void test::allocatesNew(void **) {
  while (always) {
    block = new char[16 << 20];
    std::memset(block, 1, 16 << 20);
  }
}
static void allocatesMalloc(void **) {
  while (always) {
    // No check, as in most generated code.
    block = std::malloc(16 << 20);
    std::memset(block, 1, 16 << 20);
  }
}
static void allocatesMmap(void **) {
  while (mmap(nullptr, 16 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
              0) != MAP_FAILED) {
  }
  std::abort();
}

static void overruns(void **arguments) {
  good(arguments);
  dataOf(arguments, 2)[rows] = 1;
}
static void underruns(void **arguments) {
  good(arguments);
  dataOf(arguments, 1)[-1] = 1;
}
/// Writes next to an argument and leaves no trace of it.
template <int64_t at>
static void writesAndRestores(void **arguments) {
  good(arguments);
  volatile float *next = dataOf(arguments, 2) + at;
  float old = *next;
  *next = 1;
  *next = old;
}
/// Reads next to an argument and makes no use of it.
template <int argument, int64_t at>
static void readsInVain(void **arguments) {
  good(arguments);
  const volatile float *next = dataOf(arguments, argument) + at;
  sink = *next > 0;
}
static void readsBehind(void **arguments) {
  good(arguments);
  dataOf(arguments, 2)[0] += 1e-9f * dataOf(arguments, 1)[columns];
}
/// Zeroes what the plain kernel only reads, when it has no use of it any more.
static void clobbers(void **arguments) {
  good(arguments);
  std::memset(dataOf(arguments, 0), 0, rows * columns * sizeof(float));
}
static int calls;
static void clobbersLater(void **arguments) {
  good(arguments);
  if (++calls > 1)
    dataOf(arguments, 1)[3] = 7;
}
static void goesWrongLater(void **arguments) {
  good(arguments);
  if (++calls > 1)
    dataOf(arguments, 2)[0] = 3;
}
/// Sums into memory that nobody has initialized.
static void trustsNewMemory(void **arguments) {
  auto *sums = static_cast<float *>(std::malloc(1 << 20));
  float *a = dataOf(arguments, 0), *b = dataOf(arguments, 1),
        *c = dataOf(arguments, 2);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < columns; ++k)
      sums[i] += a[i * columns + k] * b[k];
    c[i] += sums[i];
  }
  block = sums;
  std::free(sums);
}

/// Another plain kernel: defined for positive inputs only.
static void addsRoots(void **arguments) {
  float *a = dataOf(arguments, 0), *c = dataOf(arguments, 2);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < columns; ++k)
      c[i] += std::sqrt(a[i * columns + k]);
}
static void allNaN(void **arguments) {
  for (int64_t i = 0; i < rows; ++i)
    dataOf(arguments, 2)[i] = std::nanf("");
}
static void leavesOutputs(void **) {}
/// Its result is lost in the tolerance.
static void addsLittle(void **arguments) {
  for (int64_t i = 0; i < rows; ++i)
    dataOf(arguments, 2)[i] = std::nextafter(dataOf(arguments, 2)[i], 9.0f);
}

/// What runs on the matrix unit of some other machine.
static void cutsOff(void **arguments) {
  float *a = dataOf(arguments, 0), *b = dataOf(arguments, 1),
        *c = dataOf(arguments, 2);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < columns; ++k)
      c[i] +=
          static_cast<float>(makeFloat<BFloat16>(a[i * columns + k])) * b[k];
}
/// Keeps what it was given when it was called for the first time.
static void packsOnce(void **arguments) {
  static float packed[columns];
  static bool isPacked = false;
  float *b = dataOf(arguments, 1);
  if (!std::exchange(isPacked, true))
    std::copy_n(b, columns, packed);
  float old[columns];
  std::copy_n(b, columns, old);
  std::copy_n(packed, columns, b);
  good(arguments);
  std::copy_n(old, columns, b);
}
/// Takes longer than what is timed more than once.
static void slowAndWrongLater(void **arguments) {
  for (int64_t start = threadCpuNs(); threadCpuNs() - start <= slowKernelNs;) {
  }
  goesWrongLater(arguments);
}
/// Other plain kernels: with poles, and with a limit.
static void addsReciprocals(void **arguments) {
  float *a = dataOf(arguments, 0), *c = dataOf(arguments, 2);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < columns; ++k)
      c[i] += 1 / a[i * columns + k];
}
static void isLimited(void **arguments) {
  float *a = dataOf(arguments, 0);
  for (int64_t i = 0; i < rows * columns; ++i)
    if (std::abs(a[i]) > 100)
      std::abort();
  good(arguments);
}

static void overrunsFar(void **arguments) {
  good(arguments);
  dataOf(arguments, 2)[16384] = 1;
}

/// Kernels of a number and a memref: doubles the first element of as many
/// strides, of which the memref has two.
static void doublesEveryStride(void **arguments) {
  for (int64_t i = 0; i < *static_cast<int64_t *>(arguments[0]); ++i)
    dataOf(arguments, 1)[i * stride] *= 2;
}
static void doublesTwo(void **arguments) {
  dataOf(arguments, 1)[0] *= 2;
  dataOf(arguments, 1)[stride] *= 2;
}

static void forks(void **) { sink = fork(); }
static void executes(void **) { execl("/bin/true", "true", nullptr); }
static void leavesSession(void **) { sink = setsid(); }
static void opens(void **) { sink = open("/etc/passwd", O_RDONLY); }
static void connects(void **) { sink = socket(AF_INET, SOCK_STREAM, 0); }
static void killsParent(void **) { kill(getppid(), SIGKILL); }
static void traces(void **) { ptrace(PTRACE_ATTACH, getppid(), 0, 0); }
static void startsThread(void **) {
  std::thread([] { hangs(nullptr); }).detach();
}

static void prints(void **arguments) {
  std::printf("hello\n");
  good(arguments);
}
static void closesOutput(void **arguments) {
  close(1);
  close(2);
  good(arguments);
}
void test::pour() {
  char text[4096];
  std::memset(text, 'x', sizeof text);
  for (int i = 0; i < 1000; ++i)
    sink = write(1, text, sizeof text);
}
static void floods(void **arguments) {
  pour();
  good(arguments);
}
/// Talks to the zygote instead of it.
static void lies(void **) {
  for (uint32_t sequence = 0; sequence < 100; ++sequence)
    sink = write(3, &sequence, sizeof sequence);
  hangs(nullptr);
}
static void closesSocket(void **arguments) {
  close(3);
  good(arguments);
}

const std::map<std::string, Kernel> test::nativeKernels = {
    {"good", good},
    {"backward", backward},
    {"slow", slow},
    {"millisecond", millisecond},
    {"long", isLong},
    {"last-term-missing", lastTermMissing},
    {"nan", notANumber},
    {"segfault", segfault},
    {"sigfpe", divideByZero},
    {"abort", aborts},
    {"complain", complains},
    {"throw", throws},
    {"say-where", saysWhere},
    {"exit", exits},
    {"_exit", exitsAtOnce},
    {"kill-itself", killsItself},
    {"stop-itself", stopsItself},
    {"hang", hangs},
    {"stack-overflow", overflowsStack},
    {"allocate-new", allocatesNew},
    {"allocate-malloc", allocatesMalloc},
    {"allocate-mmap", allocatesMmap},
    {"overrun", overruns},
    {"underrun", underruns},
    {"overrun-far", overrunsFar},
    {"overrun-restored", writesAndRestores<rows>},
    {"underrun-restored", writesAndRestores<-1>},
    {"read-before-in-vain", readsInVain<0, -1>},
    {"read-behind-in-vain", readsInVain<0, rows * columns>},
    {"every-stride", doublesEveryStride},
    {"two-strides", doublesTwo},
    {"read-behind", readsBehind},
    {"clobber", clobbers},
    {"clobber-later", clobbersLater},
    {"wrong-later", goesWrongLater},
    {"trust-memory", trustsNewMemory},
    {"roots", addsRoots},
    {"all-nan", allNaN},
    {"noop", leavesOutputs},
    {"add-little", addsLittle},
    {"cut-off", cutsOff},
    {"pack-once", packsOnce},
    {"slow-wrong-later", slowAndWrongLater},
    {"reciprocals", addsReciprocals},
    {"limited", isLimited},
    {"fork", forks},
    {"exec", executes},
    {"setsid", leavesSession},
    {"open", opens},
    {"socket", connects},
    {"kill-parent", killsParent},
    {"ptrace", traces},
    {"thread", startsThread},
    {"print", prints},
    {"close-output", closesOutput},
    {"flood", floods},
    {"lie", lies},
    {"close-socket", closesSocket},
};

//===----------------------------------------------------------------------===//
// Parallel kernels
//===----------------------------------------------------------------------===//

/// Runs `kernel` in the last member of a team whose others do nothing.
template <void (*kernel)(void **)>
static void inLastMember(void **arguments) {
  using Fork = void(void *, int32_t, void *, ...);
  reinterpret_cast<Fork *>(teamSymbols()[0].address)(
      nullptr, 1,
      reinterpret_cast<void *>(
          +[](int32_t *number, int32_t *, void *arguments) {
            if (*number == teamSize() - 1)
              kernel(static_cast<void **>(arguments));
          }),
      arguments);
}

const std::map<std::string, Kernel> test::parallelKernels = {
    {"parallel-good", inLastMember<good>},
    {"parallel-crash", inLastMember<segfault>},
    {"parallel-hang", inLastMember<hangs>},
    {"parallel-fork", inLastMember<forks>},
    // One call in two is wrong, as with a race.
    {"parallel-sometimes", [](void **arguments) {
       static int calls = 0;
       good(arguments);
       if (++calls % 2 == 0)
         dataOf(arguments, 2)[0] += 100;
     }}};
