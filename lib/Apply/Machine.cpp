//===- Machine.cpp - Machines that schedules were tuned for ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/Machine.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace baco;
using baco::apply::Machine;

/// The highest level of x86-64 whose features are there: those that code is
/// made with, of the list in the System V ABI's supplement for x86-64.
static StringRef levelOf(const schedule::HostCpu &cpu) {
  auto hasAll = [&](ArrayRef<StringRef> names) {
    return all_of(names, [&](StringRef name) { return cpu.has(name); });
  };
  if (!hasAll({"cx16", "popcnt", "sse4.2"}))
    return "x86-64";
  if (!hasAll({"avx2", "bmi2", "f16c", "fma", "lzcnt", "movbe"}))
    return "x86-64-v2";
  if (!hasAll({"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}))
    return "x86-64-v3";
  return "x86-64-v4";
}

Machine Machine::ofCpu(const schedule::HostCpu &cpu,
                       const schedule::HostInfo &host) {
  Triple triple(schedule::tripleOf(cpu.name));
  Machine machine;
  machine.cpu = cpu.name;
  // Vectors that schedules don't use make no difference.
  machine.isa = triple.isX86() ? std::min(levelOf(cpu), host.level())
                               : StringRef(triple.getArchName());
  // Entries of before don't know of dot products.
  schedule::HostInfo known = host;
  known.dotProducts = 0;
  known.cpu.clear();
  machine.host = known.str();
  return machine;
}

bool Machine::isLike(const Machine &other) const {
  return gpu == other.gpu && isa == other.isa && host == other.host;
}

std::string Machine::str() const {
  return gpu.empty() ? cpu + " (" + isa + ", " + host + ")" : gpu;
}
