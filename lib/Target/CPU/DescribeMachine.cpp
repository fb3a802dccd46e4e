//===- DescribeMachine.cpp - The machine that a worker compiles for -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/MachineCode.h"

#include "baco/Schedule/HostInfo.h"

using namespace baco;
using namespace baco::schedule;

llvm::Expected<runtime::MachineDescription>
target::describeMachine(llvm::StringRef cpu, llvm::StringRef host) {
  HostCpu described = HostCpu::detect();
  if (!cpu.empty()) {
    llvm::Expected<HostCpu> named = HostCpu::named(cpu);
    if (!named)
      return named.takeError();
    described = std::move(*named);
  }
  llvm::Expected<HostInfo> info =
      HostInfo::parse(host, HostInfo::detect(described));
  if (!info)
    return info.takeError();
  return runtime::MachineDescription{described.name, described.featureText(),
                                     info->str()};
}
