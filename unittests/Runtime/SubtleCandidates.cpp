//===- SubtleCandidates.cpp - Candidates that are nearly right ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SubtleCandidates.h"

#include "baco/Protocol/Clock.h"

#include <algorithm>
#include <alloca.h>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

using namespace baco;
using namespace baco::test;
using baco::runtime::ElementType;

static constexpr int64_t rows = 32, columns = 64;

namespace {
/// The arguments of a call.
template <typename T>
struct Call {
  explicit Call(void **arguments)
      : a(dataOf(arguments, 0)), b(dataOf(arguments, 1)),
        c(dataOf(arguments, 2)) {}

  static T *dataOf(void **arguments, int i) {
    return static_cast<T **>(arguments[i])[1];
  }
  /// Row i's sum of the terms that `term` makes of two factors.
  template <typename Term>
  T sum(int64_t i, Term term) const {
    T total = 0;
    for (int64_t k = 0; k < columns; ++k)
      total += term(a[i * columns + k], b[k]);
    return total;
  }
  void multiply() const {
    for (int64_t i = 0; i < rows; ++i)
      c[i] += sum(i, [](T x, T y) { return x * y; });
  }
  template <typename Term>
  void multiplyBy(Term term) const {
    for (int64_t i = 0; i < rows; ++i)
      c[i] += sum(i, term);
  }

  T *a, *b, *c;
};

/// Keeps the compiler from knowing what memory holds.
template <typename T>
T *opaque(T *memory) {
  asm volatile("" : "+r"(memory) : : "memory");
  return memory;
}
} // namespace

//===----------------------------------------------------------------------===//
// Rare values
//===----------------------------------------------------------------------===//

/// Products of factors that `change` has changed.
template <typename T, T (*change)(T)>
static void changesFactors(void **arguments) {
  Call<T>(arguments).multiplyBy([](T x, T y) { return change(x) * change(y); });
}

template <typename T>
static T dropNaN(T x) {
  return x != x ? 0 : x;
}
template <typename T>
static T dropInfinity(T x) {
  return std::isinf(x) ? 0 : x;
}
template <typename T>
static T saturate(T x) {
  constexpr T most = std::numeric_limits<T>::max() / 32;
  return x != x ? x : std::clamp(x, -most, most);
}
template <typename T>
static T finiteInfinity(T x) {
  return std::isinf(x) ? std::copysign(std::numeric_limits<T>::max(), x) : x;
}
template <typename T>
static T flush(T x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? 0 : x;
}
template <typename T>
static T dropOne(T x) {
  return x == 1 ? 0 : x;
}
template <typename T>
static T fillZero(T x) {
  return x == 0 ? T(0.5) : x;
}
template <typename T>
static T dropLargest(T x) {
  return std::abs(x) == std::numeric_limits<T>::max() ? 0 : x;
}
/// As an approximation without them may.
template <typename T>
static T positiveInfinity(T x) {
  return std::isinf(x) ? std::abs(x) : x;
}

template <typename T>
static void dropsNegativeRows(void **arguments) {
  Call<T> call(arguments);
  for (int64_t i = 0; i < rows; ++i) {
    const T *row = call.a + i * columns;
    if (!std::all_of(row, row + columns, [](T x) { return x < 0; }))
      call.c[i] += call.sum(i, [](T x, T y) { return x * y; });
  }
}

template <typename T>
static void dropsZeroRows(void **arguments) {
  Call<T> call(arguments);
  for (int64_t i = 0; i < rows; ++i) {
    const T *row = call.a + i * columns;
    bool isZero = std::all_of(row, row + columns, [](T x) { return x == 0; });
    call.c[i] += isZero ? 1 : call.sum(i, [](T x, T y) { return x * y; });
  }
}

//===----------------------------------------------------------------------===//
// Calls and addresses
//===----------------------------------------------------------------------===//

template <typename T, int number>
static void wrongInCall(void **arguments) {
  static int calls = 0;
  Call<T> call(arguments);
  call.multiply();
  if (++calls == number)
    call.c[3] += 1;
}

template <typename T, int argument, uintptr_t alignment, bool isAligned>
static void wrongIfAligned(void **arguments) {
  Call<T> call(arguments);
  call.multiply();
  auto address =
      reinterpret_cast<uintptr_t>(Call<T>::dataOf(arguments, argument));
  if ((address % alignment == 0) == isAligned)
    call.c[3] += 1;
}

/// Loads with an instruction that wants whole vectors aligned.
template <typename T>
static void loadsAligned(void **arguments) {
  Call<T> call(arguments);
#ifdef __x86_64__
  asm volatile("vmovaps (%0), %%ymm0" ::"r"(call.b) : "xmm0");
#endif
  call.multiply();
}

//===----------------------------------------------------------------------===//
// What is not the kernel's
//===----------------------------------------------------------------------===//

template <typename T, int argument>
static void changesAndRestores(void **arguments) {
  Call<T> call(arguments);
  T *input = opaque(Call<T>::dataOf(arguments, argument));
  T old = input[5];
  input[5] = 7;
  opaque(input);
  input[5] = old;
  opaque(input);
  call.multiply();
}

/// Does something to the machine's state when all is done.
template <typename T, void (*action)()>
static void then(void **arguments) {
  Call<T>(arguments).multiply();
  action();
}

#ifdef __x86_64__
static void flushToZero() {
  uint32_t mxcsr = 0x9fc0;
  asm volatile("ldmxcsr %0" ::"m"(mxcsr));
}
static void roundDown() {
  uint32_t mxcsr = 0x3f80;
  asm volatile("ldmxcsr %0" ::"m"(mxcsr));
}
static void trapInvalid() {
  uint32_t mxcsr = 0x1f00;
  asm volatile("ldmxcsr %0" ::"m"(mxcsr));
}
static void setDirection() { asm volatile("std"); }
static void pushX87() { asm volatile("fld1"); }
static void shortX87() {
  uint16_t control = 0x7f;
  asm volatile("fldcw %0" ::"m"(control));
}
/// MMX without EMMS.
static void leaveMMX() { asm volatile("pxor %mm0, %mm0"); }
static void clobberRegister() { asm volatile("movq $1, %r14"); }
#endif

//===----------------------------------------------------------------------===//
// Memory of earlier calls
//===----------------------------------------------------------------------===//

/// Adds the product of the call before if `isSame` finds that it has seen the
/// inputs.
template <typename T, bool (*isSame)(const Call<T> &, const Call<T> &)>
static void remembers(void **arguments) {
  static T oldA[rows * columns], oldB[columns], product[rows];
  static bool isKnown = false;
  Call<T> call(arguments), old = call;
  old.a = oldA;
  old.b = oldB;
  if (!isKnown || !isSame(call, old)) {
    std::copy_n(call.a, rows * columns, oldA);
    std::copy_n(call.b, columns, oldB);
    for (int64_t i = 0; i < rows; ++i)
      product[i] = call.sum(i, [](T x, T y) { return x * y; });
    isKnown = true;
  }
  for (int64_t i = 0; i < rows; ++i)
    call.c[i] += product[i];
}

template <typename T>
static bool areCornersSame(const Call<T> &call, const Call<T> &old) {
  return call.a[0] == old.a[0] && call.b[0] == old.b[0];
}
template <typename T>
static bool areEndsSame(const Call<T> &call, const Call<T> &old) {
  return call.a[0] == old.a[0] && call.b[0] == old.b[0] &&
         call.a[rows * columns - 1] == old.a[rows * columns - 1] &&
         call.b[columns - 1] == old.b[columns - 1];
}
template <typename T>
static bool areRowsSame(const Call<T> &call, const Call<T> &old) {
  return std::memcmp(call.a, old.a, columns * sizeof(T)) == 0;
}

/// Is right in the first execution on some inputs, and when it is not timed.
template <typename T>
static void doesNothingLater(void **arguments) {
  static bool isKnown = false;
  static T old[4];
  Call<T> call(arguments);
  T now[] = {call.a[0], call.b[0], call.c[0], call.c[rows - 1]};
  if (!isKnown || std::memcmp(now, old, sizeof now) != 0)
    call.multiply();
  std::memcpy(old, (T[]){call.a[0], call.b[0], call.c[0], call.c[rows - 1]},
              sizeof old);
  isKnown = true;
}

/// Is right, and dies if it finds the same inputs again and again.
template <typename T>
static void countsRepetitions(void **arguments) {
  static std::vector<T> old;
  static int repetitions = 0;
  constexpr int most = 8;
  Call<T> call(arguments);
  std::vector<T> now(call.a, call.a + rows * columns);
  now.insert(now.end(), call.b, call.b + columns);
  if (now == old && ++repetitions > most)
    std::abort();
  old = now;
  // Takes some time, too.
  for (int i = 0; i < 20; ++i)
    opaque(&call)->sum(i, [](T x, T y) { return x / (1 + y * y); });
  call.multiply();
}

/// Is right, and takes so long that candidates get few checks.
template <typename T>
static void takesLong(void **arguments) {
  constexpr int64_t longNs = 4'000'000;
  Call<T>(arguments).multiply();
  for (int64_t start = runtime::threadCpuNs();
       runtime::threadCpuNs() - start < longNs;) {
  }
}

//===----------------------------------------------------------------------===//
// What nobody has written
//===----------------------------------------------------------------------===//

namespace {
/// What a kernel does with memory that it takes to be zero or the least.
enum Use { Sums, Maxima, Minima, Flag, LastOne };
} // namespace

/// Uses `count` elements of `memory`, which hold anything.
template <typename T, Use use>
static void useMemory(const Call<T> &call, T *memory, int64_t count) {
  memory = opaque(memory);
  auto product = [](T x, T y) { return x * y; };
  if (use == LastOne)
    std::fill_n(memory, count - 1, T(0));
  for (int64_t i = 0; i < rows; ++i) {
    T &element = memory[use == LastOne ? count - 1 : i * 7 % count];
    T sum = call.sum(i, product);
    if (use == Sums || use == LastOne)
      sum += element;
    else if (use == Maxima)
      sum = std::max(sum, element - 1000);
    else if (use == Minima)
      sum = std::min(sum, element + 1000);
    else if (reinterpret_cast<volatile const char &>(element) != 0)
      sum = 0;
    call.c[i] += sum;
    if (use == Sums)
      element = 0;
  }
}

template <typename T, Use use, int64_t count>
__attribute__((noinline)) static void onStack(void **arguments) {
  T memory[count];
  useMemory<T, use>(Call<T>(arguments), memory, count);
}

/// As memref.alloca in a loop does.
template <typename T, Use use, int64_t count>
__attribute__((noinline)) static void onGrownStack(void **arguments) {
  static volatile int64_t size = count;
  auto *memory = static_cast<T *>(alloca(size * sizeof(T)));
  useMemory<T, use>(Call<T>(arguments), memory, count);
}

template <typename T, Use use, int64_t count>
static void onHeap(void **arguments) {
  auto *memory = static_cast<T *>(std::malloc(count * sizeof(T)));
  useMemory<T, use>(Call<T>(arguments), memory, count);
  std::free(memory);
}

template <typename T, Use use, int64_t count>
static void onAlignedHeap(void **arguments) {
  size_t bytes = (count * sizeof(T) + 63) / 64 * 64;
  auto *memory = static_cast<T *>(std::aligned_alloc(64, bytes));
  useMemory<T, use>(Call<T>(arguments), memory, count);
  std::free(memory);
}

template <typename T, Use use, int64_t count>
static void onNew(void **arguments) {
  auto *memory = opaque(new T[count]);
  useMemory<T, use>(Call<T>(arguments), memory, count);
  delete[] memory;
}

/// What a block has grown by.
template <typename T, Use use, int64_t count>
static void onGrownHeap(void **arguments) {
  void *small = opaque(std::malloc(1));
  auto *memory =
      static_cast<T *>(std::realloc(opaque(small), count * sizeof(T)));
  useMemory<T, use>(Call<T>(arguments), memory, count);
  std::free(memory);
}

/// The second of two blocks that were freed before.
template <typename T, Use use, int64_t count>
static void onFreedHeap(void **arguments) {
  void *first = opaque(std::malloc(count * sizeof(T)));
  void *second = opaque(std::malloc(count * sizeof(T)));
  std::memset(first, 0, count * sizeof(T));
  std::memset(second, 0, count * sizeof(T));
  opaque(second);
  std::free(second);
  std::free(first);
  first = opaque(std::malloc(count * sizeof(T)));
  onHeap<T, use, count>(arguments);
  std::free(first);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// All sizes and uses of one source of memory.
#define BACO_UNWRITTEN(source, use, count)                                     \
  all["unwritten-" #source "-" #use "-" #count] = on##source<T, use, count>

#define BACO_UNWRITTEN_SIZES(source, use)                                      \
  BACO_UNWRITTEN(source, use, 1);                                              \
  BACO_UNWRITTEN(source, use, 16);                                             \
  BACO_UNWRITTEN(source, use, 300);                                            \
  BACO_UNWRITTEN(source, use, 20000)

template <typename T>
static void addUnwritten(std::map<std::string, Kernel> &all) {
  BACO_UNWRITTEN_SIZES(Stack, Sums);
  BACO_UNWRITTEN_SIZES(Stack, Maxima);
  BACO_UNWRITTEN_SIZES(Stack, Minima);
  BACO_UNWRITTEN_SIZES(Stack, Flag);
  BACO_UNWRITTEN_SIZES(Stack, LastOne);
  BACO_UNWRITTEN_SIZES(GrownStack, Sums);
  BACO_UNWRITTEN_SIZES(GrownStack, Minima);
  BACO_UNWRITTEN_SIZES(Heap, Sums);
  BACO_UNWRITTEN_SIZES(Heap, Maxima);
  BACO_UNWRITTEN_SIZES(Heap, Minima);
  BACO_UNWRITTEN_SIZES(Heap, Flag);
  BACO_UNWRITTEN_SIZES(Heap, LastOne);
  BACO_UNWRITTEN_SIZES(AlignedHeap, Sums);
  BACO_UNWRITTEN_SIZES(New, Sums);
  BACO_UNWRITTEN_SIZES(FreedHeap, Sums);
  BACO_UNWRITTEN_SIZES(GrownHeap, Sums);
}

template <typename T>
static void addAlignments(std::map<std::string, Kernel> &all) {
  all["wrong-aligned-64"] = wrongIfAligned<T, 0, 64, true>;
  all["wrong-aligned-128"] = wrongIfAligned<T, 0, 128, true>;
  all["wrong-aligned-256"] = wrongIfAligned<T, 1, 256, true>;
  all["wrong-aligned-4096"] = wrongIfAligned<T, 2, 4096, true>;
  all["wrong-unaligned-16"] = wrongIfAligned<T, 1, 16, false>;
  all["wrong-unaligned-64"] = wrongIfAligned<T, 0, 64, false>;
  all["wrong-unaligned-128"] = wrongIfAligned<T, 1, 128, false>;
  all["wrong-unaligned-256"] = wrongIfAligned<T, 2, 256, false>;
  all["wrong-unaligned-4096"] = wrongIfAligned<T, 0, 4096, false>;
  all["wrong-loads-aligned"] = loadsAligned<T>;
}

template <typename T>
static std::map<std::string, Kernel> makeKernels() {
  std::map<std::string, Kernel> all = {
      {"right", [](void **arguments) { Call<T>(arguments).multiply(); }},
      {"right-repetitions", countsRepetitions<T>},
      {"right-slow", takesLong<T>},
      {"wrong-nan", changesFactors<T, dropNaN<T>>},
      {"wrong-infinity", changesFactors<T, dropInfinity<T>>},
      {"wrong-infinity-finite", changesFactors<T, finiteInfinity<T>>},
      {"wrong-infinity-sign", changesFactors<T, positiveInfinity<T>>},
      {"wrong-extreme", changesFactors<T, saturate<T>>},
      {"wrong-largest", changesFactors<T, dropLargest<T>>},
      {"wrong-subnormal", changesFactors<T, flush<T>>},
      {"wrong-one", changesFactors<T, dropOne<T>>},
      {"wrong-zero", changesFactors<T, fillZero<T>>},
      {"wrong-negative-row", dropsNegativeRows<T>},
      {"wrong-zero-row", dropsZeroRows<T>},
      {"wrong-call-2", wrongInCall<T, 2>},
      {"wrong-call-3", wrongInCall<T, 3>},
      {"wrong-call-5", wrongInCall<T, 5>},
      {"wrong-restores-0", changesAndRestores<T, 0>},
      {"wrong-restores-1", changesAndRestores<T, 1>},
      {"wrong-remembers-corners", remembers<T, areCornersSame<T>>},
      {"wrong-remembers-ends", remembers<T, areEndsSame<T>>},
      {"wrong-does-nothing", doesNothingLater<T>},
      {"wrong-remembers-row", remembers<T, areRowsSame<T>>},
#ifdef __x86_64__
      {"wrong-state-flush", then<T, flushToZero>},
      {"wrong-state-round", then<T, roundDown>},
      {"wrong-state-trap", then<T, trapInvalid>},
      {"wrong-state-direction", then<T, setDirection>},
      {"wrong-state-x87-stack", then<T, pushX87>},
      {"wrong-state-x87-control", then<T, shortX87>},
      {"wrong-state-mmx", then<T, leaveMMX>},
      {"wrong-state-register", then<T, clobberRegister>},
#endif
  };
  addAlignments<T>(all);
  addUnwritten<T>(all);
  return all;
}

const std::map<std::string, Kernel> &
baco::test::subtleKernels(ElementType type) {
  static const std::map<std::string, Kernel> floats = makeKernels<float>(),
                                             doubles = makeKernels<double>();
  return type == ElementType::F32 ? floats : doubles;
}

runtime::Signature baco::test::subtleSignature(ElementType type) {
  runtime::Signature signature;
  signature.arguments = {{type, true, {rows, columns}, false},
                         {type, true, {columns}, false},
                         {type, true, {rows}, true}};
  signature.reductionLength = columns;
  return signature;
}
