//===- HostInfo.h - Machine properties for schedules ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The few numbers from which automatic annotation derives domains, defaults and
// constraints.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_HOSTINFO_H
#define BACO_SCHEDULE_HOSTINFO_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace baco::schedule {

/// A CPU as LLVM knows it.
struct HostCpu {
  /// Such as `znver5`.
  std::string name;
  /// The CPU's features, sorted, such as `avx2`.
  std::vector<std::string> features;

  /// The CPU of this machine.
  static HostCpu detect();
  /// The CPU that LLVM calls `name`, of x86-64 or AArch64. An error if there is
  /// none.
  static llvm::Expected<HostCpu> named(llvm::StringRef name);
  /// The reverse of `name` and of `featureText`.
  static HostCpu parse(llvm::StringRef name, llvm::StringRef features);

  /// The features, separated by commas.
  std::string featureText() const;

  bool has(llvm::StringRef feature) const;
};

/// LLVM's triple of machines with this CPU: that of this process, unless only
/// another architecture has a CPU of that name.
std::string tripleOf(llvm::StringRef cpu);

/// One core of a machine, and how many of them a kernel may use. Sizes are in
/// bytes.
struct HostInfo {
  /// The size of a vector register; a power of two, 16 to 1024.
  int64_t vectorBytes = 16;
  /// Architectural vector registers, 8 to 1024.
  int64_t vectorRegisters = 16;
  /// Data caches that the core can use; 0 if there is no such level.
  int64_t l1Bytes = 32 << 10;
  int64_t l2Bytes = 256 << 10;
  int64_t l3Bytes = 0;
  /// Threads that one kernel may have, each on a core of its own; 1 to 64. With
  /// 1, as if not given, schedules have no parallel loops.
  int64_t threads = 1;
  /// Instructions for sums of narrow products: 0 none, 1 AVX-512's VNNI, 2
  /// AMX's tiles of bytes, too.
  int64_t dotProducts = 0;
  /// The CPU that static costs are for, as LLVM names it; empty: the level of
  /// x86-64 with these vectors.
  std::string cpu = {};

  /// This machine. Unknown properties keep the conservative values above.
  static HostInfo detect() { return detect(HostCpu::detect()); }
  /// The same with the vectors of `cpu`.
  static HostInfo detect(const HostCpu &cpu);

  /// `text` is `KEY=VALUE,...` with the keys cpu, vector-bytes,
  /// vector-registers, l1, l2, l3, threads and dot-products. Absent keys take
  /// this machine's values, but threads takes 1, and dot-products 0 if
  /// vector-bytes is there; with cpu, the vectors are those of that CPU, and
  /// for Neoverse N1 and V1 the caches, too.
  /// Errors name the key and its valid values.
  static llvm::Expected<HostInfo> parse(llvm::StringRef text) {
    return parse(text, detect());
  }
  /// The same for another machine than this one.
  static llvm::Expected<HostInfo> parse(llvm::StringRef text, HostInfo info);

  /// LLVM's name of the level of x86-64 that has these vectors.
  llvm::StringRef level() const;
  /// The CPU that code for static costs is made for.
  llvm::StringRef codeCpu() const { return cpu.empty() ? level() : cpu; }

  /// Sets `threads` to `count`, or for 0 to the number of CPUs that this
  /// process may run on; 1 leaves it as it is. Errors say what it may be.
  llvm::Error useThreads(int64_t count);

  /// The text of which parse makes the same, wherever it runs.
  std::string str() const;
};

} // namespace baco::schedule

#endif // BACO_SCHEDULE_HOSTINFO_H
