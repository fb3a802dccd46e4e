//===- Machine.cpp - What a schedule was tuned for -------------------===//
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
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;
using baco::apply::Machine;

/// The features of an x86 CPU; nullopt if LLVM doesn't know it.
static std::optional<StringMap<bool>> featuresOf(StringRef cpu) {
  if (X86::parseArchX86(cpu) == X86::CK_None)
    return std::nullopt;
  SmallVector<StringRef> names;
  X86::getFeaturesForCPU(cpu, names);
  StringMap<bool> features;
  for (StringRef name : names)
    features[name] = true;
  return features;
}

/// The highest level of x86-64 whose features are there: those that code is
/// made with, of the list in the System V ABI's supplement for x86-64.
static StringRef levelOf(const StringMap<bool> &features) {
  auto hasAll = [&](ArrayRef<StringRef> names) {
    return all_of(names, [&](StringRef name) { return features.lookup(name); });
  };
  if (!hasAll({"cx16", "popcnt", "sse4.2"}))
    return "x86-64";
  if (!hasAll({"avx2", "bmi2", "f16c", "fma", "lzcnt", "movbe"}))
    return "x86-64-v2";
  if (!hasAll({"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}))
    return "x86-64-v3";
  return "x86-64-v4";
}

Expected<Machine> Machine::ofCpu(StringRef cpu,
                                 const schedule::HostInfo &host) {
  Machine machine;
  machine.cpu = cpu.empty() ? sys::getHostCPUName().str() : cpu.str();
  machine.host = host.str();
  Triple triple(sys::getProcessTriple());
  if (!triple.isX86()) {
    machine.isa = triple.getArchName();
    return machine;
  }
  std::optional<StringMap<bool>> features =
      cpu.empty() ? sys::getHostCPUFeatures() : featuresOf(cpu);
  if (!features)
    return createStringError("LLVM knows no CPU '" + cpu +
                             "'; 'llc -mcpu=help' lists those of x86-64");
  machine.isa = levelOf(*features);
  return machine;
}

bool Machine::isLike(const Machine &other) const {
  return gpu == other.gpu && isa == other.isa && host == other.host;
}

std::string Machine::str() const {
  return gpu.empty() ? cpu + " (" + isa + ", " + host + ")" : gpu;
}
