//===- KernelServer.h - Builds and runs kernels -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The process that has the device. Requests and answers are frames of JSON:
//
//   {"build": PLAN}  {"run": N}   with the launches to time, or 0
//   {"status": "ok", "message": "", "sticky": false, "times": [ns, ...]}
//
// The first answer comes when the device is open, and has `device`.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SOURCEKERNEL_KERNELSERVER_H
#define BACO_LIB_SOURCEKERNEL_KERNELSERVER_H

#include "KernelBlock.h"

#include "baco/SourceKernel/KernelEvaluator.h"

namespace baco::kernels {

/// Serves until the socket is closed.
void serveKernels(const KernelTask &task, const KernelOptions &options,
                  const LaunchPlanner &planner, KernelBlock &block, int socket);

} // namespace baco::kernels

#endif // BACO_LIB_SOURCEKERNEL_KERNELSERVER_H
