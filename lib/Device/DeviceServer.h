//===- DeviceServer.h - Runs programs on a GPU ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DEVICE_DEVICESERVER_H
#define BACO_LIB_DEVICE_DEVICESERVER_H

#include "baco/Device/DeviceLink.h"

namespace baco::runtime {

/// Opens the device, says in the block how that went by an answer to client 0,
/// and answers requests until the socket is closed or the device is broken.
void serveDevice(const DeviceOptions &options, const Signature &signature,
                 int socket, std::byte *block);

} // namespace baco::runtime

#endif // BACO_LIB_DEVICE_DEVICESERVER_H
