//===- DescribeMachine.h - Target machine of a worker -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_DESCRIBEMACHINE_H
#define BACO_TARGET_CPU_DESCRIBEMACHINE_H

#include "baco/Protocol/Messages.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace baco::target {

/// The CPU `cpu` of LLVM's, or that of this machine if it is empty, with its
/// vectors, this machine's caches, and what `host` says of them (see
/// schedule::HostInfo::parse). Errors say what is unknown.
llvm::Expected<runtime::MachineDescription>
describeMachine(llvm::StringRef cpu, llvm::StringRef host);

} // namespace baco::target

#endif // BACO_TARGET_CPU_DESCRIBEMACHINE_H
