//===- HostMachine.h - The machine that code is generated for ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_HOSTMACHINE_H
#define BACO_LIB_TARGET_HOSTMACHINE_H

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"

namespace baco::target {

/// This machine, or, if `cpu` isn't empty, one like it with that CPU of LLVM's.
llvm::Expected<llvm::orc::JITTargetMachineBuilder>
describeHost(llvm::StringRef cpu = "");

/// Adds to `features`, those of this machine, what LLVM knows of Intel's CPUs
/// that have them, and would tune for if it knew the CPU by its name. Virtual
/// machines often show another one.
void addTuning(llvm::SubtargetFeatures &features);

} // namespace baco::target

#endif // BACO_LIB_TARGET_HOSTMACHINE_H
