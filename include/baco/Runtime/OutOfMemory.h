//===- OutOfMemory.h - Whom the system killed for memory --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel's record of processes that it killed to get memory. A process that
// died of SIGKILL ran out of memory only if the record shows it: other
// processes may send the signal, too.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_OUTOFMEMORY_H
#define BACO_RUNTIME_OUTOFMEMORY_H

#include <cstdint>
#include <string>

namespace baco::runtime {

/// The folders of the system's records.
struct SystemFolders {
  std::string process = "/proc";
  std::string controlGroups = "/sys/fs/cgroup";
};

/// The number of processes in our memory control group, of either version, that
/// the system has killed to get memory; of the whole machine if no group has a
/// count, and 0 if there is none at all. The system counts before it kills.
/// Reads two small files.
int64_t countOutOfMemoryKills(const SystemFolders &folders = {});

} // namespace baco::runtime

#endif // BACO_RUNTIME_OUTOFMEMORY_H
