//===- CpuPermission.h - Parts of a CPU to ask for --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_CPUPERMISSION_H
#define BACO_SUPPORT_CPUPERMISSION_H

namespace baco {

/// Asks Linux to let this process, and those that it forks, use AMX's tiles.
///
/// \returns false if the CPU has none, or Linux refuses
bool requestTiles();

} // namespace baco

#endif // BACO_SUPPORT_CPUPERMISSION_H
