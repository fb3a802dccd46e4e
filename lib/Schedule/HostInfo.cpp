//===- HostInfo.cpp - Machine description for schedules -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors come from the features that LLVM detects; caches from Linux's
// description of the first CPU. Where a virtual machine hides that, sysconf
// knows a core's own caches from cpuid; its level 3 is the whole package's, so
// it stays unknown.
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/HostInfo.h"

#include "baco/Support/CpuPermission.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <unistd.h>

using namespace llvm;
using baco::schedule::HostCpu;
using baco::schedule::HostInfo;

HostCpu HostCpu::detect() {
  HostCpu cpu;
  cpu.name = sys::getHostCPUName().str();
  for (const auto &[name, enabled] : sys::getHostCPUFeatures())
    if (enabled)
      cpu.features.push_back(name.str());
  sort(cpu.features);
  return cpu;
}

std::string baco::schedule::tripleOf(StringRef cpu) {
  Triple own(sys::getProcessTriple());
  bool isX86 = X86::parseArchX86(cpu) != X86::CK_None;
  if (isX86 == own.isX86())
    return own.str();
  if (isX86)
    return "x86_64-unknown-linux-gnu";
  return AArch64::parseCpu(cpu) ? "aarch64-unknown-linux-gnu" : own.str();
}

Expected<HostCpu> HostCpu::named(StringRef name) {
  HostCpu cpu;
  cpu.name = name.str();
  std::optional<AArch64::CpuInfo> aarch64 = AArch64::parseCpu(name);
  if (Triple(baco::schedule::tripleOf(name)).isAArch64() && aarch64) {
    std::vector<StringRef> extensions;
    AArch64::getExtensionFeatures(aarch64->DefaultExtensions, extensions);
    for (StringRef extension : extensions)
      if (extension.consume_front("+"))
        cpu.features.push_back(extension.str());
    sort(cpu.features);
    return cpu;
  }
  if (X86::parseArchX86(name) == X86::CK_None)
    return createStringError(
        "LLVM knows no CPU '" + name +
        "'; 'llc -mtriple=x86_64 -mcpu=help' lists those of x86-64, and "
        "-mtriple=aarch64 those of AArch64");
  SmallVector<StringRef> names;
  X86::getFeaturesForCPU(name, names);
  StringMap<bool> features;
  for (StringRef feature : names) {
    features[feature] = true;
    X86::updateImpliedFeatures(feature, /*Enabled=*/true, features);
  }
  for (const auto &feature : features)
    cpu.features.push_back(feature.first().str());
  sort(cpu.features);
  return cpu;
}

HostCpu HostCpu::parse(StringRef name, StringRef text) {
  SmallVector<StringRef> features;
  text.split(features, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return {name.str(), {features.begin(), features.end()}};
}

std::string HostCpu::featureText() const { return join(features, ","); }

bool HostCpu::has(StringRef feature) const {
  return is_contained(features, feature);
}

/// Sets the width and the number of vector registers.
static void setVectors(HostInfo &info, const HostCpu &cpu) {
  Triple triple(baco::schedule::tripleOf(cpu.name));
  if (triple.isAArch64()) {
    info.vectorRegisters = 32;
  } else if (triple.isX86() && cpu.has("avx512f")) {
    info.vectorBytes = 64;
    info.vectorRegisters = 32;
    if (cpu.has("avx512vnni"))
      info.dotProducts = cpu.has("amx-int8") ? 2 : 1;
  } else if (triple.isX86() && cpu.has("avx")) {
    info.vectorBytes = 32;
  }
}

/// The trimmed text of a file below the description of the first CPU's caches;
/// empty if there is none.
static std::string readCacheFile(unsigned index, StringRef name) {
  // As a stream: the sizes of these files are not those of their contents.
  auto file = MemoryBuffer::getFileAsStream(
      "/sys/devices/system/cpu/cpu0/cache/index" + Twine(index) + "/" + name);
  return file ? (*file)->getBuffer().trim().str() : std::string();
}

/// A size such as "48K" or "1M" in bytes; 0 if it isn't one.
static int64_t parseSize(StringRef text) {
  int64_t unit = 1;
  if (text.consume_back("K"))
    unit = 1 << 10;
  else if (text.consume_back("M"))
    unit = 1 << 20;
  int64_t count = 0;
  if (text.getAsInteger(10, count) || count < 0 ||
      count > (int64_t(1) << 40) / unit)
    return 0;
  return count * unit;
}

static void detectCaches(HostInfo &info) {
  if (int64_t size = sysconf(_SC_LEVEL1_DCACHE_SIZE); size > 0)
    info.l1Bytes = size;
  if (int64_t size = sysconf(_SC_LEVEL2_CACHE_SIZE); size > 0)
    info.l2Bytes = size;
  int64_t *levels[] = {&info.l1Bytes, &info.l2Bytes, &info.l3Bytes};
  for (unsigned index = 0;; ++index) {
    std::string type = readCacheFile(index, "type");
    if (type.empty())
      return;
    unsigned level = 0;
    int64_t size = parseSize(readCacheFile(index, "size"));
    if (type == "Instruction" || size == 0 ||
        StringRef(readCacheFile(index, "level")).getAsInteger(10, level) ||
        level < 1 || level > std::size(levels))
      continue;
    *levels[level - 1] = size;
  }
}

/// Sets the caches of a CPU of servers, one core's share of the last level not
/// known: those of AWS's Graviton 2 and 3.
static void setKnownCaches(HostInfo &info) {
  if (info.cpu != "neoverse-n1" && info.cpu != "neoverse-v1")
    return;
  info.l1Bytes = 64 << 10;
  info.l2Bytes = 1 << 20;
  info.l3Bytes = 32 << 20;
}

HostInfo HostInfo::detect(const HostCpu &cpu) {
  HostInfo info;
  setVectors(info, cpu);
  // A container may forbid them.
  if (info.dotProducts == 2 && !requestTiles())
    info.dotProducts = 1;
  detectCaches(info);
  return info;
}

namespace {
/// A key of the text form: the place and the range of its value.
struct Key {
  StringRef name;
  int64_t HostInfo::*field;
  int64_t lower, upper;
};
} // namespace

static constexpr int64_t largestCache = int64_t(1) << 40;
static const Key keys[] = {
    {"vector-bytes", &HostInfo::vectorBytes, 16, 1024},
    {"vector-registers", &HostInfo::vectorRegisters, 8, 1024},
    {"l1", &HostInfo::l1Bytes, 1, largestCache},
    {"l2", &HostInfo::l2Bytes, 0, largestCache},
    {"l3", &HostInfo::l3Bytes, 0, largestCache},
    // As many as a team of the worker has at most (runtime::maxTeamSize).
    {"threads", &HostInfo::threads, 1, 64},
    {"dot-products", &HostInfo::dotProducts, 0, 2},
};

Expected<HostInfo> HostInfo::parse(StringRef text, HostInfo info) {
  SmallVector<StringRef> entries;
  text.split(entries, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  bool givesVectors = false, givesDotProducts = false;
  // Other keys refine what the CPU has, in whatever order.
  for (StringRef entry : entries) {
    auto [name, value] = entry.split('=');
    if (name.trim() != "cpu")
      continue;
    Expected<HostCpu> cpu = HostCpu::named(value.trim());
    if (!cpu)
      return cpu.takeError();
    HostInfo named;
    setVectors(named, *cpu);
    info.vectorBytes = named.vectorBytes;
    info.vectorRegisters = named.vectorRegisters;
    info.dotProducts = named.dotProducts;
    info.cpu = cpu->name;
    setKnownCaches(info);
  }
  for (StringRef entry : entries) {
    auto [name, number] = entry.split('=');
    if (name.trim() == "cpu")
      continue;
    const Key *key =
        llvm::find_if(keys, [&, name = name.trim()](const Key &candidate) {
          return candidate.name == name;
        });
    if (key == std::end(keys))
      return createStringError(
          "unknown key '" + name.trim() +
          "'; there are cpu, vector-bytes, "
          "vector-registers, l1, l2, l3, threads and dot-products");
    int64_t value = 0;
    if (number.trim().getAsInteger(10, value) || value < key->lower ||
        value > key->upper)
      return createStringError("" + key->name + " must be a number of " +
                               Twine(key->lower) + " to " + Twine(key->upper) +
                               ", but is '" + number.trim() + "'");
    info.*key->field = value;
    givesVectors |= key->field == &HostInfo::vectorBytes;
    givesDotProducts |= key->field == &HostInfo::dotProducts;
  }
  // Other vectors than this machine's are those of another one.
  if (givesVectors && !givesDotProducts)
    info.dotProducts = 0;
  if (!isPowerOf2_64(info.vectorBytes))
    return createStringError("vector-bytes must be a power of two, but "
                             "is " +
                             Twine(info.vectorBytes));
  return info;
}

StringRef HostInfo::level() const {
  return vectorBytes >= 64   ? "x86-64-v4"
         : vectorBytes >= 32 ? "x86-64-v3"
                             : "x86-64-v2";
}

Error HostInfo::useThreads(int64_t count) {
  const Key &key = *llvm::find_if(
      keys, [](const Key &one) { return one.field == &HostInfo::threads; });
  if (count < 0 || count > key.upper)
    return createStringError("there may be 1 to " + Twine(key.upper) +
                             " threads, or 0 for all CPUs, but not " +
                             Twine(count));
  if (count == 0)
    threads = std::min<int64_t>(key.upper,
                                hardware_concurrency().compute_thread_count());
  else if (count > 1)
    threads = count;
  return Error::success();
}

std::string HostInfo::str() const {
  std::string named = cpu.empty() ? "" : "cpu=" + cpu + ",";
  return llvm::formatv(
      "{7}vector-bytes={0},vector-registers={1},l1={2},l2={3},"
      "l3={4},threads={5}{6}",
      vectorBytes, vectorRegisters, l1Bytes, l2Bytes, l3Bytes, threads,
      dotProducts ? (",dot-products=" + Twine(dotProducts)).str()
                  : std::string(),
      named);
}
