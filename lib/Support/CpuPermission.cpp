//===- CpuPermission.cpp - Parts of a CPU to ask for ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Support/CpuPermission.h"

#include <sys/syscall.h>
#include <unistd.h>

static bool request() {
#ifdef __x86_64__
  // ARCH_REQ_XCOMP_PERM, and the number of the tiles' state
  // (arch/x86/include/uapi/asm/prctl.h).
  constexpr int requestPermission = 0x1023, tileData = 18;
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
#else
  return false;
#endif
}

bool baco::requestTiles() {
  // Sandboxes forbid the system call: who is in one was forked from a process
  // that has asked before.
  static const bool isPermitted = request();
  return isPermitted;
}
