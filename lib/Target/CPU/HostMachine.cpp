//===- HostMachine.cpp - The machine that code is generated for -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/MachineCode.h"

#include "baco/Schedule/HostInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using llvm::orc::JITTargetMachineBuilder;

void baco::target::addTuning(SubtargetFeatures &features) {
  // From Golden Cove on, which is the first to have these, vpmullq waits for
  // what its result's register held before: 5.4 ns, not 0.7.
  if (is_contained(features.getFeatures(), "+avx512fp16"))
    features.AddFeature("false-deps-mullq");
}

/// The targets of other machines than this one.
static void initializeOthers() {
  // LLVM has a function for each target, and none that finds one by its name.
  static const bool isDone = [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    return true;
  }();
  (void)isDone;
}

static Expected<JITTargetMachineBuilder> detectHost() {
  auto host = JITTargetMachineBuilder::detectHost();
  if (host && sys::detail::x86::getVendorSignature() ==
                  sys::detail::x86::VendorSignatures::GENUINE_INTEL)
    baco::target::addTuning(host->getFeatures());
  return host;
}

Expected<JITTargetMachineBuilder> baco::target::describeHost(StringRef cpu) {
  // Once per process; true means that LLVM was built without this target.
  static bool missing = InitializeNativeTarget() ||
                        InitializeNativeTargetAsmPrinter() ||
                        InitializeNativeTargetAsmParser();
  if (missing)
    return createStringError("LLVM can't generate code for this machine");
  if (!cpu.empty()) {
    // Only static costs are for other CPUs: that code is never linked.
    Triple triple(schedule::tripleOf(cpu));
    if (triple.getArch() != Triple(sys::getProcessTriple()).getArch())
      initializeOthers();
    JITTargetMachineBuilder machine(triple);
    machine.setCPU(cpu.str());
    return machine;
  }
  static const std::optional<JITTargetMachineBuilder> known =
      expectedToOptional(detectHost());
  if (known)
    return *known;
  return detectHost();
}
