//===- HostMachine.h - The machine that code is generated for ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_HOSTMACHINE_H
#define BACO_TARGET_CPU_HOSTMACHINE_H

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"

namespace baco::target {

/// This machine, or, if `cpu` isn't empty, one like it with that CPU of LLVM's.
llvm::Expected<llvm::orc::JITTargetMachineBuilder>
describeHost(llvm::StringRef cpu = "");

/// Adds to `features`, those of this machine, the tuning flags of LLVM for
/// Intel's CPUs with these features, which LLVM sets only by the CPU's name.
/// Virtual machines often have another name.
void addTuning(llvm::SubtargetFeatures &features);

} // namespace baco::target

#endif // BACO_TARGET_CPU_HOSTMACHINE_H
